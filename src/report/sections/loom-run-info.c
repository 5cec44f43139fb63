/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the contents of a timeline as a JSON document. loom-info-text.c writes them as text.
 */
#include "loom-run-info.h"

#include <math.h>

#include "loom-excerpt.h"
#include "loom-import-losses.h"
#include "loom-json-glib-workaround.h"
#include "loom-json-util.h"
#include "loom-report-private.h"
#include "loom-track-name.h"
#include "loom-track-rank.h"

/* --- sources ------------------------------------------------------------------------------------------------------ */

static gint64
whole_ns (double ns)
{
  return fabs (ns) < 9e18 ? llround (ns) : G_MAXINT64;
}

/* Adds members that describe how the alignment compared a clock with other clocks, and the result. Their values are
 * null if the clock was not compared. */
static void
add_fit (JsonBuilder *builder, const LoomClockFit *fit)
{
  gboolean compared = fit->pairs > 0;
  loom_json_util_add_int_if (builder, "measured_offset_ns", compared, fit->line.offset_ns);
  loom_json_util_add_int_if (builder, "measured_offset_error_ns", fit->line_error_ns >= 0,
                             whole_ns (fit->line_error_ns));
  loom_json_util_add_double_if (builder, "measured_drift_ppb", compared, (double) fit->line.drift_ppt / 1000.0);
  loom_json_util_add_double_if (builder, "measured_drift_error_ppb", fit->line_drift_error_ppb >= 0,
                                fit->line_drift_error_ppb);
  loom_json_util_add_int (builder, "pairs", fit->pairs);
  loom_json_util_add_int (builder, "rejected", fit->rejected);
  loom_json_util_add_int_if (builder, "residual_median_ns", compared, whole_ns (fit->residuals.median_ns));
  loom_json_util_add_int_if (builder, "residual_p95_ns", compared, whole_ns (fit->residuals.p95_ns));
  loom_json_util_add_int_if (builder, "residual_max_ns", compared, whole_ns (fit->residuals.max_ns));
  loom_json_util_add_text (builder, "verdict", loom_fit_quality_to_string (fit->verdict));
  loom_json_util_add_text (builder, "why", fit->why);
}

static void
add_clock (JsonBuilder *builder, const LoomClockFit *fit, gboolean with_fit)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "clock");
  loom_json_util_add_text (builder, "state", loom_declared_clock_state_to_string (fit->state));
  loom_json_util_add_text (builder, "basis", fit->basis);
  loom_json_util_add_int (builder, "reference_ns", fit->map.reference_ns);
  loom_json_util_add_int (builder, "offset_ns", fit->map.offset_ns);
  loom_json_util_add_int (builder, "user_offset_ns", fit->user_offset_ns);
  loom_json_util_add_double (builder, "drift_ppb", (double) fit->map.drift_ppt / 1000.0);
  loom_json_util_add_int_if (builder, "offset_error_ns", fit->fitted && fit->line_error_ns >= 0,
                             whole_ns (fit->line_error_ns));
  loom_json_util_add_double_if (builder, "drift_error_ppb", fit->fitted && fit->line_drift_error_ppb >= 0,
                                fit->line_drift_error_ppb);
  loom_json_util_add_int_if (builder, "residual_ns", fit->residual_ns >= 0, fit->residual_ns);
  if (with_fit)
    add_fit (builder, fit);
}

/* Adds an excerpt of the input at the position of a problem; adds null if the problem has no position, or if the file
 * can no longer be read. */
static void
add_excerpt (JsonBuilder *builder, LoomByteSource *text, guint64 offset)
{
  gboolean known = text != NULL && offset != LOOM_OFFSET_NONE;
  g_autofree char *excerpt = known ? loom_excerpt_read (text, offset, NULL, NULL) : NULL;
  loom_json_util_add_text (builder, "text", excerpt);
}

static void
add_problems (JsonBuilder *builder, const LoomImportLog *log, LoomByteSource *text, gboolean packed)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "problems");
  for (guint i = 0; i < loom_import_log_get_n_problems (log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (log, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "code", problem->code);
    loom_json_util_add_text (builder, "severity", loom_import_log_severity_to_string (problem->severity));
    loom_json_util_add_int (builder, "count", (gint64) problem->count);
    loom_json_util_add_int_if (builder, "offset", problem->offset != LOOM_OFFSET_NONE, (gint64) problem->offset);
    loom_json_util_add_text (builder, "offset_in",
                             problem->offset == LOOM_OFFSET_NONE ? NULL
                             : packed                            ? "unpacked text"
                                                                 : "file");
    loom_json_util_add_text (builder, "message", problem->message);
    add_excerpt (builder, text, problem->offset);
  }
}

void
loom_run_info_build_source (JsonBuilder *builder, LoomTimeline *timeline, const LoomSourceOverrides *names,
                            guint number, gboolean with_fit)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  const LoomClockFit *fit =
    loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, number));
  const char *name = loom_source_overrides_get_name (names, source->path);
  gboolean has_times = source->start_ns != LOOM_TIME_NONE;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_path (builder, "path", source->path);
  if (name != NULL)
    loom_json_util_add_text (builder, "name", name);
  loom_json_util_add_text (builder, "format", source->format);
  loom_json_util_add_text (builder, "node", source->node);
  loom_report_add_rank (builder, source->rank, loom_rank_label_is_process (source->format, source->rank));
  loom_json_util_add_int (builder, "bytes", (gint64) source->n_bytes);
  loom_json_util_add_int (builder, "events", (gint64) source->n_events);
  loom_json_util_add_int (builder, "left_out", (gint64) loom_import_losses_count_left_out (source));
  loom_json_util_add_int (builder, "spans", (gint64) source->n_spans);
  loom_json_util_add_int (builder, "instants", (gint64) source->n_instants);
  loom_json_util_add_int (builder, "counters", (gint64) source->n_counters);
  loom_json_util_add_int (builder, "flows", (gint64) source->n_flows);
  loom_json_util_add_int_if (builder, "start_ns", has_times,
                             has_times ? loom_clock_map_to_timeline (&fit->map, source->start_ns) : 0);
  loom_json_util_add_int_if (builder, "end_ns", has_times,
                             has_times ? loom_clock_map_to_timeline (&fit->map, source->end_ns) : 0);
  add_clock (builder, fit, with_fit);
  add_problems (builder, source->log, loom_source_get_file_text (source), source->packed);
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

guint
loom_run_info_track_depth (const LoomTrace *trace, const LoomTrack *track)
{
  guint deepest = 0;
  for (guint32 i = 0; track->kind != LOOM_TRACK_COUNTER && i < track->n_rows; i++)
    deepest = MAX (deepest, loom_trace_get_row (trace, track->first_row + i)->depth);
  return deepest + 1;
}

static void
add_track (JsonBuilder *builder, const LoomTrace *trace, const LoomTrack *track)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  g_autofree char *thread = loom_track_name_dup_thread (track);
  loom_json_util_add_text (builder, "process", track->process);
  loom_json_util_add_text (builder, "thread", thread);
  loom_json_util_add_text (builder, "kind", loom_trace_track_kind_to_string (track->kind));
  loom_json_util_add_text (builder, "node", track->node);
  loom_report_add_rank (builder, track->rank, loom_track_rank_is_process (track, track->format));
  loom_json_util_add_int (builder, "events", (gint64) track->n_events);
  loom_json_util_add_int (builder, "depth", loom_run_info_track_depth (trace, track));
  if ((track->flags & LOOM_TRACK_DERIVED) != 0)
    loom_json_util_add_bool (builder, "derived", TRUE);
  if (track->name[0] != '\0')
    loom_json_util_add_text (builder, "name", track->name);
}

static void
add_tracks (JsonBuilder *builder, LoomRun *run)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "tracks");
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      add_track (builder, trace, loom_trace_get_track (trace, i));
  }
}

/* --- making and printing the JSON document ------------------------------------------------------------------------ */

static void
add_ignored (JsonBuilder *builder, LoomRun *run)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ignored");
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_path (builder, "path", ignored->path);
    loom_json_util_add_text (builder, "reason", ignored->reason);
  }
}

static void
add_range (JsonBuilder *builder, const LoomRunInfoRange *within)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "range");
  loom_json_util_add_int (builder, "start_ns", within->range.begin_ns);
  loom_json_util_add_int (builder, "end_ns", within->range.end_ns);
  loom_json_util_add_int (builder, "spans", (gint64) within->n_spans);
  loom_json_util_add_int (builder, "instants", (gint64) within->n_instants);
  loom_json_util_add_int (builder, "counters", (gint64) within->n_counters);
  loom_json_util_add_int (builder, "flows", (gint64) within->n_flows);
}

JsonNode *
loom_run_info_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names, const LoomRunInfoRange *within)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  LoomRange extent = { 0, 0 };
  gboolean has_extent = loom_timeline_get_extent (timeline, &extent);
  json_builder_begin_object (builder);
  loom_json_util_begin_array (builder, "sources");
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    loom_run_info_build_source (builder, timeline, names, i, FALSE);
  json_builder_end_array (builder);
  add_tracks (builder, run);
  add_ignored (builder, run);
  loom_json_util_add_int (builder, "events", (gint64) loom_run_get_n_events (run));
  loom_json_util_add_int (builder, "spans", (gint64) loom_run_count_spans (run));
  loom_json_util_add_int (builder, "derived_spans", (gint64) loom_run_info_count_derived (run));
  loom_json_util_add_int_if (builder, "start_ns", has_extent, extent.begin_ns);
  loom_json_util_add_int_if (builder, "end_ns", has_extent, extent.end_ns);
  if (within != NULL)
    add_range (builder, within);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

char *
loom_run_info_print_json (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  return g_strconcat (loom_json_glib_workaround_reals (text), "\n", NULL);
}
