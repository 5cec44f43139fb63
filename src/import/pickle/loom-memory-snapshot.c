/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports memory snapshots of PyTorch (torch.cuda.memory._dump_snapshot). Allocations and frees become instants in the
 * form of the [memory] events of PyTorch's profiler, so that one analysis works for both. The numbers of allocated and
 * reserved bytes become counters, and the largest blocks become spans. The text of these events is made when it is
 * read.
 */
#include "loom-chrome-importer.h"
#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-made-json.h"
#include "loom-made-text.h"
#include "loom-memory-reader.h"
#include "loom-pickle-file.h"
#include "loom-regex.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Ids of threads. Each device is shown as a process with these threads. */
enum { TID_BLOCKS, TID_ALLOCATIONS, TID_ANNOTATIONS };

/* Parts of the generated text: names of devices, events of records, spans of annotations. */
enum { PART_NAMES, PART_RECORDS, PART_RANGES };

typedef struct {
  LoomMemoryHistory *history; /* history from which the text is generated; borrowed from the text, which owns it */
  LoomImportLog *log;         /* problems that are found before the source exists; they are added to the log of the
                               * source later */
  LoomStreamEnd packed;       /* how reading the file ended */
  LoomPickleEnd end;
  gint named_rank;       /* rank in the name of the file; −1: the name states no rank */
  guint32 first_process; /* number, in the builder, of the first process from this file */
} Snapshot;

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
append_address (GString *text, guint64 address)
{
  g_string_append_printf (text, ",\"Addr\":%" PRIu64, address);
}

/* Appends the beginning of an event, for example {"ph":"X","pid":0,"tid":0,"ts":1 */
static void
begin_event (GString *text, char phase, guint32 device, guint tid, gint64 time_ns)
{
  g_string_append_printf (text, "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":", phase, device, tid);
  loom_made_json_append_us (text, time_ns);
}

static void
append_name (GString *text, guint32 device, guint tid, const char *what, const char *name)
{
  g_string_append_printf (text, "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}},\n",
                          device, tid, what, name);
}

static void
append_names (GString *text, const LoomMemoryPool *pool)
{
  g_autofree char *name = g_strdup_printf ("GPU %u memory", pool->device);
  append_name (text, pool->device, TID_BLOCKS, "process_name", name);
  append_name (text, pool->device, TID_BLOCKS, "thread_name", "largest blocks");
  append_name (text, pool->device, TID_ALLOCATIONS, "thread_name", "allocations");
  append_name (text, pool->device, TID_ANNOTATIONS, "thread_name", "annotations");
}

static void
append_counter (GString *text, const LoomMemoryRecord *record, const char *name, gint64 bytes)
{
  begin_event (text, 'C', record->device, 0, record->time_ns);
  g_string_append_printf (text, ",\"name\":\"%s\",\"args\":{\"bytes\":%" PRId64 "}},\n", name, bytes);
}

/* Appends an event for an allocation or a free, in the form of the [memory] events of PyTorch's profiler. */
static void
append_memory (GString *text, const LoomMemoryHistory *history, const LoomMemoryRecord *record,
               const LoomMemoryStack *stack)
{
  begin_event (text, 'i', record->device, TID_ALLOCATIONS, record->time_ns);
  loom_made_json_append (text, ",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"args\":{");
  loom_made_json_append_int_member (text, "Bytes", record->action == LOOM_MEMORY_FREE ? -record->size : record->size);
  append_address (text, record->address);
  loom_made_json_append_int_member (text, "Device Type", 1);
  loom_made_json_append_int_member (text, "Device Id", record->device);
  if (!history->is_partial) {
    loom_made_json_append_int_member (text, "Total Allocated", record->allocated);
    loom_made_json_append_int_member (text, "Total Reserved", record->reserved);
  }
  if (record->action != LOOM_MEMORY_FREE)
    loom_made_json_append_text_member (text, "Owner", stack->owner);
  if (record->action == LOOM_MEMORY_EXISTING)
    loom_made_json_append (text, ",\"Existing\":true");
  loom_made_json_append (text, "}},\n");
}

static void
append_frames (GString *text, const char *frames)
{
  g_auto (GStrv) lines = g_strsplit (frames, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_string_append (text, i == 0 ? ",\"stack\":[" : ",");
    loom_json_slice_append_string (text, lines[i], strlen (lines[i]));
  }
  g_string_append (text, lines[0] != NULL ? "]" : "");
}

static void
append_block (GString *text, const LoomMemoryRecord *record, const LoomMemoryStack *stack)
{
  begin_event (text, 'X', record->device, TID_BLOCKS, record->time_ns);
  loom_made_json_append (text, ",\"dur\":");
  loom_made_json_append_us (text, record->end_ns - record->time_ns);
  loom_made_json_append_text_member (text, "name", stack->owner[0] != '\0' ? stack->owner : "block");
  loom_made_json_append (text, ",\"cat\":\"memory_block\",\"args\":{");
  loom_made_json_append_int_member (text, "Bytes", record->size);
  append_address (text, record->address);
  loom_made_json_append (text, "}");
  append_frames (text, stack->frames);
  loom_made_json_append (text, "},\n");
}

static void
append_mark (GString *text, const LoomMemoryRecord *record, const LoomMemoryStack *stack)
{
  gboolean is_oom = record->action == LOOM_MEMORY_OOM;
  begin_event (text, 'i', record->device, TID_ALLOCATIONS, record->time_ns);
  loom_made_json_append (text, ",\"s\":\"p\",\"cat\":\"memory_mark\"");
  loom_made_json_append_text_member (text, "name",
                                     is_oom                    ? "out of memory"
                                     : record->name[0] != '\0' ? record->name
                                                               : "event");
  loom_made_json_append (text, ",\"args\":{");
  loom_made_json_append_int_member (text, "Bytes", record->size);
  if (is_oom)
    loom_made_json_append_int_member (text, "Free", (gint64) record->address);
  loom_made_json_append (text, "}");
  append_frames (text, stack->frames);
  loom_made_json_append (text, "},\n");
}

static void
append_record (GString *text, const LoomMemoryHistory *history, const LoomMemoryRecord *record)
{
  const LoomMemoryStack *stack = &g_array_index (history->stacks, LoomMemoryStack, record->stack);
  switch (record->action) {
  case LOOM_MEMORY_EXISTING: append_memory (text, history, record, stack); return;
  case LOOM_MEMORY_ALLOC:
  case LOOM_MEMORY_FREE:
    append_memory (text, history, record, stack);
    append_counter (text, record, "Allocated", record->allocated);
    if (record->action == LOOM_MEMORY_FREE)
      append_counter (text, record, "Waiting to be freed", record->waiting);
    if (record->action == LOOM_MEMORY_ALLOC && record->end_ns != LOOM_TIME_NONE)
      append_block (text, record, stack);
    return;
  case LOOM_MEMORY_FREE_REQUESTED: append_counter (text, record, "Waiting to be freed", record->waiting); return;
  case LOOM_MEMORY_SEGMENT_ALLOC:
  case LOOM_MEMORY_SEGMENT_FREE:
    if (!history->is_partial)
      append_counter (text, record, "Reserved", record->reserved);
    return;
  default: append_mark (text, record, stack);
  }
}

static void
append_range (GString *text, const LoomMemoryRange *range)
{
  begin_event (text, 'X', range->device, TID_ANNOTATIONS, range->begin_ns);
  loom_made_json_append (text, ",\"dur\":");
  loom_made_json_append_us (text, range->end_ns - range->begin_ns);
  loom_made_json_append_text_member (text, "name", range->name[0] != '\0' ? range->name : "annotation");
  loom_made_json_append (text, ",\"cat\":\"annotation\"},\n");
}

/* If the record is the first one of its device, appends a sample of the device's reserved bytes, because a counter is
 * drawn only from its first sample on. Appends nothing if the history is partial, because its reserved bytes are then
 * unknown. `i`: index of the record. */
static void
append_first_levels (GString *text, const LoomMemoryHistory *history, guint i)
{
  const LoomMemoryRecord *record = &g_array_index (history->records, LoomMemoryRecord, i);
  if (history->is_partial || (i > 0 && record[-1].device == record->device))
    return;
  append_counter (text, record, "Reserved", record->reserved);
}

static gboolean
make_item (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text)
{
  const LoomMemoryHistory *history = maker;
  const guint n_items[] = { history->pools->len, history->records->len, history->ranges->len };
  while (place->part <= PART_RANGES && place->number >= n_items[place->part]) {
    place->part++;
    place->number = 0;
  }
  guint i = (guint) place->number++;
  switch (place->part) {
  case PART_NAMES: append_names (text, &g_array_index (history->pools, LoomMemoryPool, i)); return TRUE;
  case PART_RECORDS: {
    const LoomMemoryRecord *record = &g_array_index (history->records, LoomMemoryRecord, i);
    append_first_levels (text, history, i);
    append_record (text, history, record);
    return TRUE;
  }
  case PART_RANGES: append_range (text, &g_array_index (history->ranges, LoomMemoryRange, i)); return TRUE;
  default: g_string_append (text, "{}\n"); return FALSE;
  }
}

static void
free_history (gpointer maker)
{
  loom_memory_reader_free (maker);
}

/* --- making the source -------------------------------------------------------------------------------------------- */

/* Returns the index of the only device with a history; −1 if there is none or more than one. */
static gint
find_device (const LoomMemoryHistory *history)
{
  gint found = -1;
  for (guint i = 0; i < history->pools->len; i++) {
    const LoomMemoryPool *pool = &g_array_index (history->pools, LoomMemoryPool, i);
    if (pool->n_events > 0 && found >= 0)
      return -1;
    found = pool->n_events > 0 ? (gint) pool->device : found;
  }
  return found;
}

/* Returns the number after "rank" in the name of a file, such as "rank3_memory_snapshot.pickle"; −1 if there is none.
 * Other numbers in a file name are ignored, because they count steps or belong to the name of the run. */
static gint
find_rank (const char *path)
{
  static gsize kept;
  const GRegex *regex = loom_regex_get (&kept, "rank[_-]?([0-9]{1,7})(?![0-9])", G_REGEX_CASELESS);
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, base, 0, &match))
    return -1;
  g_autofree char *digits = g_match_info_fetch (match, 1);
  return (gint) g_ascii_strtoll (digits, NULL, 10);
}

static void
set_rank (const Snapshot *snapshot, LoomChromeImporter *chrome)
{
  LoomSource *source = chrome->info;
  gint from_pattern = loom_importer_rank_from_pattern (chrome->import, source->path);
  if (from_pattern >= 0)
    source->rank = from_pattern;
  else if (source->rank < 0)
    source->rank = snapshot->named_rank >= 0 ? snapshot->named_rank : find_device (snapshot->history);
}

static void
add_fact (LoomSource *source, guint32 device, const char *what, gint64 value)
{
  g_autofree char *key = g_strdup_printf ("gpu%u_%s", device, what), *number = g_strdup_printf ("%" PRId64, value);
  loom_source_add_fact (source, key, number);
}

/* Adds facts to the source: numbers of bytes of each device's memory at the time of the snapshot. No event contains
 * these numbers. */
static void
add_facts (const LoomMemoryHistory *history, LoomSource *source)
{
  for (guint i = 0; i < MIN (history->pools->len, 16); i++) {
    const LoomMemoryPool *pool = &g_array_index (history->pools, LoomMemoryPool, i);
    if (pool->n_segments == 0 && pool->n_events == 0)
      continue;
    add_fact (source, pool->device, "segments", pool->n_segments);
    add_fact (source, pool->device, "blocks", pool->n_blocks);
    add_fact (source, pool->device, "reserved_bytes", pool->reserved);
    add_fact (source, pool->device, "active_bytes", pool->active);
    add_fact (source, pool->device, "inactive_bytes", pool->inactive);
    add_fact (source, pool->device, "largest_inactive_bytes", pool->largest);
  }
}

/* Sets the unit of all counter series of the snapshot to bytes. These are the series of the processes from number
 * `first_process` on. */
static void
set_units (LoomTraceBuilder *builder, guint32 first_process)
{
  for (guint32 i = 0; i < loom_trace_builder_get_n_series (builder); i++)
    if (loom_trace_builder_counter_get_process (builder, loom_trace_builder_series_get_counter (builder, i)) >=
        first_process)
      loom_trace_builder_series_set_unit (builder, i, "B");
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Snapshot *snapshot = chrome->data;
  LoomSource *source = chrome->info;
  set_rank (snapshot, chrome);
  loom_pickle_file_log_end (source, &snapshot->end);
  loom_importer_note_end (source, &snapshot->packed);
  for (guint i = 0; i < loom_import_log_get_n_problems (snapshot->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (snapshot->log, i);
    loom_import_log_add_n (source->log, problem->severity, problem->code, problem->offset, problem->count,
                           problem->message);
  }
  add_facts (snapshot->history, source);
  set_units (chrome->builder, snapshot->first_process);
  if (chrome->n_timed > 0 && snapshot->history->has_times)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("microseconds since 1970"), 0);
}

static LoomMemoryHistory *
read_history (const LoomImporter *import, Snapshot *snapshot, const LoomFoundFile *file, GError **error)
{
  static const LoomPickleFormat format = { loom_memory_reader_recognise,
                                           N_ ("the file contains no segments of a memory snapshot") };
  g_autoptr (GByteArray) bytes = loom_pickle_file_read (file, import->progress, &snapshot->packed, error);
  g_autoptr (LoomPlainValues) values =
    bytes != NULL ? loom_pickle_file_parse (import, bytes, &format, &snapshot->end, error) : NULL;
  return values != NULL ? loom_memory_reader_read (values, snapshot->end.stop != LOOM_PICKLE_WHOLE, snapshot->log)
                        : NULL;
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  static const LoomMadeTextClass klass = { make_item, free_history };
  GError *failure = NULL;
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  Snapshot snapshot = { .log = log,
                        .named_rank = find_rank (file->path),
                        .first_process = loom_trace_builder_get_n_processes (import->builder) };
  snapshot.history = read_history (import, &snapshot, file, &failure);
  if (snapshot.history == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  g_autoptr (LoomByteSource) text = loom_made_text_new (&klass, snapshot.history, 0, NULL, NULL);
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  LoomFoundFile view = *file;
  view.origin = origin;
  LoomChromeImporterJob job = { .format = "memory-snapshot", .data = &snapshot, .clock = G_MAXUINT, .finish = finish };
  gboolean good = loom_chrome_importer_read (import, &view, &job, error);
  loom_made_text_wait (text);
  return good;
}

gboolean
loom_importer_memory_snapshot (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
