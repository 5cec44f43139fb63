/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-counter-description.h: reads the values of the visible counters, and writes them as text.
 */
#include "loom-counter-description.h"

#include "loom-counter-values.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* MOST_SPOKEN: maximum number of values in the description of an instant. MOST_LINES: maximum number of lines in the
 * description of a range. If there are more counters, the description ends with the number of counters that are not
 * described. */
#define MOST_SPOKEN 24
#define MOST_LINES 6

static gboolean
is_in_view (LoomTimelineState *state, guint row)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  const LoomTimelineRow *found = loom_row_list_get_row (outline, row);
  double top = loom_row_list_row_top (outline, row, view->scroll_px), bottom = top + found->height;
  double first = found->pinned ? 0 : loom_row_list_get_pinned_height (outline);
  return found->kind == LOOM_ROW_COUNTER && bottom > first && top < view->height_px;
}

/* Returns the values of all counters in view at an instant, in the order of rows. The result contains the same counters
 * in the same order for every instant, so that the values at two instants can be compared by index. */
static GArray *
read_all (LoomTimelineState *state, gint64 time_ns)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  GArray *readings = g_array_new (FALSE, FALSE, sizeof (LoomCounterValue));
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (is_in_view (state, i))
      loom_counter_values_add (loom_timeline_state_get_timeline (state), loom_row_list_get_row (outline, i), time_ns,
                               readings);
  return readings;
}

static gboolean
shares_part (const GArray *readings, guint i, guint other)
{
  return other < readings->len &&
         g_array_index (readings, LoomCounterValue, other).part == g_array_index (readings, LoomCounterValue, i).part;
}

/* Returns the name of counter i, followed by the name of the series if the counter has several. */
static char *
dup_name (const GArray *readings, guint i)
{
  const LoomCounterValue *reading = &g_array_index (readings, LoomCounterValue, i);
  gboolean several = shares_part (readings, i, i + 1) || (i > 0 && shares_part (readings, i, i - 1));
  if (!several || g_str_has_prefix (reading->label, reading->part->label))
    return g_strdup (several ? reading->label : reading->part->label);
  return g_strdup_printf ("%s %s", reading->part->label, reading->label);
}

static void
append_more (GString *text, const char *gap, guint n)
{
  g_autofree char *more = g_strdup_printf (ngettext ("and %u more value", "and %u more values", n), n);
  if (n > 0)
    g_string_append_printf (text, "%s%s", gap, more);
}

char *
loom_counter_description_at (LoomTimelineState *state, gint64 time_ns)
{
  g_return_val_if_fail (LOOM_IS_TIMELINE_STATE (state) && loom_timeline_state_get_timeline (state) != NULL, NULL);
  g_autoptr (GArray) readings = read_all (state, time_ns);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < readings->len; i++) {
    const LoomCounterValue *reading = &g_array_index (readings, LoomCounterValue, i);
    if (isnan (reading->value) || n++ >= MOST_SPOKEN)
      continue;
    g_autofree char *name = dup_name (readings, i), *value = loom_counter_value_format (reading);
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", name, value);
  }
  append_more (text, ", ", n - MIN (n, MOST_SPOKEN));
  if (n == 0)
    return NULL;
  g_autofree char *at =
    loom_ruler_format (loom_timeline_state_get_timeline (state), loom_timeline_state_get_steps (state),
                       loom_timeline_state_get_reading (state), time_ns);
  /* Translators: a time, then values of counters: "At +5 s: memory 12.4 GiB, load 50 %" */
  return g_strdup_printf (_ ("At %s: %s"), at, text->str);
}

static void
append_line (GString *text, const GArray *readings, guint i, const LoomCounterValue *end)
{
  const LoomCounterValue *begin = &g_array_index (readings, LoomCounterValue, i);
  g_autofree char *name = dup_name (readings, i), *from = loom_counter_value_format (begin),
                  *to = loom_counter_value_format (end);
  g_string_append_printf (text, "%s%s: %s → %s", text->len > 0 ? "\n" : "", name, from, to);
  if (isnan (begin->value) || isnan (end->value))
    return;
  g_autofree char *grown =
    loom_counter_mode_format (LOOM_QUANTITY_DIFFERENCE, end->value - begin->value, begin->part->unit);
  g_string_append_printf (text, " (%s)", grown);
}

char *
loom_counter_description_between (LoomTimelineState *state, LoomRange range)
{
  g_return_val_if_fail (LOOM_IS_TIMELINE_STATE (state) && loom_timeline_state_get_timeline (state) != NULL, NULL);
  g_autoptr (GArray) begins = read_all (state, range.begin_ns), ends = read_all (state, range.end_ns);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < begins->len; i++) {
    const LoomCounterValue *end = &g_array_index (ends, LoomCounterValue, i);
    gboolean none = isnan (g_array_index (begins, LoomCounterValue, i).value) && isnan (end->value);
    if (!none && n++ < MOST_LINES)
      append_line (text, begins, i, end);
  }
  append_more (text, "\n", n - MIN (n, MOST_LINES));
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
