/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-time-gap.h"

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const LoomRange *) a)->begin_ns, y = ((const LoomRange *) b)->begin_ns;
  return x < y ? -1 : x > y;
}

/* The extent of each clock on the timeline, sorted by begin. */
static GArray *
list_extents (const LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  GArray *extents = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint c = 0; c < loom_trace_get_n_clocks (trace); c++) {
      const LoomClockMap *map = loom_timeline_get_map (timeline, t, c);
      LoomRange local;
      if (!loom_trace_get_extent (trace, c, &local))
        continue;
      LoomRange extent = { loom_clock_map_to_timeline (map, local.begin_ns),
                           loom_clock_map_to_timeline (map, local.end_ns) };
      g_array_append_val (extents, extent);
    }
  }
  g_array_sort (extents, compare_begins);
  return extents;
}

gint64
loom_time_gap_find (const LoomTimeline *timeline, gint64 *recorded_ns)
{
  g_autoptr (GArray) extents = list_extents (timeline);
  gint64 longest_ns = 0, end_ns = extents->len > 0 ? g_array_index (extents, LoomRange, 0).begin_ns : 0;
  *recorded_ns = 0;
  for (guint i = 0; i < extents->len; i++) {
    const LoomRange *extent = &g_array_index (extents, LoomRange, i);
    gint64 begin_ns = MAX (extent->begin_ns, end_ns);
    longest_ns = MAX (longest_ns, loom_time_sub (begin_ns, end_ns));
    *recorded_ns = loom_time_add (*recorded_ns, MAX (loom_time_sub (extent->end_ns, begin_ns), 0));
    end_ns = MAX (end_ns, extent->end_ns);
  }
  return longest_ns;
}
