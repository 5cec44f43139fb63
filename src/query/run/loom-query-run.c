/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-run.h: numbers the tracks, processes, counters and arrows of the run, and keeps the results of
 * analyses.
 */
#include "loom-query-run-private.h"

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* Adds the processes of a trace. The process ids in a trace are consecutive from 0, so the number of a process in the
 * run is its id plus the number of processes in earlier traces. */
static void
add_processes (LoomQueryRun *self, guint t)
{
  const LoomTrace *trace = loom_run_get_trace (self->run, t);
  guint first = self->processes->len;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    guint number = first + loom_trace_get_track (trace, i)->process_id;
    guint known = self->processes->len;
    if (number >= known)
      g_array_set_size (self->processes, number + 1);
    for (guint k = known; k < self->processes->len; k++)
      g_array_index (self->processes, LoomQueryProcess, k) = (LoomQueryProcess) { t, i };
    LoomQueryProcess *process = &g_array_index (self->processes, LoomQueryProcess, number);
    if (loom_trace_get_track (trace, process->track)->process_id != number - first)
      process->track = i;
  }
}

static void
add_counters (LoomQueryRun *self, const LoomTrace *trace, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  for (guint i = 0; track->kind == LOOM_TRACK_COUNTER && i < track->n_series; i++) {
    guint counter = self->first_counter[self->n_traces] + track->first_series + i;
    if (counter >= self->counters->len)
      g_array_set_size (self->counters, counter + 1);
    g_array_index (self->counters, guint, counter) = number;
    self->n_samples += loom_trace_get_series (trace, track->first_series + i)->n;
  }
}

static void
count_trace (LoomQueryRun *self, guint t)
{
  const LoomTrace *trace = loom_run_get_trace (self->run, t);
  guint32 n_arrows, n_instants = 0;
  self->first_track[t] = self->first_track[self->n_traces];
  self->first_process[t] = self->processes->len;
  self->first_counter[t] = self->first_counter[self->n_traces] = self->counters->len;
  loom_trace_get_arrows (trace, &n_arrows);
  self->first_flow[t + 1] = self->first_flow[t] + n_arrows;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    add_counters (self, trace, i);
    if (loom_trace_get_track (trace, i)->kind == LOOM_TRACK_INSTANTS)
      n_instants += (guint32) loom_trace_get_track (trace, i)->n_events;
  }
  add_processes (self, t);
  self->first_track[self->n_traces] += loom_trace_get_n_tracks (trace);
  self->n_instants += n_instants;
  self->n_spans += loom_trace_get_spans (trace)->n - MIN (n_instants, loom_trace_get_spans (trace)->n);
}

guint
loom_query_run_find_trace (const LoomQueryRun *run, const guint *first, guint number)
{
  guint low = 0, high = run->n_traces;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (first[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  return low;
}

gboolean
loom_query_run_unpack_id (LoomQueryRun *run, gint64 value, LoomSpanId *id)
{
  if (value < 0 || (guint64) value >> 32 >= run->n_traces)
    return FALSE;
  *id = (LoomSpanId) { (guint32) ((guint64) value >> 32), (guint32) (guint64) value };
  return id->span < loom_trace_get_spans (loom_run_get_trace (run->run, id->trace))->n;
}

/* --- analyses ----------------------------------------------------------------------------------------------------- */

/* Interval at which a query checks whether it is cancelled, while it waits for an analysis of another query. */
#define WAIT_US 20000

/* Waits until no other query computes an analysis, then sets run->busy, because the caller computes one. Returns FALSE
 * when cancelled. */
static gboolean
begin_analysis (LoomQueryRun *run, GCancellable *cancellable)
{
  g_mutex_lock (&run->lock);
  while (run->busy && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&run->changed, &run->lock, g_get_monotonic_time () + WAIT_US);
  gboolean mine = !run->busy;
  run->busy = TRUE;
  g_mutex_unlock (&run->lock);
  return mine;
}

static void
end_analysis (LoomQueryRun *run)
{
  g_mutex_lock (&run->lock);
  run->busy = FALSE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
}

const LoomSteps *
loom_query_run_get_steps (LoomQueryRun *run, GCancellable *cancellable)
{
  if (!begin_analysis (run, cancellable))
    return NULL;
  if (run->steps == NULL)
    run->steps = loom_steps_new (run->timeline, cancellable);
  const LoomSteps *steps = run->steps;
  end_analysis (run);
  return steps;
}

const LoomCollectives *
loom_query_run_get_collectives (LoomQueryRun *run, GCancellable *cancellable)
{
  if (!begin_analysis (run, cancellable))
    return NULL;
  if (run->collectives == NULL)
    run->collectives = loom_collectives_new (run->timeline, NULL, cancellable);
  const LoomCollectives *collectives = run->collectives;
  end_analysis (run);
  return collectives;
}

const GArray *
loom_query_run_get_findings (LoomQueryRun *run, GCancellable *cancellable)
{
  if (!begin_analysis (run, cancellable))
    return NULL;
  if (run->findings == NULL)
    run->findings = loom_query_findings_new (run->timeline, cancellable);
  const GArray *findings = run->findings;
  end_analysis (run);
  return findings;
}

/* --- critical paths ----------------------------------------------------------------------------------------------- */

static void
clear_path (gpointer path)
{
  loom_critical_path_free (((LoomQueryPath *) path)->path);
}

void
loom_query_run_release_path (LoomQueryPath *path)
{
  if (path != NULL)
    g_atomic_rc_box_release_full (path, clear_path);
}

static LoomQueryPath *
find_path (LoomQueryRun *run, LoomRange range)
{
  for (guint i = 0; i < run->paths->len; i++) {
    LoomQueryPath *path = run->paths->pdata[i];
    if (path->range.begin_ns == range.begin_ns && path->range.end_ns == range.end_ns)
      return g_ptr_array_steal_index (run->paths, i);
  }
  return NULL;
}

static LoomQueryPath *
make_path (LoomQueryRun *run, LoomRange range, const LoomCollectives *collectives, GCancellable *cancellable)
{
  LoomCriticalPath *path = loom_critical_path_new_plain (run->timeline, range, collectives, cancellable);
  if (path == NULL)
    return NULL;
  LoomQueryPath *made = g_atomic_rc_box_new (LoomQueryPath);
  *made = (LoomQueryPath) { range, path };
  return made;
}

/* Adds the path at the end of the array, because it is the path that was used last. While there are too many paths, or
 * too many segments in all paths, removes the first path, whose last use is the longest ago. */
static void
keep_path (LoomQueryRun *run, LoomQueryPath *path)
{
  guint64 n_stretches = 0;
  g_ptr_array_add (run->paths, path);
  for (guint i = 0; i < run->paths->len; i++)
    n_stretches += ((const LoomQueryPath *) run->paths->pdata[i])->path->stretches->len;
  while (run->paths->len > 1 && (run->paths->len > LOOM_QUERY_RUN_PATHS || n_stretches > LOOM_QUERY_RUN_STRETCHES)) {
    n_stretches -= ((const LoomQueryPath *) run->paths->pdata[0])->path->stretches->len;
    g_ptr_array_remove_index (run->paths, 0);
  }
}

LoomQueryPath *
loom_query_run_get_path (LoomQueryRun *run, const LoomRange *range, GCancellable *cancellable)
{
  const LoomCollectives *collectives = loom_query_run_get_collectives (run, cancellable);
  LoomRange of = { 0, 0 };
  if (collectives == NULL || !begin_analysis (run, cancellable))
    return NULL;
  if (range != NULL)
    of = *range;
  else
    loom_timeline_get_extent (run->timeline, &of);
  LoomQueryPath *path = find_path (run, of);
  if (path == NULL)
    path = make_path (run, of, collectives, cancellable);
  if (path != NULL)
    keep_path (run, g_atomic_rc_box_acquire (path));
  end_analysis (run);
  return path;
}

/* --- connection that is kept for the next query ------------------------------------------------------------------- */

void
loom_query_run_keep_connection (LoomQueryRun *run, gpointer connection, GDestroyNotify close)
{
  g_mutex_lock (&run->lock);
  gboolean is_kept = run->connection == NULL;
  if (is_kept) {
    run->connection = connection;
    run->close_connection = close;
  }
  g_mutex_unlock (&run->lock);
  if (!is_kept)
    close (connection);
}

gpointer
loom_query_run_take_connection (LoomQueryRun *run)
{
  g_mutex_lock (&run->lock);
  gpointer connection = g_steal_pointer (&run->connection);
  g_mutex_unlock (&run->lock);
  return connection;
}

/* --- creating and freeing a run ----------------------------------------------------------------------------------- */

LoomQueryRun *
loom_query_run_new (LoomTimeline *timeline)
{
  LoomQueryRun *self = g_new0 (LoomQueryRun, 1);
  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->paths = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_query_run_release_path);
  self->timeline = loom_timeline_ref (timeline);
  self->run = loom_timeline_get_run (timeline);
  self->n_traces = loom_run_get_n_traces (self->run);
  self->first_track = g_new0 (guint, self->n_traces + 1);
  self->first_process = g_new0 (guint, self->n_traces + 1);
  self->first_counter = g_new0 (guint, self->n_traces + 1);
  self->first_flow = g_new0 (guint64, self->n_traces + 1);
  self->processes = g_array_new (FALSE, TRUE, sizeof (LoomQueryProcess));
  self->counters = g_array_new (FALSE, TRUE, sizeof (guint));
  self->rows_inside = g_new0 (guint8 *, self->n_traces + 1);
  self->name_events = g_new0 (LoomQueryNameEvents *, self->n_traces + 1);
  for (guint t = 0; t < self->n_traces; t++)
    count_trace (self, t);
  self->first_process[self->n_traces] = self->processes->len;
  self->first_counter[self->n_traces] = self->counters->len;
  return self;
}

LoomQueryRun *
loom_query_run_ref (LoomQueryRun *run)
{
  g_atomic_ref_count_inc (&run->refs);
  return run;
}

void
loom_query_run_unref (LoomQueryRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->refs))
    return;
  if (run->connection != NULL)
    run->close_connection (run->connection);
  g_clear_pointer (&run->steps, loom_steps_unref);
  g_clear_pointer (&run->collectives, loom_collectives_unref);
  g_clear_pointer (&run->findings, g_array_unref);
  g_ptr_array_unref (run->paths);
  for (guint t = 0; t < run->n_traces; t++) {
    g_free (run->rows_inside[t]);
    loom_query_run_name_events_free (run->name_events[t]);
  }
  g_free (run->rows_inside);
  g_free (run->name_events);
  g_clear_pointer (&run->names, g_array_unref);
  g_array_unref (run->processes);
  g_array_unref (run->counters);
  g_free (run->first_track);
  g_free (run->first_process);
  g_free (run->first_counter);
  g_free (run->first_flow);
  g_mutex_clear (&run->lock);
  g_cond_clear (&run->changed);
  loom_timeline_unref (run->timeline);
  g_free (run);
}

LoomTimeline *
loom_query_run_get_timeline (LoomQueryRun *run)
{
  return run->timeline;
}
