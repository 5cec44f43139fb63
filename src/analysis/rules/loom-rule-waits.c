/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule ExpertImbalance: fires if a rank waits too long for other ranks in all-to-all collectives. The file also
 * evaluates the rule PipelineBubbles for runs in which bubbles cannot be measured: the rule then fires if a rank waits
 * too long for messages from other ranks (loom-rank-waits.h).
 */
#include <glib/gi18n.h>

#include "loom-rank-waits.h"
#include "loom-rule-private.h"
#include "loom-statistics.h"

enum { THRESHOLD };

static double
get_percent (const LoomRankWaits *rank, LoomRankWaitKind kind)
{
  return rank->recorded_ns > 0 ? 100 * (double) rank->waits[kind].total_ns / (double) rank->recorded_ns : 0;
}

static void
add_rank (LoomRuleResult *result, const LoomRankWaits *rank, LoomRankWaitKind kind, double threshold)
{
  const LoomRankWait *wait = &rank->waits[kind];
  double percent = get_percent (rank, kind);
  const LoomRuleOccurrence mark = { wait->longest.begin_ns, wait->longest.end_ns, "", "", wait->span };
  if (wait->n == 0)
    return;
  result->n_datapoints++;
  loom_rule_result_note_value (result, THRESHOLD, percent, FALSE);
  if (!(percent > threshold))
    return;
  result->n_violations++;
  result->lost_ns = loom_time_add (result->lost_ns, wait->total_ns);
  loom_rule_result_add_mark (result, &mark);
}

static const LoomRankWaits *
find_worst (const GArray *ranks, LoomRankWaitKind kind)
{
  const LoomRankWaits *worst = NULL;
  for (guint i = 0; i < ranks->len; i++) {
    const LoomRankWaits *rank = &g_array_index (ranks, LoomRankWaits, i);
    if (rank->waits[kind].n > 0 && (worst == NULL || get_percent (rank, kind) > get_percent (worst, kind)))
      worst = rank;
  }
  return worst;
}

static void
say_fired (LoomRuleResult *result, const LoomRankWaits *worst, LoomRankWaitKind kind)
{
  double percent = get_percent (worst, kind);
  guint n = (guint) result->n_violations, all = (guint) result->n_datapoints;
  loom_rule_result_set_headline (result,
                                 kind == LOOM_RANK_WAIT_MESSAGES
                                   ? _ ("Rank %d waits for messages from other ranks for %.1f %% of its time")
                                   : _ ("Rank %d waits in all-to-all collectives for %.1f %% of its time"),
                                 worst->rank, percent);
  if (kind == LOOM_RANK_WAIT_MESSAGES)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "Rank %d waits for messages from other ranks for %.1f %% of its time (pipeline bubbles); this affects %u of %u ranks"),
      worst->rank, percent, n, all);
  else
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "Rank %d waits in all-to-all collectives for %.1f %% of its time (unequal load of experts); this affects %u of %u ranks"),
      worst->rank, percent, n, all);
}

static void
say_passed (LoomRuleResult *result, const GArray *ranks, const LoomRankWaits *worst, LoomRankWaitKind kind)
{
  double percent = get_percent (worst, kind), least = percent;
  guint n = 0;
  for (guint i = 0; i < ranks->len; i++) {
    const LoomRankWaits *rank = &g_array_index (ranks, LoomRankWaits, i);
    if (rank->waits[kind].n == 0)
      continue;
    least = MIN (least, get_percent (rank, kind));
    n++;
  }
  if (n > 1 && loom_statistics_are_alike (least, percent))
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("%u ranks wait about equally long: for %.1f %% of their time"), n, percent);
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  n > 1 ? _ ("rank %d waits longest: for %.1f %% of its time")
                                        : _ ("rank %d waits for %.1f %% of its time"),
                                  worst->rank, percent);
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const GArray *ranks, LoomRankWaitKind kind)
{
  double threshold = loom_rule_value (context, result, THRESHOLD);
  const LoomRankWaits *worst = find_worst (ranks, kind);
  if (worst == NULL) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                  kind == LOOM_RANK_WAIT_MESSAGES
                                    ? _ ("no messages were matched between ranks")
                                    : _ ("no all-to-all collectives were matched between ranks"));
    return;
  }
  for (guint i = 0; i < ranks->len; i++)
    add_rank (result, &g_array_index (ranks, LoomRankWaits, i), kind, threshold);
  if (kind == LOOM_RANK_WAIT_ALL_TO_ALL) {
    result->explains[0] = "CommunicationShare";
    result->explains[1] = "PipelineBubbles";
  }
  result->lost_over = LOOM_RULE_OVER_RANKS;
  result->n_lost_over = (guint) result->n_violations;
  if (result->n_violations > 0)
    say_fired (result, worst, kind);
  else
    say_passed (result, ranks, worst, kind);
}

void
loom_rule_waits (const LoomRuleContext *context, LoomRuleResult *result)
{
  gboolean messages = result->rule == LOOM_RULE_PIPELINE_BUBBLES;
  LoomCollectives *collectives = loom_rule_get_collectives (context);
  if (*context->waits == NULL && collectives != NULL)
    *context->waits = loom_rank_waits_new (collectives, context->cancellable);
  if (*context->waits != NULL)
    judge (context, result, *context->waits, messages ? LOOM_RANK_WAIT_MESSAGES : LOOM_RANK_WAIT_ALL_TO_ALL);
}
