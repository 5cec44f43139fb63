/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli dump`: prints one line of JSON per event. Without --raw, prints the events of the
 * timeline, sorted by aligned time. With --raw, prints the events of each file in the order of the file.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-cli.h"
#include "loom-event-json-line.h"
#include "loom-output-file.h"
#include "loom-parse-time.h"
#include "loom-rank-label.h"
#include "loom-raw-events.h"
#include "loom-trace-event-writer.h"

/* Number of events printed between two checks of the cancellable. */
#define LOOK_EVERY 4096

typedef struct {
  LoomCliJob *job;
  LoomOutputFile *output;
  GString *line;
  gboolean raw, no_args;
  guint n_events;
  gboolean has_range;
  /* the next three members are used only while the raw events of one source are printed */
  const LoomSource *source;
  gint64 base_ns;
  LoomProgress *progress;
  GError *error; /* the reason why on_raw_event() stopped the dump; NULL if it was not stopped */
} Dump;

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void
append_phase (GString *line, char phase)
{
  const char text[2] = { phase, '\0' };
  loom_trace_event_writer_append_text (line, "ph", text);
}

/* Appends a line feed to dump->line and writes the line. Returns FALSE if the dump must stop. */
static gboolean
put_line (Dump *dump, GError **error)
{
  g_string_append_c (dump->line, '\n');
  loom_output_file_append (dump->output, dump->line->str, dump->line->len);
  g_string_truncate (dump->line, 0);
  if (++dump->n_events % LOOK_EVERY != 0)
    return TRUE;
  loom_progress_add_done (dump->progress, LOOK_EVERY);
  return !g_cancellable_set_error_if_cancelled (loom_progress_get_cancellable (dump->progress), error) &&
         loom_output_file_is_good (dump->output);
}

/* --- printing drawn events ---------------------------------------------------------------------------------------- */

static gboolean
is_printed (const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  return item->kind != LOOM_KWAY_MERGE_FLOW || (drawn->phase != '\0' && strchr ("stf", drawn->phase) != NULL);
}

static gboolean
put_drawn (Dump *dump, const LoomTrace *trace, const LoomMergeItem *item, const LoomExportEvent *drawn, GError **error)
{
  loom_event_json_line_append (dump->line, trace, item, drawn, dump->job->edits, !dump->no_args);
  return put_line (dump, error);
}

static gboolean
dump_drawn (Dump *dump, GError **error)
{
  LoomTimeline *timeline = dump->job->timeline;
  LoomMergeOptions options = { 0 };
  LoomMergeItem item;
  LoomExportEvent drawn;
  if (!loom_cli_job_get_range (dump->job, FALSE, &options.has_range, &options.range, error))
    return FALSE;
  dump->has_range = options.has_range;
  dump->progress = loom_cli_watch_begin (dump->job->watch, "Printing");
  loom_progress_add_total (dump->progress, loom_kway_merge_count (timeline));
  g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (timeline);
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (timeline, places, &options);
  g_autoptr (LoomExportEventReader) reader = loom_export_event_reader_new (timeline, FALSE);
  while (loom_kway_merge_next (sweep, &item)) {
    if (!loom_export_event_reader_read (reader, sweep, &item, &drawn, error))
      return FALSE;
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), item.trace);
    if (is_printed (&item, &drawn) && !put_drawn (dump, trace, &item, &drawn, error))
      return FALSE;
  }
  return TRUE;
}

/* --- printing raw events ------------------------------------------------------------------------------------------ */

static void
append_member_text (GString *line, const char *key, LoomJsonSlice value)
{
  g_autofree char *text = value.text != NULL ? loom_json_slice_dup_decoded (value) : g_strdup ("");
  loom_trace_event_writer_append_text (line, key, text);
}

static void
append_raw_times (Dump *dump, const LoomEvent *event)
{
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS], dur = event->member[LOOM_MEMBER_DUR];
  LoomJsonSlice stamp =
    ts.text == NULL ? loom_json_slice_member (event->text, "Timestamp") : (LoomJsonSlice) { NULL, 0 };
  LoomExactTime start, length;
  gboolean has_ts = ts.text != NULL ? loom_parse_time_parse_us (ts.text, ts.length, &start)
                                    : stamp.text != NULL && loom_parse_time_parse_s (stamp.text, stamp.length, &start);
  gboolean has_dur = has_ts && dur.text != NULL && loom_parse_time_parse_us (dur.text, dur.length, &length);
  if (has_ts)
    loom_trace_event_writer_append_int (dump->line, "ts_ns", loom_time_add (start.ns, dump->base_ns));
  if (has_dur)
    loom_trace_event_writer_append_int (dump->line, "dur_ns",
                                        loom_time_sub (loom_parse_time_add_exact (start, length).ns, start.ns));
}

static gboolean
put_raw (Dump *dump, const LoomEvent *event, GError **error)
{
  GString *line = dump->line;
  char phase = loom_event_phase (event);
  g_string_append_c (line, '{');
  append_raw_times (dump, event);
  if (phase != '\0')
    append_phase (line, phase);
  append_member_text (line, "name", event->member[LOOM_MEMBER_NAME]);
  append_member_text (line, "cat", event->member[LOOM_MEMBER_CAT]);
  append_member_text (line, "process", event->member[LOOM_MEMBER_PID]);
  append_member_text (line, "thread", event->member[LOOM_MEMBER_TID]);
  loom_trace_event_writer_append_worker (line, dump->source->rank,
                                         loom_rank_label_is_process (dump->source->format, dump->source->rank));
  loom_trace_event_writer_append_node (line, dump->source->node);
  if (!dump->no_args) {
    LoomJsonSlice args =
      /* if the event is a line of metrics, it has no members, so print the whole line as args */
      phase != '\0' ? event->member[LOOM_MEMBER_ARGS] : event->text;
    loom_trace_event_writer_append_key (line, "args");
    if (args.text != NULL)
      loom_trace_event_writer_append_value (line, args, FALSE);
    else
      g_string_append (line, "{}");
  }
  g_string_append_c (line, '}');
  return put_line (dump, error);
}

static gboolean
on_raw_event (const LoomEvent *event, gpointer user_data)
{
  Dump *dump = user_data;
  return put_raw (dump, event, &dump->error);
}

static gboolean
dump_raw (Dump *dump, GError **error)
{
  LoomRun *run = loom_timeline_get_run (dump->job->timeline);
  dump->progress = loom_cli_watch_begin (dump->job->watch, "Printing");
  loom_progress_add_total (dump->progress, loom_run_get_n_events (run));
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    dump->source = loom_run_get_source (run, i);
    dump->base_ns = dump->source->base_ns;
    if (!loom_raw_events_run (dump->source, dump->progress, on_raw_event, dump, error))
      return FALSE;
    if (dump->error != NULL) {
      g_propagate_error (error, dump->error);
      return FALSE;
    }
  }
  return TRUE;
}

/* Prints a message about the range of time that the user gave, in two cases: --raw was given, too, so that the range
 * was ignored; or no event overlaps the range. With --quiet, prints nothing. */
static void
tell_range (const Dump *dump)
{
  const LoomCliOptions *options = &dump->job->options;
  if (options->quiet)
    return;
  if (dump->raw && (options->has_start || options->has_end))
    loom_cli_message ("--raw prints whole files; the range was not used");
  if (!dump->has_range || dump->n_events > 0)
    return;
  loom_cli_watch_clear (dump->job->watch);
  loom_cli_message ("No event overlaps the range");
  loom_cli_job_tell_extent (dump->job);
}

/* --- running the verb “dump” -------------------------------------------------------------------------------------- */

static LoomExitStatus
run_dump (LoomCliJob *job, gpointer own)
{
  Dump *dump = own;
  GError *error = NULL;
  dump->job = job;
  dump->output = loom_output_file_new ("-", &error);
  if (dump->output == NULL)
    return loom_cli_job_fail (job, error);
  dump->line = g_string_sized_new (4096);
  gboolean good = dump->raw ? dump_raw (dump, &error) : dump_drawn (dump, &error);
  g_string_free (dump->line, TRUE);
  if (!good && error != NULL) {
    loom_output_file_abort (dump->output);
    return loom_cli_job_fail (job, error);
  }
  if (!loom_output_file_commit (dump->output, &error))
    return loom_cli_job_fail (job, error);
  tell_range (dump);
  if (dump->n_events == 0)
    loom_cli_job_tell_profiles (job);
  return loom_cli_job_finish (job);
}

LoomExitStatus
loom_cli_dump (int argc, char **argv)
{
  static const LoomCliVerb verb = { .summary = N_ ("Prints one line of JSON per event, in timeline order."),
                                    .run = run_dump };
  LoomCliJob job = { 0 };
  Dump own = { 0 };
  const GOptionEntry entries[] = {
    { "raw", 0, 0, G_OPTION_ARG_NONE, &own.raw,
      N_ ("Print the original events in file order, with times on each source’s own clock"), NULL },
    LOOM_CLI_RANK_ENTRIES (&job),
    { "no-args", 0, 0, G_OPTION_ARG_NONE, &own.no_args, N_ ("Omit the args of the events"), NULL },
    { NULL }
  };
  return loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
}
