/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule GPUMemoryIncrease: compares the mean over a window of samples with the mean over the window before it. In
 * SageMaker's own rule, the two windows overlap almost completely, so that the rule never detects slow growth.
 */
#include <glib/gi18n.h>

#include "loom-rule-private.h"

enum { INCREASE, PATIENCE, WINDOW };

typedef struct {
  guint64 n_most, n_judged;
  double most; /* largest growth of the mean from one window to the next, over all series */
  const LoomSampleSeries *worst;
} Count;

/* `sum`: sum of a series' samples in the current window; `before`: sum in the window before it. */
typedef struct {
  const LoomSampleSeries *series;
  guint32 window;
  double sum, before;
} Sums;

/* A range to be marked. Each further sample beyond the limit extends the range. `open`: TRUE if the range has begun,
 * but is not marked yet. */
typedef struct {
  gint64 begin_ns, end_ns;
  gboolean open;
} Stretch;

static void
move_on (Sums *sums, guint32 i)
{
  const double *value = sums->series->value;
  sums->sum += value[i];
  if (i >= sums->window) {
    sums->sum -= value[i - sums->window];
    sums->before += value[i - sums->window];
  }
  if (i >= 2 * sums->window)
    sums->before -= value[i - 2 * sums->window];
}

static void
close_mark (LoomRuleResult *result, Stretch *stretch, const char *host, const char *device)
{
  if (stretch->open)
    loom_rule_result_add_occurrence (result, stretch->begin_ns, stretch->end_ns, host, device);
  stretch->open = FALSE;
}

static void
extend (LoomRuleResult *result, Stretch *stretch, const Sums *sums, guint32 i, const char *host)
{
  gint64 begin_ns = sums->series->time_ns[i + 1 - 2 * sums->window];
  result->n_violations++;
  if (stretch->open && begin_ns > stretch->end_ns)
    close_mark (result, stretch, host, sums->series->name);
  if (!stretch->open)
    stretch->begin_ns = begin_ns;
  stretch->end_ns = sums->series->time_ns[i];
  stretch->open = TRUE;
}

/* Evaluates the rule for a series. Marks the ranges in which usage grows by more than the limit, and updates `count`
 * with the largest growth and its series. */
static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *series, Count *count)
{
  double limit = loom_rule_value (context, result, INCREASE), patience = loom_rule_value (context, result, PATIENCE),
         most = 0;
  Sums sums = { series, (guint32) CLAMP (loom_rule_value (context, result, WINDOW), 1, 1e9), 0, 0 };
  const char *host = loom_data_frame_get_host (context->frame, series->host_id);
  Stretch stretch = { 0 };
  count->n_most = MAX (count->n_most, series->n);
  loom_rule_result_note_value (result, PATIENCE, series->n, FALSE);
  if (!(series->n > patience) || series->n < 2 * (guint64) sums.window)
    return;
  count->n_judged++;
  for (guint32 i = 0; i < series->n; i++) {
    move_on (&sums, i);
    if (!(i + 1.0 > patience) || i + 1 < 2 * (guint64) sums.window)
      continue;
    double growth = (sums.sum - sums.before) / sums.window;
    result->n_datapoints++;
    most = MAX (most, growth);
    if (growth > limit)
      extend (result, &stretch, &sums, i, host);
  }
  close_mark (result, &stretch, host, series->name);
  loom_rule_result_note_value (result, INCREASE, most, FALSE);
  if (most > count->most) {
    count->most = most;
    count->worst = series;
  }
  loom_rule_details_set (loom_rule_details_at (result->details, host, series->name), "increase", most);
}

void
loom_rule_gpu_memory_increase (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GPtrArray) gpus = loom_rule_series_of (context, "GPUMemoryUtilization");
  Count count = { 0 };
  for (guint i = 0; i < gpus->len; i++)
    judge (context, result, gpus->pdata[i], &count);
  double patience = loom_rule_value (context, result, PATIENCE),
         windows = 2 * loom_rule_value (context, result, WINDOW);
  if (gpus->len == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no samples of GPU memory"));
  else if (count.n_judged == 0)
    loom_rule_result_set_not_enough (result, count.n_most, (guint64) MAX (patience + 1, windows),
                                     C_ ("rule counts", "samples"));
  else if (result->n_violations > 0)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ ("The memory usage of %s on %s grew by %.1f percentage points from one window of samples to the next"),
      count.worst->name, loom_data_frame_get_host (context->frame, count.worst->host_id), count.most);
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("The memory usage of GPUs grew by at most %.1f percentage points"), count.most);
}
