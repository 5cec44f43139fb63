/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-analysis-question.h: the functions with which worker threads compute a page, findings, bottlenecks,
 * missing data, late ranks or the training loop.
 */
#include "loom-analysis-question.h"

#include "loom-late-rank-words.h"
#include "loom-row-list.h"
#include "loom-rule-files.h"

#include <glib/gi18n.h>

static void
question_free (LoomAnalysisQuestion *question)
{
  loom_analysis_tables_unref (question->tables);
  g_strfreev (question->rule_files);
  g_clear_pointer (&question->names, loom_source_overrides_free);
  g_clear_pointer (&question->rules, g_ptr_array_unref);
  g_free (question);
}

/* Returns a page whose only content is the text `why`. The text says why the page has no results. */
static LoomPageContent *
new_excuse (const char *why)
{
  LoomPageContent *sheet = loom_page_content_new ((LoomRange) { 0, 0 });
  loom_page_content_add_missing (sheet, why);
  return sheet;
}

/* Returns the part of the data frame `whole` that is in the range of the question. Takes ownership of the reference to
 * `whole`. The result is owned by the caller. */
static LoomDataFrame *
cut (LoomDataFrame *whole, const LoomAnalysisQuestion *question)
{
  if (question->scope == LOOM_RANGE_SCOPE_ALL)
    return whole;
  LoomDataFrame *part = loom_data_frame_new_in_range (whole, question->range.begin_ns, question->range.end_ns);
  loom_data_frame_unref (whole);
  return part;
}

static gboolean
has_moved_clocks (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_clocks (run); i++) {
    const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (timeline), i)->map;
    if (map->offset_ns != 0 || map->drift_ppt != 0)
      return TRUE;
  }
  return FALSE;
}

/* Adds a note that the numbers follow SageMaker's convention. The note also says that the numbers are not exactly
 * those of SageMaker's own analysis, which does not align clocks. */
static void
tell_numbers (LoomPageContent *sheet, LoomTimeline *timeline)
{
  const char *sources = sheet->sources, *words = _ ("SageMaker-compatible numbers");
  g_autofree char *text = sources[0] != '\0' ? g_strdup_printf ("%s · %s", sources, words) : g_strdup (words);
  loom_page_content_set_sources (sheet, text);
  if (has_moved_clocks (timeline))
    loom_page_content_add_note (
      sheet,
      _ (
        "The clocks of this run were aligned. SageMaker’s own analysis uses the recorded times, so its numbers may differ."));
}

/* Returns the time range of the training loop, or an empty range if no loop was found. */
static LoomRange
loop_of (const LoomDataFrame *frame)
{
  LoomJobPhases phases = loom_job_phases_compute (frame);
  return phases.has_loop ? (LoomRange) { phases.loop_begin_ns, phases.loop_end_ns } : (LoomRange) { 0, 0 };
}

/* Fills `input`, the parameter of the functions in `work`. input->frame stays NULL if the range of the question is
 * empty. Returns FALSE when cancelled. */
static gboolean
prepare (LoomAnalysisQuestion *question, LoomPageInput *input)
{
  LoomDataFrame *whole = loom_analysis_tables_get_frame (question->tables);
  if (whole == NULL)
    return FALSE;
  if (question->scope == LOOM_RANGE_SCOPE_LOOP)
    question->range = loop_of (whole);
  *input = (LoomPageInput) { .range = question->range, .thresholds = question->thresholds, .names = question->names };
  if (question->range.end_ns <= question->range.begin_ns) {
    loom_data_frame_unref (whole);
    return TRUE;
  }
  input->frame = cut (whole, question);
  input->zero_offset_ns = loom_time_sub (question->zero_ns, input->frame->origin_ns);
  input->phases = loom_job_phases_compute (input->frame);
  return TRUE;
}

static gpointer
make_page (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  if (input->frame == NULL)
    return new_excuse (question->scope == LOOM_RANGE_SCOPE_LOOP
                         ? _ ("There are no training steps, so the bounds of the training loop are unknown.")
                         : _ ("Nothing is selected. Drag over the timeline to select a range."));
  LoomPageInput counted = *input;
  counted.part = question->n_spans / MAX (question->page->n_parts, 1);
  LoomPageContent *sheet = loom_page_make (question->page, &counted, cancellable);
  if (sheet != NULL && input->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    tell_numbers (sheet, input->frame->timeline);
  return sheet;
}

static gpointer
find_findings (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LoomRuleParameters) parameters = loom_rule_files_read_parameters (problems);
  g_autoptr (GPtrArray) own = loom_rule_files_read ((const char *const *) question->rule_files, parameters, problems);
  LoomFindings *findings = loom_findings_new (input, parameters, own, cancellable);
  if (findings != NULL)
    loom_findings_set_notes (findings, problems);
  return findings;
}

static gpointer
try_rules (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  return loom_findings_new_custom (input, question->rules, cancellable);
}

static gpointer
find_bottlenecks (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  if (input->frame == NULL)
    return g_array_new (FALSE, FALSE, sizeof (gint64));
  return loom_bottlenecks_find_times (input->frame, &input->phases, input->thresholds.bottleneck);
}

static gpointer
find_lacks (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  const char **lacks = g_new0 (const char *, n);
  for (guint i = 0; input->frame != NULL && i < n; i++)
    lacks[i] = pages[i].find_lack != NULL ? pages[i].find_lack (input) : NULL;
  return lacks;
}

static gpointer
find_late_ranks (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  return input->frame != NULL ? loom_late_rank_words_list (input, cancellable)
                              : g_array_new (FALSE, FALSE, sizeof (LoomRowLateness));
}

static gpointer
find_loop (const LoomAnalysisQuestion *question, const LoomPageInput *input, GCancellable *cancellable)
{
  return g_memdup2 (&question->range, sizeof question->range);
}

/* For each kind of question (request for a result): the function that computes the result. The function returns NULL
 * only when cancelled. input->frame is NULL if the range of the question is empty. */
static gpointer (*const work[]) (const LoomAnalysisQuestion *question, const LoomPageInput *input,
                                 GCancellable *cancellable) = {
  [LOOM_ANALYSIS_QUESTION_PAGE] = make_page,   [LOOM_ANALYSIS_QUESTION_FINDINGS] = find_findings,
  [LOOM_ANALYSIS_QUESTION_RULES] = try_rules,  [LOOM_ANALYSIS_QUESTION_BOTTLENECKS] = find_bottlenecks,
  [LOOM_ANALYSIS_QUESTION_LACKS] = find_lacks, [LOOM_ANALYSIS_QUESTION_LATE_RANKS] = find_late_ranks,
  [LOOM_ANALYSIS_QUESTION_LOOP] = find_loop,
};

static gpointer
answer (LoomAnalysisQuestion *question, GCancellable *cancellable, GError **error)
{
  LoomPageInput input;
  if (!prepare (question, &input))
    return NULL;
  g_autoptr (LoomDataFrame) frame = input.frame;
  return g_cancellable_is_cancelled (cancellable) ? NULL : work[question->kind](question, &input, cancellable);
}

LoomWorkerKind
loom_analysis_question_get_worker (LoomAnalysisQuestionKind kind)
{
  static const GDestroyNotify free_answer[] = {
    [LOOM_ANALYSIS_QUESTION_PAGE] = (GDestroyNotify) loom_page_content_unref,
    [LOOM_ANALYSIS_QUESTION_FINDINGS] = (GDestroyNotify) loom_findings_unref,
    [LOOM_ANALYSIS_QUESTION_RULES] = (GDestroyNotify) loom_findings_unref,
    [LOOM_ANALYSIS_QUESTION_BOTTLENECKS] = (GDestroyNotify) g_array_unref,
    [LOOM_ANALYSIS_QUESTION_LACKS] = g_free,
    [LOOM_ANALYSIS_QUESTION_LATE_RANKS] = (GDestroyNotify) g_array_unref,
    [LOOM_ANALYSIS_QUESTION_LOOP] = g_free,
  };
  return (LoomWorkerKind) { (LoomWorkerFunc) answer, (GDestroyNotify) question_free, free_answer[kind] };
}
