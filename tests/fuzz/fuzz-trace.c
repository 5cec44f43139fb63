/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz-trace.h"

#include "loom-event.h"
#include "loom-export-event-reader.h"

#include <math.h>
#include <string.h>

#define SEPARATOR '\x1e'
#define MOST_MEMORY (G_GUINT64_CONSTANT (1) << 40)

guint
fuzz_put_parts (const guint8 *data, gsize size, const char *const *names)
{
  const guint8 *end = data + size;
  guint n = 0;
  fuzz_clear_folder ();
  for (gboolean more = TRUE; more && names[n] != NULL; n++) {
    const guint8 *mark = data < end && names[n + 1] != NULL ? memchr (data, SEPARATOR, (gsize) (end - data)) : NULL;
    g_free (fuzz_put (names[n], data, (gsize) ((mark != NULL ? mark : end) - data)));
    more = mark != NULL;
    data = mark != NULL ? mark + 1 : end;
  }
  return n;
}

LoomRun *
fuzz_load (guint64 piece_bytes)
{
  const char *paths[] = { fuzz_folder (), NULL };
  const LoomLoadOptions options = { .n_threads = 1, .memory_budget = MOST_MEMORY, .piece_bytes = piece_bytes };
  g_autoptr (GError) error = NULL;
  LoomRun *run = loom_load_paths (paths, &options, NULL, NULL, NULL, &error);
  fuzz_check (run != NULL, "%s", error->message);
  return run;
}

/* --- invariants --- */

static void
check_text (const char *text, const char *what)
{
  fuzz_check (text != NULL && g_utf8_validate (text, -1, NULL), "the %s is no UTF-8: %s", what,
              text != NULL ? text : "NULL");
}

/* Checks a reference to an event: its source exists, and its offset in the file is that of the first byte of the object
 * of the event. */
static void
check_ref (const LoomTrace *trace, LoomRef ref)
{
  char first = '\0';
  if (ref == LOOM_REF_NONE)
    return;
  fuzz_check (loom_source_ref_source (ref) < loom_trace_get_n_sources (trace), "source %u",
              loom_source_ref_source (ref));
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  if (source->text == NULL)
    return;
  g_autoptr (GError) error = NULL;
  gssize n = loom_byte_source_read (source->text, loom_source_ref_offset (ref), &first, 1, &error);
  fuzz_check (n == 1 && first == '{', "byte %" G_GUINT64_FORMAT " of %s is “%c”: %s", loom_source_ref_offset (ref),
              source->path, first, error != NULL ? error->message : "");
}

static void
check_row (const LoomTrace *trace, const LoomTrack *track, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  gboolean instants = track->kind == LOOM_TRACK_INSTANTS;
  fuzz_check (row->first <= spans->n && row->n <= spans->n - row->first, "row %u+%u of %u", row->first, row->n,
              spans->n);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    fuzz_check (spans->name_id[i] < loom_trace_get_n_names (trace), "name %u", spans->name_id[i]);
    fuzz_check (loom_trace_span_is_instant (trace, i) == instants, "span %u in a track of kind %d", i, track->kind);
    check_ref (trace, spans->ref[i]);
    check_ref (trace, loom_trace_get_end_ref (trace, i));
    gint64 end_ns = instants ? spans->start_ns[i] : loom_time_add (spans->start_ns[i], spans->dur_ns[i]);
    fuzz_check (instants || spans->dur_ns[i] >= 0, "duration %" G_GINT64_FORMAT, spans->dur_ns[i]);
    fuzz_check (i + 1 == row->first + row->n || end_ns <= spans->start_ns[i + 1],
                "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " overlaps %" G_GINT64_FORMAT, spans->start_ns[i], end_ns,
                spans->start_ns[i + 1]);
  }
}

static void
check_series (const LoomTrace *trace, const LoomSeries *series)
{
  check_text (series->name, "name of a series");
  check_text (series->unit, "unit");
  for (guint32 i = 0; i < series->n; i++) {
    fuzz_check (isfinite (series->value[i]) && series->value[i] >= series->min && series->value[i] <= series->max,
                "%g is not in %g … %g", series->value[i], series->min, series->max);
    fuzz_check (i == 0 || series->time_ns[i - 1] <= series->time_ns[i], "samples out of order");
    check_ref (trace, series->ref[i]);
  }
}

static guint64
check_track (const LoomTrace *trace, const LoomTrack *track)
{
  guint64 n = 0;
  check_text (track->process, "process");
  check_text (track->thread, "thread");
  check_text (track->name, "name of a track");
  check_text (track->category, "category");
  fuzz_check (track->process_key != NULL && track->thread_key != NULL && track->id != NULL,
              "no literal text"); /* these keys may contain any bytes, so they are not checked for UTF-8 */
  fuzz_check (track->source < loom_trace_get_n_sources (trace) && track->clock < loom_trace_get_n_clocks (trace),
              "source %u, clock %u", track->source, track->clock);
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    check_row (trace, track, row);
    n += row->n;
  }
  for (guint32 i = 0; i < track->n_series; i++)
    check_series (trace, loom_trace_get_series (trace, track->first_series + i));
  fuzz_check (track->kind == LOOM_TRACK_COUNTER || n == track->n_events,
              "%" G_GUINT64_FORMAT " events of %" G_GUINT64_FORMAT, n, track->n_events);
  return n;
}

static void
check_flows (const LoomTrace *trace)
{
  guint32 n_arrows, n_points, n = loom_trace_get_spans (trace)->n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n_arrows);
  const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n_points);
  for (guint32 i = 0; i < n_arrows; i++)
    fuzz_check (arrows[i].from < n && arrows[i].to < n && arrows[i].name_id < loom_trace_get_n_names (trace),
                "arrow %u", i);
  for (guint32 i = 0; i < n_points; i++) {
    fuzz_check (i == 0 || points[i - 1].time_ns <= points[i].time_ns, "flows out of order");
    fuzz_check (points[i].track == G_MAXUINT32 || points[i].track < loom_trace_get_n_tracks (trace), "track %u",
                points[i].track);
    check_ref (trace, points[i].ref);
  }
}

static void
check_source (const LoomSource *source)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    check_text (problem->message, "message");
    check_text (problem->code, "code");
    fuzz_check (problem->count > 0, "%s was counted and is none", problem->code);
  }
  for (guint i = 0; i < source->facts->len; i++)
    fuzz_check (source->facts->pdata[i] != NULL, "half a fact");
}

static void
check_trace (const LoomTrace *trace)
{
  guint64 n_drawn = 0, n_counted = 0;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const LoomSource *source = loom_trace_get_source (trace, i);
    check_source (source);
    n_counted += source->n_spans + source->n_instants;
  }
  for (guint32 i = 0; i < loom_trace_get_n_names (trace); i++) {
    check_text (loom_trace_get_name (trace, i)->text, "name");
    check_text (loom_trace_get_name (trace, i)->category, "category");
  }
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    n_drawn += check_track (trace, loom_trace_get_track (trace, i));
  fuzz_check (n_drawn == loom_trace_get_spans (trace)->n, "%" G_GUINT64_FORMAT " of %u spans are in rows", n_drawn,
              loom_trace_get_spans (trace)->n);
  fuzz_check (n_drawn == n_counted, "%" G_GUINT64_FORMAT " spans and instants, the sources say %" G_GUINT64_FORMAT,
              n_drawn, n_counted);
  check_flows (trace);
}

void
fuzz_check_run (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    check_trace (loom_run_get_trace (run, i));
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    check_text (loom_run_get_ignored (run, i)->reason, "reason");
}

/* --- drawn events --- */

char *
fuzz_list_drawn (LoomTimeline *timeline)
{
  const LoomMergeOptions options = { 0 };
  LoomMergeItem item;
  LoomExportEvent drawn;
  gint64 before_ns = G_MININT64;
  GString *out = g_string_new (NULL);
  g_autoptr (GString) args = g_string_new (NULL);
  g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (timeline);
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (timeline, places, &options);
  g_autoptr (LoomExportEventReader) reader = loom_export_event_reader_new (timeline, FALSE);
  while (loom_kway_merge_next (sweep, &item)) {
    g_autoptr (GError) error = NULL;
    gboolean good = loom_export_event_reader_read (reader, sweep, &item, &drawn, &error);
    fuzz_check (good, "%s", error != NULL ? error->message : "no reason");
    fuzz_check (item.start_ns >= before_ns, "out of order");
    before_ns = item.start_ns;
    g_string_truncate (args, 0);
    loom_export_event_reader_append_args (&drawn, args);
    fuzz_check (args->len == 0 || fuzz_is_json (args->str, args->len, 600), "args are %s", args->str);
    g_string_append_printf (out, "%d %c %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s [%s]\n", item.kind, drawn.phase,
                            item.start_ns, item.end_ns, drawn.name, drawn.category);
  }
  return g_string_free (out, FALSE);
}
