/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sample-hold.h"

#include <stdlib.h>
#include <string.h>

#define GAP_SAMPLES 511

/* Composer samples its counters every 0.5 s while it records. A longer time than COMPOSER_GAP_NS between two samples
 * is a gap. */
#define COMPOSER_GAP_NS (5 * LOOM_NS_PER_S)

static int
compare_ns (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

gint64
loom_sample_hold_find_interval (const gint64 *time_ns, guint32 n)
{
  gint64 intervals[GAP_SAMPLES];
  guint32 n_intervals = n > 0 ? MIN (n - 1, GAP_SAMPLES) : 0;
  for (guint32 i = 0; i < n_intervals; i++) {
    guint32 at = (guint32) ((guint64) i * (n - 1) / n_intervals);
    intervals[i] = loom_time_sub (time_ns[at + 1], time_ns[at]);
  }
  qsort (intervals, n_intervals, sizeof *intervals, compare_ns);
  return n_intervals > 0 ? intervals[n_intervals / 2] : 0;
}

gint64
loom_sample_hold_get_longest (gint64 interval_ns)
{
  return loom_time_add (loom_time_add (interval_ns, interval_ns), interval_ns / 2);
}

gint64
loom_sample_hold_find_hold (const char *format, const LoomSeries *series)
{
  if (strcmp (format, "smdebug-system") == 0 && series->n > 2)
    return loom_sample_hold_get_longest (loom_sample_hold_find_interval (series->time_ns, series->n));
  if (g_str_has_prefix (format, "composer"))
    return COMPOSER_GAP_NS;
  return G_MAXINT64;
}

gint64
loom_sample_hold_find_usual (const LoomSeries *series)
{
  return series->hold_ns < G_MAXINT64 && series->n > 1
           ? MIN (series->hold_ns, loom_sample_hold_find_interval (series->time_ns, series->n))
           : series->hold_ns;
}
