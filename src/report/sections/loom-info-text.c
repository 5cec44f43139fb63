/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints what a timeline contains (loom-run-info.h) as text: sources with their clocks and problems, and tracks.
 */
#include "loom-run-info.h"

#include "loom-archive-path.h"
#include "loom-import-losses.h"
#include "loom-track-name.h"
#include "loom-track-rank.h"

#include <math.h>
#include <string.h>

/* Formats a number with commas, as in "1,234,567". Does not depend on the locale. */
static char *
format_count (guint64 n)
{
  g_autofree char *plain = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  gsize length = strlen (plain);
  GString *grouped = g_string_new (NULL);
  for (gsize i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      g_string_append_c (grouped, ',');
    g_string_append_c (grouped, plain[i]);
  }
  return g_string_free (grouped, FALSE);
}

static void
append_counted (GString *out, guint64 n, const char *one, const char *many)
{
  g_autofree char *count = format_count (n);
  g_string_append_printf (out, "%s %s", count, n == 1 ? one : many);
}

guint64
loom_run_info_count_derived (LoomRun *run)
{
  guint64 n = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    for (guint i = 0; i < loom_trace_get_n_tracks (loom_run_get_trace (run, t)); i++) {
      const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (run, t), i);
      gboolean spans = track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC;
      n += spans && (track->flags & LOOM_TRACK_DERIVED) != 0 ? track->n_events : 0;
    }
  return n;
}

char *
loom_run_info_summarise (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  GString *out = g_string_new (NULL);
  LoomRange extent;
  append_counted (out, loom_run_get_n_sources (run), "source", "sources");
  g_string_append (out, ", ");
  append_counted (out, loom_run_get_n_events (run), "event", "events");
  g_string_append (out, ", ");
  append_counted (out, loom_run_count_spans (run), "span", "spans");
  guint64 n_derived = loom_run_info_count_derived (run);
  if (n_derived > 0) {
    g_string_append (out, " (");
    append_counted (out, n_derived, "more sums up others)", "more sum up others)");
  }
  if (loom_timeline_get_extent (timeline, &extent)) {
    g_autofree char *length = loom_time_format_duration (loom_time_sub (extent.end_ns, extent.begin_ns));
    g_string_append_printf (out, ", %s", length);
    if (loom_timeline_is_anchored (timeline)) {
      g_autofree char *date = loom_time_format_date (extent.begin_ns);
      g_string_append_printf (out, " from %s", date);
    }
  }
  return g_string_free (out, FALSE);
}

char *
loom_run_info_describe_profile (const LoomSource *source)
{
  if (source->profile == NULL || source->n_events > 0)
    return NULL;
  GString *out = g_string_new ("a profile without times: ");
  g_autofree char *total = loom_time_format_duration (source->profile->total_ns);
  append_counted (out, source->profile->functions->len, "function", "functions");
  g_string_append_printf (out, ", %s; open it in the window", total);
  return g_string_free (out, FALSE);
}

/* Appends `before`, `text` and `behind`. Replaces control characters in `text`, which comes from a file: they could
 * change the state of the terminal. */
static void
append_printable (GString *out, const char *before, const char *text, const char *behind)
{
  g_autofree char *shown = loom_archive_path_dup_printable (text);
  g_string_append_printf (out, "%s%s%s", before, shown, behind);
}

static void
append_place (GString *out, const char *node, gint rank, gboolean is_process)
{
  if (node != NULL && node[0] != '\0')
    append_printable (out, ", node ", node, "");
  if (rank >= 0)
    g_string_append_printf (out, ", %s %d", is_process ? "process" : "rank", rank);
}

/* Appends the half-width of the 95 % confidence interval of a clock's offset. Appends nothing if no fitted line
 * converts the times of the clock. */
static void
append_offset_error (GString *out, const LoomClockFit *fit)
{
  if (!fit->fitted || fit->line_error_ns < 0)
    return;
  g_autofree char *error =
    loom_time_format_duration (fit->line_error_ns < 9e18 ? llround (fit->line_error_ns) : G_MAXINT64);
  g_string_append_printf (out, " ± %s", error);
}

static void
append_drift (GString *out, const LoomClockFit *fit, const char *format)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (fit->map.drift_ppt == 0)
    return;
  g_string_append_printf (out, ", drift %s ppb",
                          g_ascii_formatd (digits, sizeof digits, format, (double) fit->map.drift_ppt / 1000.0));
  if (fit->fitted && fit->line_drift_error_ppb >= 0)
    g_string_append_printf (out, " ± %s ppb",
                            g_ascii_formatd (digits, sizeof digits, "%.3g", fit->line_drift_error_ppb));
}

/* Appends the text `what`, followed by the time by which the alignment moves the times of a clock, and "earlier" or
 * "later". */
static void
append_move (GString *out, const char *what, gint64 offset_ns, gboolean exact)
{
  gint64 distance_ns = ABS (offset_ns);
  g_autofree char *distance = exact ? loom_time_format_exact (distance_ns) : loom_time_format_duration (distance_ns);
  g_string_append_printf (out, "%s %s %s", what, distance, offset_ns < 0 ? "earlier" : "later");
}

void
loom_run_info_append_clock (GString *out, const LoomClockFit *fit, gboolean exact)
{
  g_string_append (out, loom_declared_clock_state_to_string (fit->state));
  if (fit->basis != NULL && fit->basis[0] != '\0')
    append_printable (out, " (", fit->basis, ")");
  if (fit->placed)
    g_string_append (out, ", not aligned");
  if (fit->map.offset_ns != 0 && !fit->placed) {
    append_move (out, ", moved", fit->map.offset_ns, exact);
    append_offset_error (out, fit);
  }
  if (fit->user_offset_ns != 0)
    append_move (out, ", user's offset", fit->user_offset_ns, exact);
  append_drift (out, fit, exact ? "%.1f" : "%.3f");
}

static void
append_clock (GString *out, const LoomClockFit *fit)
{
  g_string_append (out, "    clock   ");
  loom_run_info_append_clock (out, fit, FALSE);
  if (fit->error_ns >= 0) {
    g_autofree char *bound = loom_time_format_duration (fit->error_ns);
    g_string_append_printf (out, ", within %s", bound);
  }
  g_string_append_c (out, '\n');
}

static void
append_problems (GString *out, const LoomImportLog *log, gboolean packed)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (log, i);
    g_string_append_printf (out, "    %-7s ", loom_import_log_severity_to_string (problem->severity));
    append_printable (out, "", problem->message, "");
    if (problem->count > 1)
      g_string_append_printf (out, " (%" G_GUINT64_FORMAT " times)", problem->count);
    if (problem->offset != LOOM_OFFSET_NONE)
      g_string_append_printf (out, ", byte %" G_GUINT64_FORMAT "%s", problem->offset,
                              packed ? " of the decompressed text" : "");
    g_string_append_c (out, '\n');
  }
}

static void
append_source (GString *out, LoomTimeline *timeline, const LoomSourceOverrides *names, guint number)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  g_autofree char *path = loom_archive_path_dup_shown (source->path);
  g_autofree char *bytes = g_format_size (source->n_bytes);
  const char *name = loom_source_overrides_get_name (names, source->path);
  g_string_append_printf (out, "%3u %s\n    ", number, path);
  if (name != NULL)
    append_printable (out, "“", name, "”, ");
  g_string_append (out, source->format);
  append_place (out, source->node, source->rank, loom_rank_label_is_process (source->format, source->rank));
  g_string_append_printf (out, ", %s, ", bytes);
  append_counted (out, source->n_events, "event", "events");
  guint64 n_left_out = loom_import_losses_count_left_out (source);
  if (n_left_out > 0) {
    g_autofree char *count = format_count (n_left_out);
    g_string_append_printf (out, ", %s of them skipped", count);
  }
  if (source->start_ns != LOOM_TIME_NONE) {
    g_autofree char *length = loom_time_format_duration (loom_time_sub (source->end_ns, source->start_ns));
    g_string_append_printf (out, ", %s", length);
  }
  g_string_append_c (out, '\n');
  g_autofree char *profile = loom_run_info_describe_profile (source);
  if (profile != NULL)
    g_string_append_printf (out, "    %s\n", profile);
  append_clock (
    out, loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, number)));
  append_problems (out, source->log, source->packed);
}

static void
append_track (GString *out, const LoomTrace *trace, const LoomTrack *track)
{
  g_autofree char *events = format_count (track->n_events), *thread = loom_track_name_dup_thread (track);
  guint depth = loom_run_info_track_depth (trace, track);
  g_string_append_printf (out, "  %-8s %12s", loom_trace_track_kind_to_string (track->kind), events);
  append_printable (out, "  ", track->process, "");
  if (thread[0] != '\0')
    append_printable (out, " · ", thread, "");
  if (track->name[0] != '\0')
    append_printable (out, " · ", track->name, "");
  append_place (out, track->node, track->rank, loom_track_rank_is_process (track, track->format));
  if (depth > 1)
    g_string_append_printf (out, ", %u deep", depth);
  g_string_append_c (out, '\n');
}

static void
append_ignored (GString *out, LoomRun *run)
{
  guint n = loom_run_get_n_ignored (run);
  if (n > 0)
    g_string_append (out, "\nNot loaded\n");
  for (guint i = 0; i < n; i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    g_autofree char *path = loom_archive_path_dup_shown (ignored->path);
    g_string_append_printf (out, "  %s", path);
    append_printable (out, ": ", ignored->reason, "\n");
  }
}

static void
append_range (GString *out, const LoomRunInfoRange *within)
{
  g_autofree char *length = loom_time_format_duration (loom_time_sub (within->range.end_ns, within->range.begin_ns));
  g_string_append_printf (out, "\nIn the range of %s: ", length);
  append_counted (out, within->n_spans, "span", "spans");
  g_string_append (out, ", ");
  append_counted (out, within->n_instants, "instant", "instants");
  g_string_append (out, ", ");
  append_counted (out, within->n_counters, "counter event", "counter events");
  g_string_append (out, ", ");
  append_counted (out, within->n_flows, "flow point", "flow points");
}

char *
loom_run_info_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names, const LoomRunInfoRange *within)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const char *const *notices = loom_alignment_get_notices (loom_timeline_get_alignment (timeline));
  g_autofree char *summary = loom_run_info_summarise (timeline);
  GString *out = g_string_new (summary);
  if (within != NULL)
    append_range (out, within);
  g_string_append (out, "\n\nSources\n");
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    append_source (out, timeline, names, i);
  for (guint i = 0; notices != NULL && notices[i] != NULL; i++)
    append_printable (out, i == 0 ? "\nClocks\n  " : "  ", notices[i], "\n");
  g_string_append (out, "\nTracks\n");
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      append_track (out, trace, loom_trace_get_track (trace, i));
  }
  append_ignored (out, run);
  return g_string_free (out, FALSE);
}
