/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules CPUBottleneck and IOBottleneck: find the snapshots (samples taken together) in which a CPU core is at its
 * limit while a GPU is nearly idle. CPUBottleneck examines the usage of cores, IOBottleneck their I/O wait.
 */
#include <glib/gi18n.h>

#include "loom-metric-snapshots.h"
#include "loom-rule-private.h"

enum { THRESHOLD, GPU_THRESHOLD, HIGH_THRESHOLD, PATIENCE };
enum { HIGH = 1, LOW = 2, BOTH = 3 };

typedef struct {
  const LoomRuleContext *context;
  LoomRuleResult *result;
  const char *dimension;
  gboolean is_cpu;
  LoomMetricSnapshots snapshots;
  /* array: [snapshot] which conditions of a bottleneck hold in the snapshot: HIGH (a core is at its limit), LOW (a GPU
   * is nearly idle), or BOTH; 0: none of them */
  guint8 *seen;
  const char *host;
  guint32 host_id;
  guint64 n_most; /* largest number of snapshots that a host has */
  gboolean judged, fired;
} Finder;

static void
see (Finder *finder, const char *dimension, gboolean above, double limit, guint8 flag)
{
  g_autoptr (GPtrArray) found = loom_rule_series_of (finder->context, dimension);
  for (guint i = 0; i < found->len; i++) {
    const LoomSampleSeries *series = found->pdata[i];
    gsize near = 0;
    for (guint32 k = 0; series->host_id == finder->host_id && k < series->n; k++)
      if (above ? series->value[k] > limit : series->value[k] < limit)
        finder->seen[loom_metric_snapshots_find (&finder->snapshots, series->time_ns[k], &near)] |= flag;
  }
}

/* Marks each sequence of consecutive snapshots in which both conditions of a bottleneck hold (see Finder.seen). A
 * snapshot lasts until the next one. Returns the number of snapshots in which both conditions hold. */
static guint64
mark (Finder *finder)
{
  const LoomMetricSnapshots *snapshots = &finder->snapshots;
  guint64 n = 0;
  for (gsize i = 0, end; i < snapshots->n; i = end) {
    for (end = i + 1; finder->seen[i] == BOTH && end < snapshots->n && finder->seen[end] == BOTH;)
      end++;
    if (finder->seen[i] != BOTH)
      continue;
    gint64 until_ns = snapshots->starts[MIN (end, snapshots->n - 1)];
    n += end - i;
    finder->result->lost_ns += until_ns - snapshots->starts[i];
    loom_rule_result_add_occurrence (finder->result, snapshots->starts[i], until_ns, finder->host, "");
  }
  return n;
}

/* `share`: percentage of the snapshots of a host that are bottlenecks. If it is above the threshold, makes the rule
 * fire, and sets the message about this host. */
static void
judge_share (Finder *finder, double share)
{
  finder->judged = TRUE;
  if (!(share > loom_rule_value (finder->context, finder->result, THRESHOLD)))
    return;
  finder->fired = TRUE;
  loom_rule_result_set_message (
    finder->result, LOOM_RULE_FIRED,
    finder->is_cpu ? _ ("On %s, a core was saturated while a GPU was starved for %.1f %% of the time")
                   : _ ("On %s, a core waited for disks while a GPU was starved for %.1f %% of the time"),
    finder->host, share);
}

/* Adds the snapshots of a host to the counts of the result; `n_bad` of them are bottlenecks. If the host has enough
 * snapshots, compares their share with the threshold. */
static void
judge_snapshots (Finder *finder, guint64 n_bad)
{
  LoomRuleResult *result = finder->result;
  guint64 n = finder->snapshots.n;
  double share = 100.0 * (double) n_bad / (double) n;
  JsonObject *details = loom_rule_details_at (result->details, finder->host, NULL);
  json_object_set_int_member (details, "bottlenecks", (gint64) n_bad);
  json_object_set_int_member (details, "snapshots", (gint64) n);
  loom_rule_details_set (details, "ratio", share);
  result->n_datapoints += n;
  result->n_violations += n_bad;
  finder->n_most = MAX (finder->n_most, n);
  loom_rule_result_note_value (result, THRESHOLD, share, FALSE);
  loom_rule_result_note_value (result, PATIENCE, (double) n, FALSE);
  if ((double) n > loom_rule_value (finder->context, result, PATIENCE))
    judge_share (finder, share);
}

static void
judge_host (Finder *finder)
{
  const LoomRuleContext *context = finder->context;
  LoomRuleResult *result = finder->result;
  loom_metric_snapshots_init (&finder->snapshots, context->frame, finder->host_id, finder->dimension, "GPUUtilization");
  if (finder->snapshots.n == 0) { /* nothing to evaluate: the host has spans, but no samples */
    loom_metric_snapshots_clear (&finder->snapshots);
    return;
  }
  finder->seen = g_new0 (guint8, finder->snapshots.n + 1);
  see (finder, finder->dimension, TRUE, loom_rule_value (context, result, HIGH_THRESHOLD), HIGH);
  see (finder, "GPUUtilization", FALSE, loom_rule_value (context, result, GPU_THRESHOLD), LOW);
  judge_snapshots (finder, mark (finder));
  g_free (finder->seen);
  loom_metric_snapshots_clear (&finder->snapshots);
}

void
loom_rule_bottleneck (const LoomRuleContext *context, LoomRuleResult *result)
{
  gboolean is_cpu = result->rule == LOOM_RULE_CPU_BOTTLENECK;
  Finder finder = {
    .context = context, .result = result, .dimension = is_cpu ? "CPUUtilization" : "I/OWaitPercentage", .is_cpu = is_cpu
  };
  g_autoptr (GPtrArray) gpus = loom_rule_series_of (context, "GPUUtilization"),
                        cores = loom_rule_series_of (context, finder.dimension);
  if (gpus->len == 0 || cores->len == 0) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, "%s",
                                  gpus->len == 0 ? _ ("there are no samples of GPUs")
                                                 : _ ("there are no samples of cores"));
    return;
  }
  for (guint i = 0; i < context->frame->n_hosts; i++) {
    finder.host_id = i;
    finder.host = loom_data_frame_get_host (context->frame, i);
    judge_host (&finder);
  }
  if (!finder.judged)
    loom_rule_result_set_not_enough (result, finder.n_most, (guint64) loom_rule_value (context, result, PATIENCE) + 1,
                                     C_ ("rule counts", "sampled instants"));
  else if (!finder.fired)
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("sampled instants with a bottleneck: %u of %u"),
                                  (guint) result->n_violations, (guint) result->n_datapoints);
}
