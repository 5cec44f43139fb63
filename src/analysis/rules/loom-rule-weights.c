/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-weights.h"

#include "loom-builtin-rules.h"
#include "loom-time.h"

#include <math.h>

/* A result has no finding of its own if its causes (other results) explain at least this share of its lost time; the
 * finding of the largest cause then mentions the result. */
#define LEAST_EXPLAINED 0.5

static LoomRuleWeight *
get (const GArray *weights, guint i)
{
  return &g_array_index (weights, LoomRuleWeight, i);
}

/* Returns TRUE if the result `cause` explains the result `effect`. There are two cases: LoomRuleResult.explains of
 * `cause` contains the rule of `effect`; or `cause` is about a rank for which other ranks wait, and `effect` is about
 * the waiting ranks. */
static gboolean
is_cause (const LoomRuleResult *cause, const LoomRuleResult *effect)
{
  if (cause->status != LOOM_RULE_FIRED || effect->status != LOOM_RULE_FIRED)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (cause->explains); i++)
    if (g_strcmp0 (cause->explains[i], effect->name) == 0)
      return TRUE;
  return cause->holds_up && effect->is_held_up;
}

/* Returns TRUE if `cause` explains `effect`, but `effect` does not explain `cause`. */
static gboolean
is_cause_only (const LoomRuleResult *cause, const LoomRuleResult *effect)
{
  return is_cause (cause, effect) && !is_cause (effect, cause);
}

/* Returns how much of the lost time of `effect` is explained by `cause`, in ns. If `effect` is idle time of devices,
 * this is the lost time of `cause`, because devices may also be idle for other reasons. Otherwise, it is the larger of
 * two times of `cause`: its lost time, and LoomRuleResult.caused_ns, the time that all ranks lose because of it. */
static gint64
get_explained_ns (const LoomRuleResult *cause, const LoomRuleResult *effect)
{
  return effect->is_of_idle_time ? cause->lost_ns : MAX (cause->lost_ns, cause->caused_ns);
}

/* `explained_ns`: the part of the lost time of `effect` that its causes explain. Returns TRUE if the rule of `effect`
 * would not fire without this part. Assumes that the lost time is proportional to the value that the rule compares with
 * its limit. Always returns FALSE if LoomRuleResult.is_held_up of `effect` is FALSE. */
static gboolean
is_rest_allowed (const LoomRuleResult *effect, gint64 explained_ns)
{
  const LoomRuleLimit *limit = &effect->limits[0];
  if (!effect->is_held_up || effect->n_limits == 0 || !isfinite (limit->judged) || effect->lost_ns <= 0 ||
      limit->judged <= limit->value)
    return FALSE;
  return limit->judged * (1 - (double) explained_ns / (double) effect->lost_ns) <= limit->value;
}

/* Returns the index of the largest cause of `effect`, whose finding then mentions `effect`. Returns −1 if the causes
 * explain too little: together less than the share LEAST_EXPLAINED of the lost time of `effect`, and is_rest_allowed()
 * returns FALSE for this time. */
static gint
find_cause (const GArray *weights, guint effect)
{
  const LoomRuleResult *result = get (weights, effect)->result;
  gint largest = -1;
  gint64 sum_ns = 0;
  for (guint i = 0; i < weights->len; i++) {
    const LoomRuleWeight *cause = get (weights, i);
    if (i == effect || cause->cause >= 0 || !is_cause_only (cause->result, result))
      continue;
    sum_ns = loom_time_add (sum_ns, get_explained_ns (cause->result, result));
    if (cause->n_effects < LOOM_RULE_WEIGHTS_MOST_EFFECTS &&
        (largest < 0 || cause->result->lost_ns > get (weights, largest)->result->lost_ns))
      largest = (gint) i;
  }
  return (double) sum_ns >= LEAST_EXPLAINED * (double) result->lost_ns || is_rest_allowed (result, sum_ns) ? largest
                                                                                                           : -1;
}

/* Raises the weights of causes of `effect` to at least the mean lost time of `effect`. The weight of the cause that
 * find_cause() returns is always raised. The weight of any other cause is not raised if `effect` is idle time of
 * devices or the cause is a stall of the host, because such a cause may explain only a small part of `effect`. */
static void
raise_causes (GArray *weights, guint effect)
{
  const LoomRuleResult *result = get (weights, effect)->result;
  gint cause = find_cause (weights, effect);
  for (guint i = 0; i < weights->len; i++) {
    LoomRuleWeight *weight = get (weights, i);
    gboolean is_part = result->is_of_idle_time || weight->result->rule == LOOM_RULE_HOST_STALL;
    if ((gint) i == cause || (!is_part && is_cause (weight->result, result)))
      weight->weight_ns = MAX (weight->weight_ns, loom_rule_result_get_average_ns (result));
  }
}

/* Makes the weights (times in ns) by which the results are sorted. The weight of a result is its mean lost time
 * (loom_rule_result_get_average_ns()). A cause may lose less time than its effects, but must come before them;
 * therefore, raise_causes() raises its weight. Examples of causes are a rank and a link for which others wait. */
static GArray *
new_weights (const GPtrArray *results)
{
  GArray *weights = g_array_sized_new (FALSE, TRUE, sizeof (LoomRuleWeight), results->len);
  for (guint i = 0; i < results->len; i++) {
    LoomRuleWeight weight = { .result = results->pdata[i], .cause = -1 };
    weight.weight_ns = loom_rule_result_get_average_ns (weight.result);
    g_array_append_val (weights, weight);
  }
  for (guint i = 0; i < weights->len; i++)
    raise_causes (weights, i);
  return weights;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LoomRuleWeight *x = a, *y = b;
  if (x->result->status != y->result->status)
    return x->result->status < y->result->status ? -1 : 1;
  if (x->weight_ns != y->weight_ns)
    return x->weight_ns > y->weight_ns ? -1 : 1;
  if (is_cause (x->result, y->result) != is_cause (y->result, x->result))
    return is_cause (x->result, y->result) ? -1 : 1;
  if (x->result->lost_ns != y->result->lost_ns)
    return x->result->lost_ns > y->result->lost_ns ? -1 : 1;
  if (x->severity != y->severity)
    return x->severity > y->severity ? -1 : 1;
  return g_strcmp0 (x->result->name, y->result->name);
}

/* Sets LoomRuleWeight.cause of the results that have no finding of their own. Processes the results from the last to
 * the first. A result that is already the cause of another result keeps its own finding. */
static void
set_causes (GArray *weights)
{
  for (guint i = weights->len; i-- > 0;) {
    gint cause = get (weights, i)->n_effects > 0 ? -1 : find_cause (weights, i);
    get (weights, i)->cause = cause;
    if (cause >= 0)
      get (weights, cause)->n_effects++;
  }
}

/* Returns how much of the lost time of `effect` is the cost of `cause`. There are three cases. If `cause` is about a
 * rank for which other ranks wait, returns the time of these waits, but at most the waiting time of `effect`. If
 * `cause` is about a slow transfer, which makes each step longer, returns the additional time multiplied by the number
 * of devices or ranks over which the lost time of `effect` is summed. In all other cases, returns 0. */
static gint64
get_cost (const LoomRuleResult *cause, const LoomRuleResult *effect)
{
  gint64 cost_ns;
  if (cause->holds_up)
    return MIN (cause->caused_ns, effect->waits_ns > 0 ? effect->waits_ns : effect->lost_ns);
  if (cause->lost_over != LOOM_RULE_OVER_ONE || effect->is_of_idle_time ||
      __builtin_mul_overflow (cause->lost_ns, (gint64) MAX (effect->n_lost_over, 1), &cost_ns))
    return 0;
  return cost_ns;
}

/* Returns how much of the lost time of `effect` is explained by other findings, in ns; 0 if LoomRuleResult.is_held_up
 * of `effect` is FALSE. */
static gint64
sum_explained (const GArray *weights, guint effect)
{
  const LoomRuleResult *result = get (weights, effect)->result;
  gint64 sum_ns = 0;
  for (guint i = 0; result->is_held_up && i < weights->len; i++) {
    const LoomRuleWeight *cause = get (weights, i);
    if (i != effect && cause->cause < 0 && is_cause_only (cause->result, result))
      sum_ns = loom_time_add (sum_ns, get_cost (cause->result, result));
  }
  return MIN (sum_ns, result->lost_ns);
}

/* Returns TRUE if other findings explain at least half of the lost time of the finding `weight`. */
static gboolean
is_mostly_explained (const LoomRuleWeight *weight)
{
  return weight->explained_ns > 0 && weight->explained_ns >= weight->result->lost_ns - weight->explained_ns;
}

/* Moves the findings for which is_mostly_explained() returns TRUE behind all other findings; otherwise keeps the order.
 * Without this, effects of one cause could come before another cause. Updates the indices of the causes. */
static GArray *
move_effects_back (GArray *weights)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (LoomRuleWeight), weights->len);
  g_autofree gint *place = g_new (gint, weights->len + 1);
  guint n_findings = 0;
  while (n_findings < weights->len && get (weights, n_findings)->result->status == LOOM_RULE_FIRED)
    n_findings++;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n_findings; i++)
      if (is_mostly_explained (get (weights, i)) == (pass == 1)) {
        place[i] = (gint) sorted->len;
        g_array_append_val (sorted, *get (weights, i));
      }
  for (guint i = n_findings; i < weights->len; i++) {
    place[i] = (gint) i;
    g_array_append_val (sorted, *get (weights, i));
  }
  for (guint i = 0; i < sorted->len; i++)
    if (get (sorted, i)->cause >= 0)
      get (sorted, i)->cause = place[get (sorted, i)->cause];
  g_array_unref (weights);
  return sorted;
}

GArray *
loom_rule_weights_new (const GPtrArray *results, LoomRange range)
{
  GArray *weights = new_weights (results);
  for (guint i = 0; i < weights->len; i++)
    get (weights, i)->severity = loom_rule_result_weigh (get (weights, i)->result, 0, range);
  g_array_sort (weights, compare);
  set_causes (weights);
  for (guint i = 0; i < weights->len; i++) {
    LoomRuleWeight *weight = get (weights, i);
    weight->explained_ns = sum_explained (weights, i);
    weight->severity = loom_rule_result_weigh (weight->result, weight->explained_ns, range);
  }
  return move_effects_back (weights);
}

gint64
loom_rule_weights_get_own_ns (const LoomRuleResult *result, gint64 explained_ns, gboolean is_mean)
{
  gint64 own_ns = MAX (result->lost_ns - explained_ns, 0);
  return is_mean ? own_ns / MAX (result->n_lost_over, 1) : own_ns;
}
