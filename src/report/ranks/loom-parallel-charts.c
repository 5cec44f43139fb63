/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the sentences about the cost of the axes, the chart of the cost, and the map of the ranks.
 */
#include "loom-parallel-charts.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-page-private.h"
#include "loom-step-parts.h"
#include "loom-transfer-charts.h"

/* the colour scale of the map extends on both sides of the median by at least this share of the median, so that small
 * differences between ranks are hardly visible */
#define LEAST_SCALE 0.25

const char *
loom_page_get_axis_name (LoomParallelAxis axis)
{
  switch (axis) {
  case LOOM_PARALLEL_AXIS_TENSOR: return C_ ("parallel axis", "tensor");
  case LOOM_PARALLEL_AXIS_CONTEXT: return C_ ("parallel axis", "context");
  case LOOM_PARALLEL_AXIS_EXPERT: return C_ ("parallel axis", "expert");
  case LOOM_PARALLEL_AXIS_DATA: return C_ ("parallel axis", "data");
  case LOOM_PARALLEL_AXIS_PIPELINE: return C_ ("parallel axis", "pipeline");
  case LOOM_PARALLEL_AXIS_WORLD: return C_ ("parallel axis", "all ranks");
  case LOOM_PARALLEL_AXIS_UNKNOWN:
  case LOOM_N_PARALLEL_AXES: break;
  }
  return C_ ("parallel axis", "unknown");
}

/* --- cost of the axes --------------------------------------------------------------------------------------------- */

/* Sets `exposed_ns` to the time in which the devices of a rank communicate but do not compute; mean over the recorded
 * steps. Returns this time in percent of the step. */
static double
get_exposed (const LoomParallelCharts *self, double *exposed_ns)
{
  double sum_ns = 0, all_ns = 0;
  for (guint i = 0; i < self->breakdown->n_ranks; i++)
    for (guint k = 0; self->breakdown->ranks[i].has_device && k < self->breakdown->ranks[i].n_steps; k++) {
      const LoomStepTime *step = &self->breakdown->ranks[i].steps[k];
      for (guint part = 0; step->is_recorded && part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
        all_ns += (double) step->parts_ns[part];
      if (step->is_recorded)
        sum_ns +=
          (double) (step->parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT] + step->parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER]);
    }
  *exposed_ns = sum_ns / MAX (self->cost->n_steps, 1);
  return loom_statistics_percent (sum_ns, all_ns);
}

/* Appends the cost of an axis of parallelism as text, such as "tensor 5.63 ms, 3.10 ms of it waiting", and returns
 * TRUE. If the axis costs nothing, appends nothing and returns FALSE. */
static gboolean
append_axis (const LoomParallelCharts *self, GString *text, LoomParallelAxis axis)
{
  const LoomAxisCostTime *time = &self->cost->all[axis];
  double n = self->cost->n_steps, all_ns = (double) (time->exposed_wait_ns + time->exposed_transfer_ns) / n;
  g_autofree char *all = loom_chart_format (all_ns, "ns"),
                  *wait = loom_chart_format ((double) time->exposed_wait_ns / n, "ns");
  if (all_ns < 1)
    return FALSE;
  g_string_append (text, text->len > 0 ? "; " : "");
  g_string_append_printf (text, /* Translators: of a parallel axis: "tensor 5.63 ms, 3.10 ms of it waiting" */
                          _ ("%s %s, %s of it waiting"), loom_page_get_axis_name (axis), all, wait);
  return TRUE;
}

/* If the longest step takes at least this multiple of the shortest one, the page also describes these two steps,
 * because a mean over the steps is not sufficient. */
#define UNEQUAL_STEPS 1.5

/* Sums over the ranks that recorded a step. */
typedef struct {
  gint64 length_ns, cost_ns; /* `cost_ns`: communication that no computation hides */
  guint n;
} StepSum;

static void
add_step (GHashTable *sums, const LoomStepTime *step, guint index)
{
  gint64 number = step->number >= 0 ? step->number : (gint64) index;
  StepSum *sum = g_hash_table_lookup (sums, &number);
  if (sum == NULL) {
    sum = g_new0 (StepSum, 1);
    g_hash_table_insert (sums, g_memdup2 (&number, sizeof number), sum);
  }
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    sum->length_ns = loom_time_add (sum->length_ns, step->parts_ns[part]);
  sum->cost_ns = loom_time_add (sum->cost_ns, loom_time_add (step->parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT],
                                                             step->parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER]));
  sum->n++;
}

/* Returns a hash table with the sums of each step: number of the step (its index if steps have no numbers) → StepSum.
 * Owned by the caller. */
static GHashTable *
sum_steps (const LoomParallelCharts *self)
{
  GHashTable *sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < self->breakdown->n_ranks; i++)
    for (guint k = 0; self->breakdown->ranks[i].has_device && k < self->breakdown->ranks[i].n_steps; k++)
      if (self->breakdown->ranks[i].steps[k].is_recorded)
        add_step (sums, &self->breakdown->ranks[i].steps[k], k);
  return sums;
}

char *
loom_parallel_charts_dup_spread (const LoomParallelCharts *self)
{
  g_autoptr (GHashTable) sums = sum_steps (self);
  gint64 shortest_ns = G_MAXINT64, longest_ns = 0, least_ns = G_MAXINT64, most_ns = 0;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const StepSum *sum = value;
    shortest_ns = MIN (shortest_ns, sum->length_ns / sum->n);
    longest_ns = MAX (longest_ns, sum->length_ns / sum->n);
    least_ns = MIN (least_ns, sum->cost_ns / sum->n);
    most_ns = MAX (most_ns, sum->cost_ns / sum->n);
  }
  if ((double) longest_ns < UNEQUAL_STEPS * (double) shortest_ns)
    return NULL;
  g_autofree char *shortest = loom_time_format_duration (shortest_ns),
                  *longest = loom_time_format_duration (longest_ns), *least = loom_time_format_duration (least_ns),
                  *most = loom_time_format_duration (most_ns);
  return g_strdup_printf (
    /* Translators: four durations */
    _ ("The steps are very different: they take %s to %s, and %s to %s of this is such communication."), shortest,
    longest, least, most);
}

char *
loom_parallel_charts_dup_cost (const LoomParallelCharts *self)
{
  double exposed_ns, share = get_exposed (self, &exposed_ns);
  g_autoptr (GString) axes = g_string_new (NULL);
  guint n = 0;
  gint64 wait_ns = 0;
  for (guint axis = 0; self->cost->n_steps > 0 && axis < LOOM_N_PARALLEL_AXES; axis++) {
    n += append_axis (self, axes, axis);
    wait_ns = loom_time_add (wait_ns, self->cost->all[axis].exposed_wait_ns);
  }
  if (n == 0)
    return NULL;
  g_autofree char *time = loom_chart_format (exposed_ns, "ns"), *percent = loom_chart_format (share, "%"),
                  *wait = loom_chart_format ((double) wait_ns / self->cost->n_steps, "ns");
  if (n == 1)
    return g_strdup_printf (
      /* Translators: a percentage, and two durations */
      _ (
        "Communication that no computation hides takes %s of the time of the steps: %s per step on average, %s of it waiting."),
      percent, time, wait);
  return g_strdup_printf (
    /* Translators: a percentage, a duration, and a list of the axes with their durations */
    _ ("Communication that no computation hides takes %s of the time of the steps, %s per step on average: %s."),
    percent, time, axes->str);
}

void
loom_parallel_charts_add_cost (const LoomParallelCharts *self, LoomPageContent *sheet)
{
  guint n_steps = self->cost->n_steps, n = 0;
  loom_transfer_charts_add_clock_doubt (sheet, self->collectives);
  LoomChart *chart = loom_chart_new_bars (n_steps > 0 ? _ ("Communication on each axis, mean per step and rank")
                                                      : _ ("Communication on each axis, sum of all ranks"),
                                          "ns", TRUE);
  loom_chart_add_bar_series (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_RANK_WAIT), LOOM_CHART_WAIT);
  loom_chart_add_bar_series (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_TRANSFER),
                             loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION));
  loom_chart_add_bar_series (chart, _ ("Hidden by computation"), LOOM_CHART_HIDDEN);
  for (guint axis = 0; axis < LOOM_N_PARALLEL_AXES; axis++) {
    const LoomAxisCostTime *time = &self->cost->all[axis];
    double per = MAX (n_steps, 1);
    const double values[] = { (double) time->exposed_wait_ns / per, (double) time->exposed_transfer_ns / per,
                              (double) time->hidden_ns / per };
    if (values[0] + values[1] + values[2] > 0) {
      loom_chart_add_bar_group (chart, loom_page_get_axis_name (axis), values);
      n++;
    }
  }
  if (n == 0) {
    loom_chart_unref (chart);
    return;
  }
  loom_chart_show_bar_sums (chart);
  loom_page_content_take_chart (sheet, chart, TRUE);
  loom_page_content_set_places (sheet, 3 * n, self->input->range);
}

/* --- map of the ranks --------------------------------------------------------------------------------------------- */

/* Returns how long a rank computes in a step, on average, in ns; NAN: unknown. */
static double
get_compute (const LoomParallelCharts *self, gint rank)
{
  for (guint i = 0; rank >= 0 && i < self->breakdown->n_ranks; i++)
    if (self->breakdown->ranks[i].rank == rank && self->breakdown->ranks[i].has_device)
      return self->breakdown->ranks[i].mean_ns[LOOM_STEP_BREAKDOWN_COMPUTE];
  return NAN;
}

static void
set_scale (LoomChart *chart, const double *values, guint n)
{
  g_autofree double *known = g_new (double, n + 1);
  guint n_known = 0;
  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      known[n_known++] = values[i];
  if (n_known == 0)
    return;
  LoomStatistics summary = loom_statistics_summarise (known, n_known);
  double spread = MAX (MAX (summary.max - summary.p50, summary.p50 - summary.min), MAX (summary.p50 * LEAST_SCALE, 1));
  loom_chart_set_scale (chart, MAX (summary.p50 - spread, 0), summary.p50 + spread);
}

/* Draws frames around the cells of the ranks that hold up the others. */
static void
frame_stragglers (const LoomParallelCharts *self, LoomChart *chart, const gint *ranks, guint n)
{
  if (self->slowdown->missing != NULL || !loom_slowdown_fits (self->slowdown))
    return;
  for (guint i = 0; i < n; i++) {
    const LoomSlowdownWorker *worker = ranks[i] >= 0 ? loom_slowdown_find_rank (self->slowdown, ranks[i]) : NULL;
    if (worker != NULL && loom_slowdown_is_straggler (self->slowdown, worker))
      loom_chart_frame_cell (chart, i, _ ("the others wait for this rank"));
  }
}

static void
add_row (LoomChart *chart, const char *name, const gint *ranks, const double *values, guint n)
{
  g_auto (GStrv) texts = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    texts[i] = ranks[i] >= 0 ? g_strdup_printf (_ ("rank %d"), ranks[i]) : g_strdup ("");
  loom_chart_add_map_row (chart, name, values, texts);
}

void
loom_parallel_charts_add_map (const LoomParallelCharts *self, LoomPageContent *sheet, const char *const *rows,
                              guint n_rows, const char *const *columns, guint n_columns, const gint *ranks)
{
  LoomChart *chart =
    loom_chart_new_map (_ ("Ranks by axis; color: computing time of a mean step"), "ns", columns, n_columns);
  g_autofree double *values = g_new (double, (gsize) n_rows *n_columns);
  for (guint i = 0; i < n_rows * n_columns; i++)
    values[i] = get_compute (self, ranks[i]);
  for (guint i = 0; i < n_rows; i++)
    add_row (chart, rows[i], ranks + i * n_columns, values + i * n_columns, n_columns);
  set_scale (chart, values, n_rows * n_columns);
  frame_stragglers (self, chart, ranks, n_rows * n_columns);
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n_rows * n_columns; i++) {
    if (ranks[i] < 0)
      continue;
    loom_page_content_set_place (sheet, i, self->input->range, NULL, 0);
    loom_page_content_set_rank (sheet, i, ranks[i], G_MAXUINT32);
  }
}
