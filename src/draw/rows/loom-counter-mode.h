/* SPDX-License-Identifier: Apache-2.0
 *
 * How a counter is shown: which quantity is read from its samples, on what scale, side by side or stacked; with the
 * words, units and numbers that go with it. Pure; any thread.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* Counters laid over another one at once. */
#define LOOM_PLOT_MAX_GUESTS 7

typedef struct {
  LoomQuantity quantity;
  gboolean stacked;     /* its series one on the other */
  gboolean logarithmic; /* not where it is stacked: sums have no place there */
} LoomCounterMode;

/* Words of actions and saved views, static: "value", "difference", "rate". */
const char *loom_counter_mode_get_word (LoomQuantity quantity);
/* LOOM_QUANTITY_VALUE for a word that is none. */
LoomQuantity loom_counter_mode_from_word (const char *word);

/* What a quantity of a counter of that unit is measured in: "B" → "B/s", "" → "1/s", "B/s" → "B/s²". Interned. */
const char *loom_counter_mode_get_unit (LoomQuantity quantity, const char *unit);

/* "Δ memory", "Δ/s memory": short, for headers and legends. Owned. */
char *loom_counter_mode_dup_title (LoomCounterMode mode, const char *label);
/* "memory, rate per second, logarithmic scale": for tooltips and assistive technology. Owned. */
char *loom_counter_mode_dup_words (LoomCounterMode mode, const char *detail);

/* As loom_si_format_value(), with the sign of what grows where it is a difference. Owned. */
char *loom_counter_mode_format (LoomQuantity quantity, double value, const char *unit);

/* From the lowest to the highest value. On a logarithmic one zero has a place too, and what is nearer to it than `floor`
 * stands there; negative values stand below it as the positive above. */
typedef struct {
  double min, max;
  double floor; /* 0: linear */
} LoomCounterScale;

/* Around what there is: `least` is the smallest magnitude above zero (infinite: none). Linear ends are zero or round; of
 * a logarithmic one no more than nine decades are shown. Percents go to 100. */
LoomCounterScale loom_counter_mode_scale_around (double low, double high, double least, const char *unit,
                                                 gboolean logarithmic);

/* 0 at the lowest, 1 at the highest, beyond them outside of that. */
double loom_counter_mode_scale_place (const LoomCounterScale *scale, double value);

G_END_DECLS
