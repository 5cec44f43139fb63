/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's settings for the plot of a counter: which quantity of the samples is shown (value, difference or rate),
 * whether the scale is linear or logarithmic, and whether the series are stacked. Also provides the words for these
 * settings in files, and the units and titles that follow from them. The functions keep no state, and may be called on
 * any thread.
 */
#pragma once

#include "loom-trace.h"

/* Maximum number of other counters that the user can lay over the plot of a counter. */
#define LOOM_PLOT_MAX_GUESTS 7

typedef struct {
  LoomQuantity quantity;
  gboolean stacked;     /* TRUE: the series of the counter are stacked */
  gboolean logarithmic; /* TRUE: logarithmic scale; ignored if `stacked`, because sums cannot be read on such a scale */
} LoomCounterMode;

/* Returns the word that actions and saved views use for a quantity: "value", "difference" or "rate". Static storage. */
const char *loom_counter_mode_get_word (LoomQuantity quantity);
/* Returns the quantity for a word; LOOM_QUANTITY_VALUE for unknown words. */
LoomQuantity loom_counter_mode_from_word (const char *word);

/* Returns the unit of a quantity (value, difference, rate) of a counter. `unit`: unit of the counter. A difference has
 * the unit of the counter. For a rate, "B" becomes "B/s", "" becomes "1/s", and "B/s" becomes "B/s²". Interned. */
const char *loom_counter_mode_get_unit (LoomQuantity quantity, const char *unit);

/* Returns a short title for headers and legends, for example "memory (Δ)", "memory (Δ/s)". Owned by the caller. */
char *loom_counter_mode_dup_title (LoomCounterMode mode, const char *label);
/* Returns a description for tooltips and assistive technology, for example "memory, rate per second, logarithmic
 * scale". Owned by the caller. */
char *loom_counter_mode_dup_words (LoomCounterMode mode, const char *detail);

/* Like loom_si_format_value(); a positive difference gets a plus sign. Owned by the caller. */
char *loom_counter_mode_format (LoomQuantity quantity, double value, const char *unit);

/* A scale from the lowest to the highest value. A logarithmic scale contains zero too: all values whose magnitude is
 * below `floor` are drawn at zero. The part for negative values is the mirror image of the part for positive values. */
typedef struct {
  double min, max;
  double floor; /* for a logarithmic scale, the lowest magnitude that is not drawn at zero; 0: the scale is linear */
} LoomCounterScale;

/* Returns a scale for values from `low` to `high`. `least`: the smallest magnitude above zero of all values; infinite:
 * none. A linear scale begins and ends at zero or at round values. A logarithmic scale has at most nine decades. A
 * scale for percentages extends to 100. */
LoomCounterScale loom_counter_mode_scale_around (double low, double high, double least, const char *unit,
                                                 gboolean logarithmic);

/* Returns the position of a value on the scale: 0 at its lowest value, 1 at its highest; values outside of the scale
 * have positions below 0 or above 1. */
double loom_counter_mode_scale_place (const LoomCounterScale *scale, double value);
