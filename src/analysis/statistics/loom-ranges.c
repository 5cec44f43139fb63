/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-ranges.h"

#include "loom-merge-sort.h"

#define IS_EARLIER(a, b) ((a)->begin_ns < (b)->begin_ns)
LOOM_DEFINE_SORT (sort_ranges, LoomRange, IS_EARLIER)

void
loom_ranges_join (GArray *ranges)
{
  guint n = 0;
  sort_ranges ((LoomRange *) (gpointer) ranges->data, ranges->len);
  for (guint i = 0; i < ranges->len; i++) {
    LoomRange range = g_array_index (ranges, LoomRange, i), *last = &g_array_index (ranges, LoomRange, n - (n > 0));
    if (n > 0 && range.begin_ns <= last->end_ns)
      last->end_ns = MAX (last->end_ns, range.end_ns);
    else
      g_array_index (ranges, LoomRange, n++) = range;
  }
  g_array_set_size (ranges, n);
}

gint64
loom_ranges_get_outside (const GArray *ranges, gint64 begin_ns, gint64 end_ns)
{
  guint first = 0, end = ranges->len;
  gint64 outside_ns = MAX (loom_time_sub (end_ns, begin_ns), 0);
  while (first < end) {
    guint middle = first + (end - first) / 2;
    if (g_array_index (ranges, LoomRange, middle).end_ns <= begin_ns)
      first = middle + 1;
    else
      end = middle;
  }
  for (guint i = first; i < ranges->len; i++) {
    LoomRange range = g_array_index (ranges, LoomRange, i);
    if (range.begin_ns >= end_ns)
      break;
    outside_ns -= MAX (MIN (end_ns, range.end_ns) - MAX (begin_ns, range.begin_ns), 0);
  }
  return outside_ns;
}
