/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule BatchSize: fires if the usage of cores, GPUs and GPU memory is far below their limits, so that a larger
 * batch would fit.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-rule-private.h"
#include "loom-statistics.h"

enum { CPU_P95, GPU_P95, MEMORY_P95, PATIENCE, WINDOW };

typedef struct {
  guint64 n_most, n_judged;
  const char *host, *gpu; /* host and name of the GPU for which the rule fired first */
  double cpu, gpu_at, memory_at;
} Count;

static const LoomSampleSeries *
find_twin (const GPtrArray *all, const LoomSampleSeries *gpu)
{
  for (guint i = 0; i < all->len; i++) {
    const LoomSampleSeries *series = all->pdata[i];
    if (series->host_id == gpu->host_id && strcmp (series->name, gpu->name) == 0)
      return series;
  }
  return NULL;
}

static double
p95 (const double *values, gsize n, gsize window)
{
  static const double q = 0.95;
  double at;
  gsize used = MIN (n, window);
  loom_rule_quantiles (values + n - used, used, &q, 1, &at);
  return at;
}

static void
judge_gpu (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *gpu,
           const LoomSampleSeries *memory, double cpu, Count *count)
{
  gsize window = (gsize) loom_rule_value (context, result, WINDOW);
  const char *host = loom_data_frame_get_host (context->frame, gpu->host_id);
  if (memory == NULL || gpu->n <= window || memory->n == 0)
    return;
  double gpu_at = p95 (gpu->value, gpu->n, window), memory_at = p95 (memory->value, memory->n, window);
  JsonObject *details = loom_rule_details_at (result->details, host, gpu->name);
  loom_rule_details_set_box (loom_rule_details_at (details, "GPU", NULL), gpu->value + gpu->n - window, window);
  loom_rule_details_set_box (loom_rule_details_at (details, "GPU_memory", NULL),
                             memory->value + memory->n - MIN (memory->n, window), MIN (memory->n, window));
  result->n_datapoints++;
  loom_rule_result_note_value (result, CPU_P95, cpu, TRUE);
  loom_rule_result_note_value (result, GPU_P95, gpu_at, TRUE);
  loom_rule_result_note_value (result, MEMORY_P95, memory_at, TRUE);
  if (!(cpu < loom_rule_value (context, result, CPU_P95)) || !(gpu_at < loom_rule_value (context, result, GPU_P95)) ||
      !(memory_at < loom_rule_value (context, result, MEMORY_P95)))
    return;
  result->n_violations++;
  loom_rule_mark_unused (context, result, gpu, window, gpu_at);
  if (count->host == NULL)
    *count = (Count) { count->n_most, count->n_judged, host, gpu->name, cpu, gpu_at, memory_at };
}

static void
judge_host (const LoomRuleContext *context, LoomRuleResult *result, guint32 host_id, const GPtrArray *gpus,
            const GPtrArray *memories, Count *count)
{
  static const LoomSeriesFilter is_core = { .dimension = "CPUUtilization" };
  g_autoptr (GArray) cores = loom_rule_node_values (context->frame, host_id, &is_core, FALSE, FALSE);
  gsize window = (gsize) loom_rule_value (context, result, WINDOW);
  const double *values = (const double *) cores->data;
  count->n_most = MAX (count->n_most, cores->len);
  loom_rule_result_note_value (result, PATIENCE, cores->len, FALSE);
  if (cores->len <= window || !(cores->len > loom_rule_value (context, result, PATIENCE)))
    return;
  count->n_judged++;
  const char *host = loom_data_frame_get_host (context->frame, host_id);
  loom_rule_details_set_box (loom_rule_details_at (result->details, host, "CPU"), values + cores->len - window, window);
  for (guint i = 0; i < gpus->len; i++) {
    const LoomSampleSeries *gpu = gpus->pdata[i];
    if (gpu->host_id == host_id)
      judge_gpu (context, result, gpu, find_twin (memories, gpu), p95 (values, cores->len, window), count);
  }
}

void
loom_rule_batch_size (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GPtrArray) gpus = loom_rule_series_of (context, "GPUUtilization"),
                        memories = loom_rule_series_of (context, "GPUMemoryUtilization"),
                        cores = loom_rule_series_of (context, "CPUUtilization");
  double needed = MAX (loom_rule_value (context, result, PATIENCE), loom_rule_value (context, result, WINDOW));
  Count count = { 0 };
  if (gpus->len == 0 || memories->len == 0 || cores->len == 0) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, "%s",
                                  gpus->len == 0       ? _ ("there are no samples of GPUs")
                                  : memories->len == 0 ? _ ("there are no samples of GPU memory")
                                                       : _ ("there are no samples of cores"));
    return;
  }
  for (guint i = 0; i < context->frame->n_hosts; i++)
    judge_host (context, result, i, gpus, memories, &count);
  if (count.n_judged == 0 || result->n_datapoints == 0)
    loom_rule_result_set_not_enough (result, count.n_most, (guint64) needed + 1,
                                     C_ ("rule counts", "sampled instants"));
  else if (result->n_violations > 0) {
    loom_rule_result_set_headline (result, _ ("GPUs with room for a larger batch: %u of %u"),
                                   (guint) result->n_violations, (guint) result->n_datapoints);
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "GPUs with room for a larger batch: %u of %u. On %s, the 95th percentile of CPU usage is below %.0f %%. On %s of this node, the 95th percentile of GPU usage is below %.0f %%, and that of memory usage is below %.0f %%"),
      (guint) result->n_violations, (guint) result->n_datapoints, count.host, count.cpu, count.gpu, count.gpu_at,
      count.memory_at);
  } else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("cores, GPUs or GPU memory are well used"));
}
