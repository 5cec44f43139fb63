/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules HostBound and LaunchGaps. Each reports a part of the idle time of devices, according to the cause of each
 * gap between kernels or copies (the binding predecessor, loom-idle-time.h). The two parts do not overlap.
 *
 *   HostBound    gaps that last long because the host launched the next work too late. If the rule DataLoadingStalls
 *                fires, time in which the host waits for data is excluded, because that rule reports this time as lost.
 *   LaunchGaps   gaps before work that was already queued: the pause that a device makes before every kernel. Devices
 *                with fewer than MIN_GAPS such gaps are not checked.
 */
#include <glib/gi18n.h>

#include "loom-idle-time.h"
#include "loom-rule-private.h"
#include "loom-sentence.h"
#include "loom-statistics.h"

enum { THRESHOLD };

#define MIN_GAPS 100

/* The sentence of HostBound mentions waits for data if they take at least this share of the device's recorded time, in
 * percent. */
#define LEAST_DATA_PERCENT 1
/* A percentage of the worst device's recorded time. If HostBound passes, but this device waits for the host for more
 * than this percentage, the page of idle time names the host as the cause. */
#define NAMED_HOST_PERCENT 5

static gboolean
is_of_gaps (const LoomRuleResult *result)
{
  return result->rule == LOOM_RULE_LAUNCH_GAPS;
}

static gint64
get_lost_ns (const LoomRuleResult *result, const LoomIdleRow *row)
{
  if (is_of_gaps (result))
    return row->binding[LOOM_IDLE_CAUSE_KERNEL].total_ns;
  return loom_time_sub (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, result->omits_data ? row->data_ns : 0);
}

static double
get_percent_of (const LoomIdleRow *row, gint64 time_ns)
{
  return row->recorded_ns > 0 ? 100 * (double) time_ns / (double) row->recorded_ns : 0;
}

static double
get_percent (const LoomRuleResult *result, const LoomIdleRow *row)
{
  return get_percent_of (row, get_lost_ns (result, row));
}

static gboolean
is_judged (const LoomRuleResult *result, const LoomIdleRow *row)
{
  return !is_of_gaps (result) || row->binding[LOOM_IDLE_CAUSE_KERNEL].n >= MIN_GAPS;
}

static gint64
get_mean (gint64 sum_ns, guint64 n)
{
  return n > 0 ? (gint64) ((guint64) sum_ns / n) : 0;
}

/* In a result of LaunchGaps, marks the longest launch gap of a device. */
static void
mark_longest (LoomRuleResult *result, const LoomIdleRow *row)
{
  const LoomIdleGaps *gaps = &row->binding[LOOM_IDLE_CAUSE_KERNEL];
  const LoomRuleOccurrence mark = { gaps->longest.begin_ns, gaps->longest.end_ns, "", "", { row->trace, gaps->span } };
  if (is_of_gaps (result))
    loom_rule_result_add_mark (result, &mark);
}

/* Adds a device to the result. `most`: the largest share of time that any device loses, in percent. The device counts
 * as a violation in two cases: its own share exceeds `threshold`; or `most` exceeds `threshold`, and the share of the
 * device is nearly as large as `most`. The second case is needed so that of devices with nearly equal shares, either
 * all count or none. */
static void
add_device (LoomRuleResult *result, const LoomIdleRow *row, double threshold, double most)
{
  double percent = get_percent (result, row);
  g_autofree char *name = loom_rule_dup_device (row->device, row->rank, row->is_process);
  loom_rule_details_set (result->details, name, percent);
  loom_rule_result_note_value (result, THRESHOLD, percent, FALSE);
  result->n_datapoints++;
  /* caused_ns also includes the gaps of devices below the threshold: LaunchGaps may be the cause of bubbles, and a
   * bubble contains the gaps of all devices */
  if (is_of_gaps (result))
    result->caused_ns = loom_time_add (result->caused_ns, get_lost_ns (result, row));
  if (!(percent > threshold) && !(most > threshold && loom_statistics_are_alike (percent, most)))
    return;
  result->n_violations++;
  result->lost_ns = loom_time_add (result->lost_ns, get_lost_ns (result, row));
  mark_longest (result, row);
}

/* Returns the device that loses the largest share of its recorded time; NULL if there are no devices. For LaunchGaps,
 * only devices with at least MIN_GAPS gaps are considered; NULL if there are no such devices. */
static const LoomIdleRow *
find_worst (LoomRuleResult *result, const LoomIdleTime *idle)
{
  const LoomIdleRow *worst = NULL;
  for (guint i = 0; i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    result->n_have = MAX (result->n_have, row->binding[LOOM_IDLE_CAUSE_KERNEL].n);
    if (is_judged (result, row) && (worst == NULL || get_percent (result, row) > get_percent (result, worst)))
      worst = row;
  }
  return worst;
}

/* Returns the device that the sentence names: among the devices whose lost share exceeds `threshold`, the one that
 * loses the most time. (A device that was recorded only briefly may lose a large share, but little time.) If no device
 * exceeds `threshold`, returns `worst`, the device with the largest share. */
static const LoomIdleRow *
find_named (const LoomRuleResult *result, const LoomIdleTime *idle, const LoomIdleRow *worst, double threshold)
{
  const LoomIdleRow *named = worst;
  for (guint i = 0; i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    if (is_judged (result, row) && get_percent (result, row) > threshold &&
        get_lost_ns (result, row) > get_lost_ns (result, named))
      named = row;
  }
  return named;
}

static void
mark_gap (LoomRuleResult *result, const LoomIdleGap *gap)
{
  const LoomRuleOccurrence mark = {
    gap->range.begin_ns, gap->range.end_ns, "", "", { gap->trace, gap->host != G_MAXUINT32 ? gap->host : gap->span }
  };
  loom_rule_result_add_mark (result, &mark);
}

static void
mark_host_gaps (LoomRuleResult *result, const GArray *gaps)
{
  for (guint i = 0; i < gaps->len; i++) {
    const LoomIdleGap *gap = &g_array_index (gaps, LoomIdleGap, i);
    if (gap->cause == LOOM_IDLE_CAUSE_HOST)
      mark_gap (result, gap);
  }
}

/* Marks launch gaps of the list `gaps`, which contains the longest gaps. Only gaps of traces in which mark_longest()
 * has marked a gap are marked. */
static void
mark_launch_gaps (LoomRuleResult *result, const GArray *gaps)
{
  guint n_longest = result->marks->len;
  for (guint i = 0; i < gaps->len; i++) {
    const LoomIdleGap *gap = &g_array_index (gaps, LoomIdleGap, i);
    gboolean is_affected = FALSE, is_marked = FALSE;
    for (guint k = 0; k < n_longest; k++) {
      const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, k);
      is_affected |= mark->span.trace == gap->trace;
      is_marked |= mark->span.trace == gap->trace && mark->begin_ns == gap->range.begin_ns;
    }
    if (gap->cause == LOOM_IDLE_CAUSE_KERNEL && is_affected && !is_marked)
      mark_gap (result, gap);
  }
}

/* --- sentence of the finding -------------------------------------------------------------------------------------- */

/* If the device waits for data for at least LEAST_DATA_PERCENT of its recorded time, adds to the sentence how long it
 * waits for data, and whether the lost time includes this wait. */
static void
say_data (LoomRuleResult *result, const LoomIdleRow *worst)
{
  g_autofree char *sentence = g_strdup (result->sentence);
  if (get_percent_of (worst, worst->data_ns) < LEAST_DATA_PERCENT)
    return;
  if (!result->omits_data)
    loom_rule_result_set_message (
      result, result->status,
      /* Translators: %s is a sentence: "GPU 0 of rank 3 waits for the host for 20.0 % of its time" */
      _ ("%s; for %.0f %% of this time, the rank of the device waits for data"), sentence,
      100 * (double) worst->data_ns / (double) worst->binding[LOOM_IDLE_CAUSE_HOST].total_ns);
  else
    loom_rule_result_set_message (
      result, result->status,
      /* Translators: %s is a sentence: "GPU 0 of rank 3 waits for the host for 20.0 % of its time" */
      _ ("%s, not counting waits for data (another %.1f %% of the time)"), sentence,
      get_percent_of (worst, worst->data_ns));
}

static void
say_host_passed (LoomRuleResult *result, const LoomIdleTime *idle, const char *name, double percent)
{
  double least = percent;
  for (guint i = 0; i < idle->devices->len; i++)
    least = MIN (least, get_percent (result, &g_array_index (idle->devices, LoomIdleRow, i)));
  if (idle->devices->len > 1 && loom_statistics_are_alike (least, percent))
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("%u GPUs wait about equally long for the host: for %.1f %% of their time"),
                                  idle->devices->len, percent);
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  idle->devices->len > 1 ? _ ("%s waits longest for the host: for %.1f %% of its time")
                                                         : _ ("%s waits for the host for %.1f %% of its time"),
                                  name, percent);
}

/* Copies the sentence of the result, which states how long the device waits for the host, to LoomRuleResult.small_loss,
 * the text about a loss below the limit. */
static void
note_small_loss (LoomRuleResult *result, const LoomIdleRow *worst)
{
  g_autofree char *capital = loom_sentence_dup_capital (result->sentence);
  loom_rule_result_take_small_loss (result, loom_sentence_dup (capital), get_lost_ns (result, worst));
}

/* If there are several devices and the finding affects all of them, sets a headline about all devices, because the
 * sentence names only the worst one. Exception: if a device waits for data for at least LEAST_DATA_PERCENT of its
 * recorded time, sets no headline, because the finding must mention this wait, and the headline would not. */
static void
say_host_of_all (LoomRuleResult *result, const LoomIdleTime *idle)
{
  gint64 lost_ns = 0, recorded_ns = 0;
  gboolean waits_for_data = FALSE;
  for (guint i = 0; i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    lost_ns = loom_time_add (lost_ns, get_lost_ns (result, row));
    recorded_ns = loom_time_add (recorded_ns, row->recorded_ns);
    waits_for_data |= get_percent_of (row, row->data_ns) >= LEAST_DATA_PERCENT;
  }
  if (recorded_ns > 0 && result->n_violations == idle->devices->len && result->n_violations > 1 && !waits_for_data)
    loom_rule_result_set_headline (result, _ ("all %u GPUs wait for the host, together for %.1f %% of their time"),
                                   idle->devices->len, 100 * (double) lost_ns / (double) recorded_ns);
}

static void
say_host (LoomRuleResult *result, const LoomIdleTime *idle, const LoomIdleRow *worst, const char *name)
{
  if (result->n_violations == 0) {
    say_host_passed (result, idle, name, get_percent (result, worst));
    if (get_percent (result, worst) > NAMED_HOST_PERCENT)
      note_small_loss (result, worst);
  } else {
    result->explains[1] = "LaunchBoundSteps";
    if (!result->omits_data)
      mark_host_gaps (result, idle->longest);
    if (result->marks->len == 0)
      mark_host_gaps (result, idle->longest_for_host);
    if (result->n_datapoints > 1)
      loom_rule_result_set_message (
        result, LOOM_RULE_FIRED, _ ("%s waits for the host for %.1f %% of its time; this affects %u of %u devices"),
        name, get_percent (result, worst), (guint) result->n_violations, (guint) result->n_datapoints);
    else
      loom_rule_result_set_message (result, LOOM_RULE_FIRED, _ ("%s waits for the host for %.1f %% of its time"), name,
                                    get_percent (result, worst));
    say_host_of_all (result, idle);
  }
  say_data (result, worst);
}

static void
say_gaps (LoomRuleResult *result, const LoomIdleRow *worst, const char *name)
{
  const LoomIdleGaps *gaps = &worst->binding[LOOM_IDLE_CAUSE_KERNEL];
  double percent = get_percent (result, worst);
  g_autofree char *pause = loom_time_format_duration (get_mean (gaps->total_ns, gaps->n)),
                  *kernel = loom_time_format_duration (get_mean (worst->work_ns, worst->n_works));
  if (result->n_violations == 0)
    loom_rule_result_set_message (
      result, LOOM_RULE_PASSED,
      _ ("%s spends %.1f %% of its time in pauses before kernels that are already queued; a pause takes %s on average"),
      name, percent, pause);
  else if (result->n_datapoints <= 1)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "%s spends %.1f %% of its time in pauses before kernels that are already queued; a pause takes %s on average, and a kernel takes %s"),
      name, percent, pause, kernel);
  else
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "%s spends %.1f %% of its time in pauses before kernels that are already queued; a pause takes %s on average, and a kernel takes %s; this affects %u of %u devices"),
      name, percent, pause, kernel, (guint) result->n_violations, (guint) result->n_datapoints);
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomIdleTime *idle)
{
  double threshold = loom_rule_value (context, result, THRESHOLD);
  const LoomIdleRow *worst = find_worst (result, idle);
  if (worst == NULL) {
    loom_rule_result_set_not_enough (result, result->n_have, MIN_GAPS, C_ ("rule counts", "pauses of a device"));
    return;
  }
  const LoomIdleRow *named = find_named (result, idle, worst, threshold);
  g_autofree char *name = loom_rule_dup_device (named->device, named->rank, named->is_process);
  for (guint i = 0; i < idle->devices->len; i++)
    if (is_judged (result, &g_array_index (idle->devices, LoomIdleRow, i)))
      add_device (result, &g_array_index (idle->devices, LoomIdleRow, i), threshold, get_percent (result, worst));
  result->explains[0] = "IdleGPU";
  result->lost_over = LOOM_RULE_OVER_DEVICES;
  result->n_lost_over = (guint) result->n_violations;
  if (is_of_gaps (result)) {
    /* if launch gaps delay a stage of a pipeline, the next stages wait for this stage; therefore, findings of
     * PipelineBubbles may be effects of LaunchGaps */
    result->explains[1] = "PipelineBubbles";
    if (result->n_violations > 0)
      mark_launch_gaps (result, idle->longest);
    say_gaps (result, named, name);
  } else
    say_host (result, idle, named, name);
}

void
loom_rule_idle (const LoomRuleContext *context, LoomRuleResult *result)
{
  const LoomIdleTime *idle = loom_rule_get_idle (context);
  if (idle == NULL)
    return;
  if (loom_idle_time_get_missing (idle) != NULL)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("there are no kernels whose launches are recorded"));
  else
    judge (context, result, idle);
}
