/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-evaluation.h"

#include <math.h>
#include <string.h>

#include "loom-ranges.h"
#include "loom-rank-order.h"

char *
loom_custom_rule_evaluation_format_value (const LoomCustomRule *rule, double value)
{
  const char *unit = loom_custom_rule_get_unit (rule);
  if (strcmp (unit, "ns") == 0)
    return loom_time_format_duration ((gint64) CLAMP (value, -9e18, 9e18));
  return strcmp (unit, "%") == 0 ? g_strdup_printf ("%.1f %%", value) : g_strdup_printf ("%.6g", value);
}

gboolean
loom_custom_rule_evaluation_is_beyond (const LoomCustomRule *rule, double value)
{
  return isfinite (value) && (rule->above ? value > rule->limits.limit : value < rule->limits.limit);
}

gboolean
loom_custom_rule_evaluation_is_worse (const LoomCustomRule *rule, double value, double than)
{
  return isnan (than) || (rule->above ? value > than : value < than);
}

static LoomRuleOccurrence
new_mark (const LoomCustomRuleGroup *group, gint64 begin_ns, gint64 end_ns, LoomSpanId span)
{
  return (LoomRuleOccurrence) { begin_ns,      end_ns, group->host,
                                group->device, span,   group->worker != G_MAXUINT32 ? group->worker + 1 : 0 };
}

static void
mark_spans (LoomCustomRuleEvaluation *self, const LoomCustomRuleLine *line, const LoomCustomRuleSlice *slice)
{
  for (guint i = 0; i < slice->n; i++) {
    const LoomCustomRuleItem *item = &g_array_index (line->group->items, LoomCustomRuleItem, slice->first + i);
    LoomRuleOccurrence mark = new_mark (line->group, item->begin_ns, item->end_ns, item->span);
    loom_rule_result_add_mark (self->result, &mark);
  }
}

/* If a span belongs to a collective, adds the time that the span waits for other ranks to `wait_ns`. This time is
 * counted separately, because the advice of the rule would not shorten it. */
static void
add_wait (LoomCustomRuleEvaluation *self, const LoomCustomRuleGroup *group, const LoomCustomRuleItem *item)
{
  guint number;
  const LoomCollectiveMember *member = loom_collectives_find_member (self->collectives, item->span, &number);
  if (member == NULL)
    return;
  const LoomCollective *collective = &self->collectives->all[number];
  gint64 wait_ns = loom_rank_order_get_wait (self->collectives, collective, member);
  wait_ns = MIN (wait_ns, item->end_ns - item->begin_ns);
  self->wait_ns = loom_time_add (
    self->wait_ns, loom_ranges_get_outside (group->computing, item->begin_ns, loom_time_add (item->begin_ns, wait_ns)));
  if (g_hash_table_add (self->seen, GUINT_TO_POINTER (number + 1)))
    loom_rank_order_add (self->late, self->collectives, collective);
}

gint64
loom_custom_rule_evaluation_get_lost (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice)
{
  if (rule->statistic != LOOM_CUSTOM_RULE_SHARE && rule->statistic != LOOM_CUSTOM_RULE_DURATION)
    return 0;
  if (rule->relative)
    return (gint64) ((double) slice->busy_ns * (1 - 100 / MAX (slice->value, 100)));
  return rule->above ? slice->busy_ns : slice->end_ns - slice->begin_ns - slice->busy_ns;
}

double
loom_custom_rule_evaluation_get_mean (const LoomCustomRule *rule, const LoomCustomRuleLine *line)
{
  double sum = 0, weights = 0;
  for (guint i = 0; i < line->slices->len; i++) {
    const LoomCustomRuleSlice *slice = &g_array_index (line->slices, LoomCustomRuleSlice, i);
    double weight = rule->statistic == LOOM_CUSTOM_RULE_SHARE ? (double) (slice->end_ns - slice->begin_ns) : 1;
    if (!isfinite (slice->value))
      continue;
    sum += weight * slice->value;
    weights += weight;
  }
  return weights > 0 ? sum / weights : NAN;
}

/* Called with `n` consecutive windows that are all beyond the limit; the first of them has the index `first`. If `n` is
 * at least `patience`, counts and marks these windows, and adds up their lost time. If `n` is less, does nothing. */
static void
take_stretch (LoomCustomRuleEvaluation *self, LoomCustomRuleLine *line, guint first, guint n)
{
  const LoomCustomRuleSlice *slices = (const LoomCustomRuleSlice *) (gpointer) line->slices->data;
  if (n < self->rule->limits.patience)
    return;
  line->n_hits += n;
  for (guint i = first; i < first + n; i++) {
    self->result->lost_ns += loom_custom_rule_evaluation_get_lost (self->rule, &slices[i]);
    if (loom_custom_rule_evaluation_is_worse (self->rule, slices[i].value, line->worst))
      line->worst = slices[i].value;
    for (guint k = 0; self->collectives != NULL && k < slices[i].n; k++)
      add_wait (self, line->group, &g_array_index (line->group->items, LoomCustomRuleItem, slices[i].first + k));
    if (self->rule->mark == LOOM_CUSTOM_RULE_OCCURRENCE_SPANS)
      mark_spans (self, line, &slices[i]);
  }
  if (self->rule->mark != LOOM_CUSTOM_RULE_OCCURRENCE_WINDOWS)
    return;
  LoomRuleOccurrence mark =
    new_mark (line->group, slices[first].begin_ns, slices[first + n - 1].end_ns, LOOM_SPAN_ID_NONE);
  loom_rule_result_add_mark (self->result, &mark);
}

void
loom_custom_rule_evaluation_add_line (LoomCustomRuleEvaluation *self, LoomCustomRuleLine *line)
{
  guint begin = 0, n = 0;
  for (guint i = 0; i <= line->slices->len; i++) {
    if (i < line->slices->len && loom_custom_rule_evaluation_is_beyond (
                                   self->rule, g_array_index (line->slices, LoomCustomRuleSlice, i).value)) {
      begin = n++ == 0 ? i : begin;
      continue;
    }
    loom_rule_result_note_value (self->result, LOOM_CUSTOM_RULE_PATIENCE, n, FALSE);
    if (n > 0)
      take_stretch (self, line, begin, n);
    n = 0;
  }
  self->result->n_datapoints += line->slices->len;
  self->result->n_violations += line->n_hits;
  self->n_fired += line->n_hits > 0;
  if (line->n_hits > 0 &&
      (self->first == NULL || loom_custom_rule_evaluation_is_worse (self->rule, line->worst, self->first->worst)))
    self->first = line;
  if (line->n_hits == 0 || self->rule->mark != LOOM_CUSTOM_RULE_OCCURRENCE_RUN)
    return;
  LoomRuleOccurrence mark =
    new_mark (line->group, line->group->known.begin_ns, line->group->known.end_ns, LOOM_SPAN_ID_NONE);
  loom_rule_result_add_mark (self->result, &mark);
}
