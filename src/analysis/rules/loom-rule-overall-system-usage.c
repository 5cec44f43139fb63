/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule OverallSystemUsage, which never fires. It reports, for each node, the maximum, the minimum and percentiles
 * of the usage of network, GPUs, CPUs, memory and I/O.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-rule-private.h"

static const struct {
  const char *name;
  LoomSeriesFilter filter;
  gboolean sum;
} resources[] = {
  { "Network", { .type = "network", .dimension = "Algorithm" }, TRUE },
  { "GPU", { .dimension = "GPUUtilization" }, FALSE },
  { "CPU", { .dimension = "CPUUtilization" }, FALSE },
  { "CPU memory", { .name = "MemoryUsedPercent" }, FALSE },
  { "GPU memory", { .dimension = "GPUMemoryUtilization" }, FALSE },
  { "I/O", { .dimension = "I/OWaitPercentage" }, FALSE },
};

static void
add_usage (JsonObject *details, const GArray *values)
{
  static const char *const names[] = { "max", "p99", "p95", "p50", "min" };
  static const double q[] = { 1, 0.99, 0.95, 0.5, 0 };
  double at[G_N_ELEMENTS (q)];
  loom_rule_quantiles ((const double *) values->data, values->len, q, G_N_ELEMENTS (q), at);
  for (guint i = 0; i < G_N_ELEMENTS (q); i++)
    loom_rule_details_set (details, names[i], round (at[i] * 100) / 100);
}

static void
add_resource (const LoomRuleContext *context, LoomRuleResult *result, guint32 host_id, guint resource)
{
  const char *host = loom_data_frame_get_host (context->frame, host_id);
  g_autoptr (GArray) values =
    loom_rule_node_values (context->frame, host_id, &resources[resource].filter, resources[resource].sum, TRUE);
  if (values->len == 0)
    return;
  add_usage (loom_rule_details_at (result->details, resources[resource].name, host), values);
  result->n_datapoints += values->len;
}

void
loom_rule_overall_system_usage (const LoomRuleContext *context, LoomRuleResult *result)
{
  guint n_nodes = 0;
  for (guint i = 0; i < context->frame->n_hosts; i++) {
    guint64 before = result->n_datapoints;
    for (guint k = 0; k < G_N_ELEMENTS (resources); k++)
      add_resource (context, result, i, k);
    n_nodes += result->n_datapoints > before;
  }
  if (result->n_datapoints == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no system metrics"));
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("nodes with system metrics: %u; their usage is in the details"), n_nodes);
}
