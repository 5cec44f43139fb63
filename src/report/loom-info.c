/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON document; the text is in loom-info-text.c.
 */
#include "loom-info.h"

#include <math.h>

#include "loom-excerpt.h"
#include "loom-json-mend.h"
#include "loom-path.h"

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

/* null when there is no value. */
static void
add_int_if (JsonBuilder *builder, const char *name, gboolean known, gint64 value)
{
  if (known)
    add_int (builder, name, value);
  else
    add_text (builder, name, NULL);
}

static void
add_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

/* Paths need not be UTF-8; documents must be. */
static void
add_path (JsonBuilder *builder, const char *name, const char *path)
{
  g_autofree char *shown = g_utf8_validate (path, -1, NULL) ? loom_path_dup_plain (path) : g_filename_display_name (path);
  add_text (builder, name, shown);
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static gint64
whole_ns (double ns)
{
  return fabs (ns) < 9e18 ? llround (ns) : G_MAXINT64;
}

/* What the evidence says of a clock; null where nothing was compared. */
static void
add_fit (JsonBuilder *builder, const LoomClockFit *fit)
{
  gboolean compared = fit->pairs > 0;
  add_int (builder, "pairs", fit->pairs);
  add_int (builder, "rejected", fit->rejected);
  add_int_if (builder, "residual_median_ns", compared, whole_ns (fit->residuals.median_ns));
  add_int_if (builder, "residual_p95_ns", compared, whole_ns (fit->residuals.p95_ns));
  add_int_if (builder, "residual_max_ns", compared, whole_ns (fit->residuals.max_ns));
  add_text (builder, "verdict", loom_verdict_to_string (fit->verdict));
  add_text (builder, "why", fit->why);
}

static void
add_clock (JsonBuilder *builder, const LoomClockFit *fit, gboolean with_fit)
{
  json_builder_set_member_name (builder, "clock");
  json_builder_begin_object (builder);
  add_text (builder, "state", loom_clock_state_to_string (fit->state));
  add_text (builder, "basis", fit->basis);
  add_int (builder, "reference_ns", fit->map.reference_ns);
  add_int (builder, "offset_ns", fit->map.offset_ns);
  add_double (builder, "drift_ppb", (double) fit->map.drift_ppt / 1000.0);
  add_int_if (builder, "residual_ns", fit->residual_ns >= 0, fit->residual_ns);
  if (with_fit)
    add_fit (builder, fit);
  json_builder_end_object (builder);
}

/* What stands at the place; null where nothing does, or where it cannot be read any more. */
static void
add_excerpt (JsonBuilder *builder, LoomText *text, guint64 offset)
{
  gboolean known = text != NULL && offset != LOOM_OFFSET_NONE;
  g_autofree char *excerpt = known ? loom_excerpt_read (text, offset, NULL, NULL) : NULL;
  add_text (builder, "text", excerpt);
}

static void
add_problems (JsonBuilder *builder, const LoomLog *log, LoomText *text, gboolean packed)
{
  json_builder_set_member_name (builder, "problems");
  json_builder_begin_array (builder);
  for (guint i = 0; i < loom_log_get_n_problems (log); i++) {
    const LoomProblem *problem = loom_log_get_problem (log, i);
    json_builder_begin_object (builder);
    add_text (builder, "code", problem->code);
    add_text (builder, "severity", loom_severity_to_string (problem->severity));
    add_int (builder, "count", (gint64) problem->count);
    add_int_if (builder, "offset", problem->offset != LOOM_OFFSET_NONE, (gint64) problem->offset);
    add_text (builder, "offset_in", problem->offset == LOOM_OFFSET_NONE ? NULL : packed ? "unpacked text" : "file");
    add_text (builder, "message", problem->message);
    add_excerpt (builder, text, problem->offset);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

guint64
loom_info_count_left_out (const LoomSource *source)
{
  static const char *const codes[] = { "no-time", "negative-duration", "empty-counter", "unknown-phase-" };
  guint64 n = 0;
  for (guint i = 0; i < loom_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_log_get_problem (source->log, i);
    for (guint k = 0; k < G_N_ELEMENTS (codes); k++)
      if (g_str_has_prefix (problem->code, codes[k]))
        n += problem->count;
  }
  return n;
}

static void
build_source (JsonBuilder *builder, LoomTimeline *timeline, guint number, gboolean with_fit)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, number));
  gboolean has_times = source->start_ns != LOOM_TIME_NONE;
  json_builder_begin_object (builder);
  add_path (builder, "path", source->path);
  add_text (builder, "format", source->format);
  add_text (builder, "node", source->node);
  add_int_if (builder, "rank", source->rank >= 0, source->rank);
  add_int (builder, "bytes", (gint64) source->n_bytes);
  add_int (builder, "events", (gint64) source->n_events);
  add_int (builder, "left_out", (gint64) loom_info_count_left_out (source));
  add_int (builder, "spans", (gint64) source->n_spans);
  add_int (builder, "instants", (gint64) source->n_instants);
  add_int (builder, "counters", (gint64) source->n_counters);
  add_int (builder, "flows", (gint64) source->n_flows);
  add_int_if (builder, "start_ns", has_times, has_times ? loom_clock_map_to_timeline (&fit->map, source->start_ns) : 0);
  add_int_if (builder, "end_ns", has_times, has_times ? loom_clock_map_to_timeline (&fit->map, source->end_ns) : 0);
  add_clock (builder, fit, with_fit);
  add_problems (builder, source->log, loom_source_get_file_text (source), source->packed);
  json_builder_end_object (builder);
}

void
loom_info_build_source (JsonBuilder *builder, LoomTimeline *timeline, guint number)
{
  build_source (builder, timeline, number, FALSE);
}

void
loom_info_build_aligned_source (JsonBuilder *builder, LoomTimeline *timeline, guint number)
{
  build_source (builder, timeline, number, TRUE);
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

guint
loom_info_track_depth (const LoomTrace *trace, const LoomTrack *track)
{
  guint deepest = 0;
  for (guint32 i = 0; track->kind != LOOM_TRACK_COUNTER && i < track->n_rows; i++)
    deepest = MAX (deepest, loom_trace_get_row (trace, track->first_row + i)->depth);
  return deepest + 1;
}

static void
add_track (JsonBuilder *builder, const LoomTrace *trace, const LoomTrack *track)
{
  json_builder_begin_object (builder);
  add_text (builder, "process", track->process);
  add_text (builder, "thread", track->thread);
  add_text (builder, "kind", loom_track_kind_to_string (track->kind));
  add_text (builder, "node", track->node);
  add_int_if (builder, "rank", track->rank >= 0, track->rank);
  add_int (builder, "events", (gint64) track->n_events);
  add_int (builder, "depth", loom_info_track_depth (trace, track));
  if (track->name[0] != '\0')
    add_text (builder, "name", track->name);
  json_builder_end_object (builder);
}

static void
add_tracks (JsonBuilder *builder, LoomRun *run)
{
  json_builder_set_member_name (builder, "tracks");
  json_builder_begin_array (builder);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      add_track (builder, trace, loom_trace_get_track (trace, i));
  }
  json_builder_end_array (builder);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void
add_ignored (JsonBuilder *builder, LoomRun *run)
{
  json_builder_set_member_name (builder, "ignored");
  json_builder_begin_array (builder);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomIgnored *ignored = loom_run_get_ignored (run, i);
    json_builder_begin_object (builder);
    add_path (builder, "path", ignored->path);
    add_text (builder, "reason", ignored->reason);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_range (JsonBuilder *builder, const LoomInfoRange *within)
{
  json_builder_set_member_name (builder, "range");
  json_builder_begin_object (builder);
  add_int (builder, "start_ns", within->range.begin_ns);
  add_int (builder, "end_ns", within->range.end_ns);
  add_int (builder, "spans", (gint64) within->n_spans);
  add_int (builder, "instants", (gint64) within->n_instants);
  add_int (builder, "counters", (gint64) within->n_counters);
  add_int (builder, "flows", (gint64) within->n_flows);
  json_builder_end_object (builder);
}

JsonNode *
loom_info_to_json (LoomTimeline *timeline, const LoomInfoRange *within)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  LoomRange extent = { 0, 0 };
  gboolean has_extent = loom_timeline_get_extent (timeline, &extent);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "sources");
  json_builder_begin_array (builder);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    loom_info_build_source (builder, timeline, i);
  json_builder_end_array (builder);
  add_tracks (builder, run);
  add_ignored (builder, run);
  add_int (builder, "events", (gint64) loom_run_get_n_events (run));
  add_int_if (builder, "start_ns", has_extent, extent.begin_ns);
  add_int_if (builder, "end_ns", has_extent, extent.end_ns);
  if (within != NULL)
    add_range (builder, within);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

char *
loom_info_print_json (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  return g_strconcat (loom_json_mend_reals (text), "\n", NULL);
}
