/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-min-max-index.h"

#define FAN_OUT 16
#define MOST_LEVELS 8 /* maximum number of levels: FAN_OUT⁸ = 2³² is enough for all samples */

typedef struct {
  double *low, *high;
} Level;

struct _LoomMinMaxIndex {
  Level levels[MOST_LEVELS];
  guint n_levels;
  gsize n_blocks; /* total number of blocks of all levels */
  double least;   /* smallest absolute value above 0 in the series */
};

typedef struct {
  double low, high;
} Range;

#define NO_RANGE ((Range) { INFINITY, -INFINITY })

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

/* Extends `range` to include the samples with the indices `first` to `end` − 1. NaN samples are ignored, because all
 * comparisons with NaN are FALSE. */
static inline void
include_samples (Range *range, const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end)
{
  if (quantity == LOOM_QUANTITY_VALUE) {
    include (range, series->value, series->value, first, end);
    return;
  }
  for (; first < end; first++) {
    double read = loom_counter_quantity_read (series, quantity, first);
    range->low = read < range->low ? read : range->low;
    range->high = read > range->high ? read : range->high;
  }
}

static Level
new_level (LoomMinMaxIndex *extremes, guint32 n_blocks)
{
  Level level = { g_new (double, n_blocks), g_new (double, n_blocks) };
  extremes->levels[extremes->n_levels++] = level;
  extremes->n_blocks += n_blocks;
  return level;
}

static double
find_least (const LoomSeries *series, LoomQuantity quantity)
{
  double least = INFINITY;
  for (guint32 i = 0; i < series->n; i++) {
    double magnitude = fabs (loom_counter_quantity_read (series, quantity, i));
    least = magnitude > 0 && magnitude < least ? magnitude : least;
  }
  return least;
}

LoomMinMaxIndex *
loom_min_max_index_new (const LoomSeries *series, LoomQuantity quantity)
{
  LoomMinMaxIndex *extremes = g_new0 (LoomMinMaxIndex, 1);
  Level below = { NULL, NULL };
  for (guint32 n = series->n; n > FAN_OUT; n = (n - 1) / FAN_OUT + 1) {
    guint32 n_blocks = (n - 1) / FAN_OUT + 1;
    Level level = new_level (extremes, n_blocks);
    for (guint32 i = 0; i < n_blocks; i++) {
      Range range = NO_RANGE;
      guint32 first = i * FAN_OUT, end = MIN (n - first, FAN_OUT) + first;
      if (below.low == NULL)
        include_samples (&range, series, quantity, first, end);
      else
        include (&range, below.low, below.high, first, end);
      level.low[i] = range.low;
      level.high[i] = range.high;
    }
    below = level;
  }
  extremes->least = find_least (series, quantity);
  return extremes;
}

void
loom_min_max_index_free (LoomMinMaxIndex *extremes)
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
loom_min_max_index_get_memory (const LoomMinMaxIndex *extremes)
{
  return extremes != NULL ? sizeof *extremes + 2 * extremes->n_blocks * sizeof (double) : 0;
}

gboolean
loom_min_max_index_find (const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end, double *low,
                         double *high)
{
  const LoomMinMaxIndex *extremes = series->extremes[quantity];
  guint n_levels = extremes != NULL ? extremes->n_levels : 0;
  const Level *below = NULL;
  Range range = NO_RANGE;
  /* Reads one level after another; blocks that are completely between `first` and `end` are read on the next higher
   * level instead. */
  for (guint i = 0; i <= n_levels; i++) {
    gboolean last = i == n_levels || end - first <= 2 * FAN_OUT;
    guint32 from = first == 0 ? 0 : (first - 1) / FAN_OUT + 1, until = end / FAN_OUT;
    guint32 head_end = last ? end : from * FAN_OUT, tail = last ? end : until * FAN_OUT;
    if (below == NULL) {
      include_samples (&range, series, quantity, first, head_end);
      include_samples (&range, series, quantity, tail, end);
    } else {
      include (&range, below->low, below->high, first, head_end);
      include (&range, below->low, below->high, tail, end);
    }
    if (last)
      break;
    below = &extremes->levels[i];
    first = from, end = until;
  }
  *low = range.low;
  *high = range.high;
  return range.low <= range.high;
}

double
loom_min_max_index_find_least (const LoomSeries *series, LoomQuantity quantity)
{
  const LoomMinMaxIndex *extremes = series->extremes[quantity];
  return extremes != NULL ? extremes->least : find_least (series, quantity);
}
