/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates the rules, sorts their results by lost time, and makes the findings, which name the affected devices.
 */
#include "loom-findings.h"

#include "loom-collectives.h"
#include "loom-custom-rule-evaluate.h"
#include "loom-list-separator.h"
#include "loom-page-private.h"
#include "loom-parallel.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum number of devices that the text of a finding names; the number of all others follows the names. */
#define MAX_NAMED 4

const char *
loom_findings_severity_word (LoomRuleSeverity severity)
{
  switch (severity) {
  case LOOM_RULE_SEVERE: return C_ ("severity", "Severe");
  case LOOM_RULE_WARNING: return C_ ("severity", "Warning");
  default: return C_ ("severity", "Hint");
  }
}

const char *
loom_findings_status_word (LoomRuleStatus status)
{
  switch (status) {
  case LOOM_RULE_FIRED: return C_ ("rule", "Found");
  case LOOM_RULE_PASSED: return C_ ("rule", "Nothing found");
  case LOOM_RULE_NOT_ENOUGH: return C_ ("rule", "Not enough data");
  default: return C_ ("rule", "Not applicable");
  }
}

/* --- making one finding ------------------------------------------------------------------------------------------- */

/* Returns the name of a device, preceded by the name of its rank if it has one, because several ranks may each have a
 * "GPU 0". */
static char *
dup_mark_name (const LoomPageInput *input, const LoomRuleOccurrence *mark)
{
  g_autofree char *name = loom_page_place_name (input, mark->host, mark->device);
  guint worker = mark->worker_plus_one - 1;
  if (mark->worker_plus_one == 0 || mark->device[0] == '\0' ||
      g_strcmp0 (input->frame->workers[worker].display, mark->device) == 0)
    return g_steal_pointer (&name);
  g_autofree char *rank = loom_page_worker_name (input, worker);
  return g_strdup_printf ("%s · %s", rank, mark->device);
}

static const char *
where_of (LoomFindings *findings, const LoomPageInput *input, const LoomRuleResult *result)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < result->marks->len; i++) {
    const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, i);
    g_autofree char *name = dup_mark_name (input, mark);
    if (name[0] == '\0' || g_hash_table_contains (seen, name))
      continue;
    g_hash_table_add (seen, name);
    g_ptr_array_add (names, g_steal_pointer (&name));
  }
  g_autofree char *text = loom_list_separator_join (names, MAX_NAMED);
  return g_string_chunk_insert (findings->texts, text);
}

/* If SageMaker's report says that the rule fired and Traceloom's result says that it did not, or the reverse, returns a
 * sentence with SageMaker's result; otherwise "". Further differences are on the page of the finding. */
static const char *
otherwise (LoomFindings *findings, const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  if (report == NULL || report->problem != NULL || (report->n_triggered > 0) == (result->status == LOOM_RULE_FIRED))
    return "";
  g_autofree char *said = loom_sagemaker_rule_report_describe (report);
  g_autofree char *text = g_strdup_printf (
    /* Translators: %s is what the report says: "fired 3 times" */
    _ ("the job’s own report: %s"), said);
  return g_string_chunk_insert (findings->texts, text);
}

/* Adds the finding of a result whose lost time and causes have been determined (LoomRuleWeight). Returns FALSE when
 * cancelled. */
static gboolean
add (LoomFindings *findings, const LoomPageInput *input, const LoomRuleWeight *weight,
     const LoomSagemakerRuleReport *report, GCancellable *cancellable)
{
  LoomFinding finding = { .result = weight->result,
                          .severity = weight->severity,
                          .explained_ns = weight->explained_ns,
                          .range = weight->result->range };
  finding.where = where_of (findings, input, weight->result);
  finding.reported = otherwise (findings, report, weight->result);
  finding.sheet = loom_findings_new_page (input, weight->result, weight->explained_ns, report, cancellable);
  if (finding.sheet != NULL)
    g_array_append_val (findings->findings, finding);
  return finding.sheet != NULL;
}

/* --- effects ------------------------------------------------------------------------------------------------------ */

static LoomFinding *
find_finding (const LoomFindings *findings, const LoomRuleResult *result)
{
  guint i = 0;
  while (g_array_index (findings->findings, LoomFinding, i).result != result)
    i++;
  return &g_array_index (findings->findings, LoomFinding, i);
}

static void
add_effect (LoomFinding *cause, const LoomRuleResult *effect)
{
  if (cause->n_effects == 0)
    loom_page_content_add_facts (cause->sheet, _ ("Related findings"));
  loom_page_content_add_fact (cause->sheet, effect->name, effect->sentence);
  cause->effects[cause->n_effects++] = effect;
}

/* A result that is mostly a consequence of another result has no finding of its own. Adds each such result to the
 * finding of its cause. */
static void
add_effects (LoomFindings *findings, const GArray *weights)
{
  for (guint i = weights->len; i-- > 0;) {
    const LoomRuleWeight *weight = &g_array_index (weights, LoomRuleWeight, i);
    if (weight->cause < 0)
      continue;
    const LoomRuleResult *cause = g_array_index (weights, LoomRuleWeight, weight->cause).result;
    add_effect (find_finding (findings, cause), weight->result);
  }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void
clear_finding (gpointer data)
{
  loom_page_content_unref (((LoomFinding *) data)->sheet);
}

static LoomFindings *
new_empty (const LoomPageInput *input)
{
  LoomFindings *findings = g_new0 (LoomFindings, 1);
  g_atomic_ref_count_init (&findings->ref_count);
  findings->frame = input->frame != NULL ? loom_data_frame_ref (input->frame) : NULL;
  findings->range = input->range;
  findings->texts = g_string_chunk_new (256);
  findings->notes = g_ptr_array_new_with_free_func (g_free);
  findings->findings = g_array_new (FALSE, FALSE, sizeof (LoomFinding));
  g_array_set_clear_func (findings->findings, clear_finding);
  return findings;
}

static gboolean
is_there (const GPtrArray *results, const LoomRuleResult *result)
{
  for (guint i = 0; i < results->len; i++)
    if (g_ascii_strcasecmp (((const LoomRuleResult *) results->pdata[i])->name, result->name) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the results that may have findings. Omits the results of rules that only summarise the run, and of rules that
 * have the same name as an earlier rule. */
static GPtrArray *
select_results (const GPtrArray *all)
{
  GPtrArray *results = g_ptr_array_new ();
  for (guint i = 0; i < all->len; i++) {
    LoomRuleResult *result = all->pdata[i];
    gboolean sums_up = result->rule >= LOOM_RULE_OVERALL_SYSTEM_USAGE && result->rule < LOOM_N_RULES;
    if (!sums_up && !is_there (results, result))
      g_ptr_array_add (results, result);
  }
  return results;
}

/* Adds the findings to the list, in the order of display. Returns FALSE when cancelled. */
static gboolean
add_all (LoomFindings *findings, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) reports = loom_sagemaker_rule_reports_read (loom_timeline_get_run (input->frame->timeline));
  g_autoptr (GPtrArray) results = select_results (findings->results);
  g_autoptr (GArray) weights = loom_rule_weights_new (results, findings->range);
  for (guint i = 0; i < weights->len; i++) {
    const LoomRuleWeight *weight = &g_array_index (weights, LoomRuleWeight, i);
    const LoomSagemakerRuleReport *report = loom_sagemaker_rule_reports_find (reports, weight->result->name);
    if (weight->cause < 0 && !add (findings, input, weight, report, cancellable))
      return FALSE;
  }
  add_effects (findings, weights);
  findings->all = (const LoomFinding *) (gpointer) findings->findings->data;
  findings->n = findings->findings->len;
  return TRUE;
}

/* Returns one array with the rules of all files, so that rules of different files are evaluated at the same time.
 * `files`: arrays of LoomCustomRule; NULL: none. The elements of the result are borrowed. */
static GPtrArray *
join_rules (const GPtrArray *files)
{
  GPtrArray *rules = g_ptr_array_new ();
  for (guint i = 0; files != NULL && i < files->len; i++)
    g_ptr_array_extend (rules, files->pdata[i], NULL, NULL);
  return rules;
}

/* The arguments of evaluate(), and the results of built-in and custom rules. */
typedef struct {
  LoomDataFrame *frame;
  const LoomRuleParameters *settings;
  const GPtrArray *custom;
  GCancellable *cancellable;
  GPtrArray *results, *of_custom; /* `results` NULL: cancelled */
} Evaluation;

/* Item 0: evaluates the built-in rules; item 1: the custom rules. */
static void
evaluate (guint item, guint worker, gpointer user_data)
{
  Evaluation *evaluation = user_data;
  if (item == 0)
    evaluation->results =
      loom_builtin_rules_evaluate (evaluation->frame, evaluation->settings, evaluation->cancellable);
  else
    loom_custom_rule_evaluate_all (evaluation->frame, evaluation->custom, evaluation->of_custom,
                                   evaluation->cancellable);
}

/* Appends the results of custom rules to those of the built-in rules. */
static void
move_results (GPtrArray *results, GPtrArray *of_custom)
{
  g_ptr_array_set_free_func (of_custom, NULL);
  for (guint i = 0; i < of_custom->len; i++) {
    g_ptr_array_add (results, of_custom->pdata[i]);
    loom_builtin_rules_leave_data (results, of_custom->pdata[i]);
  }
}

LoomFindings *
loom_findings_new (const LoomPageInput *input, const LoomRuleParameters *settings, const GPtrArray *own,
                   GCancellable *cancellable)
{
  g_autoptr (LoomFindings) findings = new_empty (input);
  if (input->frame == NULL)
    return g_steal_pointer (&findings);
  g_autoptr (GPtrArray) rules = join_rules (own);
  g_autoptr (GPtrArray) of_custom = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_rule_result_free);
  Evaluation evaluation = { input->frame, settings, rules, cancellable, NULL, of_custom };
  loom_parallel_for (2, 2, evaluate, &evaluation, NULL);
  findings->results = evaluation.results;
  if (findings->results == NULL || g_cancellable_is_cancelled (cancellable))
    return NULL;
  move_results (findings->results, of_custom);
  return add_all (findings, input, cancellable) ? g_steal_pointer (&findings) : NULL;
}

LoomFindings *
loom_findings_new_custom (const LoomPageInput *input, const GPtrArray *rules, GCancellable *cancellable)
{
  g_autoptr (LoomFindings) findings = new_empty (input);
  if (input->frame == NULL)
    return g_steal_pointer (&findings);
  findings->results = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_rule_result_free);
  if (!loom_custom_rule_evaluate_all (input->frame, rules, findings->results, cancellable))
    return NULL;
  return add_all (findings, input, cancellable) ? g_steal_pointer (&findings) : NULL;
}

LoomFindings *
loom_findings_ref (LoomFindings *findings)
{
  g_atomic_ref_count_inc (&findings->ref_count);
  return findings;
}

void
loom_findings_unref (LoomFindings *findings)
{
  if (findings == NULL || !g_atomic_ref_count_dec (&findings->ref_count))
    return;
  g_array_unref (findings->findings);
  g_clear_pointer (&findings->results, g_ptr_array_unref);
  g_ptr_array_unref (findings->notes);
  g_string_chunk_free (findings->texts);
  g_clear_pointer (&findings->frame, loom_data_frame_unref);
  g_free (findings);
}

guint
loom_findings_count (const LoomFindings *findings, LoomRuleStatus status)
{
  guint n = 0;
  for (guint i = 0; i < findings->n; i++)
    n += findings->all[i].result->status == status;
  return n;
}

gboolean
loom_findings_is_saving_known (const LoomFinding *finding)
{
  return finding->result->saved_ns > 0 && finding->explained_ns == 0;
}

double
loom_findings_get_lost_share (const LoomFindings *findings, const LoomFinding *finding)
{
  const LoomRuleResult *result = finding->result;
  double range_ns = (double) loom_time_sub (findings->range.end_ns, findings->range.begin_ns);
  double lost_ns = (double) (loom_findings_is_saving_known (finding)
                               ? result->saved_ns
                               : loom_rule_weights_get_own_ns (result, finding->explained_ns, TRUE));
  return range_ns > 0 ? lost_ns / range_ns : 0;
}

const LoomRuleResult *
loom_findings_find_small_loss (const LoomFindings *findings)
{
  const LoomRuleResult *largest = NULL;
  for (guint i = 0; i < findings->n; i++) {
    const LoomRuleResult *result = findings->all[i].result;
    if (result->status == LOOM_RULE_PASSED && result->small_loss != NULL &&
        (largest == NULL || result->small_loss_ns > largest->small_loss_ns))
      largest = result;
  }
  return largest;
}

void
loom_findings_set_notes (LoomFindings *findings, const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    g_ptr_array_add (findings->notes, g_strdup (notes->pdata[i]));
}

/* --- pages of the analysis ---------------------------------------------------------------------------------------- */

const char *
loom_findings_find_page_of_rule (const char *rule)
{
  static const struct {
    const char *rule, *page;
  } of_rules[] = {
    { "CPUBottleneck", "bottlenecks" },
    { "CommunicationShare", "collectives" },
    { "CopyBound", "idle" },
    { "DataLoadingStalls", "loading" },
    { "Dataloader", "loading" },
    { "ExpertImbalance", "stragglers" },
    { "GPUMemoryIncrease", "memory" },
    { "Hang", "hang" },
    { "HostBound", "idle" },
    { "HostStall", "idle" },
    { "IOBottleneck", "bottlenecks" },
    { "IdleGPU", "idle" },
    { "LaunchBoundSteps", "idle" },
    { "LaunchGaps", "idle" },
    { "LoadBalancing", "balance" },
    { "LowGPUUtilization", "utilization" },
    { "MaxInitializationTime", "steps" },
    { "MemoryGrowth", "memory" },
    { "MemoryLeak", "memory" },
    { "PipelineBubbles", "parallelism" },
    { "SlowLink", "collectives" },
    { "SlowRank", "stragglers" },
    { "StepOutlier", "steps" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (of_rules); i++)
    if (g_strcmp0 (of_rules[i].rule, rule) == 0)
      return of_rules[i].page;
  return NULL;
}

const char *
loom_findings_find_page (const LoomRuleResult *result)
{
  return result->late_rank >= 0 ? "stragglers" : loom_findings_find_page_of_rule (result->name);
}

/* Appends a page that is not in `pages` yet. `page` may be NULL. */
static void
add_page (GPtrArray *pages, const LoomPage *page)
{
  if (page != NULL && !g_ptr_array_find (pages, page, NULL))
    g_ptr_array_add (pages, (gpointer) page);
}

static void
add_page_of (GPtrArray *pages, const LoomRuleResult *result)
{
  const char *id = result != NULL ? loom_findings_find_page (result) : NULL;
  add_page (pages, id != NULL ? loom_page_find (id) : NULL);
}

GPtrArray *
loom_findings_list_pages (const LoomFindings *findings)
{
  guint n;
  const LoomPage *all = loom_pages_get (&n);
  GPtrArray *pages = g_ptr_array_new ();
  add_page (pages, loom_page_find ("overview"));
  for (guint i = 0; i < findings->n; i++)
    if (findings->all[i].result->status == LOOM_RULE_FIRED)
      add_page_of (pages, findings->all[i].result);
  add_page_of (pages, loom_findings_find_small_loss (findings));
  for (guint i = 0; i < n; i++)
    add_page (pages, &all[i]);
  return pages;
}
