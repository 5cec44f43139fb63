/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports Perfetto traces in the protobuf format (protos/perfetto/trace/trace.proto). Their packets are converted to
 * Chrome trace events, which are read by the importer for Chrome traces. This source file sets the rank and the clock
 * of the imported source, and writes to its log.
 */
#include "loom-chrome-importer.h"
#include "loom-import-losses.h"
#include "loom-perfetto-events.h"
#include "loom-perfetto-ids.h"
#include "loom-perfetto-known.h"
#include "loom-proto-file.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Typical length of the generated text with events, as a multiple of the length of the file; used to estimate the
 * progress. */
#define TYPICAL_RATIO 3

typedef struct {
  LoomPerfettoTrace *trace; /* the trace that is imported; borrowed from `text`, which owns it */
  LoomByteSource *text;
  guint32 first_process, first_thread, first_series;
  const LoomStreamEnd *end; /* how reading the file ended */
} Export;

static void
free_trace (gpointer maker)
{
  loom_perfetto_trace_free (maker);
}

/* --- messages in the log of the source ---------------------------------------------------------------------------- */

static void
log_losses (const LoomPerfettoTrace *trace, LoomSource *source)
{
  static const struct {
    LoomSeverity severity;
    const char *code, *message;
  } table[LOOM_PERFETTO_N_LOSSES] = {
    [LOOM_PERFETTO_DAMAGED] = { LOOM_SEVERITY_ERROR, "damaged-packet", N_ ("A damaged packet was skipped") },
    [LOOM_PERFETTO_DAMAGED_ARGS] = { LOOM_SEVERITY_ERROR, "damaged-args",
                                     N_ ("The args of an event are damaged; the readable ones were kept") },
    [LOOM_PERFETTO_TOO_LARGE] = { LOOM_SEVERITY_ERROR, "packet-too-large",
                                  N_ ("A packet of more than 64 MiB was skipped") },
    [LOOM_PERFETTO_BAD_PACKED] = { LOOM_SEVERITY_ERROR, "damaged-packet-data",
                                   N_ ("Compressed packets are damaged; every complete packet before them was kept") },
    [LOOM_PERFETTO_LARGE_PACKED] = { LOOM_SEVERITY_ERROR, "packet-data-too-large",
                                     N_ (
                                       "Compressed packets were skipped, because they would take more than 64 MiB when decompressed, or far more than is usual for their compressed size") },
    [LOOM_PERFETTO_NESTED_PACKED] = { LOOM_SEVERITY_ERROR, "nested-packet-data",
                                      N_ ("Compressed packets inside compressed packets were skipped") },
    [LOOM_PERFETTO_FAR_ARGS] = { LOOM_SEVERITY_ERROR, "args-out-of-order",
                                 N_ (
                                   "Args at the end of a span were skipped, because reading them would take too long: the ends of the spans are in compressed packets in a different order from their beginnings") },
    [LOOM_PERFETTO_STATELESS] = { LOOM_SEVERITY_WARNING, "lost-state",
                                  N_ (
                                    "A packet was skipped, because it needs names or settings from packets that the recorder lost") },
    [LOOM_PERFETTO_BEHIND_DAMAGE] = { LOOM_SEVERITY_WARNING, "damaged-state",
                                      N_ (
                                        "A packet was skipped, because it needs names or settings that may have been in the damaged part before it") },
    [LOOM_PERFETTO_ACROSS_DAMAGE] = { LOOM_SEVERITY_WARNING, "across-damage",
                                      N_ (
                                        "A span began before a damaged part and ended after it; its end may belong to another span") },
    [LOOM_PERFETTO_TIMELESS] = { LOOM_SEVERITY_WARNING, "no-time", N_ ("An event without a time was skipped") },
    [LOOM_PERFETTO_BAD_TIME] = { LOOM_SEVERITY_WARNING, "bad-time",
                                 N_ ("An event whose time is out of range was skipped") },
    [LOOM_PERFETTO_UNRELATED] = { LOOM_SEVERITY_WARNING, "unrelated-clock",
                                  N_ (
                                    "An event was skipped, because no snapshot in the file relates its clock to that of the other events") },
    [LOOM_PERFETTO_BACKWARDS] = { LOOM_SEVERITY_WARNING, "reversed-span",
                                  N_ ("An event that ends before it starts is shown without a duration") },
    [LOOM_PERFETTO_NO_BEGIN] = { LOOM_SEVERITY_INFO, "no-begin",
                                 N_ ("The end of a span that never began was skipped") },
    [LOOM_PERFETTO_NO_STATE_TRACK] = { LOOM_SEVERITY_WARNING, "no-state-track",
                                       N_ (
                                         "A state was skipped, because its track is not declared as a track of states") },
    [LOOM_PERFETTO_UNKNOWN_TYPE] = { LOOM_SEVERITY_WARNING, "unknown-type",
                                     N_ ("An event of an unknown type was skipped") },
    [LOOM_PERFETTO_UNNAMED] = { LOOM_SEVERITY_WARNING, "no-name",
                                N_ (
                                  "A packet refers to a string that is not in the file; the number of the string is shown instead") },
    [LOOM_PERFETTO_NO_VALUE] = { LOOM_SEVERITY_WARNING, "no-value", N_ ("A sample without a value was skipped") },
    [LOOM_PERFETTO_FIRST_SAMPLE] = { LOOM_SEVERITY_INFO, "first-sample",
                                     N_ (
                                       "The first sample of a GPU counter is not shown, because it covers time before the trace") },
    [LOOM_PERFETTO_TOO_MANY_TRACKS] = { LOOM_SEVERITY_ERROR, "too-many-tracks",
                                        N_ ("An event was skipped, because there are too many tracks") },
    [LOOM_PERFETTO_DEEP] = { LOOM_SEVERITY_WARNING, "deep-args",
                             N_ ("An arg is nested more than 64 levels deep; deeper levels are not shown") },
  };
  for (guint i = 0; i < LOOM_PERFETTO_N_LOSSES; i++)
    if (trace->losses[i] > 0)
      loom_import_log_add_n (source->log, table[i].severity, table[i].code, trace->first_loss[i], trace->losses[i],
                             table[i].message);
  for (guint i = 0; i < LOOM_PERFETTO_N_LOSSES; i++)
    source->incomplete |= trace->losses[i] > 0 && table[i].severity == LOOM_SEVERITY_ERROR;
}

/* Returns a description of packets with this content, which is written to the log. NULL: the log need not mention them,
 * because a timeline could not show this content anyway. `field`: number of the field with the content. */
static const char *
describe_packets (guint field)
{
  static const struct {
    guint field;
    const char *what;
  } table[] = {
    { 1, N_ ("kernel events (ftrace)") },   { 7, N_ ("statistics of the system") },
    { 9, N_ ("statistics of processes") },  { 37, N_ ("samples of the heap") },
    { 54, N_ ("call stack samples") },      { 66, N_ ("call stack samples") },
    { 135, N_ ("call stack samples") },     { 40, N_ ("properties of the system") },
    { 95, N_ ("events of Windows (ETW)") },
  };
  /* field numbers of packet contents that the log need not mention: configuration and marks of the recorder, and
   * names */
  static const guint8 silent[] = { 33, 36, 61, 87, 89, 90 };
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].field == field)
      return table[i].what;
  return memchr (silent, (gint) field, sizeof silent) != NULL ? NULL : N_ ("other data");
}

static void
log_unshown (const LoomPerfettoTrace *trace, LoomSource *source)
{
  for (guint i = 0; i < G_N_ELEMENTS (trace->n_unshown); i++) {
    const char *what = trace->n_unshown[i] > 0 ? describe_packets (i) : NULL;
    g_autofree char *code = g_strdup_printf ("not-shown-%u", i);
    if (what != NULL)
      loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, code, LOOM_OFFSET_NONE,
                              "Not shown: %s (field %u; packets: %" PRIu64 ")", _ (what), i, trace->n_unshown[i]);
  }
}

static void
log_recorder (const LoomPerfettoTrace *trace, LoomSource *source)
{
  if (trace->n_dropping_sequences > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "recorder-dropped", LOOM_OFFSET_NONE,
                            "The recorder dropped data of %" PRIu64 " writers", trace->n_dropping_sequences);
  if (trace->n_lost_packets > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "recorder-lost", LOOM_OFFSET_NONE,
                            "The recorder lost %" PRIu64 " packets", trace->n_lost_packets);
  if (trace->n_overwritten_bytes > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "recorder-overwrote", LOOM_OFFSET_NONE,
                            "The recorder overwrote %" PRIu64 " bytes: the beginning is missing",
                            trace->n_overwritten_bytes);
}

/* Maximum number of damaged parts that the log lists; further ones are only counted. */
#define MOST_LISTED_GAPS 8u
#define MOST_DEVICES_BYTES (1024u * 1024)

static void
log_gaps (const LoomPerfettoTrace *trace, LoomSource *source)
{
  for (guint i = 0; i < MIN (trace->gaps->len, MOST_LISTED_GAPS); i++) {
    const LoomPerfettoGap *gap = &g_array_index (trace->gaps, LoomPerfettoGap, i);
    guint64 begin = loom_perfetto_packets_find_offset (trace->packets, gap->begin),
            end = loom_perfetto_packets_find_offset (trace->packets, gap->end);
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "damaged-part", begin,
                            "The file is damaged from byte %" PRIu64 " to byte %" PRIu64
                            "; every complete packet before and after these bytes was kept",
                            begin, end);
  }
  if (trace->gaps->len > MOST_LISTED_GAPS)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "damaged-parts", LOOM_OFFSET_NONE,
                            "Number of further damaged parts in the file: %u", trace->gaps->len - MOST_LISTED_GAPS);
  source->incomplete |= trace->gaps->len > 0;
}

/* Adds the models of the devices to the facts of the source, because analyses read them there. */
static void
take_devices (const LoomPerfettoTrace *trace, LoomSource *source)
{
  const char *head = trace->tracks->is_merged ? trace->tracks->head : NULL;
  LoomJsonSlice devices = { NULL, 0 };
  if (head != NULL)
    devices = loom_json_slice_member ((LoomJsonSlice) { head, strlen (head) }, "deviceProperties");
  if (devices.text == NULL || devices.length > MOST_DEVICES_BYTES)
    return;
  g_autofree char *text = g_strndup (devices.text, devices.length);
  loom_source_add_fact (source, "deviceProperties", text);
}

/* Maximum length in bytes of a code of a log entry. Codes are interned, so that their memory is never freed. */
#define MOST_CODE_BYTES 40

static void
log_left_out (const LoomPerfettoTracks *tracks, LoomSource *source)
{
  for (guint i = 0; i < tracks->left_out->len; i++) {
    const char *code = tracks->left_out->pdata[i];
    if (loom_import_losses_is_left_out (code) && strlen (code) <= MOST_CODE_BYTES)
      loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, g_intern_string (code), LOOM_OFFSET_NONE,
                           N_ ("Some of the input was skipped when this file was merged, and is missing in it"));
  }
}

static void
log_trace (const LoomImporter *import, const LoomPerfettoTrace *trace, LoomSource *source)
{
  log_losses (trace, source);
  log_unshown (trace, source);
  log_recorder (trace, source);
  if (trace->tracks->n_renamed > 0)
    loom_import_log_add_n (source->log, LOOM_SEVERITY_INFO, "renamed", LOOM_OFFSET_NONE, trace->tracks->n_renamed,
                           N_ ("A track was renamed; the last name is shown"));
  if (trace->drift_ns != 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "clock-drift", LOOM_OFFSET_NONE,
                            "UTC and the clock of the events drift apart by %" PRId64 " ns within the trace",
                            trace->drift_ns);
  log_gaps (trace, source);
  source->is_merged = trace->tracks->is_merged;
  take_devices (trace, source);
  log_left_out (trace->tracks, source);
  if (trace->tracks->is_incomplete) {
    loom_import_log_add (source->log, LOOM_SEVERITY_ERROR, "merged-loss", LOOM_OFFSET_NONE,
                         "Some of the input could not be read when this file was merged, and is missing in it");
    source->incomplete = TRUE;
  }
  if (trace->damage != G_MAXUINT64) {
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "truncated", trace->damage,
                            "The file is damaged or truncated at byte %" PRIu64 " of %" PRIu64
                            "; every complete packet before this byte was kept",
                            trace->damage, trace->n_bytes);
    source->incomplete = TRUE;
  }
  if (trace->full_at != G_MAXUINT64)
    loom_importer_log_full (import, source, trace->full_at);
}

/* --- rank, devices and clock -------------------------------------------------------------------------------------- */

/* Returns the number after "rank" in a label such as "rank 3" or "global_rank=3"; −1 if there is none. */
static gint
find_rank (const char *label)
{
  const char *at = strstr (label, "rank");
  if (at == NULL || strchr (" =:_-", at[4]) == NULL || at[4] == '\0' || !g_ascii_isdigit (at[5]))
    return -1;
  gint64 rank = g_ascii_strtoll (at + 5, NULL, 10);
  return rank < G_MAXINT ? (gint) rank : -1;
}

/* Returns the rank that the labels of the processes state; −1 if they do not state any, or state different ranks. */
static gint
find_labelled_rank (const LoomPerfettoTrace *trace)
{
  gint rank = -1;
  for (guint i = 0; i < trace->tracks->processes->len && !trace->tracks->is_merged; i++) {
    const LoomPerfettoProcess *process = &g_array_index (trace->tracks->processes, LoomPerfettoProcess, i);
    gint own = process->names != NULL ? find_rank (process->names->str) : -1;
    own = own >= 0 ? own : find_rank (process->name);
    if (own >= 0 && rank >= 0 && own != rank)
      return -1;
    rank = own >= 0 ? own : rank;
  }
  return rank;
}

static void
set_clock (LoomChromeImporter *chrome, const LoomPerfettoTrace *trace)
{
  if (trace->is_utc && trace->is_by_snapshots)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("clock snapshots"), 0);
  else if (trace->is_utc || (trace->is_epoch && !trace->is_by_snapshots && trace->is_pytorch))
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("nanoseconds since 1970"), 0);
  else if (trace->is_epoch && !trace->is_by_snapshots)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_DERIVED, N_ ("times look like nanoseconds since 1970"), 0);
}

static void
mark_devices (const Export *export, LoomTraceBuilder *builder)
{
  for (guint32 i = export->first_process; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *key = loom_trace_builder_process_get_key (builder, i);
    g_autofree char *name = key[0] == '"' ? g_strndup (key + 1, strlen (key) - 2) : NULL;
    if (name != NULL)
      loom_trace_builder_process_set_label (builder, i, name);
    if (name != NULL && g_str_has_prefix (name, "GPU "))
      loom_trace_builder_process_add_flags (builder, i, LOOM_TRACK_DEVICE);
  }
  for (guint32 i = export->first_thread; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    if (process >= export->first_process &&
        g_str_has_prefix (loom_trace_builder_process_get_key (builder, process), "\"GPU "))
      loom_trace_builder_thread_add_flags (builder, i, LOOM_TRACK_DEVICE);
  }
}

/* Sets the node and the rank of each process of a merged file to those that the labels of the process state. */
static void
place_processes (const Export *export, LoomTraceBuilder *builder)
{
  const LoomPerfettoTracks *tracks = export->trace->tracks;
  for (guint32 i = export->first_process; i < loom_trace_builder_get_n_processes (builder) && tracks->is_merged; i++) {
    gint64 pid = g_ascii_strtoll (loom_trace_builder_process_get_key (builder, i), NULL, 10);
    guint known = GPOINTER_TO_UINT (loom_perfetto_ids_find (tracks->by_pid, (guint64) pid, 0, 0));
    if (known == 0)
      continue;
    const LoomPerfettoProcess *process = &g_array_index (tracks->processes, LoomPerfettoProcess, known - 1);
    loom_trace_builder_process_set_place (builder, i, process->node, process->rank);
    loom_trace_builder_process_set_recorder (builder, i, process->path, process->format);
    loom_trace_builder_process_add_flags (builder, i,
                                          process->flags | (process->is_process_id ? LOOM_TRACK_PROCESS_ID : 0));
  }
}

/* Sets the flags of threads from the descriptors of their tracks. */
static void
flag_threads (const Export *export, LoomTraceBuilder *builder)
{
  g_autoptr (GHashTable) flags = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint32 i = 0; i < export->trace->tracks->tracks->len; i++) {
    const LoomPerfettoTrack *track = loom_perfetto_tracks_get (export->trace->tracks, i);
    if (track->has_thread && track->flags != 0)
      g_hash_table_insert (flags, g_strdup_printf ("%" PRId64 "/%" PRId64, track->pid, track->tid),
                           GUINT_TO_POINTER (track->flags));
  }
  for (guint32 i = export->first_thread; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    g_autofree char *key = g_strdup_printf ("%s/%s", loom_trace_builder_process_get_key (builder, process),
                                            loom_trace_builder_thread_get_key (builder, i));
    guint own = GPOINTER_TO_UINT (g_hash_table_lookup (flags, key));
    if (own != 0)
      loom_trace_builder_thread_add_flags (builder, i, own);
  }
}

/* Returns a text that identifies a counter series by the names of the counter and of the series. If `series` is NULL,
 * uses "value", the name that the importer of Chrome traces gives to the only series of a counter. Owned by the
 * caller. */
static char *
dup_series_key (const char *counter, const char *series)
{
  return g_strdup_printf ("%s\n%s", counter, series != NULL ? series : "value");
}

/* Sets the units of counter series. A series is found by the name of its counter and its own name. If several series
 * with equal names have different units, which is rare, all of them get the last unit. */
static void
set_units (const Export *export, LoomTraceBuilder *builder)
{
  g_autoptr (GHashTable) units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint32 i = 0; i < export->trace->tracks->tracks->len; i++) {
    const LoomPerfettoTrack *track = loom_perfetto_tracks_get (export->trace->tracks, i);
    if (track->unit != NULL && track->label != NULL)
      g_hash_table_insert (units, dup_series_key (track->label, track->series), track->unit);
  }
  for (guint32 i = export->first_series; i < loom_trace_builder_get_n_series (builder); i++) {
    guint32 counter = loom_trace_builder_series_get_counter (builder, i);
    g_autofree char *key = dup_series_key (loom_trace_builder_counter_get_name (builder, counter),
                                           loom_trace_builder_series_get_name (builder, i));
    const char *unit = g_hash_table_lookup (units, key);
    if (unit != NULL)
      loom_trace_builder_series_set_unit (builder, i, unit);
  }
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Export *export = chrome->data;
  loom_made_text_wait (export->text);
  gint rank = find_labelled_rank (export->trace);
  if (rank >= 0)
    chrome->info->rank = rank;
  set_clock (chrome, export->trace);
  loom_trace_builder_source_extend_open (chrome->builder, chrome->source, LOOM_TIME_NONE);
  chrome->info->flows_follow_spans = TRUE;
  mark_devices (export, chrome->builder);
  place_processes (export, chrome->builder);
  flag_threads (export, chrome->builder);
  set_units (export, chrome->builder);
  log_trace (chrome->import, export->trace, chrome->info);
  loom_importer_note_end (chrome->info, export->end);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  const Export *export = chrome->data;
  guint64 offset = loom_perfetto_known_scan (export->trace, export->text, chrome, scanner);
  return chrome->full || loom_stream_reader_scan (reader, scanner, offset, error);
}

static gboolean
has_marks (const LoomPerfettoTrace *trace)
{
  return trace->tracks->is_merged && loom_perfetto_texts_has_mark (trace->texts);
}

static gboolean
read_text (LoomImporter *import, const LoomFoundFile *file, LoomByteSource *text, LoomPerfettoTrace *trace,
           const LoomStreamEnd *end, GError **error)
{
  static const LoomChromeImporterHooks marked = { .adjust = loom_chrome_importer_adjust_marked };
  LoomFoundFile view = *file;
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  view.origin = origin;
  Export export = { trace,
                    text,
                    loom_trace_builder_get_n_processes (import->builder),
                    loom_trace_builder_get_n_threads (import->builder),
                    loom_trace_builder_get_n_series (import->builder),
                    end };
  LoomChromeImporterJob job = { .format = "perfetto",
                                .data = &export,
                                .clock = G_MAXUINT,
                                .keeps_places = trace->tracks->is_merged,
                                /* `hooks` are functions that the importer calls for single events. They are set only
                                 * for files with marks (LOOM_PERFETTO_TEXTS_MARK), because the shortcut for repeated
                                 * spans does not work with hooks. */
                                .hooks = has_marks (trace) ? &marked : NULL,
                                .scan = scan,
                                .finish = finish };
  return loom_chrome_importer_read (import, &view, &job, error);
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  static const LoomMadeTextClass klass = { loom_perfetto_events_make, free_trace };
  GError *failure = NULL;
  guint64 n_bytes;
  LoomStreamEnd end;
  g_autoptr (LoomByteSource) bytes =
    loom_proto_file_open (file->path, file->origin, import->progress, &n_bytes, &end, &failure);
  if (bytes == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  loom_progress_add_total (import->progress, (TYPICAL_RATIO - 1) * file->n_bytes);
  LoomPerfettoTrace *trace =
    loom_perfetto_trace_new (loom_byte_source_ref (bytes), n_bytes, import->progress, import->budget);
  if (trace == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return FALSE;
  }
  g_autoptr (LoomByteSource) text = loom_made_text_new (&klass, trace, 0, NULL, NULL);
  return read_text (import, file, text, trace, &end, error);
}

gboolean
loom_importer_perfetto (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
