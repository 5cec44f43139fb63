/* SPDX-License-Identifier: Apache-2.0 */
#include "dump-run.h"

#include <string.h>

static void
dump_names (GString *out, const LoomTrace *trace, const LoomTrack *track, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    const LoomName *name = loom_trace_get_name (trace, spans->name_id[i]);
    guint flags = loom_source_ref_flags (spans->ref[i]);
    g_string_append_printf (out, "      %" G_GINT64_FORMAT, spans->start_ns[i]);
    if (track->kind == LOOM_TRACK_INSTANTS)
      g_string_append_printf (out, " %c/%c", LOOM_INSTANT_PHASE (spans->dur_ns[i]),
                              LOOM_INSTANT_SCOPE (spans->dur_ns[i]));
    else
      g_string_append_printf (out, " +%" G_GINT64_FORMAT, spans->dur_ns[i]);
    g_string_append_printf (out, " %s%s%s%s", name->text, name->category[0] != '\0' ? " [" : "", name->category,
                            name->category[0] != '\0' ? "]" : "");
    if (name->cname[0] != '\0')
      g_string_append_printf (out, " colour %s", name->cname);
    g_string_append_printf (out, "%s%s%s\n", flags & LOOM_REF_OPEN ? " open" : "",
                            flags & LOOM_REF_SUSPECT ? " suspect" : "",
                            loom_trace_get_end_ref (trace, i) != LOOM_REF_NONE ? " end-args" : "");
  }
}

static void
dump_track (GString *out, const LoomTrace *trace, const LoomTrack *track)
{
  g_string_append_printf (out, "  %s %s/%s%s%s", loom_trace_track_kind_to_string (track->kind), track->process,
                          track->thread, track->name[0] != '\0' ? "/" : "", track->name);
  if (track->node != NULL)
    g_string_append_printf (out, " node %s", track->node);
  if (track->rank >= 0)
    g_string_append_printf (out, " rank %d", track->rank);
  g_string_append_printf (out, "%s%s%s\n", track->flags & LOOM_TRACK_DEVICE ? " device" : "",
                          track->flags & LOOM_TRACK_DERIVED ? " derived" : "",
                          track->flags & LOOM_TRACK_GLOBAL ? " global" : "");
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    g_string_append_printf (out, "    depth %u%s\n", row->depth, row->lane > 0 ? " (overlap)" : "");
    dump_names (out, trace, track, row);
  }
  for (guint32 i = 0; i < track->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (trace, track->first_series + i);
    g_string_append_printf (out, "    series %s %s\n", series->name, series->unit);
    for (guint32 k = 0; k < series->n; k++)
      g_string_append_printf (out, "      %" G_GINT64_FORMAT " %.17g\n", series->time_ns[k], series->value[k]);
  }
}

/* Prints the first stack frames of a table completely, and only the number of the others, because tables may be
 * long. */
static void
dump_frames (GString *out, const LoomStackFrames *stacks)
{
  guint32 n = stacks != NULL ? stacks->frames->len : 0;
  if (n > 0)
    g_string_append_printf (out, "  frames %u\n", n);
  for (guint32 i = 0; i < MIN (n, 20); i++) {
    LoomStackFrame frame = loom_stack_frames_get (stacks, i);
    g_string_append_printf (out, "    %s/%s %s (%s) from %s\n", frame.scope, frame.id, frame.name, frame.category,
                            frame.parent);
  }
}

static void
dump_facts (GString *out, const LoomSource *source)
{
  g_string_append_printf (
    out, "  counters %" G_GUINT64_FORMAT " flows %" G_GUINT64_FORMAT " node %s rank %d base %" G_GINT64_FORMAT "\n",
    source->n_counters, source->n_flows, source->node, source->rank, source->base_ns);
  for (guint i = 0; i + 1 < source->facts->len; i += 2)
    g_string_append_printf (out, "  fact %s = %s\n", (char *) source->facts->pdata[i],
                            (char *) source->facts->pdata[i + 1]);
  dump_frames (out, source->stacks);
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++)
    g_string_append_printf (out, "  said %s\n", loom_import_log_get_problem (source->log, i)->message);
}

static void
dump_source (GString *out, const LoomTrace *trace, const LoomSource *source, const char *folder)
{
  const LoomDeclaredClock *clock = loom_trace_get_clock (trace, source->clock);
  g_string_append_printf (out, "source %s\n  %s events %" G_GUINT64_FORMAT " clock %s (%s)%s\n",
                          source->path + strlen (folder) + 1, source->format, source->n_events,
                          loom_declared_clock_state_to_string (clock->state), clock->basis,
                          source->incomplete ? " incomplete" : "");
  if (clock->has_sync)
    g_string_append_printf (out, "  sync %" G_GINT64_FORMAT " ±%" G_GINT64_FORMAT " cycle %s\n", clock->sync_ns,
                            clock->sync_error_ns, clock->sync_cycle);
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    g_string_append_printf (out, "  %s %s ×%" G_GUINT64_FORMAT, loom_import_log_severity_to_string (problem->severity),
                            problem->code, problem->count);
    if (problem->offset != LOOM_OFFSET_NONE)
      g_string_append_printf (out, " at %" G_GUINT64_FORMAT, problem->offset);
    g_string_append_c (out, '\n');
  }
}

static void
dump_trace (GString *out, const LoomTrace *trace, const char *folder, gboolean everything)
{
  guint32 n_arrows;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n_arrows);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    dump_source (out, trace, loom_trace_get_source (trace, i), folder);
  for (guint i = 0; i < loom_trace_get_n_sources (trace) && everything; i++)
    dump_facts (out, loom_trace_get_source (trace, i));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    dump_track (out, trace, loom_trace_get_track (trace, i));
  for (guint32 i = 0; i < n_arrows; i++)
    g_string_append_printf (out, "  arrow %s → %s\n", loom_trace_get_name (trace, spans->name_id[arrows[i].from])->text,
                            loom_trace_get_name (trace, spans->name_id[arrows[i].to])->text);
}

/* Returns TRUE for files of a test case that are not its input: expected.txt, and "rows", which lists the documented
 * rows that the case tests. */
static gboolean
is_of_the_test (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  return g_str_equal (name, "expected.txt") || g_str_equal (name, "dump.txt") || g_str_equal (name, "rows");
}

char *
dump_run (LoomRun *run, const char *folder, gboolean everything)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    dump_trace (out, loom_run_get_trace (run, i), folder, everything);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    if (!is_of_the_test (ignored->path))
      g_string_append_printf (out, "ignored %s: %s%s\n", ignored->path + strlen (folder) + 1, ignored->reason,
                              ignored->failed ? " (failed)" : "");
  }
  return g_string_free (out, FALSE);
}

char *
dump_folder (const char *folder, guint64 piece_bytes, gboolean everything)
{
  const char *paths[] = { folder, NULL };
  LoomLoadOptions options = { .piece_bytes = piece_bytes };
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths (paths, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  /* removes the path of the folder from messages, so that they are the same on every machine */
  g_autofree char *text = dump_run (run, folder, everything);
  g_auto (GStrv) parts = g_strsplit (text, folder, -1);
  return g_strjoinv ("…", parts);
}
