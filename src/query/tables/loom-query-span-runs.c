/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the next events of a scan many at a time, which takes less time per event than testing each event separately.
 */
#include "loom-query-span-test.h"

/* Evaluates the conditions on texts for all names of the trace, unless an earlier call did this, and returns TRUE;
 * scan->verdicts then has a result for each name. If there are no such conditions, only returns TRUE. Returns FALSE
 * if scan->verdicts is NULL, or if the trace has so few spans per name (LOOM_QUERY_SPANS_PER_NAME) that testing
 * single spans takes less time. The additional last element, scan->verdicts[n_names], is 1 when all names were
 * evaluated. */
static gboolean
has_all_verdicts (LoomQuerySpanScan *scan)
{
  guint32 n_names = loom_trace_get_n_names (scan->trace);
  if (scan->n_texts == 0)
    return TRUE;
  if (scan->verdicts == NULL || scan->spans->n / LOOM_QUERY_SPANS_PER_NAME < n_names)
    return FALSE;
  for (guint32 i = 0; scan->verdicts[n_names] == 0 && i < n_names; i++)
    loom_query_span_test_is_text_allowed (scan, i);
  scan->verdicts[n_names] = 1;
  return TRUE;
}

static guint
keep_names (const LoomQuerySpanScan *scan, guint32 *list, guint n)
{
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    guint32 at = list[i];
    list[kept] = at;
    kept += scan->verdicts[scan->spans->name_id[at]] == 1;
  }
  return kept;
}

static guint
keep_starts (const LoomQuerySpanScan *scan, guint32 *list, guint n)
{
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    guint32 at = list[i];
    list[kept] = at;
    kept += loom_query_span_test_is_within (scan->start_ns, scan->spans->start_ns[at] + scan->map->offset_ns);
  }
  return kept;
}

/* Keeps those events of `list` whose time in `times_ns` (start or duration), plus `offset_ns`, is in `values`. Returns
 * their number. */
static guint
keep_values (const LoomQueryValues *values, const gint64 *times_ns, gint64 offset_ns, guint32 *list, guint n)
{
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    guint32 at = list[i];
    list[kept] = at;
    kept += loom_query_values_has (values, times_ns[at] + offset_ns);
  }
  return kept;
}

/* Of the `n` events from event `at` on, lists those whose duration is within the limits of the query. `at`: index of
 * the event in the columns of scan->spans. Returns the number of listed events. */
static guint
list_durations (const LoomQuerySpanScan *scan, guint32 at, guint32 *list, guint n)
{
  const gint64 *durations_ns = &scan->spans->dur_ns[at];
  gint64 least_ns = scan->duration_ns.least;
  guint64 width_ns = (guint64) scan->duration_ns.most - (guint64) least_ns;
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    list[kept] = at + i;
    /* subtracting unsigned numbers makes one comparison check both limits */
    kept += (guint64) durations_ns[i] - (guint64) least_ns <= width_ns;
  }
  return kept;
}

static guint
list_all (guint32 at, guint32 *list, guint n)
{
  for (guint i = 0; i < n; i++)
    list[i] = at + i;
  return n;
}

/* Does the same as list_allowed() in less time per event: has one short loop without branches for each kind of
 * condition. Requires that timeline times are local times plus a constant offset, and that the conditions on texts were
 * evaluated for all names. Examines `most` events first; as long as few events meet the conditions, examines twice as
 * many each time. The list has space for `room` events. */
static guint32
list_quickly (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint32 at, guint most, guint room)
{
  guint32 to = scan->here.to - at > LOOM_QUERY_LOOK_EVERY ? at + LOOM_QUERY_LOOK_EVERY : scan->here.to;
  for (guint part = most; at < to && run->n <= most / 2; part = MIN (2 * part, room)) {
    guint n = MIN (to - at, MIN (part, room - run->n));
    guint32 *list = run->list + run->n;
    guint kept =
      loom_query_span_test_is_limited (scan->duration_ns) ? list_durations (scan, at, list, n) : list_all (at, list, n);
    if (scan->n_texts > 0)
      kept = keep_names (scan, list, kept);
    if (loom_query_span_test_is_limited (scan->start_ns))
      kept = keep_starts (scan, list, kept);
    if (scan->starts_ns != NULL)
      kept = keep_values (scan->starts_ns, scan->spans->start_ns, scan->map->offset_ns, list, kept);
    if (scan->durations_ns != NULL)
      kept = keep_values (scan->durations_ns, scan->spans->dur_ns, 0, list, kept);
    run->n += kept;
    at += n;
  }
  return at;
}

/* Returns TRUE if list_quickly() can evaluate all conditions on the stretch `scan->here`. */
static gboolean
is_quick (LoomQuerySpanScan *scan)
{
  return scan->has_plain_times && !scan->touches && !scan->tests_parents && has_all_verdicts (scan);
}

/* Adds to run->list the events that meet the conditions, beginning at column index `at`, until the list has `most`
 * events. Examines at most LOOM_QUERY_LOOK_EVERY events. Returns the index of the first event that was not examined. */
static guint32
list_allowed (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint32 at, guint most)
{
  guint32 to = scan->here.to - at > LOOM_QUERY_LOOK_EVERY ? at + LOOM_QUERY_LOOK_EVERY : scan->here.to;
  for (; at < to && run->n < most; at++) {
    scan->here.at = at;
    if (loom_query_span_scan_is_allowed (scan))
      run->list[run->n++] = at;
  }
  return at;
}

gboolean
loom_query_span_scan_next_run (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint most, guint most_listed,
                               GCancellable *cancellable)
{
  guint32 at = run->n == 0 ? scan->here.at : run->end;
  if (scan->listed == NULL)
    scan->listed = g_new (guint32, most_listed);
  run->list = scan->listed;
  run->n = 0;
  do {
    while (at >= scan->here.to) {
      if (!loom_query_span_scan_begin_stretch (scan))
        return FALSE;
      at = scan->here.at;
    }
    run->is_listed = scan->tests;
    run->has_plain_times = scan->has_plain_times;
    run->is_direct = !run->is_listed && run->has_plain_times;
    if (run->is_listed)
      run->end = at = most > 1 && is_quick (scan) ? list_quickly (scan, run, at, MIN (most, most_listed), most_listed)
                                                  : list_allowed (scan, run, at, MIN (most, most_listed));
    else {
      run->n = MIN (scan->here.to - at, run->is_direct ? most : MIN (most, most_listed));
      run->end = at + run->n;
    }
  } while (run->n == 0 && !g_cancellable_is_cancelled (cancellable));
  scan->here.at = run->is_listed && run->n > 0 ? run->list[0] : at;
  return run->n > 0;
}
