/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a report: computes the results that several sections need, and prints all sections in order, as JSON or text.
 */
#include "loom-report-private.h"

#include "loom-archive-path.h"
#include "loom-parallel.h"

#include <string.h>

static void
build_computed (const LoomReport *report, JsonBuilder *builder)
{
  loom_span_analysis_build (report->computed, builder);
}

static void
write_computed (const LoomReport *report, GString *out)
{
  if (report->computed == NULL)
    return;
  g_string_append_c (out, '\n');
  loom_span_analysis_write (report->computed, report->frame, out);
}

static const LoomReportSection sections[] = {
  { "about", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_about, loom_report_write_about },
  { "findings", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_findings, loom_report_write_findings,
    LOOM_REPORT_NEEDS_FINDINGS },
  { "phases", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_phases, loom_report_write_phases },
  { "utilization", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_utilization, loom_report_write_utilization },
  { "usage", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_usage, loom_report_write_usage },
  { "bottlenecks", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_bottlenecks, loom_report_write_bottlenecks },
  { "balance", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_balance, loom_report_write_balance },
  { "steps", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_steps, loom_report_write_steps },
  { "root_cause", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_root_cause, loom_report_write_root_cause },
  { "step_usage", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_step_usage, NULL },
  { "step_statistics", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_step_statistics,
    loom_report_write_step_statistics },
  { "utilization_statistics", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_utilization_statistics,
    loom_report_write_utilization_statistics },
  { "device_usage", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_device_usage, NULL },
  { "phase_intervals", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_phase_intervals, NULL },
  { "data_loading", LOOM_NUMBER_CONVENTION_INTENDED, loom_report_build_data_loading, loom_report_write_data_loading,
    LOOM_REPORT_NEEDS_SPANS },
  { "computed", LOOM_NUMBER_CONVENTION_INTENDED, build_computed, write_computed, LOOM_REPORT_NEEDS_SPANS },
  { "analysis", LOOM_NUMBER_CONVENTION_SMDEBUG, loom_report_build_smdebug_prefix, NULL },
  { "analysis_utilization", LOOM_NUMBER_CONVENTION_SMDEBUG, loom_report_build_smdebug_utilization, NULL },
  { "frames", LOOM_NUMBER_CONVENTION_SMDEBUG, loom_report_build_smdebug_frames, NULL },
  { "statistics", LOOM_NUMBER_CONVENTION_SMDEBUG, loom_report_build_smdebug_statistics, NULL },
  { "dataloader", LOOM_NUMBER_CONVENTION_SMDEBUG, loom_report_build_smdebug_dataloader, NULL },
};

static gboolean
compute (LoomReport *report, GCancellable *cancellable)
{
  g_autoptr (LoomDataFrame) whole = loom_data_frame_new (report->timeline, report->options.numbers, cancellable);
  if (whole == NULL)
    return FALSE;
  report->frame = report->options.has_range
                    ? loom_data_frame_new_in_range (whole, report->options.range.begin_ns, report->options.range.end_ns)
                    : g_steal_pointer (&whole);
  if (report->options.has_range && report->options.has_steps) {
    g_autoptr (LoomDataFrame) touched = g_steal_pointer (&report->frame);
    report->frame = loom_data_frame_new_with_steps (touched, &report->options.steps);
  }
  report->phases = loom_job_phases_compute (report->frame);
  loom_step_durations_init (&report->steps, report->frame, report->options.thresholds.outlier_factor, FALSE);
  loom_bottlenecks_init (&report->bottlenecks, report->frame, &report->phases, LOOM_SELECT_DIMENSION,
                         report->options.thresholds.bottleneck);
  return !g_cancellable_is_cancelled (cancellable);
}

/* Computes from the spans the results that several sections need. A result that only one page needs is computed when
 * that page is made. */
static void
compute_from_spans (LoomReport *report, GCancellable *cancellable)
{
  if (report->options.numbers == LOOM_NUMBER_CONVENTION_INTENDED && report->computed == NULL)
    report->computed = loom_span_analysis_new (report->frame, report->options.has_range ? &report->options.range : NULL,
                                               &report->options.thresholds.peaks, cancellable);
}

static gboolean
compute_all (LoomReport *report, GCancellable *cancellable, GError **error)
{
  compute_from_spans (report, cancellable);
  loom_report_find (report, cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* If the range has no start or no end, sets it to the start or end of the run, because only finite times can be written
 * as dates. */
static void
end_range_of_run (LoomReport *report)
{
  LoomRange all, *range = &report->options.range;
  if (!report->options.has_range || !loom_timeline_get_extent (report->timeline, &all))
    return;
  if (range->begin_ns <= LOOM_REPORT_OPEN_BEGIN)
    range->begin_ns = MIN (all.begin_ns, range->end_ns);
  if (range->end_ns >= LOOM_REPORT_OPEN_END)
    range->end_ns = MAX (loom_time_add (all.end_ns, 1), range->begin_ns);
}

LoomReport *
loom_report_new (LoomTimeline *timeline, const LoomReportOptions *options, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (timeline != NULL && options != NULL, NULL);
  g_autoptr (LoomReport) report = g_new0 (LoomReport, 1);
  report->timeline = loom_timeline_ref (timeline);
  report->options = *options;
  if (options->thresholds.outlier_factor == 0)
    report->options.thresholds = LOOM_THRESHOLDS;
  end_range_of_run (report);
  if (!compute (report, cancellable)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return NULL;
  }
  return g_steal_pointer (&report);
}

LoomDataFrame *
loom_report_get_frame (LoomReport *report)
{
  return report->frame;
}

void
loom_report_free (LoomReport *report)
{
  if (report == NULL)
    return;
  g_clear_pointer (&report->computed, loom_span_analysis_free);
  g_clear_pointer (&report->findings, loom_findings_unref);
  loom_bottlenecks_clear (&report->bottlenecks);
  loom_step_durations_clear (&report->steps);
  loom_data_frame_unref (report->frame);
  loom_timeline_unref (report->timeline);
  g_free (report);
}

JsonNode *
loom_report_to_json (LoomReport *report, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  if (!compute_all (report, cancellable, error))
    return NULL;
  json_builder_begin_object (builder);
  loom_report_add_warnings (report, builder);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    if (sections[i].numbers != report->options.numbers)
      continue;
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    json_builder_set_member_name (builder, sections[i].name);
    sections[i].build (report, builder);
  }
  loom_report_add_losses (report, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
print_computed (const LoomReport *report, GString *out)
{
  loom_json_util_print_name ("computed", 0, TRUE, out);
  g_string_append_c (out, '{');
  loom_span_analysis_print (report->computed, 1, out);
  loom_json_util_print_end ('}', 1, out);
}

static void
print_section (const LoomReport *report, const LoomReportSection *section, GString *out)
{
  if (section->build == build_computed) {
    print_computed (report, out);
    return;
  }
  g_autoptr (JsonBuilder) builder = loom_json_util_new_printed ();
  LoomJsonScope object = loom_json_util_open_object (builder, NULL);
  json_builder_set_member_name (builder, section->name);
  section->build (report, builder);
  loom_json_util_close (&object);
  loom_json_util_print_members (builder, 0, TRUE, out);
}

/* Prints the members that `add` adds to the document. `any`: TRUE if the document already has members. Returns TRUE if
 * it has members after the call. */
static gboolean
print_members (LoomReport *report, void (*add) (const LoomReport *report, JsonBuilder *builder), gboolean any,
               GString *out)
{
  g_autoptr (JsonBuilder) builder = loom_json_util_new_printed ();
  LoomJsonScope object = loom_json_util_open_object (builder, NULL);
  add (report, builder);
  loom_json_util_close (&object);
  return loom_json_util_print_members (builder, 0, any, out);
}

/* The arguments of print_part(). `printed`: array indexed by section: its JSON text, preceded by a comma; NULL: the
 * section was not printed. */
typedef struct {
  LoomReport *report;
  GCancellable *cancellable;
  GString *printed[G_N_ELEMENTS (sections)];
} Print;

/* Prints the sections whose member `need` (the data that the section reads) equals the argument. */
static void
print_sections (Print *print, LoomReportNeed need)
{
  for (guint i = 0; i < G_N_ELEMENTS (sections) && !g_cancellable_is_cancelled (print->cancellable); i++)
    if (sections[i].numbers == print->report->options.numbers && sections[i].need == need) {
      print->printed[i] = g_string_new (NULL);
      print_section (print->report, &sections[i], print->printed[i]);
    }
}

/* The next two functions print sections. Item 0 of each function first computes the data that its sections read; item 1
 * prints sections whose data exist already. Items 0 and 1 run at the same time, because both have parts that use only
 * one thread. */
static void
print_after_spans (guint item, guint worker, gpointer user_data)
{
  Print *print = user_data;
  if (item > 0) {
    print_sections (print, LOOM_REPORT_NEEDS_SPANS);
    return;
  }
  loom_report_find (print->report, print->cancellable);
  print_sections (print, LOOM_REPORT_NEEDS_FINDINGS);
}

static void
print_part (guint item, guint worker, gpointer user_data)
{
  Print *print = user_data;
  if (item > 0) {
    print_sections (print, LOOM_REPORT_NEEDS_FRAME);
    return;
  }
  compute_from_spans (print->report, print->cancellable);
  loom_parallel_for (2, 2, print_after_spans, print, NULL);
}

char *
loom_report_dup_json (LoomReport *report, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) out = g_string_new ("{");
  Print print = { report, cancellable, { NULL } };
  loom_parallel_for (2, 2, print_part, &print, NULL);
  gboolean any = print_members (report, loom_report_add_warnings, FALSE, out);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    g_autoptr (GString) printed = print.printed[i];
    if (printed == NULL)
      continue;
    g_string_append (out, printed->str + (any ? 0 : 1));
    any = TRUE;
  }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  any = print_members (report, loom_report_add_losses, any, out);
  g_string_append (out, any ? "\n}\n" : "}\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
loom_report_print_json (JsonNode *root)
{
  return loom_json_util_print (root);
}

/* Returns the text with printable signs in place of all control characters except line breaks. Names in traces may
 * contain control characters, which a terminal would execute. Owned by the caller. */
static char *
dup_printable_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    char *printable = loom_archive_path_dup_printable (lines[i]);
    g_free (lines[i]);
    lines[i] = printable;
  }
  return g_strjoinv ("\n", lines);
}

char *
loom_report_to_text (LoomReport *report, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  if (!compute_all (report, cancellable, error))
    return NULL;
  loom_report_write_warnings (report, out);
  loom_report_write_losses (report, out);
  if (!loom_report_write_answers (report, out, cancellable)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return NULL;
  }
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    if (sections[i].write == NULL)
      continue;
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    sections[i].write (report, out);
  }
  return dup_printable_lines (out->str);
}
