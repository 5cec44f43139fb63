/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the section of the report with the findings of rules: SageMaker's rules with default parameters, and the
 * user's rule files. The window evaluates the same rules.
 */
#include "loom-document-private.h"
#include "loom-page-private.h"

#include "loom-report-private.h"
#include "loom-rule-files.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

gboolean
loom_report_get_input (const LoomReport *report, LoomPageInput *input)
{
  LoomRange range = { 0, 0 };
  gboolean has_events = loom_timeline_get_extent (report->timeline, &range);
  if (report->options.has_range)
    range = report->options.range;
  else
    range.end_ns = loom_time_add (range.end_ns, 1);
  *input = (LoomPageInput) { .frame = report->frame,
                             .phases = report->phases,
                             .range = range,
                             .thresholds = report->options.thresholds,
                             .names = report->options.names };
  return has_events;
}

gboolean
loom_report_find (LoomReport *report, GCancellable *cancellable)
{
  LoomPageInput input;
  if (report->findings == NULL && report->options.numbers == LOOM_NUMBER_CONVENTION_INTENDED &&
      loom_report_get_input (report, &input)) {
    g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (LoomRuleParameters) parameters = loom_rule_files_read_parameters (problems);
    g_autoptr (GPtrArray) own = loom_rule_files_read (NULL, parameters, problems);
    report->findings = loom_findings_new (&input, parameters, own, cancellable);
    if (report->findings != NULL)
      loom_findings_set_notes (report->findings, problems);
  }
  return !g_cancellable_is_cancelled (cancellable);
}

/* Returns the number of places on the timeline where the rule found something. Includes places that are not in
 * LoomRuleResult.marks, because the length of this array is limited. */
static gint64
count_places (const LoomFinding *finding)
{
  return (gint64) (finding->result->marks->len + finding->result->n_left_out);
}

static guint
count_fired (const LoomReport *report)
{
  return report->findings != NULL ? loom_findings_count (report->findings, LOOM_RULE_FIRED) : 0;
}

static gint64
get_own_ns (const LoomFinding *finding, gboolean is_mean)
{
  return loom_rule_weights_get_own_ns (finding->result, finding->explained_ns, is_mean);
}

/* Writes the results of other rules that are consequences of the finding (LoomFinding.effects) as the member
 * "effects":[{"rule","sentence"}]; writes nothing if there are none. */
static void
build_effects (JsonBuilder *builder, const LoomFinding *finding)
{
  if (finding->n_effects == 0)
    return;
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "effects");
  for (guint i = 0; i < finding->n_effects; i++) {
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "rule", finding->effects[i]->name);
    loom_json_util_add_text (builder, "sentence", finding->effects[i]->sentence);
  }
}

/* Returns an upper limit of the time that the job would save without the problem, in ns; 0: unknown. */
static gint64
get_saving (const LoomRuleResult *result)
{
  return result->stated_saving_ns > 0 ? result->stated_saving_ns : result->saved_ns;
}

void
loom_report_build_findings (const LoomReport *report, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, NULL);
  for (guint i = 0; i < count_fired (report); i++) { /* findings of rules that fired come first in the list */
    const LoomFinding *finding = &report->findings->all[i];
    gboolean is_somewhere = finding->range.end_ns > finding->range.begin_ns;
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "rule", finding->result->name);
    loom_json_util_add_text (builder, "severity", loom_findings_severity_word (finding->severity));
    loom_json_util_add_text (builder, "sentence", finding->result->sentence);
    loom_json_util_add_text (builder, "where", finding->where);
    loom_json_util_add_int (builder, "places", count_places (finding));
    loom_json_util_add_int_if (builder, "lost_ns", finding->result->lost_ns > 0, finding->result->lost_ns);
    loom_json_util_add_int_if (builder, "lost_mean_ns", finding->result->lost_ns > 0,
                               loom_rule_result_get_average_ns (finding->result));
    loom_json_util_add_int_if (builder, "explained_ns", finding->result->lost_ns > 0, finding->explained_ns);
    loom_json_util_add_int_if (builder, "own_lost_ns", finding->result->lost_ns > 0, get_own_ns (finding, FALSE));
    loom_json_util_add_int_if (builder, "saved_ns", get_saving (finding->result) > 0, get_saving (finding->result));
    loom_json_util_add_int_if (builder, "start_ns", is_somewhere, finding->range.begin_ns);
    loom_json_util_add_int_if (builder, "since_origin_ns", is_somewhere,
                               loom_time_sub (finding->range.begin_ns, loom_timeline_get_origin (report->timeline)));
    loom_json_util_add_int_if (builder, "end_ns", is_somewhere, finding->range.end_ns);
    build_effects (builder, finding);
  }
}

static void
write_finding (const LoomReport *report, const LoomFinding *finding, GString *out)
{
  g_string_append_printf (out, "  %-8s %s: %s", loom_findings_severity_word (finding->severity), finding->result->name,
                          finding->result->sentence);
  if (finding->where[0] != '\0' && strstr (finding->result->sentence, finding->where) == NULL)
    g_string_append_printf (out, "; %s", finding->where);
  if (finding->range.end_ns > finding->range.begin_ns) {
    g_autofree char *begin = loom_report_dup_instant (report, finding->range.begin_ns);
    g_autofree char *length =
      loom_time_format_duration (loom_time_sub (finding->range.end_ns, finding->range.begin_ns));
    g_string_append_printf (out, "; %s from %s", length, begin);
  }
  if (count_places (finding) > 1)
    g_string_append_printf (out, "; %" G_GINT64_FORMAT " places", count_places (finding));
  if (finding->result->lost_ns > 0) {
    g_autofree char *lost = loom_time_format_duration (get_own_ns (finding, FALSE)),
                    *mean = loom_time_format_duration (get_own_ns (finding, TRUE)),
                    *over = loom_rule_result_dup_over (finding->result);
    g_string_append_printf (out, "; about %s lost", lost);
    if (over != NULL)
      g_string_append_printf (out, ", %s (%s each on average)", over, mean);
    if (finding->explained_ns > 0) {
      g_autofree char *explained = loom_time_format_duration (finding->explained_ns);
      g_string_append_printf (out, ", besides %s that other findings explain", explained);
    }
    if (finding->result->saved_ns > 0) {
      g_autofree char *saved = loom_time_format_duration (finding->result->saved_ns);
      g_string_append_printf (out, "; about %s saved if the late ranks were on time", saved);
    }
  }
  for (guint i = 0; i < finding->n_effects; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? "; seen too as " : ", ", finding->effects[i]->name);
  g_string_append_c (out, '\n');
}

void
loom_report_write_findings (const LoomReport *report, GString *out)
{
  if (report->findings == NULL)
    return;
  guint n_fired = count_fired (report), n_not_enough = loom_findings_count (report->findings, LOOM_RULE_NOT_ENOUGH);
  g_string_append (out, "\nFindings\n");
  for (guint i = 0; i < n_fired; i++)
    write_finding (report, &report->findings->all[i], out);
  if (n_fired == 0) {
    const LoomRuleResult *small = loom_findings_find_small_loss (report->findings);
    g_string_append_printf (out, "  none%s%s\n", small != NULL ? "; largest loss below a limit: " : "",
                            small != NULL ? small->small_loss : "");
  }
  for (guint i = 0; i < report->findings->notes->len; i++)
    g_string_append_printf (out, "  not evaluated: %s\n", (const char *) report->findings->notes->pdata[i]);
  g_string_append_printf (out, "  rules that found nothing: %u; that had not enough data: %u\n",
                          loom_findings_count (report->findings, LOOM_RULE_PASSED), n_not_enough);
}

/* --- findings as a page of the document --------------------------------------------------------------------------- */

/* Adds a row for a finding to the table. If the rule found nothing, the cells for the device or rank and for the time
 * remain empty. */
static void
add_row (LoomResultTable *table, LoomTimeline *timeline, const LoomFinding *finding)
{
  gboolean fired = finding->result->status == LOOM_RULE_FIRED;
  loom_result_table_add_row (table, fired ? loom_findings_severity_word (finding->severity)
                                          : loom_findings_status_word (finding->result->status));
  loom_result_table_set_text (table, 1, finding->result->name);
  loom_result_table_set_text (table, 2, finding->result->sentence);
  loom_result_table_set_text (table, 3, fired ? finding->where : "");
  loom_result_table_set_number (table, 4, fired && count_places (finding) > 0 ? (double) count_places (finding) : NAN);
  if (fired && finding->range.end_ns > finding->range.begin_ns) {
    g_autofree char *begin = loom_page_dup_instant (timeline, finding->range.begin_ns);
    loom_result_table_set_text (table, 5, begin);
    loom_result_table_set_number (table, 6, (double) loom_time_sub (finding->range.end_ns, finding->range.begin_ns));
  } else
    loom_result_table_set_number (table, 6, NAN);
  loom_result_table_set_number (table, 7,
                                fired && finding->result->lost_ns > 0 ? (double) get_own_ns (finding, FALSE) : NAN);
  loom_result_table_set_number (table, 8,
                                fired && finding->result->lost_ns > 0 ? (double) get_own_ns (finding, TRUE) : NAN);
}

LoomPageContent *
loom_document_new_findings_page (LoomTimeline *timeline, const LoomFindings *findings)
{
  LoomPageContent *sheet = loom_page_content_new (findings->range);
  LoomResultTable *table = loom_result_table_new (_ ("Findings"));
  loom_result_table_add_column (table, _ ("Severity"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Rule"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "What Happened"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Where"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Occurrences"), "",
                                _ ("Number of ranges of the timeline that the rule marks"));
  loom_result_table_add_column (table, C_ ("column", "Start"), NULL,
                                _ ("Start of the first occurrence, as time since the start of the run"));
  loom_result_table_add_column (table, C_ ("column", "Duration"), "ns",
                                _ ("From the start of the first occurrence to the end of the last"));
  loom_result_table_add_column (table, _ ("Estimated time lost"), "ns",
                                _ ("Without the time that other findings explain"));
  loom_result_table_add_column (table, _ ("Mean time lost"), "ns",
                                _ ("The lost time for each of the nodes, ranks or devices over which it is summed"));
  for (guint i = 0; i < findings->n; i++)
    if (findings->all[i].result->status != LOOM_RULE_NOT_APPLICABLE)
      add_row (table, timeline, &findings->all[i]);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < findings->notes->len; i++)
    loom_page_content_add_missing (sheet, findings->notes->pdata[i]);
  return sheet;
}
