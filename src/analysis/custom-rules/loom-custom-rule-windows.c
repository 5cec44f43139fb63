/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-windows.h"

#include <math.h>

#include "loom-statistics.h"

/* Upper limit for the windows of one group; windows are made longer to stay below it. */
#define MAX_WINDOWS 1000000

/* --- positions of windows -------------------------------------------------------------------------------------------- */

static void
add (GArray *slices, gint64 begin_ns, gint64 end_ns)
{
  LoomCustomRuleSlice slice = { .begin_ns = begin_ns, .end_ns = end_ns, .value = NAN };
  if (end_ns > begin_ns)
    g_array_append_val (slices, slice);
}

static void
add_times (GArray *slices, LoomRange known, gint64 width_ns)
{
  width_ns = MAX (width_ns, loom_time_sub (known.end_ns, known.begin_ns) / MAX_WINDOWS + 1);
  for (gint64 at = known.begin_ns; at < known.end_ns; at = loom_time_add (at, width_ns))
    add (slices, at, loom_time_add (at, width_ns));
}

static void
add_samples (GArray *slices, const LoomCustomRuleGroup *group, guint n)
{
  for (guint i = 0; i + n <= group->items->len; i += n)
    add (slices, g_array_index (group->items, LoomCustomRuleItem, i).begin_ns,
         g_array_index (group->items, LoomCustomRuleItem, i + n - 1).end_ns + 1);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LoomCustomRuleSlice *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Adds the steps of one worker: the given one, or the first that has steps. A step that two sources record is one
 * window. */
static void
add_steps (GArray *slices, LoomDataFrame *frame, guint32 worker)
{
  const LoomDataFrameRows *rows = loom_data_frame_get_rows (frame);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleSlice));
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_STEP) == 0 || (worker != G_MAXUINT32 && rows->worker[i] != worker))
      continue;
    worker = rows->worker[i];
    add (all, rows->start_ns[i], rows->end_ns[i]);
  }
  g_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++) {
    const LoomCustomRuleSlice *step = &g_array_index (all, LoomCustomRuleSlice, i);
    if (slices->len == 0 || step->begin_ns >= g_array_index (slices, LoomCustomRuleSlice, slices->len - 1).end_ns)
      g_array_append_val (slices, *step);
  }
}

static void
lay_out (GArray *slices, LoomDataFrame *frame, const LoomCustomRule *rule, const LoomCustomRuleGroup *group)
{
  switch (rule->window) {
  case LOOM_CUSTOM_RULE_WINDOW_STEP: add_steps (slices, frame, group->worker); break;
  case LOOM_CUSTOM_RULE_WINDOW_TIME: add_times (slices, group->known, rule->window_ns); break;
  case LOOM_CUSTOM_RULE_WINDOW_SAMPLES: add_samples (slices, group, rule->window_samples); break;
  default: add (slices, group->known.begin_ns, group->known.end_ns + (rule->source == LOOM_CUSTOM_RULE_SAMPLES)); break;
  }
}

/* --- items of windows ------------------------------------------------------------------------------------------------ */

static void
find_items (GArray *slices, const GArray *items)
{
  guint at = 0;
  for (guint i = 0; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    while (at < items->len && g_array_index (items, LoomCustomRuleItem, at).begin_ns < slice->begin_ns)
      at++;
    slice->first = at;
    while (at < items->len && g_array_index (items, LoomCustomRuleItem, at).begin_ns < slice->end_ns)
      at++;
    slice->n = at - slice->first;
  }
}

/* Adds the part of [begin, end) that lies in each window; `near` is the window at which the previous search began. */
static void
share_out (GArray *slices, gint64 begin_ns, gint64 end_ns, guint *near)
{
  while (*near < slices->len && g_array_index (slices, LoomCustomRuleSlice, *near).end_ns <= begin_ns)
    (*near)++;
  for (guint i = *near; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    if (slice->begin_ns >= end_ns)
      return;
    slice->busy_ns += MIN (end_ns, slice->end_ns) - MAX (begin_ns, slice->begin_ns);
  }
}

/* Overlapping spans count once. */
static void
find_busy (GArray *slices, const GArray *items)
{
  guint near = 0;
  for (guint i = 0; i < items->len;) {
    gint64 begin_ns = g_array_index (items, LoomCustomRuleItem, i).begin_ns, end_ns = begin_ns;
    while (i < items->len && g_array_index (items, LoomCustomRuleItem, i).begin_ns <= end_ns) {
      end_ns = MAX (end_ns, g_array_index (items, LoomCustomRuleItem, i).end_ns);
      i++;
    }
    if (end_ns > begin_ns)
      share_out (slices, begin_ns, end_ns, &near);
  }
}

/* --- the statistic --------------------------------------------------------------------------------------------------- */

static double
mean_of (const double *values, guint n)
{
  double sum = 0;
  for (guint i = 0; i < n; i++)
    sum += values[i];
  return n > 0 ? sum / n : NAN;
}

static double
share_beyond (const double *values, guint n, double threshold, gboolean above)
{
  guint beyond = 0;
  for (guint i = 0; i < n; i++)
    beyond += above ? values[i] > threshold : values[i] < threshold;
  return n > 0 ? 100.0 * beyond / n : NAN;
}

static double
growth_of (const double *values, guint n)
{
  guint quarter = n / 4;
  double before = mean_of (values, quarter), after = mean_of (values + n - quarter, quarter);
  return before > 0 ? 100 * (after - before) / before : NAN;
}

static double
statistic_of (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice, double *values)
{
  guint n = slice->n;
  switch (rule->statistic) {
  case LOOM_CUSTOM_RULE_MIN: return loom_statistics_quantile (values, n, 0);
  case LOOM_CUSTOM_RULE_MAX: return loom_statistics_quantile (values, n, 1);
  case LOOM_CUSTOM_RULE_QUANTILE: return loom_statistics_quantile (values, n, rule->quantile);
  case LOOM_CUSTOM_RULE_SHARE_ABOVE:
  case LOOM_CUSTOM_RULE_SHARE_BELOW:
    return share_beyond (values, n, rule->threshold, rule->statistic == LOOM_CUSTOM_RULE_SHARE_ABOVE);
  case LOOM_CUSTOM_RULE_COUNT: return n;
  case LOOM_CUSTOM_RULE_DURATION: return (double) slice->busy_ns;
  case LOOM_CUSTOM_RULE_SHARE:
    return 100.0 * (double) slice->busy_ns / (double) loom_time_sub (slice->end_ns, slice->begin_ns);
  case LOOM_CUSTOM_RULE_GROWTH: return growth_of (values, n);
  default: return mean_of (values, n);
  }
}

GArray *
loom_custom_rule_windows (LoomDataFrame *frame, const LoomCustomRule *rule, const LoomCustomRuleGroup *group)
{
  GArray *slices = g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleSlice));
  g_autofree double *values = g_new (double, MAX (group->items->len, 1));
  lay_out (slices, frame, rule, group);
  find_items (slices, group->items);
  if (rule->source == LOOM_CUSTOM_RULE_SPANS)
    find_busy (slices, group->items);
  for (guint i = 0; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    for (guint k = 0; k < slice->n; k++)
      values[k] = g_array_index (group->items, LoomCustomRuleItem, slice->first + k).value;
    slice->value = statistic_of (rule, slice, values);
  }
  return slices;
}
