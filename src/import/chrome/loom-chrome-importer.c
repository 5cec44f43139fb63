/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Chrome trace events (Google's “Trace Event Format”, with the leniency of Perfetto and Catapult) into a
 * LoomTraceBuilder. The interface is described in loom-chrome-importer.h.
 */
#include "loom-chrome-importer.h"

#include "loom-chrome-counters.h"
#include "loom-chrome-event.h"
#include "loom-chrome-parallel.h"
#include "loom-chrome-samples.h"
#include "loom-chrome-track-cache.h"
#include "loom-name-cache.h"
#include "loom-sniff.h"
#include "loom-step-processes.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

G_STATIC_ASSERT (LOOM_LIMIT_DEPTH == 512); /* translated messages in this program state this limit as the number 512;
                                            * change them together with the limit */

#define MAX_FACT_BYTES 4096
/* Maximum length of the facts "distributedInfo", which lists all process groups with their ranks, and
 * "deviceProperties", which lists all devices of the machine. */
#define MAX_LONG_FACT_BYTES (256 * 1024)
#define MAX_FACTS 200

const char *
loom_chrome_importer_text (LoomChromeImporter *chrome, LoomJsonSlice slice)
{
  g_string_truncate (chrome->scratch, 0);
  chrome->has_long |= loom_json_slice_decode_cut (slice, LOOM_LIMIT_NAME_BYTES, chrome->scratch);
  return chrome->scratch->str;
}

void
loom_chrome_importer_set_clock (LoomChromeImporter *chrome, LoomClockState state, const char *basis, gint64 base_ns)
{
  LoomDeclaredClock *clock = loom_trace_builder_get_clock (chrome->builder, chrome->info->clock);
  clock->state = state;
  clock->base_ns = base_ns;
  chrome->info->base_ns = base_ns;
  g_free (clock->basis);
  clock->basis = g_strdup (basis);
}

void
loom_chrome_importer_note_far_date (LoomChromeImporter *chrome, const char *where)
{
  loom_import_log_printf (chrome->info->log, LOOM_SEVERITY_WARNING, "date-out-of-range", LOOM_OFFSET_NONE,
                          "A date outside the years 1677 to 2262 was not used: %s", _ (where));
}

/* For a file that does not state its clock: if more than half of its ts are plausible dates, sets the clock to count
 * from 1970. A ts is plausible if it is from 10^15 to 4·10^15 µs, that is, from 2001 to 2096. */
static void
guess_epoch (LoomChromeImporter *chrome)
{
  if (chrome->n_timed > 0 && loom_chrome_importer_is_absolute (chrome))
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_DERIVED, N_ ("times look like microseconds since 1970"), 0);
}

void
loom_chrome_parallel_reserve (LoomChromeImporter *chrome)
{
  guint64 n_events = loom_trace_builder_get_n_events (chrome->builder), n_flows = chrome->info->n_flows;
  loom_importer_reserve (chrome->import, (gint64) (n_events - chrome->n_reserved),
                         (gint64) (n_flows - chrome->n_reserved_flows));
  chrome->n_reserved = n_events;
  chrome->n_reserved_flows = n_flows;
}

/* Returns TRUE if the memory budget allows no more events. */
static gboolean
is_full (LoomChromeImporter *chrome, guint64 offset)
{
  loom_chrome_parallel_reserve (chrome);
  chrome->look_offset = offset + LOOM_IMPORTER_LOOK_BYTES;
  if (!loom_memory_budget_check (chrome->import->budget))
    return FALSE;
  loom_importer_log_full (chrome->import, chrome->info, offset);
  return chrome->full = TRUE;
}

void
loom_chrome_event_log_long (LoomChromeImporter *chrome, guint64 offset)
{
  chrome->has_long = FALSE;
  loom_import_log_add (chrome->info->log, LOOM_SEVERITY_INFO, "long-name", offset,
                       "A name is longer than 64 KiB; it is cut on screen, but complete in the details");
}

gboolean
loom_chrome_parallel_begin_event (LoomChromeImporter *chrome, guint64 offset)
{
  if ((chrome->n_seen++ % LOOM_IMPORTER_LOOK_EVENTS == 0 || offset >= chrome->look_offset) && is_full (chrome, offset))
    return FALSE;
  loom_trace_builder_set_offset (chrome->builder, offset);
  return TRUE;
}

gboolean
loom_chrome_parallel_on_event (const LoomEvent *event, gpointer user_data)
{
  LoomChromeImporter *chrome = user_data;
  if (chrome->only_members)
    return TRUE;
  if (!loom_chrome_parallel_begin_event (chrome, event->offset))
    return FALSE;
  loom_chrome_event_parse (chrome, event);
  if (G_UNLIKELY (chrome->has_long))
    loom_chrome_event_log_long (chrome, event->offset);
  return TRUE;
}

static void
note_unloaded (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset)
{
  static const char *const known[] = { "\"systemTraceEvents\"", "\"powerTraceAsString\"", "\"androidProcessDump\"",
                                       "\"cgroupDump\"" };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (loom_json_slice_equal (key, known[i]))
      loom_import_log_printf (chrome->info->log, LOOM_SEVERITY_INFO, "not-loaded", offset,
                              "Contains %s, which is not loaded", known[i]);
  if (loom_json_slice_equal (key, "\"displayTimeUnit\"") && !loom_json_slice_equal (value, "\"ms\"") &&
      !loom_json_slice_equal (value, "\"ns\""))
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "time-unit", offset,
                         "displayTimeUnit is neither ms nor ns");
}

static void
on_member (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data)
{
  LoomChromeImporter *chrome = user_data;
  note_unloaded (chrome, key, value, offset);
  loom_chrome_samples_parse (chrome, key, value, offset);
  if (loom_chrome_importer_is_ahead (chrome))
    loom_chrome_parallel_defer_member (chrome, key, value);
  else
    loom_chrome_parallel_parse_member (chrome, key, value);
}

void
loom_chrome_parallel_parse_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value)
{
  gboolean is_long =
    loom_json_slice_equal (key, "\"distributedInfo\"") || loom_json_slice_equal (key, "\"deviceProperties\"");
  gsize most = is_long ? MAX_LONG_FACT_BYTES : MAX_FACT_BYTES;
  if (key.length <= MAX_FACT_BYTES && value.length <= most && chrome->info->facts->len / 2 < MAX_FACTS) {
    g_autofree char *name = loom_json_slice_dup_decoded (key);
    g_autofree char *text = g_strndup (value.text, value.length);
    loom_source_add_fact (chrome->info, name, text);
  }
  if (loom_json_slice_equal (key, "\"stackFrames\""))
    loom_chrome_event_parse_frames (chrome, (LoomJsonSlice) { NULL, 0 }, value);
  if (chrome->hooks->member != NULL)
    chrome->hooks->member (chrome, key, value);
}

static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  static const struct {
    LoomSeverity severity;
    const char *code, *message;
  } table[] = {
    [LOOM_SCAN_BROKEN_EVENT] = { LOOM_SEVERITY_ERROR, "broken-event",
                                 N_ ("An event cannot be read; readable events after it were kept") },
    [LOOM_SCAN_TOO_LARGE] = { LOOM_SEVERITY_ERROR, "event-too-large",
                              N_ (
                                "An event, or another JSON member, is too large for memory and is not shown. Reading continued with the next event that was found inside or after this text") },
    [LOOM_SCAN_ZEROS] = { LOOM_SEVERITY_ERROR, "zeros",
                          N_ (
                            "The file contains zero bytes here instead of text, for example because the disk was full or the machine crashed. The data in this place is lost") },
    [LOOM_SCAN_DEEP] = { LOOM_SEVERITY_WARNING, "deep-nesting",
                         N_ (
                           "The JSON of an event is nested more than 512 levels deep; deeper levels are shown and exported as text") },
    [LOOM_SCAN_NOT_AN_EVENT] = { LOOM_SEVERITY_WARNING, "not-an-event",
                                 N_ ("An element of the list of events is not a JSON object") },
    [LOOM_SCAN_UNTERMINATED] = { LOOM_SEVERITY_WARNING, "unterminated",
                                 N_ ("The list of events breaks off; every complete event before the break was kept") },
    [LOOM_SCAN_CUT_EVENT] = { LOOM_SEVERITY_WARNING, "truncated",
                              N_ ("The file ends inside an event; every complete event before this one was kept") },
    [LOOM_SCAN_TEXT_AFTER_END] = { LOOM_SEVERITY_WARNING, "text-after-end",
                                   N_ ("Text after the closing bracket was ignored") },
    [LOOM_SCAN_SECOND_LIST] = { LOOM_SEVERITY_ERROR, "second-trace",
                                N_ (
                                  "A second trace begins here and was not read; a restarted job may have continued in the same file. Split the file here to load both traces") },
    [LOOM_SCAN_MISSING_COMMA] = { LOOM_SEVERITY_INFO, "missing-comma", N_ ("A comma between events is missing") },
    [LOOM_SCAN_BAD_MEMBER] = { LOOM_SEVERITY_WARNING, "bad-member",
                               N_ ("A top-level JSON member other than the events could not be read") },
  };
  LoomChromeImporter *chrome = user_data;
  loom_import_log_add (chrome->info->log, table[problem].severity, table[problem].code, offset, table[problem].message);
  chrome->stopped_early |= problem == LOOM_SCAN_UNTERMINATED || problem == LOOM_SCAN_CUT_EVENT;
  chrome->info->incomplete |= problem == LOOM_SCAN_BROKEN_EVENT || problem == LOOM_SCAN_TOO_LARGE ||
                              problem == LOOM_SCAN_CUT_EVENT || problem == LOOM_SCAN_SECOND_LIST ||
                              problem == LOOM_SCAN_ZEROS;
}

const LoomScanHandler loom_chrome_parallel_handler = { loom_chrome_parallel_on_event, on_member, on_problem };

/* Returns the first offset, at or after `from`, where damage is visible: a logged warning, or a span that never ended.
 * G_MAXUINT64 if there is none. */
static guint64
find_sign (const LoomChromeImporter *chrome, guint64 from)
{
  guint64 first = loom_trace_builder_find_open (chrome->builder, chrome->source, from);
  for (guint i = 0; i < loom_import_log_get_n_problems (chrome->info->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (chrome->info->log, i);
    if (problem->severity >= LOOM_SEVERITY_WARNING && problem->offset >= from)
      first = MIN (first, problem->offset);
  }
  return first;
}

/* Marks events near damage of the compressed data as suspect. Damaged data is unpacked to text made of fragments of
 * earlier text, so that this text contains events that were never written. If only the checksum is wrong, most of the
 * text is good, and only spans without an end are marked. */
static void
note_doubtful (LoomChromeImporter *chrome, const LoomStreamError *damage)
{
  if (damage == NULL || (damage->kind != LOOM_STREAM_ERROR_DATA && damage->kind != LOOM_STREAM_ERROR_CHECKSUM))
    return;
  gboolean goes_on = damage->kind == LOOM_STREAM_ERROR_CHECKSUM;
  guint64 from = goes_on ? 0 : damage->unpacked - MIN (damage->unpacked, LOOM_STREAM_ERROR_REACH_BYTES),
          offset = find_sign (chrome, from);
  guint64 n = offset != G_MAXUINT64 ? loom_trace_builder_doubt (chrome->builder, chrome->source, offset, goes_on) : 0;
  if (n > 0)
    loom_import_log_add_n (
      chrome->info->log, LOOM_SEVERITY_WARNING, "doubtful-event", offset, n,
      goes_on
        ? N_ (
            "Events after this position may be wrong, because the compressed data is damaged. Such events are shown like all others")
        : N_ (
            "Events may be wrong where the compressed data is damaged. Such events are shown, but do not extend the time range of the run"));
}

static void
note_reader (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomJsonForm form)
{
  LoomImportLog *log = chrome->info->log;
  const LoomStreamEnd end = loom_stream_reader_get_end (reader);
  note_doubtful (chrome, end.is_damaged ? &end.damage : NULL);
  loom_importer_note_end (chrome->info, &end);
  if (loom_stream_reader_has_trailing_garbage (reader))
    loom_import_log_printf (log, LOOM_SEVERITY_WARNING, "gzip-garbage", LOOM_OFFSET_NONE,
                            "Data after the end of the compressed data, from compressed byte %" PRIu64 ", was ignored",
                            loom_stream_reader_get_garbage_offset (reader));
  if (chrome->stopped_early && form == LOOM_JSON_FORM_OBJECT)
    chrome->info->incomplete = TRUE;
  chrome->info->text = loom_stream_reader_dup_text (reader);
  chrome->info->packed = loom_stream_reader_is_gzip (reader);
}

void
loom_chrome_parallel_init (LoomChromeImporter *chrome)
{
  chrome->max_end_ns = LOOM_TIME_NONE;
  chrome->n_reserved = loom_trace_builder_get_n_events (chrome->builder);
  chrome->scratch = g_string_new (NULL);
  chrome->names = loom_name_cache_new (chrome->builder);
  chrome->lanes = loom_chrome_track_cache_new ();
  chrome->counters = loom_chrome_counters_cache_new ();
  chrome->meeting_kinds = g_byte_array_new ();
}

void
loom_chrome_parallel_clear (LoomChromeImporter *chrome)
{
  g_clear_pointer (&chrome->names, loom_name_cache_free);
  g_clear_pointer (&chrome->lanes, loom_chrome_track_cache_free);
  g_clear_pointer (&chrome->counters, loom_chrome_counters_cache_free);
  g_clear_pointer (&chrome->meeting_kinds, g_byte_array_unref);
  g_clear_pointer (&chrome->deferred, g_array_unref);
  g_string_free (chrome->scratch, TRUE);
}

static gint64
cpus_in (const char *args)
{
  gint64 n;
  LoomJsonSlice value = loom_json_slice_member ((LoomJsonSlice) { args, strlen (args) }, "number");
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &n) ? n : -1;
}

/* Of the pairs in `facts` (keys and values, see LoomSource.facts) that have this key, keeps only one. `greatest` FALSE:
 * keeps the last pair. `greatest` TRUE: keeps the pair whose value states the most processors; if several state this
 * number, the last of them. */
static void
settle_facts (GPtrArray *facts, const char *key, gboolean greatest)
{
  gint kept = -1;
  for (guint i = facts->len; i >= 2;) { /* visits the pairs from the last one to the first */
    i -= 2;
    if (strcmp (facts->pdata[i], key) != 0)
      continue;
    if (kept < 0) {
      kept = (gint) i;
      continue;
    }
    gboolean is_better = greatest && cpus_in (facts->pdata[i + 1]) > cpus_in (facts->pdata[kept + 1]);
    g_ptr_array_remove_range (facts, is_better ? (guint) kept : i, 2);
    kept = is_better ? (gint) i : kept - 2;
  }
}

static gint
rank_of (const LoomImporter *import, const char *path)
{
  gint rank = loom_importer_rank_from_pattern (import, path);
  return rank >= 0 ? rank : loom_sniff_rank_from_path (path);
}

static void
place_processes (LoomChromeImporter *chrome, guint32 first)
{
  for (guint32 i = first; i < loom_trace_builder_get_n_processes (chrome->builder); i++)
    loom_trace_builder_process_set_place (chrome->builder, i, chrome->info->node, chrome->info->rank);
}

static void
begin_source (LoomChromeImporter *chrome, const LoomChromeImporterJob *job)
{
  LoomSource *info = chrome->info = loom_source_new (chrome->file->path);
  info->format = job->format;
  info->n_bytes = chrome->file->n_bytes;
  info->rank = rank_of (chrome->import, chrome->file->path);
  info->clock = job->clock != G_MAXUINT ? job->clock : loom_trace_builder_add_clock (chrome->builder);
  chrome->source = loom_trace_builder_add_source (chrome->builder, info, info->clock);
  LoomDeclaredClock *decl = loom_trace_builder_get_clock (chrome->builder, info->clock);
  if (decl->basis == NULL)
    decl->basis = g_strdup (N_ ("relative times only"));
  loom_chrome_parallel_init (chrome);
  if (chrome->import->records_bytes && job->has_file_times)
    chrome->bytes = loom_byte_index_new ();
}

/* Stores the index of the events' offsets (LoomByteIndex) in the source. If reading a range of this file requires
 * reading the whole file, stores the reason in the index. */
static void
finish_bytes (LoomChromeImporter *chrome, const LoomEventScanner *scanner)
{
  LoomJsonForm form = loom_event_scanner_get_form (scanner);
  if (chrome->bytes == NULL)
    return;
  if (form != LOOM_JSON_FORM_ARRAY && form != LOOM_JSON_FORM_OBJECT)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file is not a list of events"));
  if (loom_event_scanner_saw_more_lists (scanner))
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file has several lists of events"));
  if (chrome->info->incomplete)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file is damaged or truncated"));
  if (chrome->info->stacks != NULL)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file has a table of stack frames"));
  loom_byte_index_finish (chrome->bytes);
  chrome->info->byte_index = g_steal_pointer (&chrome->bytes);
}

static void
finish_source (LoomChromeImporter *chrome, const LoomChromeImporterJob *job, LoomStreamReader *reader,
               guint32 first_process)
{
  settle_facts (chrome->info->facts, "process_uptime_seconds", FALSE);
  settle_facts (chrome->info->facts, "num_cpus", TRUE);
  loom_chrome_samples_finish (chrome, first_process);
  if (job->finish != NULL)
    job->finish (chrome, reader);
  if (job->keeps_places)
    return;
  place_processes (chrome, first_process);
  loom_step_processes_set_ranks (chrome, first_process);
}

gboolean
loom_chrome_importer_read (LoomImporter *import, const LoomFoundFile *file, const LoomChromeImporterJob *job,
                           GError **error)
{
  static const LoomChromeImporterHooks no_hooks;
  GError *failure = NULL;
  if (loom_importer_is_full (import, file->path))
    return TRUE;
  g_autoptr (LoomStreamReader) reader =
    loom_stream_reader_new_from (file->path, file->origin, import->progress, &failure);
  if (reader == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  loom_stream_reader_set_budget (reader, import->budget);
  LoomChromeImporter chrome = {
    .import = import,
    .file = file,
    .builder = import->builder,
    .hooks = job->hooks != NULL ? job->hooks : &no_hooks,
    .data = job->data,
    .base_ns = job->base_ns,
    .open_x_is_point = job->open_x_is_point,
    .carry = job->carry,
  };
  guint32 first_process = loom_trace_builder_get_n_processes (import->builder);
  begin_source (&chrome, job);
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&loom_chrome_parallel_handler, &chrome, import->lines);
  gboolean good = job->scan != NULL ? job->scan (&chrome, reader, scanner, &failure)
                  : job->splittable ? loom_chrome_parallel_scan_split (&chrome, reader, scanner, &failure)
                                    : loom_stream_reader_scan (reader, scanner, 0, &failure);
  loom_chrome_parallel_reserve (&chrome);
  note_reader (&chrome, reader, loom_event_scanner_get_form (scanner));
  finish_source (&chrome, job, reader, first_process);
  finish_bytes (&chrome, scanner);
  loom_chrome_parallel_clear (&chrome);
  return good || loom_importer_keep_part (chrome.info, failure, error);
}

/* Logs that the trace comes from the profiler that PyTorch used before Kineto, if a process has an id that only that
 * profiler writes. */
static void
name_legacy (LoomChromeImporter *chrome)
{
  for (guint32 i = 0; i < loom_trace_builder_get_n_processes (chrome->builder); i++) {
    const char *key = loom_trace_builder_process_get_key (chrome->builder, i);
    if (strcmp (key, "\"CPU functions\"") != 0 && strcmp (key, "\"CUDA functions\"") != 0)
      continue;
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_INFO, "legacy-autograd", LOOM_OFFSET_NONE,
                         "PyTorch autograd (legacy): written by the exporter before Kineto, read as any Chrome trace");
    return;
  }
}

static void
finish_generic (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  guess_epoch (chrome);
  name_legacy (chrome);
}

gboolean
loom_importer_chrome (LoomImporter *import, GError **error)
{
  LoomChromeImporterJob job = {
    .format = "chrome", .clock = G_MAXUINT, .splittable = TRUE, .has_file_times = TRUE, .finish = finish_generic
  };
  for (guint i = 0; i < import->n_files; i++)
    if (!loom_chrome_importer_read (import, import->files[i], &job, error))
      return FALSE;
  return TRUE;
}
