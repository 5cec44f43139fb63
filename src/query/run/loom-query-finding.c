/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-finding.h: evaluates the rules that find performance problems, in the same way as the report.
 */
#include "loom-query-finding.h"

#include "loom-builtin-rules.h"
#include "loom-custom-rule-evaluate.h"
#include "loom-rule-files.h"
#include "loom-rule-weights.h"

static gint
find_rank (const LoomDataFrame *frame, const LoomRuleResult *result)
{
  gint rank = -1;
  for (guint i = 0; i < result->marks->len; i++) {
    guint worker = g_array_index (result->marks, LoomRuleOccurrence, i).worker_plus_one;
    if (worker == 0 || frame->workers[worker - 1].is_process || (rank >= 0 && frame->workers[worker - 1].rank != rank))
      return -1;
    rank = frame->workers[worker - 1].rank;
  }
  return rank;
}

static void
forget_frame (LoomRuleResult *result)
{
  for (guint i = 0; i < result->marks->len; i++) {
    LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, i);
    mark->host = mark->device = NULL;
  }
}

/* If several rules have the same name, keeps only the result of the first one, as the report does. */
static void
remove_doubles (GPtrArray *results)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < results->len;) {
    const LoomRuleResult *result = results->pdata[i];
    if (g_hash_table_add (names, g_ascii_strdown (result->name, -1)))
      i++;
    else
      g_ptr_array_remove_index (results, i);
  }
}

static const LoomRuleWeight *
find_weight (const GArray *weights, const LoomRuleResult *result)
{
  guint i = 0;
  while (g_array_index (weights, LoomRuleWeight, i).result != result)
    i++;
  return &g_array_index (weights, LoomRuleWeight, i);
}

/* Moves the results of rules to `findings`, in the same order. */
static void
add_all (GArray *findings, const LoomDataFrame *frame, GPtrArray *results)
{
  LoomRange range = { 0, 0 };
  loom_timeline_get_extent (frame->timeline, &range);
  remove_doubles (results);
  g_autoptr (GArray) weights = loom_rule_weights_new (results, range);
  while (results->len > 0) {
    LoomRuleResult *result = g_ptr_array_steal_index (results, 0);
    const LoomRuleWeight *weight = find_weight (weights, result);
    LoomQueryFinding finding = { result, weight->severity, weight->explained_ns, find_rank (frame, result) };
    forget_frame (result);
    g_array_append_val (findings, finding);
  }
}

static void
add_problems (GPtrArray *results, const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++) {
    g_autofree char *name = g_strdup_printf ("RuleFileProblem%u", i + 1);
    LoomRuleResult *result = loom_rule_result_new (name, LOOM_N_RULES);
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, "%s", (const char *) problems->pdata[i]);
    g_ptr_array_add (results, result);
  }
}

/* Evaluates all rules over the data of `frame`. Returns NULL only when cancelled. */
static GPtrArray *
evaluate (LoomDataFrame *frame, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LoomRuleParameters) parameters = loom_rule_files_read_parameters (problems);
  g_autoptr (GPtrArray) files = loom_rule_files_read (NULL, parameters, problems);
  g_autoptr (GPtrArray) results = loom_builtin_rules_evaluate (frame, parameters, cancellable);
  for (guint i = 0; results != NULL && i < files->len; i++)
    if (!loom_custom_rule_evaluate_all (frame, files->pdata[i], results, cancellable))
      return NULL;
  if (results != NULL)
    add_problems (results, problems);
  return g_steal_pointer (&results);
}

static void
clear (gpointer finding)
{
  loom_rule_result_free (((LoomQueryFinding *) finding)->result);
}

GArray *
loom_query_findings_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, cancellable);
  g_autoptr (GPtrArray) results = frame != NULL ? evaluate (frame, cancellable) : NULL;
  if (results == NULL)
    return NULL;
  GArray *findings = g_array_new (FALSE, FALSE, sizeof (LoomQueryFinding));
  g_array_set_clear_func (findings, clear);
  add_all (findings, frame, results);
  return findings;
}
