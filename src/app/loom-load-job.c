/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-load-job.h"

#include "loom-background.h"
#include "loom-settings.h"

/* In the setting. */
#define MB 1000000u

/* A timeline is rebuilt for each batch of traces, and the more it holds the longer that takes: the first comes at once,
 * later ones at this distance, and so far apart that telling of them takes no more than a share of the time. */
#define BATCH_MS 120
#define MOST_BATCH_MS 800
#define BATCH_SHARE 10

struct _LoomLoadJob {
  GObject parent;
  char **paths;
  LoomLoadOptions options;
  LoomProgress *progress;
  GCancellable *cancellable;

  GMutex lock;
  GPtrArray *waiting;     /* LoomTrace *; under the lock */
  gboolean pending;       /* a source of the main loop will look at `waiting`; under the lock */
  gboolean announced_one; /* under the lock */
  guint distance_ms;      /* to the next batch; under the lock */
  gint64 ready_us;        /* when the first was ready; under the lock */

  LoomRun *run;
  GError *error;
};

G_DEFINE_FINAL_TYPE (LoomLoadJob, loom_load_job, G_TYPE_OBJECT)

enum { ARRIVED, FINISHED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
finalize (GObject *object)
{
  LoomLoadJob *self = LOOM_LOAD_JOB (object);
  g_strfreev (self->paths);
  loom_progress_unref (self->progress);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->waiting);
  g_clear_pointer (&self->run, loom_run_unref);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (loom_load_job_parent_class)->finalize (object);
}

static void
loom_load_job_class_init (LoomLoadJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[ARRIVED] =
    g_signal_new ("arrived", LOOM_TYPE_LOAD_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FINISHED] =
    g_signal_new ("finished", LOOM_TYPE_LOAD_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GPtrArray *
new_trace_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
}

static void
loom_load_job_init (LoomLoadJob *self)
{
  g_mutex_init (&self->lock);
  self->cancellable = g_cancellable_new ();
  self->progress = loom_progress_new (self->cancellable);
  self->waiting = new_trace_array ();
  self->distance_ms = BATCH_MS;
}

static void
tell (LoomLoadJob *self)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_signal_emit (self, signals[ARRIVED], 0);
  gint64 took_ms = (g_get_monotonic_time () - begin_us) / 1000;
  g_mutex_lock (&self->lock);
  self->distance_ms = (guint) CLAMP (took_ms * BATCH_SHARE, BATCH_MS, MOST_BATCH_MS);
  g_mutex_unlock (&self->lock);
}

static gboolean
announce (gpointer user_data)
{
  LoomLoadJob *self = user_data;
  g_mutex_lock (&self->lock);
  gboolean any = self->waiting->len > 0;
  self->pending = FALSE;
  g_mutex_unlock (&self->lock);
  if (any)
    tell (self);
  return G_SOURCE_REMOVE;
}

/* Worker threads. */
static void
trace_ready (LoomTrace *trace, gpointer user_data)
{
  LoomLoadJob *self = user_data;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->waiting, loom_trace_ref (trace));
  gboolean schedule = !self->pending;
  guint delay_ms = self->announced_one ? self->distance_ms : 0;
  self->pending = TRUE;
  self->announced_one = TRUE;
  if (self->ready_us == 0)
    self->ready_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
  if (schedule)
    g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, delay_ms, announce, g_object_ref (self), g_object_unref);
}

/* Pictures come before the reading of what they do not show yet. */
static gpointer
load_in_thread (gpointer data)
{
  g_autoptr (GTask) task = data;
  LoomLoadJob *self = g_task_get_source_object (task);
  GError *error = NULL;
  loom_background_enter ();
  LoomRun *run = loom_load_paths ((const char *const *) self->paths, &self->options, self->progress, trace_ready, self, &error);
  if (run != NULL)
    g_task_return_pointer (task, run, (GDestroyNotify) loom_run_unref);
  else
    g_task_return_error (task, error);
  return NULL;
}

static void
loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  LoomLoadJob *self = LOOM_LOAD_JOB (object);
  self->run = g_task_propagate_pointer (G_TASK (result), &self->error);
  g_signal_emit (self, signals[FINISHED], 0);
}

LoomLoadJob *
loom_load_job_new (const char *const *paths)
{
  LoomLoadJob *self = g_object_new (LOOM_TYPE_LOAD_JOB, NULL);
  self->paths = g_strdupv ((char **) paths);
  self->options.memory_budget = (guint64) MAX (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), 0) * MB;
  return self;
}

void
loom_load_job_start (LoomLoadJob *self)
{
  g_return_if_fail (LOOM_IS_LOAD_JOB (self));
  /* No cancellable for the task itself: a cancelled load still has to hand over what it opened. */
  g_autoptr (GTask) task = g_task_new (self, NULL, loaded, NULL);
  g_task_set_source_tag (task, loom_load_job_start);
  /* The threads that run tasks are shared; this one's priority must end with it. */
  g_thread_unref (g_thread_new ("loom-load", load_in_thread, g_object_ref (task)));
}

void
loom_load_job_cancel (LoomLoadJob *self)
{
  g_return_if_fail (LOOM_IS_LOAD_JOB (self));
  g_cancellable_cancel (self->cancellable);
}

const char *const *
loom_load_job_get_paths (LoomLoadJob *self)
{
  return (const char *const *) self->paths;
}

LoomProgress *
loom_load_job_get_progress (LoomLoadJob *self)
{
  return self->progress;
}

GPtrArray *
loom_load_job_take_traces (LoomLoadJob *self)
{
  g_mutex_lock (&self->lock);
  GPtrArray *taken = g_steal_pointer (&self->waiting);
  self->waiting = new_trace_array ();
  g_mutex_unlock (&self->lock);
  return taken;
}

gint64
loom_load_job_get_ready_time (LoomLoadJob *self)
{
  g_mutex_lock (&self->lock);
  gint64 ready_us = self->ready_us;
  g_mutex_unlock (&self->lock);
  return ready_us;
}

LoomRun *
loom_load_job_get_run (LoomLoadJob *self)
{
  return self->run;
}

const GError *
loom_load_job_get_error (LoomLoadJob *self)
{
  return self->error;
}
