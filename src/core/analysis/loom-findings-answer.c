/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-findings-answer.h"

#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

static LoomFindingsAnswer
say (const char *icon, const char *title, const char *explanation)
{
  return (LoomFindingsAnswer) { .icon = icon, .title = title, .explanation = explanation };
}

LoomFindingsAnswer
loom_findings_answer_get_large (void)
{
  return say ("edit-find-symbolic", _ ("Not Evaluated"),
              _ ("This run is large. Choose “Evaluate Range” to run the rules on the current range."));
}

/* Returns the text for a list without findings, if the largest loss of time is below the limit of its rule. The text
 * has no icon, because it states a measured value and a limit. */
static LoomFindingsAnswer
say_small_loss (const LoomRuleResult *result)
{
  LoomFindingsAnswer answer = say (NULL, _ ("The Loss Is Too Small for a Finding"), NULL);
  answer.result = result;
  return answer;
}

static LoomFindingsAnswer
say_only_memory (void)
{
  LoomFindingsAnswer answer = say (
    "loom-analysis-symbolic", _ ("Only Memory Was Recorded"),
    _ (
      "The rules judge work on devices and steps, which this recording does not contain. “Memory” shows who holds the memory at its peak."));
  answer.page = "memory";
  return answer;
}

/* Returns the text for a list without findings, if at least one rule was evaluated and no rule has a finding. */
static LoomFindingsAnswer
say_passed (const LoomFindings *findings)
{
  const LoomRuleResult *small = loom_findings_find_small_loss (findings);
  if (small != NULL)
    return say_small_loss (small);
  return say ("emblem-ok-symbolic", _ ("Nothing Found"),
              loom_findings_count (findings, LOOM_RULE_NOT_ENOUGH) > 0
                ? _ ("The rules with enough data found nothing. The list below says what the other rules lack.")
                : _ ("No applicable rule found a problem."));
}

LoomFindingsAnswer
loom_findings_answer_get (const LoomFindings *findings, gboolean only_memory)
{
  if (findings->n == 0)
    return say ("edit-find-symbolic", _ ("No Range"),
                _ ("Nothing is selected, or there are no training steps. Choose another range."));
  if (only_memory)
    return say_only_memory ();
  if (loom_findings_count (findings, LOOM_RULE_PASSED) > 0)
    return say_passed (findings);
  if (loom_findings_count (findings, LOOM_RULE_NOT_ENOUGH) > 0)
    return say ("view-more-symbolic", _ ("Not Enough Data"),
                _ ("No rule had enough data. The list below says what each rule lacks."));
  return say ("list-remove-symbolic", _ ("Not Applicable"),
              _ ("No rule applies to this run. The list below says what each rule needs."));
}

char *
loom_findings_answer_dup_headline (const LoomRuleResult *result)
{
  g_autofree char *capital = loom_sentence_dup_capital (result->headline != NULL ? result->headline : result->sentence);
  return loom_sentence_dup (capital);
}

/* Returns the sentence that says what the finding of a rule costs, for example "Slow steps cost {cost}.". The caller
 * must replace "{cost}" by the cost. Returns NULL if the rule has no such sentence. Borrowed from the result, or
 * static. */
static const char *
get_cost_sentence (const LoomRuleResult *result)
{
  static const struct {
    const char *rule, *sentence;
  } sentences[] = {
    /* Translators: “{cost}” means a text such as “15.1 % of the run”; it must stay in the translation. */
    { "CPUBottleneck", N_ ("Saturated CPU cores cost {cost}.") },
    { "CommunicationShare", N_ ("Exposed communication costs {cost}.") },
    { "CopyBound", N_ ("Copying memory without computing costs {cost}.") },
    { "DataLoadingStalls", N_ ("Waiting for data costs {cost}.") },
    { "ExpertImbalance", N_ ("The unequal load of the experts costs {cost}.") },
    { "HostBound", N_ ("Waiting for the host costs {cost}.") },
    { "HostStall", N_ ("A pause of the host costs {cost}.") },
    { "IOBottleneck", N_ ("Waiting for input and output costs {cost}.") },
    { "LaunchGaps", N_ ("Pauses between kernels cost {cost}.") },
    { "PipelineBubbles", N_ ("Pipeline bubbles cost {cost}.") },
    { "StepOutlier", N_ ("Slow steps cost {cost}.") },
  };
  for (guint i = 0; result->cost_sentence == NULL && i < G_N_ELEMENTS (sentences); i++)
    if (strcmp (sentences[i].rule, result->name) == 0)
      return _ (sentences[i].sentence);
  return result->cost_sentence;
}

char *
loom_findings_answer_dup_cost (const LoomFindings *findings, const LoomFinding *finding, gboolean is_part)
{
  if (finding->result->lost_ns <= 0)
    return loom_findings_answer_dup_headline (finding->result);
  g_autofree char *percent = loom_chart_format (100 * loom_findings_get_lost_share (findings, finding), "%"),
                  *share = g_strdup_printf (/* Translators: the share of the time that a finding costs */
                                            is_part ? _ ("%s of this range") : _ ("%s of the run"), percent);
  const char *sentence = get_cost_sentence (finding->result);
  if (finding->result->late_rank >= 0)
    return g_strdup_printf (
      /* Translators: the first %s is the numbers of ranks (“2 and 3”), the second %s is a text such as “15.1 % of
       * the run” */
      ngettext ("Rank %s slows down the others, which costs %s.", "Ranks %s slow down the others, which costs %s.",
                finding->result->n_late_ranks),
      finding->result->late_ranks, share);
  if (sentence == NULL)
    return loom_findings_answer_dup_headline (finding->result);
  GString *text = g_string_new (sentence);
  g_string_replace (text, "{cost}", share, 1);
  return g_string_free (text, FALSE);
}
