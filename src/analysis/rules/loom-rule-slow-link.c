/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule SlowLink: fires if the transfers of a group of ranks take longer than the same transfers of comparable
 * groups (loom-transfers.h).
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-list-separator.h"
#include "loom-rule-private.h"
#include "loom-slowdown.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

enum { FACTOR };

static double
get_factor (const LoomTransferGroup *group)
{
  return group->typical_ns > 0 ? (double) group->median_ns / (double) group->typical_ns : 0;
}

/* Returns the group whose transfers are slowest in relation to those of comparable groups. NULL: no group can be
 * compared with others. */
static const LoomTransferGroup *
find_worst (const LoomTransfers *transfers)
{
  const LoomTransferGroup *worst = NULL;
  for (guint i = 0; i < transfers->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (group->typical_ns > 0 && (worst == NULL || get_factor (group) > get_factor (worst)))
      worst = group;
  }
  return worst;
}

static gboolean
belongs_to (const LoomTransferList *list, const LoomTransfer *transfer, const LoomTransfers *transfers,
            const LoomTransferGroup *group)
{
  return transfer->n_ranks == group->n_ranks && transfer->bytes == group->bytes &&
         transfer->place == (guint32) group->place && strcmp (transfer->name, group->name) == 0 &&
         memcmp (&g_array_index (list->ranks, gint, transfer->first_rank),
                 &g_array_index (transfers->ranks, gint, group->first_rank), group->n_ranks * sizeof (gint)) == 0;
}

/* Marks those transfers of the group that take longer than the typical transfer (LoomTransferGroup.typical_ns). */
static void
mark_transfers (LoomRuleResult *result, LoomCollectives *collectives, const LoomTransferList *list,
                const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const LoomCollectiveMember member = { .trace = transfer->trace, .meeting = transfer->meeting };
    if (transfer->transfer_ns <= group->typical_ns || !belongs_to (list, transfer, transfers, group))
      continue;
    const LoomRuleOccurrence mark = { transfer->range.begin_ns,
                                      MAX (transfer->range.end_ns, transfer->range.begin_ns + 1), "", "",
                                      loom_collectives_get_span (collectives, &member) };
    loom_rule_result_add_mark (result, &mark);
  }
}

static void
add_group (LoomRuleResult *result, const LoomTransferGroup *group)
{
  result->n_violations++;
  result->n_lost_over++;
  gint64 excess_ns = loom_transfers_get_excess (group), caused_ns;
  if (__builtin_mul_overflow (excess_ns, (gint64) group->n_ranks, &caused_ns))
    caused_ns = G_MAXINT64;
  result->lost_ns = loom_time_add (result->lost_ns, excess_ns);
  /* the slow transfer makes its kernel take excess_ns longer on every rank of the group; so each of these ranks loses
   * excess_ns */
  result->caused_ns = loom_time_add (result->caused_ns, caused_ns);
}

static void
say (LoomRuleResult *result, const LoomTransfers *transfers, const LoomTransferGroup *worst)
{
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, worst, loom_list_separator ()),
                  *time = loom_time_format_duration (worst->median_ns),
                  *typical = loom_time_format_duration (worst->typical_ns);
  if (result->n_violations > 0)
    loom_rule_result_take_cost_sentence (
      result, g_strdup_printf (/* Translators: ranks ("0, 1, 2"); “{cost}” means a text such as “15.1 % of the run”;
                                * it must stay in the translation. */
                               _ ("Slow transfers between ranks %s cost {cost}."), ranks));
  if (result->n_violations > 0)
    loom_rule_result_set_headline (result,
                                   _ ("Transfers between ranks %s take %.1f times as long as between other ranks"),
                                   ranks, get_factor (worst));
  if (result->n_violations > 0)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: ranks ("0, 1, 2"), a factor, the duration of a transfer, its name, and the typical duration */
      _ (
        "Transfers between ranks %s take %.1f times as long as between other ranks (%s for %s instead of the typical %s)"),
      ranks, get_factor (worst), time, worst->name, typical);
  else
    loom_rule_result_set_message (
      result, LOOM_RULE_PASSED,
      _ ("the transfers of the slowest group, ranks %s, take %.1f times as long as those of similar groups"), ranks,
      get_factor (worst));
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, LoomCollectives *collectives,
       const LoomTransferList *list, const LoomTransfers *transfers)
{
  double factor = loom_rule_value (context, result, FACTOR);
  const LoomTransferGroup *worst = find_worst (transfers);
  for (guint i = 0; i < transfers->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (group->typical_ns <= 0)
      continue;
    result->n_datapoints++;
    loom_rule_result_note_value (result, FACTOR, get_factor (group), FALSE);
    if (get_factor (group) <= factor)
      continue;
    add_group (result, group);
    mark_transfers (result, collectives, list, transfers, group);
  }
  if (worst == NULL)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("no two groups of ranks do the same transfers"));
  else
    say (result, transfers, worst);
}

/* Sets the headline to a sentence that states how much shorter the steps would be if all links were equally fast.
 * `saved_ns`: time saved in each step; `step_ns`: mean duration of a step. */
static void
say_saving (LoomRuleResult *result, const LoomTransfers *transfers, gint64 saved_ns, gint64 step_ns)
{
  const LoomTransferGroup *worst = find_worst (transfers);
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, worst, loom_list_separator ()),
                  *saved = loom_time_format_duration (saved_ns);
  loom_rule_result_set_headline (
    result,
    /* Translators: ranks ("0, 1, 2"), a factor, a duration and a percentage */
    _ (
      "Transfers between ranks %s take %.1f times as long as between other ranks: with equally fast links, each step would be up to %s (%.0f %%) shorter"),
    ranks, get_factor (worst), saved, 100 * (double) saved_ns / (double) step_ns);
}

/* Limits lost_ns to the time that the steps would save if all comparable transfers took the same time. The page
 * "Stragglers" states the same time. The sum of the extra times of the transfers may be larger than this limit, because
 * the job does not wait for every transfer, and because transfers of several groups overlap. If several groups are
 * slow, the saved time is counted only once. */
static void
bound_lost (LoomRuleResult *result, LoomCollectives *collectives, const LoomTransfers *transfers,
            GCancellable *cancellable)
{
  const LoomSlowdown *slowdown = result->n_violations > 0 ? loom_slowdown_get (collectives, cancellable) : NULL;
  if (slowdown == NULL || !loom_slowdown_fits (slowdown))
    return;
  gint64 saved_ns = slowdown->transfer_loss_ns;
  if (saved_ns <= 0)
    return;
  result->stated_saving_ns = loom_time_from (slowdown->steps->len, saved_ns);
  result->lost_ns = MIN (result->lost_ns, result->stated_saving_ns);
  result->n_lost_over = 1;
  say_saving (result, transfers, saved_ns, loom_slowdown_get_pace (slowdown));
}

void
loom_rule_slow_link (const LoomRuleContext *context, LoomRuleResult *result)
{
  LoomCollectives *collectives = loom_rule_get_collectives (context);
  const LoomTransferList *list =
    collectives != NULL ? loom_transfer_list_get (collectives, context->cancellable) : NULL;
  const LoomTransfers *transfers = list != NULL ? loom_transfers_get (collectives, context->cancellable) : NULL;
  if (transfers == NULL)
    return;
  result->lost_over = LOOM_RULE_OVER_ONE;
  result->explains[0] = "CommunicationShare";
  result->explains[1] = "PipelineBubbles";
  judge (context, result, collectives, list, transfers);
  bound_lost (result, collectives, transfers, context->cancellable);
}
