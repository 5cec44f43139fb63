/* SPDX-License-Identifier: Apache-2.0
 *
 * The open run (LoomDocument): starts loads (loom-load-task.h), uses their results, and applies the user's changes to
 * clocks and sources.
 *
 * During a load, the traces are in the order in which they were read. After the load, they are in the order of their
 * paths.
 */
#include "loom-document.h"

#include "loom-archive-path.h"
#include "loom-common-folder.h"
#include "loom-deferred-free.h"
#include "loom-load-task.h"
#include "loom-run-assembly.h"
#include "loom-run-facts.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomDocument {
  GObject parent;
  GPtrArray *paths; /* char *: all opened and added paths; NULL-terminated */
  /* The first `n_opened` elements of `paths` are the paths that were opened. The next elements are paths that were
   * added later. */
  guint n_opened;
  /* char **: the paths to load after the current load, because the user added them during this load; one element for
   * each addition */
  GPtrArray *queue;
  LoomLoadTask *job; /* the current load; NULL if nothing is loading */
  gint64 ready_us;   /* value of g_get_monotonic_time() when the first source of the last load was ready */
  LoomRun *run;
  LoomTimeline *timeline;
  /* the alignment that was made by the load, without the user's changes; NULL if there is no timeline */
  LoomAlignment *fitted;
  LoomClockOverrides *edits;
  LoomSourceOverrides *source_edits;
  LoomUndoStack *undo;
  GError *error;
  gboolean is_reloading; /* TRUE if `job` reads all paths again and replaces the run at its end */
  gboolean is_quiet;     /* TRUE if `job` was started by loom_document_follow() */
  /* TRUE if the user edited sources while `job` was running. The edited sources are read again when `job` has ended. */
  gboolean rereads;
  gboolean is_partial; /* TRUE if the run is incomplete because its load was cancelled */
  gboolean cancelled;
};

G_DEFINE_FINAL_TYPE (LoomDocument, loom_document, G_TYPE_OBJECT)

enum { TIMELINE_CHANGED, LOADING_CHANGED, SOURCES_EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
drop_job (LoomDocument *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  loom_load_task_cancel (self->job);
  g_clear_object (&self->job);
}

static void
drop_run (LoomDocument *self)
{
  g_clear_pointer (&self->run, loom_run_unref);
  g_clear_pointer (&self->fitted, loom_alignment_unref);
  if (self->timeline != NULL)
    loom_deferred_free ((GDestroyNotify) loom_timeline_unref, g_steal_pointer (&self->timeline));
}

static void
dispose (GObject *object)
{
  LoomDocument *self = LOOM_DOCUMENT (object);
  drop_job (self);
  drop_run (self);
  G_OBJECT_CLASS (loom_document_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomDocument *self = LOOM_DOCUMENT (object);
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->queue);
  loom_undo_stack_free (self->undo);
  loom_clock_overrides_free (self->edits);
  loom_source_overrides_free (self->source_edits);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (loom_document_parent_class)->finalize (object);
}

static void
loom_document_class_init (LoomDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->dispose = dispose;
  object_class->finalize = finalize;
  signals[TIMELINE_CHANGED] =
    g_signal_new ("timeline-changed", LOOM_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LOADING_CHANGED] =
    g_signal_new ("loading-changed", LOOM_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SOURCES_EDITED] =
    g_signal_new ("sources-edited", LOOM_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_document_init (LoomDocument *self)
{
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->paths, NULL);
  self->queue = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->edits = loom_clock_overrides_new ();
  self->source_edits = loom_source_overrides_new ();
  self->undo = loom_undo_stack_new (self);
}

LoomDocument *
loom_document_new (void)
{
  return g_object_new (LOOM_TYPE_DOCUMENT, NULL);
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

static void
put_edits_in_force (LoomDocument *self)
{
  g_autoptr (LoomAlignment) alignment = loom_clock_overrides_apply (self->edits, self->fitted, self->run);
  LoomTimeline *timeline = loom_timeline_new (self->run, alignment);
  loom_timeline_unref (self->timeline);
  self->timeline = timeline;
}

static void
apply_clock_edits (gconstpointer edits, gpointer document)
{
  LoomDocument *self = document;
  LoomClockOverrides *copy = loom_clock_overrides_copy (edits);
  loom_clock_overrides_free (self->edits);
  self->edits = copy;
  if (self->timeline != NULL)
    put_edits_in_force (self);
  g_signal_emit (self, signals[TIMELINE_CHANGED], 0);
}

static const LoomUndoKind clock_edits_kind = { apply_clock_edits, (GDestroyNotify) loom_clock_overrides_free, FALSE };

const LoomClockOverrides *
loom_document_get_clock_edits (LoomDocument *self)
{
  return self->edits;
}

void
loom_document_edit_clocks (LoomDocument *self, LoomClockOverrides *edits, const char *words, gboolean joins)
{
  g_autoptr (LoomClockOverrides) after = loom_clock_overrides_copy (edits);
  loom_undo_stack_push (self->undo, &clock_edits_kind, words, loom_clock_overrides_copy (self->edits), edits, joins);
  apply_clock_edits (after, self);
}

void
loom_document_set_clock_edits (LoomDocument *self, const LoomClockOverrides *edits)
{
  loom_undo_stack_clear (self->undo);
  apply_clock_edits (edits, self);
}

void
loom_document_note_clocks (LoomDocument *self, LoomClockOverrides *before, const char *words)
{
  loom_undo_stack_push (self->undo, &clock_edits_kind, words, before, loom_clock_overrides_copy (self->edits), FALSE);
}

LoomUndoStack *
loom_document_get_undo (LoomDocument *self)
{
  return self->undo;
}

/* Uses the run and the timeline of the load task in place of those of the document. If the task has no run, the
 * present run stays. */
static void
take_run (LoomDocument *self, LoomLoadTask *job)
{
  LoomRun *run = loom_load_task_get_run (job);
  LoomTimeline *timeline = loom_load_task_get_timeline (job);
  if (run == NULL)
    return;
  g_clear_pointer (&self->run, loom_run_unref);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->fitted, loom_alignment_unref);
  self->run = loom_run_ref (run);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  self->fitted = timeline != NULL ? loom_alignment_ref (loom_timeline_get_alignment (timeline)) : NULL;
  if (timeline != NULL && !loom_clock_overrides_is_empty (self->edits))
    put_edits_in_force (self);
  g_signal_emit (self, signals[TIMELINE_CHANGED], 0);
}

static void start_job (LoomDocument *self, const char *const *paths);

static void
start_queued (LoomDocument *self)
{
  if (self->queue->len == 0)
    return;
  g_auto (GStrv) paths = g_ptr_array_steal_index (self->queue, 0);
  start_job (self, (const char *const *) paths);
}

/* Returns TRUE if the user removed all sources. */
static gboolean
is_all_removed (LoomDocument *self)
{
  for (guint i = 0; i < loom_run_get_n_sources (self->run); i++) {
    const LoomSourceEdit *edit =
      loom_source_overrides_find (self->source_edits, loom_run_get_source (self->run, i)->path);
    if (edit == NULL || !edit->removed)
      return FALSE;
  }
  return TRUE;
}

/* Returns an error if files were read again and no trace is left, although traces were shown before. This happens if
 * all files were deleted or can no longer be read. Otherwise returns NULL. */
static GError *
find_loss (LoomDocument *self, LoomLoadTask *job)
{
  if (!self->is_reloading || self->timeline == NULL || loom_load_task_get_timeline (job) != NULL ||
      is_all_removed (self))
    return NULL;
  g_autofree char *name = loom_document_dup_name (self);
  return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                      _ ("No file of “%s” could be reloaded; the previous data is still shown."), name);
}

static gboolean
has_same_traces (LoomRun *a, LoomRun *b)
{
  if (a == NULL || b == NULL || loom_run_get_n_traces (a) != loom_run_get_n_traces (b) ||
      loom_run_get_n_ignored (a) != loom_run_get_n_ignored (b))
    return FALSE;
  for (guint i = 0; i < loom_run_get_n_traces (a); i++)
    if (loom_run_get_trace (a, i) != loom_run_get_trace (b, i))
      return FALSE;
  return TRUE;
}

static void read_anew (LoomDocument *self, gboolean quiet, LoomRun *known);

/* Starts the next load. If sources were edited, reads them again. If not, reads the next files in the queue. */
static void
go_on (LoomDocument *self)
{
  if (self->rereads && self->run != NULL)
    read_anew (self, FALSE, self->run);
  else
    start_queued (self);
}

static void
on_finished (LoomLoadTask *job, LoomDocument *self)
{
  g_autoptr (LoomLoadTask) alive = g_object_ref (job);
  const GError *error = loom_load_task_get_error (job);
  gboolean stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GError) loss = error == NULL ? find_loss (self, job) : NULL;
  gboolean good = error == NULL && loss == NULL;
  self->cancelled = stopped && (!self->is_reloading || self->is_partial);
  if (!self->is_reloading || good)
    self->is_partial = stopped;
  if (!self->is_quiet && error != NULL && !stopped)
    self->error = g_error_copy (error);
  else if (!self->is_quiet && loss != NULL)
    self->error = g_error_copy (loss);
  g_signal_handlers_disconnect_by_data (job, self);
  self->ready_us = loom_load_task_get_ready_time (job);
  g_clear_object (&self->job);
  if ((good || !self->is_reloading) && !(self->is_quiet && has_same_traces (self->run, loom_load_task_get_run (job))))
    take_run (self, job);
  self->is_reloading = FALSE;
  go_on (self);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

static void
start_known (LoomDocument *self, const char *const *paths, LoomRun *known, const char *const *anew)
{
  if (!self->is_quiet)
    g_clear_error (&self->error);
  self->cancelled = FALSE;
  self->rereads = FALSE;
  self->job = loom_load_task_new (paths, self->is_reloading ? NULL : self->run, known, anew, self->source_edits);
  if (!self->is_reloading)
    g_signal_connect_swapped (self->job, "arrived", G_CALLBACK (take_run), self);
  g_signal_connect (self->job, "finished", G_CALLBACK (on_finished), self);
  loom_load_task_start (self->job);
}

static void
start_job (LoomDocument *self, const char *const *paths)
{
  self->is_quiet = FALSE;
  start_known (self, paths, NULL, NULL);
}

static void
remember_paths (LoomDocument *self, const char *const *paths)
{
  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_insert (self->paths, (int) self->paths->len - 1, g_strdup (paths[i]));
}

void
loom_document_open (LoomDocument *self, const char *const *paths)
{
  g_return_if_fail (LOOM_IS_DOCUMENT (self) && paths != NULL);
  drop_job (self);
  drop_run (self);
  self->is_reloading = FALSE;
  self->is_partial = FALSE;
  g_ptr_array_set_size (self->queue, 0);
  g_ptr_array_set_size (self->paths, 0);
  g_ptr_array_add (self->paths, NULL);
  remember_paths (self, paths);
  loom_undo_stack_clear (self->undo);
  loom_clock_overrides_free (self->edits);
  self->edits = loom_clock_overrides_new ();
  loom_source_overrides_free (self->source_edits);
  self->source_edits = loom_source_overrides_new ();
  self->n_opened = self->paths->len - 1;
  start_job (self, paths);
  g_signal_emit (self, signals[TIMELINE_CHANGED], 0);
  g_signal_emit (self, signals[SOURCES_EDITED], 0);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

static void apply_paths (gconstpointer paths, gpointer document);

static const LoomUndoKind paths_kind = { apply_paths, (GDestroyNotify) g_strfreev, FALSE };

void
loom_document_add (LoomDocument *self, const char *const *paths)
{
  g_return_if_fail (LOOM_IS_DOCUMENT (self) && paths != NULL);
  GStrv before = g_strdupv ((GStrv) self->paths->pdata);
  remember_paths (self, paths);
  loom_undo_stack_push (self->undo, &paths_kind, _ ("Add Files"), before, g_strdupv ((GStrv) self->paths->pdata),
                        FALSE);
  if (self->job != NULL) {
    g_ptr_array_add (self->queue, g_strdupv ((char **) paths));
    return;
  }
  start_job (self, paths);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

/* Reads all paths again. The current run stays until the load has ended. A trace of `known` is used again, instead of
 * being read, if its files have not changed and the paths of its sources are not in `anew`. */
static void
read_some_anew (LoomDocument *self, gboolean quiet, LoomRun *known, const char *const *anew)
{
  self->is_partial |= self->job != NULL && !self->is_reloading;
  drop_job (self);
  g_ptr_array_set_size (self->queue, 0);
  self->is_reloading = TRUE;
  self->is_quiet = quiet;
  start_known (self, loom_document_get_paths (self), known, anew);
}

static void
read_anew (LoomDocument *self, gboolean quiet, LoomRun *known)
{
  read_some_anew (self, quiet, known, NULL);
}

static gboolean
has_paths (LoomDocument *self)
{
  return self->paths->len > 1; /* the last element is always NULL, so it is not a path */
}

/* Sets the paths of the document, to undo or redo an addition of files. Traces of paths that the document already
 * has are used again; files of new paths are read. */
static void
apply_paths (gconstpointer paths, gpointer document)
{
  LoomDocument *self = document;
  g_ptr_array_set_size (self->paths, 0);
  g_ptr_array_add (self->paths, NULL);
  remember_paths (self, paths);
  if (self->run != NULL)
    read_anew (self, FALSE, self->run);
  else {
    drop_job (self);
    g_ptr_array_set_size (self->queue, 0);
    start_job (self, paths);
  }
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

void
loom_document_reload (LoomDocument *self)
{
  if (!has_paths (self))
    return;
  read_anew (self, FALSE, NULL);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

void
loom_document_reload_sources (LoomDocument *self, const char *const *paths)
{
  g_return_if_fail (LOOM_IS_DOCUMENT (self) && paths != NULL);
  if (!has_paths (self) || self->run == NULL)
    return;
  read_some_anew (self, FALSE, self->run, paths);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

gboolean
loom_document_follow (LoomDocument *self)
{
  if (self->job != NULL)
    return FALSE;
  /* if the load of the run was cancelled, reads nothing: otherwise, the files that were skipped would be read now */
  if (!has_paths (self) || self->is_partial)
    return TRUE;
  read_anew (self, TRUE, self->run);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
  return TRUE;
}

gboolean
loom_document_is_quiet (LoomDocument *self)
{
  return self->is_quiet;
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static void
apply_source_edits (gconstpointer edits, gpointer document)
{
  LoomDocument *self = document;
  g_autoptr (LoomSourceOverrides) before = self->source_edits;
  self->source_edits = loom_source_overrides_copy (edits);
  g_signal_emit (self, signals[SOURCES_EDITED], 0);
  if (!has_paths (self) || loom_source_overrides_read_the_same (before, edits))
    return;
  if (self->job != NULL && self->run == NULL) { /* the current load has not read any part of the run yet */
    drop_job (self);
    g_ptr_array_set_size (self->queue, 0); /* the paths of the document, which are read now, include those in `queue` */
    start_job (self, loom_document_get_paths (self));
    g_signal_emit (self, signals[LOADING_CHANGED], 0);
    return;
  }
  /* let the current load continue, so that the sources that it reads become visible; at its end, go_on() reads the
   * edited sources again */
  if (self->job != NULL && !self->is_reloading) {
    self->rereads = TRUE;
    return;
  }
  read_anew (self, FALSE, self->run);
  g_signal_emit (self, signals[LOADING_CHANGED], 0);
}

static const LoomUndoKind source_edits_kind = { apply_source_edits, (GDestroyNotify) loom_source_overrides_free,
                                                FALSE };

const LoomSourceOverrides *
loom_document_get_source_edits (LoomDocument *self)
{
  return self->source_edits;
}

void
loom_document_edit_sources (LoomDocument *self, LoomSourceOverrides *edits, const char *words, gboolean joins)
{
  g_autoptr (LoomSourceOverrides) after = loom_source_overrides_copy (edits);
  if (loom_source_overrides_equal (self->source_edits, edits)) {
    loom_source_overrides_free (edits);
    return;
  }
  loom_undo_stack_push (self->undo, &source_edits_kind, words, loom_source_overrides_copy (self->source_edits), edits,
                        joins);
  apply_source_edits (after, self);
}

void
loom_document_set_source_edits (LoomDocument *self, const LoomSourceOverrides *edits)
{
  apply_source_edits (edits, self);
}

void
loom_document_cancel (LoomDocument *self)
{
  g_ptr_array_set_size (self->queue, 0);
  self->rereads = FALSE;
  if (self->job != NULL)
    loom_load_task_cancel (self->job);
}

gboolean
loom_document_is_loading (LoomDocument *self)
{
  return self->job != NULL;
}

LoomProgress *
loom_document_get_progress (LoomDocument *self)
{
  return self->job != NULL ? loom_load_task_get_progress (self->job) : NULL;
}

gint64
loom_document_get_ready_time (LoomDocument *self)
{
  return self->job != NULL ? loom_load_task_get_ready_time (self->job) : self->ready_us;
}

LoomTimeline *
loom_document_get_timeline (LoomDocument *self)
{
  return self->timeline;
}

LoomRun *
loom_document_get_run (LoomDocument *self)
{
  return self->run;
}

const GError *
loom_document_get_error (LoomDocument *self)
{
  return self->error;
}

gboolean
loom_document_was_cancelled (LoomDocument *self)
{
  return self->cancelled;
}

const char *const *
loom_document_get_paths (LoomDocument *self)
{
  return (const char *const *) self->paths->pdata;
}

char *
loom_document_dup_place (LoomDocument *self)
{
  const char *const *paths = loom_document_get_paths (self);
  return paths[0] != NULL ? loom_common_folder_dup (paths, self->n_opened) : NULL;
}

char *
loom_document_dup_name (LoomDocument *self)
{
  g_autofree char *place = loom_document_dup_place (self);
  if (place == NULL)
    return g_strdup ("");
  g_autofree char *base = g_path_get_basename (place);
  g_autofree char *name = loom_archive_path_dup_printable (base);
  guint n_added = self->paths->len - 1 - self->n_opened;
  return n_added > 0 ? g_strdup_printf ("%s + %u", name, n_added) : g_steal_pointer (&name);
}

guint
loom_document_count_ranks (LoomDocument *self)
{
  return self->run != NULL ? loom_run_facts_count_ranks (self->run) : 0;
}

guint64
loom_document_count_spans (LoomDocument *self)
{
  return self->run != NULL ? loom_run_count_spans (self->run) : 0;
}
