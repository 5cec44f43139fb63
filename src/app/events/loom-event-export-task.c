/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-export-task.h"

/* number of rows copied between two checks of the cancellable */
#define LOOK_EVERY 4096

typedef struct {
  LoomTimeline *timeline;
  /* the events to write. find_list() sets its member `list` if a list of events is needed; otherwise the member stays
   * NULL. */
  LoomEventExportChoice choice;
  LoomSourceOverrides *names; /* names that the user gave to sources; NULL if no source was renamed */
  LoomEventExportFormat format;
  char *path;
  LoomProgress *progress;
} Job;

static void
job_free (Job *job)
{
  loom_timeline_unref (job->timeline);
  g_clear_pointer (&job->choice.events, g_array_unref);
  g_clear_pointer (&job->choice.list, loom_event_list_unref);
  g_clear_pointer (&job->choice.rows, gtk_bitset_unref);
  g_clear_pointer (&job->choice.tracks, g_array_unref);
  loom_source_overrides_free (job->names);
  g_free (job->path);
  loom_progress_unref (job->progress);
  g_free (job);
}

/* Makes the list of all events in the chosen range. Returns FALSE when cancelled. */
static gboolean
find_list (Job *job)
{
  const LoomEventQuery query = { .range = job->choice.range, .tracks = job->choice.tracks, .most = G_MAXUINT };
  job->choice.list = loom_event_list_new (job->timeline, &query, loom_progress_get_cancellable (job->progress));
  return job->choice.list != NULL;
}

/* Sets `choice.events` to the ids of the chosen rows of the list. Returns FALSE when cancelled. */
static gboolean
collect_rows (Job *job)
{
  GtkBitsetIter iter;
  guint n = job->choice.list->n, row;
  job->choice.events = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (gboolean more = gtk_bitset_iter_init_first (&iter, job->choice.rows, &row); more && row < n;
       more = gtk_bitset_iter_next (&iter, &row)) {
    LoomSpanId id = job->choice.list->ids[row];
    g_array_append_val (job->choice.events, id);
    if (job->choice.events->len % LOOK_EVERY == 0 &&
        g_cancellable_is_cancelled (loom_progress_get_cancellable (job->progress)))
      return FALSE;
  }
  return TRUE;
}

/* Finds the events that the job writes. Returns FALSE and sets `error` when cancelled. */
static gboolean
find_events (Job *job, const LoomSpanId **events, guint *n, GError **error)
{
  LoomEventExportChoice *choice = &job->choice;
  gboolean whole = choice->events != NULL || choice->list != NULL || find_list (job);
  if (whole && choice->events == NULL && choice->rows != NULL)
    whole = collect_rows (job);
  if (!whole) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    return FALSE;
  }
  *events = choice->events != NULL ? (const LoomSpanId *) (gpointer) choice->events->data : choice->list->ids;
  *n = choice->events != NULL ? choice->events->len : choice->list->n;
  return TRUE;
}

static gpointer
save (Job *job, GCancellable *cancellable, GError **error)
{
  const LoomSpanId *events;
  guint n;
  gboolean saved =
    find_events (job, &events, &n, error) &&
    loom_event_export_write (job->timeline, events, n, job->names, job->format, job->path, job->progress, error);
  return saved ? GUINT_TO_POINTER (n) : NULL;
}

void
loom_event_export_task_run (LoomTimeline *timeline, const LoomEventExportChoice *choice, LoomEventExportFormat format,
                            const char *path, LoomProgress *progress, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) save, (GDestroyNotify) job_free, NULL };
  g_return_if_fail (timeline != NULL && path != NULL && progress != NULL);
  Job *job = g_new (Job, 1);
  *job = (Job) { loom_timeline_ref (timeline), *choice, NULL, format, g_strdup (path), loom_progress_ref (progress) };
  if (choice->names != NULL)
    job->names = loom_source_overrides_copy (choice->names);
  if (choice->events != NULL)
    g_array_ref (choice->events);
  if (choice->list != NULL)
    loom_event_list_ref (choice->list);
  if (choice->rows != NULL)
    gtk_bitset_ref (choice->rows);
  if (choice->tracks != NULL)
    g_array_ref (choice->tracks);
  loom_worker_run (NULL, &kind, job, done, owner);
}

const char *
loom_event_export_task_get_path (gconstpointer input)
{
  return ((const Job *) input)->path;
}
