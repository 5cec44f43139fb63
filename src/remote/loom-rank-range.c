/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-range.h"

#include <glib/gi18n.h>

#include "loom-error.h"

/* Converts a range of the timeline to local times. Extends it by 1 ns at both ends, because converting a timeline time
 * back to local time can be wrong by 1 ns. */
static LoomRange
to_local (const LoomClockMap *map, LoomRange range)
{
  return (LoomRange) { loom_time_sub (loom_clock_map_to_local (map, range.begin_ns), 1),
                       loom_time_add (loom_clock_map_to_local (map, range.end_ns), 1) };
}

LoomTrace *
loom_rank_range_read (const LoomRankRangeRequest *request, LoomRawRangeCost *cost, GError **error)
{
  LoomTrace *index = loom_run_get_trace (loom_timeline_get_run (request->timeline), request->trace);
  if (loom_trace_get_n_sources (index) != 1) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("Parts of the file cannot be read separately: %s"),
                 _ ("the index of this rank covers several files"));
    return NULL;
  }
  const LoomClockMap *map =
    loom_timeline_get_map (request->timeline, request->trace, loom_trace_get_source (index, 0)->clock);
  g_autoptr (LoomMemoryBudget) budget = loom_memory_budget_new (request->memory_budget);
  LoomRawRangeRequest raw = { .index = index,
                              .range = to_local (map, request->range),
                              .open = request->through != NULL ? loom_serve_client_open : NULL,
                              .reach = request->through,
                              .budget = budget,
                              .progress = request->progress };
  return loom_raw_range_read (&raw, cost, error);
}
