/* SPDX-License-Identifier: Apache-2.0
 *
 * HostBound: devices that are idle because the host launches their work too late (loom-idle-time.h). Waits for data are
 * left out: DataLoadingStalls reports them, and the same time would be lost twice.
 */
#include <glib/gi18n.h>

#include "loom-idle-time.h"
#include "loom-rule-private.h"
#include "loom-statistics.h"

enum { THRESHOLD };

static gint64
get_waited_ns (const LoomIdleRow *row)
{
  return loom_time_sub (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, row->data_ns);
}

static double
get_percent_of (const LoomIdleRow *row, gint64 time_ns)
{
  return row->recorded_ns > 0 ? 100 * (double) time_ns / (double) row->recorded_ns : 0;
}

static double
get_percent (const LoomIdleRow *row)
{
  return get_percent_of (row, get_waited_ns (row));
}

static void
add_device (LoomRuleResult *result, const LoomIdleRow *row, double threshold)
{
  double percent = get_percent (row);
  g_autofree char *name = loom_rule_dup_device (row->device, row->rank);
  loom_rule_details_set (result->details, name, percent);
  loom_rule_result_note_value (result, THRESHOLD, percent, FALSE);
  result->n_datapoints++;
  if (!(percent > threshold))
    return;
  result->n_violations++;
  result->lost_ns = loom_time_add (result->lost_ns, get_waited_ns (row));
}

static const LoomIdleRow *
find_worst (const LoomIdleTime *idle)
{
  const LoomIdleRow *worst = &g_array_index (idle->devices, LoomIdleRow, 0);
  for (guint i = 1; i < idle->devices->len; i++)
    if (get_percent (&g_array_index (idle->devices, LoomIdleRow, i)) > get_percent (worst))
      worst = &g_array_index (idle->devices, LoomIdleRow, i);
  return worst;
}

static void
mark_gaps (LoomRuleResult *result, const LoomIdleTime *idle)
{
  for (guint i = 0; i < idle->longest_for_host->len; i++) {
    const LoomIdleGap *gap = &g_array_index (idle->longest_for_host, LoomIdleGap, i);
    const LoomRuleOccurrence mark = {
      gap->range.begin_ns, gap->range.end_ns, "", "", { gap->trace, gap->host != G_MAXUINT32 ? gap->host : gap->span }
    };
    loom_rule_result_add_mark (result, &mark);
  }
}

/* Waits for data are not silently left out. */
static void
say_data (LoomRuleResult *result, const LoomIdleRow *worst)
{
  g_autofree char *sentence = g_strdup (result->sentence);
  if (worst->data_ns > 0)
    loom_rule_result_set_message (result, result->status,
                                  _ ("%s; waits for data, another %.1f %%, are not counted here"), sentence,
                                  get_percent_of (worst, worst->data_ns));
}

static void
say_passed (LoomRuleResult *result, const LoomIdleTime *idle, const char *name, double percent)
{
  double least = percent;
  for (guint i = 0; i < idle->devices->len; i++)
    least = MIN (least, get_percent (&g_array_index (idle->devices, LoomIdleRow, i)));
  if (idle->devices->len > 1 && loom_statistics_are_alike (least, percent))
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("%u GPUs wait alike for the host, %.1f %% of their time"), idle->devices->len,
                                  percent);
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("%s waits longest for the host, %.1f %% of its time"),
                                  name, percent);
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomIdleTime *idle)
{
  double threshold = loom_rule_value (context, result, THRESHOLD);
  const LoomIdleRow *worst = find_worst (idle);
  g_autofree char *name = loom_rule_dup_device (worst->device, worst->rank);
  for (guint i = 0; i < idle->devices->len; i++)
    add_device (result, &g_array_index (idle->devices, LoomIdleRow, i), threshold);
  if (result->n_violations == 0) {
    say_passed (result, idle, name, get_percent (worst));
    say_data (result, worst);
    return;
  }
  result->explains[0] = "IdleGPU";
  result->explains[1] = "LaunchBoundSteps";
  result->lost_over = LOOM_RULE_OVER_DEVICES;
  result->n_lost_over = (guint) result->n_violations;
  mark_gaps (result, idle);
  loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                _ ("%s waits for the host in %.1f %% of its time; devices that do: %u of %u"), name,
                                get_percent (worst), (guint) result->n_violations, (guint) result->n_datapoints);
  say_data (result, worst);
}

void
loom_rule_host_bound (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (LoomIdleTime) idle =
    loom_idle_time_new (context->frame->timeline, context->frame->range, context->cancellable);
  if (idle == NULL)
    return;
  if (loom_idle_time_get_missing (idle) != NULL)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no kernels with their launches"));
  else
    judge (context, result, idle);
}
