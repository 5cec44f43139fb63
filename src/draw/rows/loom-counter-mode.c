/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-counter-mode.h: the words for the settings of a counter's plot, the titles and units that depend on
 * these settings, and the computation of linear and logarithmic scales.
 */
#include "loom-counter-mode.h"

#include "loom-si-format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define PERCENT_MAX 100.0
#define MOST_DECADES 9
/* The floor of a logarithmic scale is at most the smallest magnitude divided by this, so that the smallest values are
 * drawn at a visible distance from zero. */
#define ABOVE_FLOOR 2.0

static const char *const words[LOOM_N_QUANTITIES] = {
  [LOOM_QUANTITY_VALUE] = "value",
  [LOOM_QUANTITY_DIFFERENCE] = "difference",
  [LOOM_QUANTITY_RATE] = "rate",
};

const char *
loom_counter_mode_get_word (LoomQuantity quantity)
{
  return words[quantity];
}

LoomQuantity
loom_counter_mode_from_word (const char *word)
{
  for (LoomQuantity quantity = 0; quantity < LOOM_N_QUANTITIES; quantity++)
    if (strcmp (words[quantity], word) == 0)
      return quantity;
  return LOOM_QUANTITY_VALUE;
}

const char *
loom_counter_mode_get_unit (LoomQuantity quantity, const char *unit)
{
  if (quantity != LOOM_QUANTITY_RATE)
    return g_intern_string (unit);
  g_autofree char *per_second =
    g_strconcat (*unit != '\0' ? unit : "1", g_str_has_suffix (unit, "/s") ? "²" : "/s", NULL);
  return g_intern_string (per_second);
}

char *
loom_counter_mode_dup_title (LoomCounterMode mode, const char *label)
{
  switch (mode.quantity) {
  /* Translators: name of a counter whose differences from sample to sample are drawn */
  case LOOM_QUANTITY_DIFFERENCE: return g_strdup_printf (_ ("%s (Δ)"), label);
  /* Translators: name of a counter whose rate per second is drawn */
  case LOOM_QUANTITY_RATE: return g_strdup_printf (_ ("%s (Δ/s)"), label);
  default: return g_strdup (label);
  }
}

static char *
dup_quantity_words (LoomQuantity quantity, const char *detail)
{
  switch (quantity) {
  case LOOM_QUANTITY_DIFFERENCE:
    return g_strdup_printf (
      /* Translators: %s is the description of a counter */
      _ ("%s, difference to the next sample"), detail);
  case LOOM_QUANTITY_RATE: return g_strdup_printf (_ ("%s, rate per second"), detail);
  default: return g_strdup (detail);
  }
}

char *
loom_counter_mode_dup_words (LoomCounterMode mode, const char *detail)
{
  g_autofree char *text = dup_quantity_words (mode.quantity, detail);
  if (mode.stacked)
    return g_strdup_printf (_ ("%s, stacked"), text);
  if (mode.logarithmic)
    return g_strdup_printf (_ ("%s, logarithmic scale"), text);
  return g_steal_pointer (&text);
}

char *
loom_counter_mode_format (LoomQuantity quantity, double value, const char *unit)
{
  g_autofree char *text = loom_si_format_value (value, unit);
  return g_strconcat (quantity == LOOM_QUANTITY_DIFFERENCE && value > 0 ? "+" : "", text, NULL);
}

/* --- scales ----------------------------------------------------------------------------------------------------- */

static double
find_floor (double least, double most)
{
  if (!isfinite (least) || !isfinite (most))
    return 1;
  double floor_of_data = pow (10, floor (log10 (least / ABOVE_FLOOR)));
  return MAX (floor_of_data, pow (10, ceil (log10 (most)) - MOST_DECADES));
}

LoomCounterScale
loom_counter_mode_scale_around (double low, double high, double least, const char *unit, gboolean logarithmic)
{
  low = MIN (low, 0);
  high = MAX (high, 0);
  double floor_value = logarithmic ? find_floor (least, MAX (high, -low)) : 0;
  gboolean percent = strcmp (unit, "%") == 0 && low == 0 && high <= 2 * PERCENT_MAX;
  LoomCounterScale scale = { .floor = floor_value };
  scale.max = percent                ? MAX (PERCENT_MAX, high > 1.2 * PERCENT_MAX ? high : 0)
              : high > 0 || low == 0 ? loom_si_format_nice_above (high)
                                     : 0;
  scale.min = low < 0 ? -loom_si_format_nice_above (-low) : 0;
  return scale;
}

/* Returns by how many powers of ten the magnitude of a value exceeds the floor, at least 0; the result has the sign of
 * the value. */
static double
decades (double value, double floor_value)
{
  double above = log10 (MAX (fabs (value) / floor_value, 1));
  return value < 0 ? -above : above;
}

double
loom_counter_mode_scale_place (const LoomCounterScale *scale, double value)
{
  double from = scale->min, to = scale->max;
  if (scale->floor > 0) {
    from = decades (from, scale->floor);
    to = decades (to, scale->floor);
    value = decades (value, scale->floor);
  }
  return to > from ? (value - from) / (to - from) : 0;
}
