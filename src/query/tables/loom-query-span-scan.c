/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-span-scan.h: moves from event to event in the stretches (ranges of events in rows of the
 * timeline) that loom-query-span-stretches.c has found.
 */
#include "loom-query-span-test.h"

#include <string.h>

void
loom_query_span_scan_reset (LoomQuerySpanScan *scan, LoomQueryRun *run, gboolean instants)
{
  loom_query_span_test_clear_texts (scan);
  if (scan->stretches == NULL)
    scan->stretches = g_array_new (FALSE, FALSE, sizeof (LoomQueryStretch));
  g_array_set_size (scan->stretches, 0);
  scan->run = run;
  scan->instants = instants;
  scan->id = scan->track = scan->process = scan->rank = scan->depth = LOOM_QUERY_LIMITS_NONE;
  scan->start_ns = scan->duration_ns = scan->parent = LOOM_QUERY_LIMITS_NONE;
  scan->rank_nulls = scan->parent_nulls = LOOM_QUERY_NULLS_ANY;
  g_clear_pointer (&scan->starts_ns, loom_query_values_free);
  g_clear_pointer (&scan->durations_ns, loom_query_values_free);
  scan->has_parent = scan->touches = FALSE;
  scan->n_exclusions = 0;
  scan->once = LOOM_QUERY_ONCE_NEVER;
  scan->n_seen_names = 0;
  scan->n_done = 0;
  scan->here = (LoomQueryStretch) { 0 };
}

void
loom_query_span_scan_clear (LoomQuerySpanScan *scan)
{
  loom_query_span_test_clear_texts (scan);
  g_clear_pointer (&scan->starts_ns, loom_query_values_free);
  g_clear_pointer (&scan->durations_ns, loom_query_values_free);
  g_clear_pointer (&scan->stretches, g_array_unref);
  g_clear_pointer (&scan->listed, g_free);
  g_clear_pointer (&scan->seen, g_free);
}

/* --- walking ------------------------------------------------------------------------------------------------------ */

/* Returns TRUE if timeline times of the track are local times plus a constant offset. */
static gboolean
has_plain_times (const LoomQuerySpanScan *scan)
{
  const LoomTrack *track = loom_trace_get_track (scan->trace, scan->here.track);
  gint64 time_ns;
  return scan->map->drift_ppt == 0 && !scan->instants && track->end_ns < G_MAXINT64 &&
         !__builtin_add_overflow (track->start_ns, scan->map->offset_ns, &time_ns) &&
         !__builtin_add_overflow (track->end_ns, scan->map->offset_ns, &time_ns);
}

/* Returns TRUE if each span of the stretch `scan->here` has a parent. Returns FALSE for a short stretch, whose spans
 * are tested one by one: the first call of loom_query_run_is_row_inside() for a trace takes O(spans of the trace). */
static gboolean
is_inside (const LoomQuerySpanScan *scan)
{
  return scan->here.to - scan->here.at > LOOM_QUERY_SPAN_SHORT &&
         loom_query_run_is_row_inside (scan->run, scan->here.trace, scan->here.row);
}

gboolean
loom_query_span_scan_begin_stretch (LoomQuerySpanScan *scan)
{
  if (scan->n_done >= scan->stretches->len)
    return FALSE;
  scan->here = g_array_index (scan->stretches, LoomQueryStretch, scan->n_done++);
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, scan->here.trace);
  const LoomTrack *track = loom_trace_get_track (trace, scan->here.track);
  loom_query_span_test_set_track (scan, scan->here.trace, track);
  scan->timed = scan->touches || loom_query_span_test_is_limited (scan->start_ns) ||
                loom_query_span_test_is_limited (scan->duration_ns) || scan->starts_ns != NULL ||
                scan->durations_ns != NULL;
  scan->map = loom_timeline_get_map (scan->run->timeline, scan->here.trace, track->clock);
  scan->has_plain_times = has_plain_times (scan);
  scan->nests =
    !scan->instants && loom_query_span_test_is_row_nested (track, loom_trace_get_row (scan->trace, scan->here.row));
  scan->above = 0;
  scan->tests_parents = scan->nests && scan->parent_nulls != LOOM_QUERY_NULLS_ANY &&
                        !(scan->parent_nulls == LOOM_QUERY_NULLS_NEVER && is_inside (scan));
  scan->tests = scan->n_texts > 0 || scan->timed || scan->tests_parents;
  loom_query_span_test_use_verdicts (scan, scan->n_texts > 0 && scan->here.to - scan->here.at > LOOM_QUERY_SPAN_SHORT);
  return TRUE;
}

void
loom_query_span_scan_enter (LoomQuerySpanScan *scan, guint stretch)
{
  scan->n_done = stretch;
  loom_query_span_scan_begin_stretch (scan);
}

/* Returns FALSE if the query does not need the current event, because an event with the same values was already
 * returned (scan->once). */
static gboolean
is_new (LoomQuerySpanScan *scan)
{
  if (scan->once == LOOM_QUERY_ONCE_PER_ROW)
    scan->here.to = scan->here.at + 1; /* continue in the next LoomQueryStretch at the next call */
  if (scan->once != LOOM_QUERY_ONCE_PER_NAME)
    return TRUE;
  guint32 name_id = scan->spans->name_id[scan->here.at], n_names = loom_trace_get_n_names (scan->trace);
  if (n_names > scan->n_seen_names) {
    scan->seen = g_renew (guint, scan->seen, n_names);
    memset (scan->seen + scan->n_seen_names, 0, (n_names - scan->n_seen_names) * sizeof (guint));
    scan->n_seen_names = n_names;
  }
  gboolean is_new = scan->seen[name_id] != scan->n_done;
  scan->seen[name_id] = scan->n_done;
  return is_new;
}

gboolean
loom_query_span_scan_next (LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  gboolean good = scan->here.at < scan->here.to;
  if (good)
    scan->here.at++;
  for (guint n_seen = 1; TRUE; n_seen++) {
    while (scan->here.at >= scan->here.to)
      if (!loom_query_span_scan_begin_stretch (scan))
        return FALSE;
    if (loom_query_span_scan_is_allowed (scan) && is_new (scan))
      return TRUE;
    if (n_seen % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    scan->here.at++;
  }
}
