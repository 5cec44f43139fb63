/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-extremes.h"

#define FAN_OUT 16
#define MOST_LEVELS 8 /* 16⁸ = 2³² */

typedef struct {
  double *low, *high;
} Level;

struct _LoomExtremes {
  Level levels[MOST_LEVELS];
  guint n_levels;
  gsize n_blocks; /* of all */
};

typedef struct {
  double low, high;
} Range;

static inline void
include (Range *range, const double *low, const double *high, guint32 first, guint32 end)
{
  double least = range->low, most = range->high;
  for (; end - first >= 4; first += 4)
    for (guint32 i = first; i < first + 4; i++) {
      least = low[i] < least ? low[i] : least;
      most = high[i] > most ? high[i] : most;
    }
  for (; first < end; first++) {
    least = low[first] < least ? low[first] : least;
    most = high[first] > most ? high[first] : most;
  }
  *range = (Range) { least, most };
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
    extremes->n_blocks += (n - 1) / FAN_OUT + 1;
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

gsize
loom_extremes_get_memory (const LoomExtremes *extremes)
{
  return extremes != NULL ? sizeof *extremes + 2 * extremes->n_blocks * sizeof (double) : 0;
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
