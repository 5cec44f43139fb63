/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes two chapters of a report document: the one with facts about the run and its clocks, and the last one,
 * with the files of the run and the problems in them.
 */
#include "loom-document-private.h"

#include "loom-archive-path.h"
#include "loom-import-losses.h"
#include "loom-list-separator.h"
#include "loom-page-clocks.h"
#include "loom-page-private.h"
#include "loom-rank-label.h"
#include "loom-report-private.h"
#include "loom-run-info.h"
#include "loom-run-warnings.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_PROBLEMS 1000 /* maximum number of rows of the table of problems; HTML and PDF files show fewer of them */

/* Returns how many sources have a clock in each state: "stated in UTC 15, synchronized 11". Owned by the caller. */
static char *
dup_clocks (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint counts[LOOM_CLOCK_EXACT + 1] = { 0 };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    counts[loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, i))->state]++;
  for (int state = LOOM_CLOCK_EXACT; state >= 0; state--)
    if (counts[state] > 0)
      g_string_append_printf (text, "%s%s %u", text->len > 0 ? loom_list_separator () : "",
                              loom_page_clocks_describe_state ((LoomClockState) state), counts[state]);
  return g_string_free (text, FALSE);
}

static void
add_facts (LoomPageContent *sheet, LoomTimeline *timeline, const LoomReportOptions *options, LoomRange range)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *clocks = dup_clocks (timeline);
  g_autofree char *written = g_date_time_format (now, "%Y-%m-%d %H:%M:%S UTC");
  loom_page_content_add_facts (sheet, _ ("Facts"));
  loom_page_add_number (sheet, _ ("Sources"), loom_run_get_n_sources (run), "");
  loom_page_add_number (sheet, _ ("Events"), (double) loom_run_get_n_events (run), "");
  loom_page_add_number (sheet, options->has_range ? _ ("Duration of the range") : _ ("Duration"),
                        (double) loom_time_sub (range.end_ns, range.begin_ns), "ns");
  g_autofree char *begin = loom_page_dup_instant (timeline, range.begin_ns),
                  *end = loom_page_dup_instant (timeline, range.end_ns);
  g_autofree char *zero = loom_page_dup_zero (timeline);
  loom_page_content_add_fact (sheet, _ ("Start"), begin);
  loom_page_content_add_fact (sheet, _ ("End"), end);
  loom_page_content_add_fact (sheet, _ ("Times count from"), zero);
  loom_page_content_add_fact (sheet, _ ("Clocks of the sources"), clocks);
  if (loom_run_get_n_ignored (run) > 0)
    loom_page_add_number (sheet, _ ("Files not loaded"), loom_run_get_n_ignored (run), "");
  loom_page_content_add_fact (sheet, _ ("Numbers"),
                              options->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG
                                ? _ ("computed as in SageMaker’s reports")
                                : C_ ("figures", "computed in Traceloom’s own way"));
  loom_page_content_add_fact (sheet, _ ("Report written"), written);
}

enum { FILE_NAME, FORMAT, NODE, RANK, EVENTS, CLOCK, MOVED, WITHIN, DRIFT, DRIFT_WITHIN, PROBLEMS, GIVEN_NAME };

/* Returns the maximum error of the offset of a clock, in ns. If the file states this error, returns the stated value;
 * otherwise, returns half the width of the confidence interval of the fit. NAN if neither is known. */
static double
offset_bound (const LoomClockFit *fit)
{
  if (fit->error_ns >= 0)
    return (double) fit->error_ns;
  return fit->fitted && fit->line_error_ns >= 0 ? fit->line_error_ns : NAN;
}

static void
set_clock (LoomResultTable *table, const LoomClockFit *fit)
{
  loom_result_table_set_text (table, CLOCK, loom_page_clocks_describe_state (fit->state));
  loom_result_table_set_number (table, MOVED, fit->placed ? NAN : (double) fit->map.offset_ns);
  loom_result_table_set_number (table, WITHIN, offset_bound (fit));
  loom_result_table_set_number (table, DRIFT, fit->map.drift_ppt != 0 ? (double) fit->map.drift_ppt / 1000.0 : NAN);
  loom_result_table_set_number (table, DRIFT_WITHIN,
                                fit->fitted && fit->line_drift_error_ppb >= 0 ? fit->line_drift_error_ppb : NAN);
}

static void
add_source (LoomResultTable *table, LoomTimeline *timeline, const LoomSourceOverrides *names, guint number)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  const LoomClockFit *fit =
    loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, number));
  g_autofree char *path = loom_archive_path_dup_shown (source->path);
  loom_result_table_add_row (table, path);
  loom_result_table_set_text (table, FORMAT, source->format);
  loom_result_table_set_text (table, NODE, source->node != NULL ? source->node : "");
  loom_result_table_set_number (
    table, RANK, source->rank >= 0 && !loom_rank_label_is_process (source->format, source->rank) ? source->rank : NAN);
  loom_result_table_set_number (table, EVENTS, (double) source->n_events);
  set_clock (table, fit);
  loom_result_table_set_number (table, PROBLEMS, loom_import_log_count_at_least (source->log, LOOM_SEVERITY_WARNING));
  if (table->columns->len > GIVEN_NAME) {
    const char *name = loom_source_overrides_get_name (names, source->path);
    loom_result_table_set_text (table, GIVEN_NAME, name != NULL ? name : "");
  }
}

static gboolean
is_any_named (LoomRun *run, const LoomSourceOverrides *names)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_source_overrides_get_name (names, loom_run_get_source (run, i)->path) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_sources (LoomPageContent *sheet, LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  LoomResultTable *table = loom_result_table_new (_ ("Files"));
  loom_result_table_add_column (table, C_ ("column", "File"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Format"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Rank"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Events"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Clock"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Moved By"), "ns",
                                _ ("Time added to the timestamps of the source"));
  loom_result_table_add_column (
    table, C_ ("column", "Uncertainty"), "ns", /* xgettext:no-c-format */
    _ ("Largest likely error of the times of the source: a stated bound, or the 95 % confidence interval of a fit"));
  loom_result_table_add_column (
    table, C_ ("column", "Drift (ppb)"), "",
    _ ("Nanoseconds per second by which the timeline runs faster than this clock; negative: slower"));
  loom_result_table_add_column (table, C_ ("column", "Drift ± (ppb)"), "",
                                /* xgettext:no-c-format */ _ ("The 95 % confidence interval of the drift"));
  loom_result_table_add_column (table, C_ ("column", "Problems"), "", NULL);
  if (is_any_named (loom_timeline_get_run (timeline), names))
    loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  for (guint i = 0; i < loom_run_get_n_sources (loom_timeline_get_run (timeline)); i++)
    add_source (table, timeline, names, i);
  loom_page_content_take_table (sheet, table);
}

static void
add_problems_of (LoomResultTable *table, const LoomSource *source)
{
  g_autofree char *path = loom_archive_path_dup_shown (source->path);
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log) && table->n_rows < MAX_PROBLEMS; i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    if (problem->severity < LOOM_SEVERITY_WARNING)
      continue;
    loom_result_table_add_row (table, path);
    loom_result_table_set_text (
      table, 1, problem->severity == LOOM_SEVERITY_ERROR ? C_ ("severity", "Error") : C_ ("severity", "Warning"));
    loom_result_table_set_text (table, 2, problem->message);
    loom_result_table_set_number (table, 3, (double) problem->count);
    loom_result_table_set_number (table, 4, problem->offset != LOOM_OFFSET_NONE ? (double) problem->offset : NAN);
  }
}

static void
add_problems (LoomPageContent *sheet, LoomRun *run)
{
  LoomResultTable *table = loom_result_table_new (_ ("Problems"));
  loom_result_table_add_column (table, C_ ("column", "File"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "What Happened"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "First at Byte"), "", NULL);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    add_problems_of (table, loom_run_get_source (run, i));
  loom_page_content_take_table_if_any (sheet, table);
}

static void
add_ignored (LoomPageContent *sheet, LoomRun *run)
{
  LoomResultTable *table = loom_result_table_new (_ ("Not loaded"));
  loom_result_table_add_column (table, C_ ("column", "File"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Why"), NULL, NULL);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    g_autofree char *path = loom_archive_path_dup_shown (ignored->path);
    loom_result_table_add_row (table, path);
    loom_result_table_set_text (table, 1, ignored->reason);
  }
  loom_page_content_take_table_if_any (sheet, table);
}

/* If some events of the input could not be read, adds a sentence which says that they are missing from the numbers of
 * the report. Details are in the chapter about the sources. */
static void
add_losses (LoomPageContent *sheet, LoomRun *run)
{
  g_autoptr (GArray) losses = loom_import_losses_new (run);
  if (losses->len == 0)
    return;
  const LoomMissingInput *first = &g_array_index (losses, LoomMissingInput, 0);
  g_autofree char *base = g_path_get_basename (first->path), *name = loom_archive_path_dup_printable (base);
  g_autofree char *said = g_strdup_printf (
    /* Translators: the name of a file, and what happened, as a clause */
    _ ("Incomplete: some of the input could not be read and is missing from these numbers. %s: %s."), name,
    first->message);
  g_autofree char *more = losses->len > 1
                            ? g_strdup_printf (ngettext ("%u more problem is listed under Sources.",
                                                         "%u more problems are listed under Sources.", losses->len - 1),
                                               losses->len - 1)
                            : NULL;
  g_autofree char *text = loom_sentence_join (said, more);
  loom_page_content_add_missing (sheet, text);
}

LoomPageContent *
loom_document_new_run_page (LoomTimeline *timeline, const LoomReportOptions *options, LoomRange range)
{
  LoomPageContent *sheet = loom_page_content_new (range);
  const char *const *notices = loom_alignment_get_notices (loom_timeline_get_alignment (timeline));
  g_autofree char *warning = loom_report_dup_warning (timeline);
  if (warning != NULL)
    loom_page_content_add_missing (sheet, warning);
  add_losses (sheet, loom_timeline_get_run (timeline));
  add_facts (sheet, timeline, options, range);
  if (options->has_range)
    loom_page_content_add_note (sheet, _ (loom_page_range_rule));
  for (guint i = 0; notices != NULL && notices[i] != NULL; i++)
    /* skip a notice that the warning above already contains */
    if (!loom_run_warnings_says (timeline, notices[i]))
      loom_page_content_add_note (sheet, notices[i]);
  return sheet;
}

LoomPageContent *
loom_document_new_sources_page (LoomTimeline *timeline, const LoomSourceOverrides *names, LoomRange range)
{
  LoomPageContent *sheet = loom_page_content_new (range);
  add_sources (sheet, timeline, names);
  add_problems (sheet, loom_timeline_get_run (timeline));
  add_ignored (sheet, loom_timeline_get_run (timeline));
  return sheet;
}
