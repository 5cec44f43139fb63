/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-findings.h"

#include "loom-collectives.h"
#include "loom-custom-rule-evaluate.h"
#include "loom-list-separator.h"
#include "loom-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum number of devices that a finding names; further devices are only counted. */
#define MAX_NAMED 4

/* If the lost times of the causes of an effect add up to at least this share of the effect's own lost time, the effect
 * has no finding of its own, but is shown in the finding of its largest cause. */
#define LEAST_EXPLAINED 0.5

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

/* --- making one finding, and finding causes of effects ------------------------------------------------------------ */

/* Returns the name of a device, preceded by the name of its rank if it has one, because each rank may have a GPU 0. */
static char *
dup_mark_name (const LoomPageInput *input, const LoomRuleOccurrence *mark)
{
  g_autofree char *name = loom_page_place_name (input, mark->host, mark->device);
  guint worker = mark->worker_plus_one - 1;
  if (mark->worker_plus_one == 0 || mark->device[0] == '\0' ||
      g_strcmp0 (input->frame->workers[worker].display, mark->device) == 0)
    return g_steal_pointer (&name);
  g_autofree char *rank = loom_page_worker_name (input, worker);
  return g_strdup_printf ("%s %s", rank, mark->device);
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
  guint n_more = names->len > MAX_NAMED ? names->len - MAX_NAMED : 0;
  g_ptr_array_set_size (names, (int) MIN (names->len, MAX_NAMED));
  g_ptr_array_add (names, NULL);
  g_autofree char *list = g_strjoinv (loom_list_separator (), (char **) names->pdata);
  g_autofree char *text = n_more > 0
                            ? g_strdup_printf (
                                /* Translators: the name of the first of several things, and the number of the others */
                                ngettext ("%s and %u more", "%s and %u more", n_more), list, n_more)
                            : g_strdup (list);
  return g_string_chunk_insert (findings->texts, text);
}

/* Returns a sentence with the verdict of SageMaker's report if this verdict differs from Traceloom's; otherwise "".
 * Further differences are on the page of the finding. */
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

static gboolean
add (LoomFindings *findings, const LoomPageInput *input, const LoomRuleResult *result,
     const LoomSagemakerRuleReport *report, GCancellable *cancellable)
{
  LoomFinding finding = { .result = result,
                          .severity = loom_rule_result_weigh (result, 0, input->range),
                          .range = result->range };
  finding.where = where_of (findings, input, result);
  finding.reported = otherwise (findings, report, result);
  finding.sheet = loom_findings_new_page (input, result, report, cancellable);
  if (finding.sheet != NULL)
    g_array_append_val (findings->findings, finding);
  return finding.sheet != NULL;
}

/* Returns TRUE if the result `cause` explains the result `effect`: the rule of `cause` is known to explain the rule of
 * `effect`; or `cause` is about a rank for which other ranks wait, and `effect` is about these waiting ranks. */
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

/* Returns how much of the lost time of an effect a cause explains, in ns. This may include the time that the cause
 * costs other ranks (LoomRuleResult.caused_ns), but not if the effect is idle time of devices, because these may be
 * idle for another reason. */
static gint64
get_explained_ns (const LoomRuleResult *cause, const LoomRuleResult *effect)
{
  return effect->is_of_idle_time ? cause->lost_ns : MAX (cause->lost_ns, cause->caused_ns);
}

/* Returns the largest cause of an effect if all causes of the effect together explain at least the share
 * LEAST_EXPLAINED of its lost time: the finding of this cause then mentions the effect, because both are about the same
 * lost time. NULL: the causes explain too little of the effect. */
static LoomFinding *
find_cause (const LoomFindings *findings, guint effect)
{
  const LoomRuleResult *result = g_array_index (findings->findings, LoomFinding, effect).result;
  LoomFinding *largest = NULL;
  gint64 sum_ns = 0;
  for (guint i = 0; i < findings->findings->len; i++) {
    LoomFinding *cause = &g_array_index (findings->findings, LoomFinding, i);
    if (i == effect || !is_cause (cause->result, result) || is_cause (result, cause->result))
      continue;
    sum_ns = loom_time_add (sum_ns, get_explained_ns (cause->result, result));
    if (cause->n_effects < LOOM_FINDINGS_MOST_EFFECTS &&
        (largest == NULL || cause->result->lost_ns > largest->result->lost_ns))
      largest = cause;
  }
  return (double) sum_ns >= LEAST_EXPLAINED * (double) result->lost_ns ? largest : NULL;
}

/* Sets the weights (times) by which findings are sorted. The weight of a finding is its mean lost time
 * (loom_rule_result_get_average_ns()). But a cause must come before its effects, although it may lose less time itself,
 * for example a rank or link that makes others wait. So the weight of the cause that find_cause() returns for an
 * effect, and of all other causes of this effect, is at least the mean lost time of the effect. Exceptions, because
 * these may explain only a small part of an effect: causes of idle time of devices, and stalls of the host, if
 * find_cause() does not return them. */
static void
set_weights (LoomFindings *findings)
{
  for (guint i = 0; i < findings->findings->len; i++)
    g_array_index (findings->findings, LoomFinding, i).weight_ns =
      loom_rule_result_get_average_ns (g_array_index (findings->findings, LoomFinding, i).result);
  for (guint k = 0; k < findings->findings->len; k++) {
    const LoomRuleResult *effect = g_array_index (findings->findings, LoomFinding, k).result;
    const LoomFinding *cause = find_cause (findings, k);
    for (guint i = 0; i < findings->findings->len; i++) {
      LoomFinding *finding = &g_array_index (findings->findings, LoomFinding, i);
      gboolean is_part = effect->is_of_idle_time || finding->result->rule == LOOM_RULE_HOST_STALL;
      if (finding == cause || (!is_part && is_cause (finding->result, effect)))
        finding->weight_ns = MAX (finding->weight_ns, loom_rule_result_get_average_ns (effect));
    }
  }
}

/* Returns how much of the lost time of an effect is the cost of the cause: the waits for the rank that the cause names,
 * or the time by which a slow transfer makes each step longer, which each device of the effect loses. */
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

/* Returns how much of the lost time of an effect other findings explain. */
static gint64
sum_explained (const LoomFindings *findings, guint effect)
{
  const LoomRuleResult *result = g_array_index (findings->findings, LoomFinding, effect).result;
  gint64 sum_ns = 0;
  for (guint i = 0; result->is_held_up && i < findings->findings->len; i++) {
    const LoomRuleResult *cause = g_array_index (findings->findings, LoomFinding, i).result;
    if (i != effect && is_cause (cause, result) && !is_cause (result, cause))
      sum_ns = loom_time_add (sum_ns, get_cost (cause, result));
  }
  return MIN (sum_ns, result->lost_ns);
}

static void
set_explained (LoomFindings *findings)
{
  for (guint i = 0; i < findings->findings->len; i++) {
    LoomFinding *finding = &g_array_index (findings->findings, LoomFinding, i);
    finding->explained_ns = sum_explained (findings, i);
    finding->severity = loom_rule_result_weigh (finding->result, finding->explained_ns, findings->range);
  }
}

/* --- effects ------------------------------------------------------------------------------------------------------ */

static void
add_effect (LoomFinding *cause, const LoomRuleResult *effect)
{
  if (cause->n_effects == 0)
    loom_page_content_add_facts (cause->sheet, _ ("Related findings"));
  loom_page_content_add_fact (cause->sheet, effect->name, effect->sentence);
  cause->effects[cause->n_effects++] = effect;
}

/* Removes the finding of each effect whose cause has a finding, and adds the effect to that finding. Keeps the finding
 * of an effect that has effects itself. */
static void
fold_effects (LoomFindings *findings)
{
  for (guint i = findings->findings->len; i-- > 0;) {
    LoomFinding *cause = find_cause (findings, i), *effect = &g_array_index (findings->findings, LoomFinding, i);
    if (cause == NULL || effect->n_effects > 0)
      continue;
    add_effect (cause, effect->result);
    g_array_remove_index (findings->findings, i);
  }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LoomFinding *x = a, *y = b;
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

static gboolean
is_there (const LoomFindings *findings, const char *name)
{
  for (guint i = 0; i < findings->findings->len; i++)
    if (g_ascii_strcasecmp (g_array_index (findings->findings, LoomFinding, i).result->name, name) == 0)
      return TRUE;
  return FALSE;
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

/* Adds a finding for each result, except for rules that only sum up the run, and for rules that have a finding already.
 * Then sorts the findings, and moves effects into the findings of their causes. Returns FALSE when cancelled. */
static gboolean
add_all (LoomFindings *findings, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) reports = loom_sagemaker_rule_reports_read (loom_timeline_get_run (input->frame->timeline));
  for (guint i = 0; i < findings->results->len; i++) {
    const LoomRuleResult *result = findings->results->pdata[i];
    gboolean sums_up = result->rule >= LOOM_RULE_OVERALL_SYSTEM_USAGE && result->rule < LOOM_N_RULES;
    if (!sums_up && !is_there (findings, result->name) &&
        !add (findings, input, result, loom_sagemaker_rule_reports_find (reports, result->name), cancellable))
      return FALSE;
  }
  set_weights (findings);
  g_array_sort (findings->findings, compare);
  fold_effects (findings);
  set_explained (findings);
  findings->all = (const LoomFinding *) (gpointer) findings->findings->data;
  findings->n = findings->findings->len;
  return TRUE;
}

LoomFindings *
loom_findings_new (const LoomPageInput *input, const LoomRuleParameters *settings, const GPtrArray *own,
                   GCancellable *cancellable)
{
  g_autoptr (LoomFindings) findings = new_empty (input);
  if (input->frame == NULL)
    return g_steal_pointer (&findings);
  findings->results = loom_builtin_rules_evaluate (input->frame, settings, cancellable);
  if (findings->results == NULL)
    return NULL;
  for (guint i = 0; own != NULL && i < own->len; i++)
    if (!loom_custom_rule_evaluate_all (input->frame, own->pdata[i], findings->results, cancellable))
      return NULL;
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

void
loom_findings_set_notes (LoomFindings *findings, const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    g_ptr_array_add (findings->notes, g_strdup (notes->pdata[i]));
}
