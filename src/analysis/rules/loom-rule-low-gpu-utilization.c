/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule LowGPUUtilization: finds GPUs that were hardly used during the last samples, or whose usage fluctuated.
 */
#include <glib/gi18n.h>

#include "loom-rule-private.h"

enum { THRESHOLD_P95, THRESHOLD_P5, WINDOW, PATIENCE };

typedef struct {
  guint64 n_judged, n_low, n_fluctuating, n_most;
  const LoomSampleSeries *first; /* the first series for which the rule fired */
  double first_p95, first_p5;
} Count;

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *series, Count *count)
{
  static const double q[] = { 0.95, 0.05, 1 };
  double at[G_N_ELEMENTS (q)], high = loom_rule_value (context, result, THRESHOLD_P95);
  gsize n = MIN ((gsize) loom_rule_value (context, result, WINDOW), series->n);
  const char *host = loom_data_frame_get_host (context->frame, series->host_id);
  JsonObject *details = loom_rule_details_at (result->details, host, series->name);
  count->n_most = MAX (count->n_most, series->n);
  loom_rule_result_note_value (result, PATIENCE, series->n, FALSE);
  if (!(series->n > loom_rule_value (context, result, PATIENCE)) || n == 0)
    return;
  loom_rule_quantiles (series->value + series->n - n, n, q, G_N_ELEMENTS (q), at);
  gboolean low = at[0]<high, fluctuating = at[0]> high && at[1] < loom_rule_value (context, result, THRESHOLD_P5);
  loom_rule_details_set (details, "gpu_95", at[0]);
  loom_rule_details_set (details, "gpu_5", at[1]);
  loom_rule_details_set (details, "gpu_max", at[2]);
  json_object_set_boolean_member (details, "unused", at[2] <= 0);
  loom_rule_result_note_value (result, THRESHOLD_P95, at[0], TRUE);
  loom_rule_result_note_value (result, THRESHOLD_P5, at[1], TRUE);
  count->n_judged++;
  count->n_low += low;
  count->n_fluctuating += fluctuating;
  if (!low && !fluctuating)
    return;
  loom_rule_mark_unused (context, result, series, n, at[0]);
  if (count->first == NULL) {
    count->first = series;
    count->first_p95 = at[0], count->first_p5 = at[1];
  }
}

void
loom_rule_low_gpu_utilization (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GPtrArray) gpus = loom_rule_series_of (context, "GPUUtilization");
  Count count = { 0 };
  for (guint i = 0; i < gpus->len; i++)
    judge (context, result, gpus->pdata[i], &count);
  result->n_datapoints = count.n_judged;
  result->n_violations = count.n_low + count.n_fluctuating;
  if (gpus->len == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no samples of GPUs"));
  else if (count.n_judged == 0)
    loom_rule_result_set_not_enough (result, count.n_most, (guint64) loom_rule_value (context, result, PATIENCE) + 1,
                                     C_ ("rule counts", "samples"));
  else if (count.first != NULL) {
    loom_rule_result_set_headline (
      result, _ ("GPUs that were hardly used: %u of %u; GPUs that were used only at intervals: %u"),
      (guint) count.n_low, (guint) count.n_judged, (guint) count.n_fluctuating);
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "GPUs that were hardly used: %u of %u; GPUs that were used only at intervals: %u. On %s of %s, the 95th percentile of GPU usage is %.0f %%, and the 5th percentile is %.0f %%"),
      (guint) count.n_low, (guint) count.n_judged, (guint) count.n_fluctuating, count.first->name,
      loom_data_frame_get_host (context->frame, count.first->host_id), count.first_p95, count.first_p5);
  } else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("GPUs that were used well: %u"), (guint) count.n_judged);
}
