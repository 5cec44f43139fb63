/* SPDX-License-Identifier: Apache-2.0
 *
 * How a counter is shown: which quantity of its samples, on what scale, separately or stacked; with the corresponding
 * words, units and texts. Pure; any thread.
 */
#pragma once

#include "loom-trace.h"

/* Maximum number of counters laid over one counter. */
#define LOOM_PLOT_MAX_GUESTS 7

typedef struct {
  LoomQuantity quantity;
  gboolean stacked;     /* the series of the counter are stacked */
  gboolean logarithmic; /* ignored if stacked: sums cannot be read on a logarithmic scale */
} LoomCounterMode;

/* Words of actions and saved views, static: "value", "difference", "rate". */
const char *loom_counter_mode_get_word (LoomQuantity quantity);
/* LOOM_QUANTITY_VALUE for unknown words. */
LoomQuantity loom_counter_mode_from_word (const char *word);

/* The unit of a quantity of a counter with that unit: "B" → "B/s", "" → "1/s", "B/s" → "B/s²". Interned. */
const char *loom_counter_mode_get_unit (LoomQuantity quantity, const char *unit);

/* A short title for headers and legends: "Δ memory", "Δ/s memory". Owned by the caller. */
char *loom_counter_mode_dup_title (LoomCounterMode mode, const char *label);
/* A description for tooltips and assistive technology: "memory, rate per second, logarithmic scale". Owned by the
 * caller. */
char *loom_counter_mode_dup_words (LoomCounterMode mode, const char *detail);

/* Like loom_si_format_value(), with a plus sign for positive differences. Owned by the caller. */
char *loom_counter_mode_format (LoomQuantity quantity, double value, const char *unit);

/* A scale from the lowest to the highest value. A logarithmic scale includes zero: values nearer to zero than `floor`
 * are drawn at zero; negative values mirror positive ones. */
typedef struct {
  double min, max;
  double floor; /* 0: linear */
} LoomCounterScale;

/* A scale for the values from `low` to `high`; `least` is the smallest magnitude above zero (infinite: none). Ends of
 * linear scales are zero or round; logarithmic scales show at most nine decades. Percents extend to 100. */
LoomCounterScale loom_counter_mode_scale_around (double low, double high, double least, const char *unit,
                                                 gboolean logarithmic);

/* Position on the scale: 0 at the lowest value, 1 at the highest; values outside have positions outside 0 … 1. */
double loom_counter_mode_scale_place (const LoomCounterScale *scale, double value);
