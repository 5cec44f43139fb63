/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-load-task.h: the thread that reads files, and the batches in which traces are shown.
 */
#include "loom-load-task.h"

#include "loom-deferred-free.h"
#include "loom-remote-paths.h"
#include "loom-run-assembly.h"
#include "loom-settings.h"
#include "loom-thread-priority.h"

/* number of bytes in a megabyte, which is the unit of the memory budget in the settings */
#define MB 1000000u

/* The traces of a load are shown in batches. For each batch, the timeline is made again, which takes longer if there
 * are more traces. The first batch is shown at once. The delay in ms before the next batch is BATCH_SHARE × the time
 * that the handlers of "arrived" took for the previous batch, so that the handlers use about a tenth of the time.
 * The delay is at least BATCH_MS and at most MOST_BATCH_MS. */
#define BATCH_MS 120
#define MOST_BATCH_MS 800
#define BATCH_SHARE 10

struct _LoomLoadTask {
  GObject parent;
  char **paths;
  LoomRun *base;              /* the base: the run that was open before the load; NULL if no run was open */
  LoomRun *known;             /* a run whose traces are used again if their files have not changed; may be NULL */
  char **anew;                /* paths of sources whose traces are always read; may be NULL */
  LoomSourceOverrides *edits; /* the user's changes to sources; NULL if there are none */
  LoomLoadOptions options;
  LoomProgress *progress;
  GCancellable *cancellable;

  GMutex lock;       /* guards the next five members */
  GPtrArray *ready;  /* LoomTrace *: the traces that were read, in the order in which they were ready */
  guint n_taken;     /* the first `n_taken` elements of `ready` have been put in a batch */
  gboolean pending;  /* TRUE if the next batch is scheduled, or if its traces are being combined */
  guint distance_ms; /* delay in ms before the next batch */
  gint64 ready_us;   /* value of g_get_monotonic_time() when the first trace was ready */

  LoomLoadedRun *shown; /* the run and timeline at the last signal; NULL before the first signal */
  gboolean finished;
  GError *error;
};

G_DEFINE_FINAL_TYPE (LoomLoadTask, loom_load_task, G_TYPE_OBJECT)

enum { ARRIVED, FINISHED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Frees large data on another thread. Freeing the data may take long, because the task may have the last references to
 * them, for example after a cancelled load. */
static void
release_held (LoomLoadTask *self)
{
  loom_deferred_free ((GDestroyNotify) g_ptr_array_unref, g_steal_pointer (&self->ready));
  if (self->base != NULL)
    loom_deferred_free ((GDestroyNotify) loom_run_unref, g_steal_pointer (&self->base));
  if (self->known != NULL)
    loom_deferred_free ((GDestroyNotify) loom_run_unref, g_steal_pointer (&self->known));
  if (self->shown != NULL)
    loom_deferred_free ((GDestroyNotify) loom_run_assembly_free, g_steal_pointer (&self->shown));
}

static void
finalize (GObject *object)
{
  LoomLoadTask *self = LOOM_LOAD_TASK (object);
  g_strfreev (self->paths);
  g_strfreev (self->anew);
  loom_source_overrides_free (self->edits);
  loom_progress_unref (self->progress);
  g_object_unref (self->cancellable);
  release_held (self);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (loom_load_task_parent_class)->finalize (object);
}

static void
loom_load_task_class_init (LoomLoadTaskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[ARRIVED] =
    g_signal_new ("arrived", LOOM_TYPE_LOAD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FINISHED] =
    g_signal_new ("finished", LOOM_TYPE_LOAD_TASK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_load_task_init (LoomLoadTask *self)
{
  g_mutex_init (&self->lock);
  self->cancellable = g_cancellable_new ();
  self->progress = loom_progress_new (self->cancellable);
  self->ready = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  self->distance_ms = BATCH_MS;
}

/* --- batches of traces that are ready ------------------------------------------------------------------ */

static gpointer
ref_trace (gconstpointer trace, gpointer data)
{
  return loom_trace_ref ((LoomTrace *) trace);
}

/* Combines a batch of traces with the traces of the base (the run that was open before). Runs with normal priority, so
 * that traces that were read are shown before more traces are read. New clocks are fitted only at the end, when all
 * ranks have been read. If they were fitted earlier, the times would jump with each new rank. The clocks of the base
 * keep their fits. */
static void
put_together (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  LoomLoadTask *self = source;
  GPtrArray *traces = task_data;
  g_task_return_pointer (task,
                         loom_run_assembly_new (self->base, (LoomTrace *const *) traces->pdata, traces->len, NULL,
                                                self->base != NULL ? LOOM_ALIGN_AUTO : LOOM_ALIGN_DECLARED,
                                                self->edits),
                         (GDestroyNotify) loom_run_assembly_free);
}

static void
show (LoomLoadTask *self, LoomLoadedRun *assembly)
{
  /* Freeing the assembly does not free those traces of the previous run that are also in the new run, because the new
   * run has references to them. */
  if (self->shown != NULL)
    loom_deferred_free ((GDestroyNotify) loom_run_assembly_free, self->shown);
  self->shown = assembly;
}

static gboolean look (gpointer user_data);

static void
look_later (LoomLoadTask *self, guint delay_ms)
{
  g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, delay_ms, look, g_object_ref (self), g_object_unref);
}

/* Called when a batch was shown. Schedules the next batch if more traces are ready. `took_ms`: the time that the
 * handlers of "arrived" took. */
static void
go_on (LoomLoadTask *self, gint64 took_ms)
{
  g_mutex_lock (&self->lock);
  self->distance_ms = (guint) CLAMP (took_ms * BATCH_SHARE, BATCH_MS, MOST_BATCH_MS);
  self->pending = self->ready->len > self->n_taken;
  gboolean again = self->pending;
  guint delay_ms = self->distance_ms;
  g_mutex_unlock (&self->lock);
  if (again)
    look_later (self, delay_ms);
}

static void
was_put_together (GObject *object, GAsyncResult *result, gpointer user_data)
{
  LoomLoadTask *self = LOOM_LOAD_TASK (object);
  g_autoptr (LoomLoadedRun) assembly = g_task_propagate_pointer (G_TASK (result), NULL);
  if (self->finished)
    return; /* the final run is already shown, so this batch is no longer needed */
  gint64 begin_us = g_get_monotonic_time ();
  show (self, g_steal_pointer (&assembly));
  g_signal_emit (self, signals[ARRIVED], 0);
  go_on (self, (g_get_monotonic_time () - begin_us) / 1000);
}

static gboolean
look (gpointer user_data)
{
  LoomLoadTask *self = user_data;
  if (self->finished)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&self->lock);
  GPtrArray *traces = g_ptr_array_copy (self->ready, ref_trace, NULL);
  self->n_taken = traces->len;
  g_mutex_unlock (&self->lock);
  g_autoptr (GTask) task = g_task_new (self, NULL, was_put_together, NULL);
  g_task_set_task_data (task, traces, (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, put_together);
  return G_SOURCE_REMOVE;
}

/* Adds a trace that was read. Schedules a batch unless one is already scheduled. Called on worker threads. */
static void
trace_ready (LoomTrace *trace, gpointer user_data)
{
  LoomLoadTask *self = user_data;
  g_mutex_lock (&self->lock);
  gboolean first = self->ready->len == 0, schedule = !self->pending;
  g_ptr_array_add (self->ready, loom_trace_ref (trace));
  guint delay_ms = first ? 0 : self->distance_ms;
  self->pending = TRUE;
  if (first)
    self->ready_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
  if (schedule)
    look_later (self, delay_ms);
}

/* --- loading ----------------------------------------------------------------------------------------------------- */

/* Combines all traces of `run` in their final order. If `run` is NULL, the load failed; then combines the traces
 * that were read, or returns NULL if no trace was read. Called when all readers have ended. */
static LoomLoadedRun *
put_all_together (LoomLoadTask *self, const LoomRun *run)
{
  if (run == NULL)
    return self->ready->len == 0 ? NULL
                                 : loom_run_assembly_new (self->base, (LoomTrace *const *) self->ready->pdata,
                                                          self->ready->len, NULL, LOOM_ALIGN_AUTO, self->edits);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    g_ptr_array_add (traces, loom_run_get_trace (run, i));
  return loom_run_assembly_new (self->base, (LoomTrace *const *) traces->pdata, traces->len, run, LOOM_ALIGN_AUTO,
                                self->edits);
}

static void
load (GTask *task)
{
  LoomLoadTask *self = g_task_get_source_object (task);
  g_autoptr (LoomRemotePaths) places =
    loom_remote_paths_new ((const char *const *) self->paths, NULL, self->progress, &self->error);
  g_autoptr (LoomRun) run = NULL;
  if (places != NULL) {
    self->options.places = (const LoomFetchedFolder *const *) places->places;
    self->options.known = self->known;
    self->options.anew = (const char *const *) self->anew;
    self->options.edits = self->edits;
    run = loom_load_paths ((const char *const *) places->paths, &self->options, self->progress, trace_ready, self,
                           &self->error);
    self->options.places = NULL;
  }
  g_task_return_pointer (task, put_all_together (self, run), (GDestroyNotify) loom_run_assembly_free);
}

/* Loads the files. The thread has a low priority, so that drawing has priority over reading. */
static gpointer
load_in_thread (gpointer data)
{
  g_autoptr (GTask) task = data;
  loom_thread_priority_enter ();
  load (task);
  return NULL;
}

static void
load_in_pool (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  load (task);
}

static void
loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  LoomLoadTask *self = LOOM_LOAD_TASK (object);
  self->finished = TRUE;
  show (self, g_task_propagate_pointer (G_TASK (result), NULL));
  g_signal_emit (self, signals[FINISHED], 0);
}

LoomLoadTask *
loom_load_task_new (const char *const *paths, LoomRun *base, LoomRun *known, const char *const *anew,
                    const LoomSourceOverrides *edits)
{
  LoomLoadTask *self = g_object_new (LOOM_TYPE_LOAD_TASK, NULL);
  self->paths = g_strdupv ((char **) paths);
  self->base = base != NULL ? loom_run_ref (base) : NULL;
  self->known = known != NULL ? loom_run_ref (known) : NULL;
  self->anew = g_strdupv ((char **) anew);
  self->edits = edits != NULL ? loom_source_overrides_copy (edits) : NULL;
  self->options.memory_budget = (guint64) MAX (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), 0) * MB;
  return self;
}

void
loom_load_task_start (LoomLoadTask *self)
{
  /* The GTask has no cancellable, because a cancelled load must still return the traces that it has read. */
  g_autoptr (GTask) task = g_task_new (self, NULL, loaded, NULL);
  g_task_set_source_tag (task, loom_load_task_start);
  /* The low priority is set for the whole thread, so use a new thread: in a shared thread, the priority would remain
   * for other tasks of GTask. */
  GThread *thread = g_thread_try_new ("loom-load", load_in_thread, task, NULL);
  if (thread != NULL) {
    (void) g_steal_pointer (&task); /* the thread owns the task now */
    g_thread_unref (thread);
  } else { /* no new thread could be started, so use a shared thread of GTask */
    g_task_run_in_thread (task, load_in_pool);
  }
}

void
loom_load_task_cancel (LoomLoadTask *self)
{
  g_cancellable_cancel (self->cancellable);
}

LoomProgress *
loom_load_task_get_progress (LoomLoadTask *self)
{
  return self->progress;
}

gint64
loom_load_task_get_ready_time (LoomLoadTask *self)
{
  g_mutex_lock (&self->lock);
  gint64 ready_us = self->ready_us;
  g_mutex_unlock (&self->lock);
  return ready_us;
}

LoomRun *
loom_load_task_get_run (LoomLoadTask *self)
{
  return self->shown != NULL ? self->shown->run : NULL;
}

LoomTimeline *
loom_load_task_get_timeline (LoomLoadTask *self)
{
  return self->shown != NULL ? self->shown->timeline : NULL;
}

const GError *
loom_load_task_get_error (LoomLoadTask *self)
{
  return self->error;
}
