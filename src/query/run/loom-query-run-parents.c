/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rows of the timeline in which every span has a parent. Most rows below the first one are such rows, so the
 * conditions IS NULL and IS NOT NULL on the parent skip or accept all their spans without a check of each span.
 */
#include "loom-query-run-private.h"

/* Returns TRUE if each span of `row` is inside a span of `above`, the row one level higher. O(spans of both rows). */
static gboolean
are_all_inside (const LoomSpans *spans, const LoomRow *above, const LoomRow *row)
{
  const gint64 *starts_ns = spans->start_ns, *durations_ns = spans->dur_ns;
  guint32 next = above->first, end = above->first + above->n;
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    while (next < end && starts_ns[next] <= starts_ns[i])
      next++;
    if (next == above->first ||
        loom_time_add (starts_ns[next - 1], durations_ns[next - 1]) < loom_time_add (starts_ns[i], durations_ns[i]))
      return FALSE;
  }
  return TRUE;
}

static guint8 *
find_rows (const LoomTrace *trace)
{
  guint32 n = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    n = MAX (n, loom_trace_get_track (trace, i)->first_row + loom_trace_get_track (trace, i)->n_rows);
  guint8 *found = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    for (guint32 r = track->first_row + 1; track->kind == LOOM_TRACK_SPANS && r < track->first_row + track->n_rows;
         r++) {
      const LoomRow *above = loom_trace_get_row (trace, r - 1), *row = loom_trace_get_row (trace, r);
      found[r] =
        row->depth > 0 && row->lane != LOOM_OVERFLOW_LANE && are_all_inside (loom_trace_get_spans (trace), above, row);
    }
  }
  return found;
}

gboolean
loom_query_run_is_row_inside (LoomQueryRun *run, guint trace, guint32 row)
{
  g_mutex_lock (&run->lock);
  if (run->rows_inside[trace] == NULL)
    run->rows_inside[trace] = find_rows (loom_run_get_trace (run->run, trace));
  gboolean is_inside = run->rows_inside[trace][row] != 0;
  g_mutex_unlock (&run->lock);
  return is_inside;
}
