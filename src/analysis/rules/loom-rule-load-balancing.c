/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule LoadBalancing: compares the utilization histograms of the GPUs of a node.
 */
#include <glib/gi18n.h>

#include "loom-gpu-balance.h"
#include "loom-rule-private.h"

enum { THRESHOLD, PATIENCE };

static void
mark_pair (const LoomRuleContext *context, LoomRuleResult *result, const LoomGpuBalanceDevice *device)
{
  gint64 first_ns, last_ns;
  if (loom_data_frame_get_sample_extent (context->frame, &first_ns, &last_ns))
    loom_rule_result_add_occurrence (result, first_ns, last_ns, device->host, device->name);
}

/* Sets the message of the result. `worst`: the pair with the greatest distance, if this distance is beyond the
 * threshold; else NULL. `n_most`: largest number of samples that a GPU has. `patience`: a GPU is compared only if it
 * has more samples than this. */
static void
say (LoomRuleResult *result, const LoomGpuBalance *balance, const LoomGpuBalancePair *worst, guint64 n_most,
     double patience)
{
  if (worst != NULL)
    loom_rule_result_set_headline (result,
                                   /* Translators: the names of two GPUs and of their node */
                                   _ ("%s and %s of %s have different workloads"), balance->devices[worst->a].name,
                                   balance->devices[worst->b].name, balance->devices[worst->a].host);
  if (worst != NULL)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ ("%s and %s of %s have different workloads (histogram distance %.2f); this affects %u of %u pairs"),
      balance->devices[worst->a].name, balance->devices[worst->b].name, balance->devices[worst->a].host,
      worst->distance, (guint) result->n_violations, (guint) result->n_datapoints);
  else if (result->n_datapoints == 0)
    loom_rule_result_set_not_enough (result, n_most, (guint64) patience + 1, C_ ("rule counts", "samples"));
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("pairs of GPUs with similar work: %u"),
                                  (guint) result->n_datapoints);
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomGpuBalance *balance)
{
  double threshold = loom_rule_value (context, result, THRESHOLD),
         patience = loom_rule_value (context, result, PATIENCE);
  const LoomGpuBalancePair *worst = NULL;
  guint64 n_most = 0;
  for (guint i = 0; i < balance->n_pairs; i++) {
    const LoomGpuBalancePair *pair = &balance->pairs[i];
    const LoomGpuBalanceDevice *a = &balance->devices[pair->a], *b = &balance->devices[pair->b];
    n_most = MAX (n_most, a->n);
    loom_rule_result_note_value (result, PATIENCE, (double) a->n, FALSE);
    if (!(a->n > patience))
      continue;
    JsonObject *details =
      loom_rule_details_at (loom_rule_details_at (result->details, a->host, "distances"), a->name, NULL);
    loom_rule_details_set (details, b->name, pair->distance);
    result->n_datapoints++;
    loom_rule_result_note_value (result, THRESHOLD, pair->distance, FALSE);
    if (!(pair->distance > threshold))
      continue;
    result->n_violations++;
    mark_pair (context, result, a);
    mark_pair (context, result, b);
    if (worst == NULL || pair->distance > worst->distance)
      worst = pair;
  }
  say (result, balance, worst, n_most, patience);
}

void
loom_rule_load_balancing (const LoomRuleContext *context, LoomRuleResult *result)
{
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, context->frame, &context->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         LOOM_GPU_BALANCE_LIMIT);
  if (balance.n_pairs == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("no node has two GPUs with samples"));
  else
    judge (context, result, &balance);
  loom_gpu_balance_clear (&balance);
}
