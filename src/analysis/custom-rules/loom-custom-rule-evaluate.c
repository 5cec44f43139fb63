/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-evaluate.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-builtin-rules.h"
#include "loom-custom-rule-groups.h"
#include "loom-custom-rule-message.h"
#include "loom-custom-rule-slow-rank.h"
#include "loom-frame-collectives.h"
#include "loom-idle-time.h"
#include "loom-parallel.h"
#include "loom-rule-parameters.h"
#include "loom-statistics.h"
#include "loom-trace-health.h"

/* Maximum number of lines in the chart of a result, and of points of a line. */
#define MAX_LINES 6
#define MAX_POINTS 400

/* Maximum number of threads. Each thread needs memory for the rows of the LoomDataFrame that its rule selects. */
#define MOST_THREADS 4

static void
clear_line (gpointer data)
{
  g_array_unref (((LoomCustomRuleLine *) data)->slices);
}

/* --- values relative to the median of all groups ------------------------------------------------------------------ */

/* If the file of a group ends early, and the group has data for less than this share of the time of the longest group,
 * the group is not compared with the others. */
#define LEAST_KNOWN 0.95

static gint64
get_known_ns (const LoomCustomRuleGroup *group)
{
  return loom_time_sub (group->known.end_ns, group->known.begin_ns);
}

static gint64
get_longest_known_ns (const LoomCustomRuleEvaluation *self)
{
  gint64 longest_ns = 0;
  for (guint i = 0; i < self->groups->len; i++)
    longest_ns = MAX (longest_ns, get_known_ns (self->groups->pdata[i]));
  return longest_ns;
}

/* Returns TRUE if the rule compares groups with each other, and the file of this group ends too early for the
 * comparison (see LEAST_KNOWN). The sums of such a group are too small, because data is missing. */
static gboolean
is_cut (const LoomCustomRuleEvaluation *self, const LoomDataFrame *frame, const LoomCustomRuleGroup *group,
        gint64 longest_ns)
{
  if (!self->rule->relative || self->rule->source != LOOM_CUSTOM_RULE_SPANS || group->items->len == 0)
    return FALSE;
  LoomSpanId first = g_array_index (group->items, LoomCustomRuleItem, 0).span;
  if (!loom_trace_health_is_cut_off (loom_run_get_trace (loom_timeline_get_run (frame->timeline), first.trace)))
    return FALSE;
  return (double) get_known_ns (group) < LEAST_KNOWN * (double) longest_ns;
}

/* Replaces the values of all groups by percents of their median. Returns FALSE if there are fewer than two values, or
 * if the median is not positive. */
static gboolean
make_relative (LoomCustomRuleEvaluation *self)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < self->lines->len; i++) {
    const LoomCustomRuleLine *line = &g_array_index (self->lines, LoomCustomRuleLine, i);
    if (line->slices->len > 0 && isfinite (g_array_index (line->slices, LoomCustomRuleSlice, 0).value))
      g_array_append_val (values, g_array_index (line->slices, LoomCustomRuleSlice, 0).value);
  }
  double median = loom_statistics_median ((double *) (gpointer) values->data, values->len);
  if (values->len < 2 || !(median > 0))
    return FALSE;
  for (guint i = 0; i < self->lines->len; i++) {
    GArray *slices = g_array_index (self->lines, LoomCustomRuleLine, i).slices;
    for (guint k = 0; k < slices->len; k++)
      g_array_index (slices, LoomCustomRuleSlice, k).value *= 100 / median;
  }
  return TRUE;
}

/* --- sentences, details and charts of a result -------------------------------------------------------------------- */

/* Sets self->n_steps to the number of training steps of the rank whose group has the worst value. */
static void
count_steps (LoomCustomRuleEvaluation *self, const LoomDataFrame *frame)
{
  const LoomCustomRuleGroup *group = self->first->group;
  for (guint32 i = 0; i < frame->rows.n; i++) {
    const LoomWorker *worker = &frame->workers[frame->rows.worker[i]];
    self->n_steps += (frame->rows.flags[i] & LOOM_ROW_TRAIN) != 0 && worker->rank == group->rank && group->rank >= 0 &&
                     strcmp (worker->host, group->host) == 0;
  }
}

static void
say_over (LoomCustomRuleEvaluation *self)
{
  static const LoomRuleOver over[] = { LOOM_RULE_OVER_ONE, LOOM_RULE_OVER_NODES, LOOM_RULE_OVER_RANKS,
                                       LOOM_RULE_OVER_DEVICES };
  self->result->lost_over = over[self->rule->per];
  self->result->n_lost_over = self->n_fired;
}

static double
worst_of (const LoomCustomRuleEvaluation *self, const LoomCustomRuleLine *line)
{
  double worst = NAN;
  for (guint k = 0; k < line->slices->len; k++) {
    double value = g_array_index (line->slices, LoomCustomRuleSlice, k).value;
    worst = isfinite (value) && loom_custom_rule_evaluation_is_worse (self->rule, value, worst) ? value : worst;
  }
  return worst;
}

static void
add_details (LoomCustomRuleEvaluation *self)
{
  double all = NAN;
  for (guint i = 0; i < self->lines->len; i++) {
    const LoomCustomRuleLine *line = &g_array_index (self->lines, LoomCustomRuleLine, i);
    double worst = worst_of (self, line);
    JsonObject *object = json_object_new ();
    all = isfinite (worst) && loom_custom_rule_evaluation_is_worse (self->rule, worst, all) ? worst : all;
    loom_rule_result_note_value (self->result, LOOM_CUSTOM_RULE_LIMIT, worst, !self->rule->above);
    json_object_set_int_member (object, "windows", line->slices->len);
    json_object_set_int_member (object, "beyond", line->n_hits);
    if (isfinite (worst))
      json_object_set_double_member (object, "worst", worst);
    json_object_set_object_member (self->result->details, line->group->key[0] != '\0' ? line->group->key : "run",
                                   object);
  }
  loom_custom_rule_message_say_passed (self, all);
}

/* Adds a line to the chart of the result. If the line has more windows than MAX_POINTS, each point is the worst value
 * of `step` consecutive windows. */
static void
add_points (LoomCustomRuleEvaluation *self, const LoomCustomRuleLine *line)
{
  guint group = self->result->groups->len, n = line->slices->len, step = (n + MAX_POINTS - 1) / MAX_POINTS;
  g_ptr_array_add (self->result->groups,
                   g_strdup (line->group->label[0] != '\0' ? line->group->label : C_ ("nodes or devices", "all")));
  for (guint i = 0; i < n; i += step) {
    LoomRulePoint point = { g_array_index (line->slices, LoomCustomRuleSlice, i).begin_ns, NAN, group };
    for (guint k = i; k < MIN (i + step, n); k++) {
      double value = g_array_index (line->slices, LoomCustomRuleSlice, k).value;
      point.value =
        isfinite (value) && loom_custom_rule_evaluation_is_worse (self->rule, value, point.value) ? value : point.value;
    }
    if (isfinite (point.value))
      g_array_append_val (self->result->evidence, point);
  }
}

/* Adds up to MAX_LINES lines to the chart of the result: first the groups in which the rule fires, then other
 * groups. */
static void
add_evidence (LoomCustomRuleEvaluation *self)
{
  self->result->limit = self->rule->limits.limit;
  self->result->unit = loom_custom_rule_get_unit (self->rule);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->lines->len && self->result->groups->len < MAX_LINES; i++) {
      const LoomCustomRuleLine *line = &g_array_index (self->lines, LoomCustomRuleLine, i);
      if ((line->n_hits > 0) == (pass == 0) && line->slices->len > 1)
        add_points (self, line);
    }
}

static char *
print_parameters (const LoomCustomRule *rule)
{
  g_autofree char *limit = loom_custom_rule_evaluation_format_value (rule, rule->limits.limit);
  return g_strdup_printf ("%s:%s\npatience:%u\nleast:%u", rule->above ? "above" : "below", limit, rule->limits.patience,
                          rule->limits.least);
}

/* --- evaluation of a rule ----------------------------------------------------------------------------------------- */

static void
add_lines (LoomCustomRuleEvaluation *self, LoomDataFrame *frame)
{
  g_autoptr (LoomCustomRuleSteps) steps =
    self->rule->window == LOOM_CUSTOM_RULE_WINDOW_STEP ? loom_custom_rule_steps_new (frame) : NULL;
  gint64 longest_ns = get_longest_known_ns (self);
  for (guint i = 0; i < self->groups->len; i++) {
    const LoomCustomRuleGroup *group = self->groups->pdata[i];
    self->n_most = MAX (self->n_most, group->n_known);
    loom_rule_result_note_value (self->result, LOOM_CUSTOM_RULE_LEAST, group->n_known, FALSE);
    if (group->n_known < self->rule->limits.least)
      continue;
    if (is_cut (self, frame, group, longest_ns)) {
      self->n_cut++;
      continue;
    }
    LoomCustomRuleLine line = { group, loom_custom_rule_groups_list_windows (steps, self->rule, group), 0, NAN };
    self->n_windows = MAX (self->n_windows, line.slices->len);
    g_array_append_val (self->lines, line);
  }
}

/* Returns TRUE if at least one span or sample of the run matches the rule. If none matches, the rule cannot be
 * evaluated: the spans or samples may not have been recorded. */
static gboolean
has_items (const LoomCustomRuleEvaluation *self)
{
  for (guint i = 0; i < self->groups->len; i++)
    if (((const LoomCustomRuleGroup *) self->groups->pdata[i])->items->len > 0)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the rule can be evaluated; otherwise sets a message with the reason, and returns FALSE. If the rule
 * is relative, also replaces the values by percents of their median (make_relative()). */
static gboolean
check_lines (LoomCustomRuleEvaluation *self)
{
  const LoomCustomRule *rule = self->rule;
  gboolean of_spans = rule->source == LOOM_CUSTOM_RULE_SPANS;
  if (!has_items (self))
    loom_rule_result_set_message (self->result, LOOM_RULE_NOT_APPLICABLE,
                                  of_spans ? _ ("no spans match the rule") : _ ("no samples match the rule"));
  else if (self->n_cut > 0 && self->lines->len < 2)
    loom_rule_result_set_message (self->result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("too many files end early, so nothing is left to compare"));
  else if (self->lines->len == 0)
    loom_rule_result_set_not_enough (self->result, self->n_most, rule->limits.least,
                                     of_spans ? C_ ("rule counts", "spans") : C_ ("rule counts", "samples"));
  else if (self->n_windows < rule->limits.patience)
    loom_rule_result_set_not_enough (self->result, self->n_windows, rule->limits.patience,
                                     C_ ("rule counts", "windows"));
  else if (rule->relative && !make_relative (self))
    loom_rule_result_set_message (self->result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("there are no other ranks, nodes or devices to compare with"));
  else
    return TRUE;
  return FALSE;
}

/* Waits for data cause a loss only if devices are idle during at least this share of the time of the waits. */
#define LEAST_FELT 0.1

/* Returns TRUE if the rule found waits for data, but the devices had queued work during these waits. This happens if a
 * training loop runs ahead of its device. */
static gboolean
are_waits_hidden (const LoomCustomRuleEvaluation *self)
{
  const LoomIdleTime *idle = self->rule->felt_by_devices_only && self->collectives != NULL
                               ? loom_idle_time_get (self->collectives, self->cancellable)
                               : NULL;
  gint64 idle_ns = 0;
  if (idle == NULL || loom_idle_time_get_missing (idle) != NULL)
    return FALSE;
  for (guint i = 0; i < idle->devices->len; i++)
    idle_ns = loom_time_add (idle_ns, g_array_index (idle->devices, LoomIdleRow, i).data_ns);
  return (double) idle_ns < LEAST_FELT * (double) self->result->lost_ns;
}

static void
say_hidden (LoomRuleResult *result)
{
  g_autofree char *sentence = g_strdup (result->sentence);
  loom_rule_result_set_message (
    result, LOOM_RULE_PASSED,
    /* Translators: %s is a sentence about ranks; this is added to it: "GPU 0 waits …; the devices were not
     * held up, …" */
    _ ("%s; the devices were not held up, because they had queued work meanwhile"), sentence);
  result->lost_ns = 0;
  result->n_violations = 0;
}

static void
conclude (LoomCustomRuleEvaluation *self, LoomDataFrame *frame)
{
  for (guint i = 0; i < self->lines->len; i++)
    loom_custom_rule_evaluation_add_line (self, &g_array_index (self->lines, LoomCustomRuleLine, i));
  add_details (self);
  add_evidence (self);
  if (self->first == NULL && self->compared != NULL)
    loom_custom_rule_slow_rank_note_small_loss (self->result, self->compared, self->cancellable);
  if (self->first == NULL)
    return;
  self->result->waits_ns = MIN (self->wait_ns, self->result->lost_ns);
  count_steps (self, frame);
  loom_custom_rule_message_say_found (self);
  say_over (self);
  if (are_waits_hidden (self))
    say_hidden (self->result);
  else if (self->compared != NULL)
    loom_custom_rule_slow_rank_explain (self->result, self->first->group->rank, self->compared, frame,
                                        self->cancellable);
  else
    loom_custom_rule_message_say_waiting (self);
}

/* Returns TRUE if the rule compares a time in which spans run, or the share of this time, with a fixed limit. Returns
 * FALSE if it compares values with the median of all groups. */
static gboolean
is_of_time (const LoomCustomRule *rule)
{
  return rule->source == LOOM_CUSTOM_RULE_SPANS && !rule->relative &&
         (rule->statistic == LOOM_CUSTOM_RULE_SHARE || rule->statistic == LOOM_CUSTOM_RULE_DURATION);
}

/* Returns a new result with the texts and limits of the rule. */
static LoomRuleResult *
new_result (const LoomCustomRule *rule)
{
  LoomRuleResult *result = loom_rule_result_new (rule->name, LOOM_N_RULES);
  result->severity = rule->severity;
  result->explains[0] = rule->explains;
  result->is_of_idle_time = is_of_time (rule) && !rule->above;
  result->advice = g_strdup (rule->about != NULL ? rule->about : "");
  result->parameters = print_parameters (rule);
  loom_custom_rule_list_limits (rule, result);
  return result;
}

/* Sets the message for a rule whose regular expression takes too long on a text of the run. */
static void
say_too_hard (LoomRuleResult *result, const char *text)
{
  g_autofree char *start = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), 60));
  loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                _ ("the rule was not evaluated: one of its regular expressions takes too long on “%s”"),
                                start);
}

/* Evaluates the groups of a rule. If the rule needs the collectives, sets `collectives` to a reference to them. */
static void
evaluate_groups (LoomCustomRuleEvaluation *self, LoomDataFrame *frame, LoomCollectives **collectives)
{
  const LoomCustomRule *rule = self->rule;
  gboolean compares = rule->relative && rule->above && rule->per == LOOM_CUSTOM_RULE_PER_RANK;
  gboolean is_of_lost_time = is_of_time (rule) && rule->above;
  if (is_of_lost_time || compares)
    *collectives = loom_frame_collectives_get (frame, frame->range, self->cancellable);
  self->collectives = is_of_lost_time ? *collectives : NULL;
  self->compared = compares ? *collectives : NULL;
  add_lines (self, frame);
  if (check_lines (self))
    conclude (self, frame);
}

/* Evaluates one rule. Returns NULL when cancelled. */
static LoomRuleResult *
evaluate (LoomDataFrame *frame, const LoomCustomRule *rule, GCancellable *cancellable)
{
  g_autofree char *too_hard = NULL;
  g_autoptr (LoomCollectives) collectives = NULL;
  g_autoptr (GPtrArray) groups = loom_custom_rule_groups (frame, rule, &too_hard, cancellable);
  if (groups == NULL)
    return NULL;
  g_autoptr (LoomRuleResult) result = new_result (rule);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleLine));
  g_array_set_clear_func (lines, clear_line);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) late = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  LoomCustomRuleEvaluation self = { .rule = rule,
                                    .result = result,
                                    .groups = groups,
                                    .lines = lines,
                                    .seen = seen,
                                    .late = late,
                                    .cancellable = cancellable };
  if (too_hard != NULL)
    say_too_hard (result, too_hard);
  else
    evaluate_groups (&self, frame, &collectives);
  result->is_held_up = self.collectives != NULL && g_hash_table_size (seen) > 0;
  loom_rule_result_close (result);
  return g_steal_pointer (&result);
}

/* The arguments of evaluate_item(). `results`: [rule] result of the rule; NULL: the rule was not evaluated. */
typedef struct {
  LoomDataFrame *frame;
  const GPtrArray *rules;
  GCancellable *cancellable;
  LoomRuleResult **results;
} Work;

static void
evaluate_item (guint item, guint worker, gpointer user_data)
{
  Work *work = user_data;
  if (!g_cancellable_is_cancelled (work->cancellable))
    work->results[item] = evaluate (work->frame, work->rules->pdata[item], work->cancellable);
}

gboolean
loom_custom_rule_evaluate_all (LoomDataFrame *frame, const GPtrArray *rules, GPtrArray *results,
                               GCancellable *cancellable)
{
  g_autofree LoomRuleResult **made = g_new0 (LoomRuleResult *, rules->len + 1);
  Work work = { frame, rules, cancellable, made };
  gboolean done = TRUE;
  loom_parallel_for (rules->len, MIN (loom_parallel_resolve (0), MOST_THREADS), evaluate_item, &work, NULL);
  for (guint i = 0; i < rules->len; i++) {
    done = done && made[i] != NULL && !g_cancellable_is_cancelled (cancellable);
    if (!done) {
      g_clear_pointer (&made[i], loom_rule_result_free);
      continue;
    }
    g_ptr_array_add (results, made[i]);
    loom_builtin_rules_leave_data (results, made[i]);
  }
  return done;
}
