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

/* Returns the usual time between two samples in ns: the median of at most GAP_SAMPLES intervals, which are taken evenly
 * from the series. */
static gint64
usual_interval (const LoomSeries *series)
{
  gint64 intervals[GAP_SAMPLES];
  guint32 n = MIN (series->n - 1, GAP_SAMPLES);
  for (guint32 i = 0; i < n; i++) {
    guint32 at = (guint32) ((guint64) i * (series->n - 1) / n);
    intervals[i] = loom_time_sub (series->time_ns[at + 1], series->time_ns[at]);
  }
  qsort (intervals, n, sizeof *intervals, compare_ns);
  return intervals[n / 2];
}

/* Returns the shortest time in ns between two samples that counts as a gap: 2.5 times the usual interval, at most
 * G_MAXINT64. */
static gint64
gap_of (gint64 interval_ns)
{
  return loom_time_add (loom_time_add (interval_ns, interval_ns), interval_ns / 2);
}

gint64
loom_sample_hold_find_hold (const char *format, const LoomSeries *series)
{
  if (strcmp (format, "smdebug-system") == 0 && series->n > 2)
    return gap_of (usual_interval (series));
  if (g_str_has_prefix (format, "composer"))
    return COMPOSER_GAP_NS;
  return G_MAXINT64;
}

gint64
loom_sample_hold_find_usual (const LoomSeries *series)
{
  return series->hold_ns < G_MAXINT64 && series->n > 1 ? MIN (series->hold_ns, usual_interval (series))
                                                       : series->hold_ns;
}
