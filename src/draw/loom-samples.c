/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-samples.h"

#define FAN_OUT 16
#define MOST_LEVELS 8 /* 16⁸ = 2³² */

/* The last of the samples low … high that is before the time, and one. */
static guint32
search (const gint64 *time_ns, guint32 low, guint32 high, gint64 until_ns)
{
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (time_ns[middle] < until_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint32
loom_samples_seek (const LoomSeries *series, guint32 from, guint32 guess, gint64 until_ns)
{
  const gint64 *time_ns = series->time_ns;
  guint32 at = MIN (guess, series->n - from) + from, leap = 1;
  if (at < series->n && time_ns[at] < until_ns) {
    guint32 low = at + 1;
    while (leap < series->n - low && time_ns[low + leap - 1] < until_ns) {
      low += leap;
      leap *= 2;
    }
    return search (time_ns, low, MIN (leap, series->n - low) + low, until_ns);
  }
  guint32 high = at;
  while (leap < high - from && time_ns[high - leap] >= until_ns) {
    high -= leap;
    leap *= 2;
  }
  return search (time_ns, high - MIN (leap, high - from), high, until_ns);
}

/* --- extremes --------------------------------------------------------------------------------------------------- */

typedef struct {
  double *low, *high;
} Level;

struct _LoomExtremes {
  Level levels[MOST_LEVELS];
  guint n_levels;
};

typedef struct {
  double low, high;
} Range;

static inline void
include (Range *range, const double *low, const double *high, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++) {
    range->low = low[i] < range->low ? low[i] : range->low;
    range->high = high[i] > range->high ? high[i] : range->high;
  }
}

static Level
make_level (const double *low, const double *high, guint32 n)
{
  guint32 n_blocks = (n - 1) / FAN_OUT + 1;
  Level level = { g_new (double, n_blocks), g_new (double, n_blocks) };
  for (guint32 i = 0; i < n_blocks; i++) {
    Range range = { low[i * FAN_OUT], high[i * FAN_OUT] };
    include (&range, low, high, i * FAN_OUT + 1, MIN (n - i * FAN_OUT, FAN_OUT) + i * FAN_OUT);
    level.low[i] = range.low;
    level.high[i] = range.high;
  }
  return level;
}

LoomExtremes *
loom_extremes_new (const LoomSeries *series)
{
  LoomExtremes *extremes = g_new0 (LoomExtremes, 1);
  const double *low = series->value, *high = series->value;
  for (guint32 n = series->n; n > FAN_OUT; n = (n - 1) / FAN_OUT + 1) {
    Level level = extremes->levels[extremes->n_levels++] = make_level (low, high, n);
    low = level.low, high = level.high;
  }
  return extremes;
}

void
loom_extremes_free (LoomExtremes *extremes)
{
  if (extremes == NULL)
    return;
  for (guint i = 0; i < extremes->n_levels; i++) {
    g_free (extremes->levels[i].low);
    g_free (extremes->levels[i].high);
  }
  g_free (extremes);
}

void
loom_extremes_find (const LoomExtremes *extremes, const LoomSeries *series, guint32 first, guint32 end, double *low,
                    double *high)
{
  const double *lows = series->value, *highs = series->value;
  guint n_levels = extremes != NULL ? extremes->n_levels : 0;
  Range range = { lows[first], highs[first] };
  /* What is in no whole block is walked on its own level. */
  for (guint i = 0; i < n_levels && end - first > 2 * FAN_OUT; i++) {
    guint32 from = (first - 1) / FAN_OUT + 1, until = end / FAN_OUT;
    from = first == 0 ? 0 : from;
    include (&range, lows, highs, first, from * FAN_OUT);
    include (&range, lows, highs, until * FAN_OUT, end);
    lows = extremes->levels[i].low, highs = extremes->levels[i].high;
    first = from, end = until;
  }
  include (&range, lows, highs, first, end);
  *low = range.low;
  *high = range.high;
}
