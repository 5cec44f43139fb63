/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports dumps of PyTorch's flight recorder, which records the collectives of a rank. Each entry becomes a span on the
 * track of its process group, from the call to the completion of the collective; a collective that never completed
 * becomes a span without an end, which is drawn up to the latest time of the dumps of the same hang. The source keeps
 * the dump for the analysis of hangs.
 */
#include "loom-chrome-importer.h"
#include "loom-error.h"
#include "loom-flight-ends.h"
#include "loom-flight-reader.h"
#include "loom-json-slice.h"
#include "loom-made-json.h"
#include "loom-pickle-file.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Maximum number of ranks that are listed in the name of a track. */
#define MAX_LABEL_RANKS 8

/* the timeout of a collective that states none: the default of PyTorch for NCCL */
#define DEFAULT_TIMEOUT_NS (600 * LOOM_NS_PER_S)

typedef struct {
  LoomFlightDump *dump; /* the dump; owned by this struct until the source takes ownership of it; NULL afterwards */
  /* log of the problems that are found before the source exists; added to the source's log later; owned */
  LoomImportLog *log;
  gint named_rank;      /* rank in the name of the file; −1: the name states no rank */
  gint64 end_ns;        /* latest time of the dumps of the same hang, in ns since 1970; LOOM_TIME_NONE: unknown */
  LoomStreamEnd packed; /* whether the file was read and unpacked to its end without damage */
  LoomPickleEnd end;
} Recorder;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
free_recorder (gpointer data)
{
  Recorder *recorder = data;
  g_clear_pointer (&recorder->dump, loom_flight_dump_free);
  loom_import_log_free (recorder->log);
  g_free (recorder);
}

/* Returns the dump in a file; NULL with `error` on failure. Owned by the caller. */
static Recorder *
read_dump (const LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  Recorder *recorder = g_new0 (Recorder, 1);
  recorder->log = loom_import_log_new ();
  static const LoomPickleFormat format = { loom_flight_reader_recognise,
                                           N_ ("the file contains no entries of a flight recorder") };
  g_autoptr (GByteArray) bytes = loom_pickle_file_read (file, import->progress, &recorder->packed, error);
  g_autoptr (LoomPlainValues) values =
    bytes != NULL ? loom_pickle_file_parse (import, bytes, &format, &recorder->end, error) : NULL;
  if (values == NULL) {
    free_recorder (recorder);
    return NULL;
  }
  recorder->dump = loom_flight_reader_read (values, recorder->log);
  return recorder;
}

/* Returns the rank that the process groups of a dump state or, if they state none, the rank in the name of the file;
 * −1: no rank is stated. */
static gint
find_rank (const LoomFlightDump *dump, const char *path)
{
  gint rank = loom_flight_reader_find_rank (dump);
  return rank >= 0 ? rank : loom_pickle_file_find_rank (path);
}

/* --- the dumps of a load ------------------------------------------------------------------------------------------ */

struct _LoomFlightDumps {
  GMutex lock;
  GHashTable *recorders; /* LoomFoundFile * → Recorder: dumps that were read but not yet imported */
  LoomFlightEnds *ends;
};

LoomFlightDumps *
loom_importer_flight_dumps_new (void)
{
  LoomFlightDumps *self = g_new (LoomFlightDumps, 1);
  g_mutex_init (&self->lock);
  self->recorders = g_hash_table_new_full (NULL, NULL, NULL, free_recorder);
  self->ends = loom_flight_ends_new ();
  return self;
}

void
loom_importer_flight_dumps_free (LoomFlightDumps *self)
{
  g_mutex_clear (&self->lock);
  g_hash_table_unref (self->recorders);
  loom_flight_ends_free (self->ends);
  g_free (self);
}

void
loom_importer_flight_dumps_note (LoomFlightDumps *self, const LoomFlightDump *dump, gint rank)
{
  g_mutex_lock (&self->lock);
  loom_flight_ends_add (self->ends, rank, loom_flight_dump_get_end (dump));
  g_mutex_unlock (&self->lock);
}

void
loom_importer_flight_dumps_read (LoomFlightDumps *self, const LoomImporter *import, const LoomFoundFile *file)
{
  if (loom_memory_budget_check (import->budget))
    return;
  Recorder *recorder = read_dump (import, file, NULL);
  if (recorder == NULL) {
    loom_progress_add_total (import->progress, file->n_bytes); /* the bytes of the file are counted a second time,
                                                                * because the import will read it again */
    return;
  }
  loom_importer_flight_dumps_note (self, recorder->dump, find_rank (recorder->dump, file->path));
  g_mutex_lock (&self->lock);
  g_hash_table_insert (self->recorders, (gpointer) file, recorder);
  g_mutex_unlock (&self->lock);
}

gint64
loom_importer_flight_dumps_get_end (LoomFlightDumps *self)
{
  g_mutex_lock (&self->lock);
  gint64 end_ns = loom_flight_ends_get_latest (self->ends);
  g_mutex_unlock (&self->lock);
  return end_ns;
}

/* Returns the maximum time in ns between this dump and a later dump of the same hang: the longest timeout of the calls
 * in this dump. */
static gint64
find_timeout (const LoomFlightDump *dump)
{
  gint64 timeout_ns = DEFAULT_TIMEOUT_NS;
  for (guint i = 0; i < dump->entries->len; i++)
    timeout_ns = MAX (timeout_ns, g_array_index (dump->entries, LoomFlightEntry, i).timeout_ns);
  return timeout_ns;
}

/* Returns the time at which the incomplete calls of this dump are shown to end (loom_flight_ends_find());
 * LOOM_TIME_NONE: unknown. `self` NULL: no other dump is loaded. */
static gint64
find_end (LoomFlightDumps *self, const LoomFlightDump *dump, gint rank)
{
  gint64 own_ns = loom_flight_dump_get_end (dump), timeout_ns = find_timeout (dump);
  if (self == NULL)
    return LOOM_TIME_NONE;
  g_mutex_lock (&self->lock);
  gint64 end_ns = loom_flight_ends_find (self->ends, rank, own_ns, timeout_ns);
  g_mutex_unlock (&self->lock);
  return end_ns;
}

/* Returns the dump of a file if it was read before; otherwise NULL. Owned by the caller. */
static Recorder *
take_dump (LoomFlightDumps *self, const LoomFoundFile *file)
{
  gpointer recorder = NULL;
  if (self == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  g_hash_table_steal_extended (self->recorders, file, NULL, &recorder);
  g_mutex_unlock (&self->lock);
  return recorder;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Appends the ranks of a process group, such as "[0, 1, 2, …]". */
static void
append_ranks (GString *text, const LoomFlightGroup *group)
{
  g_string_append_c (text, '[');
  for (guint i = 0; i < MIN (group->n_ranks, MAX_LABEL_RANKS); i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", group->ranks[i]);
  g_string_append (text, group->n_ranks > MAX_LABEL_RANKS ? ", …]" : "]");
}

static void
append_group (const LoomFlightDump *dump, guint number, GString *text)
{
  const LoomFlightGroup *group = &g_array_index (dump->groups, LoomFlightGroup, number);
  g_autoptr (GString) label = g_string_new (group->purpose[0] != '\0' ? group->purpose : group->name);
  g_string_append_c (label, ' ');
  append_ranks (label, group);
  g_string_append_printf (text, "{\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"name\":\"thread_name\",\"args\":{", number);
  loom_made_json_append_text_member (text, "name", label->str);
  g_string_append_printf (
    text, "}},\n{\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}},\n",
    number, number);
}

static const char *
get_state (LoomFlightState state)
{
  static const char *const states[] = { "scheduled", "started", "completed" };
  return states[state];
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
append_args (const LoomFlightDump *dump, const LoomFlightEntry *entry, GString *text)
{
  g_string_append (text, ",\"args\":{");
  loom_made_json_append_text_member (text, "state", get_state (entry->state));
  loom_made_json_append_int_member (text, "sequence", entry->sequence);
  loom_made_json_append_int_member (text, "record", entry->record);
  loom_made_json_append_text_member (text, "sizes", entry->sizes);
  if (entry->group != G_MAXUINT) {
    const LoomFlightGroup *group = &g_array_index (dump->groups, LoomFlightGroup, entry->group);
    loom_made_json_append_text_member (text, "group", group->name);
    loom_made_json_append_text_member (text, "purpose", group->purpose);
  }
  loom_made_json_append_text_member (text, "thread", entry->thread);
  if (entry->timeout_ns > 0)
    loom_made_json_append_int_member (text, "timeout_ms", entry->timeout_ns / LOOM_NS_PER_MS);
  if (entry->started_ns > 0)
    loom_made_json_append_int_member (text, "started_after_ns", entry->started_ns - entry->created_ns);
  g_string_append_c (text, '}');
}

/* Appends the event for an entry. If the entry never completed, this is a span without an end. */
static void
append_entry (const LoomFlightDump *dump, const LoomFlightEntry *entry, GString *text)
{
  gboolean is_whole = entry->completed_ns >= entry->created_ns;
  g_string_append_printf (text, "{\"ph\":\"%c\",\"cat\":\"flight_recorder\",\"pid\":0,\"tid\":%d", is_whole ? 'X' : 'B',
                          entry->group != G_MAXUINT ? (gint) entry->group : -1);
  loom_made_json_append_text_member (text, "name", entry->name[0] != '\0' ? entry->name : "collective");
  g_string_append (text, ",\"ts\":");
  loom_made_json_append_us (text, entry->created_ns);
  if (is_whole) {
    g_string_append (text, ",\"dur\":");
    loom_made_json_append_us (text, entry->completed_ns - entry->created_ns);
  }
  append_args (dump, entry, text);
  append_frames (text, entry->frames);
  g_string_append (text, "},\n");
}

/* Appends the instant at which the watchdog's timeout for an entry expired, if this instant is before `end_ns`. */
static void
append_timeout (const LoomFlightEntry *entry, gint64 end_ns, GString *text)
{
  if (entry->state == LOOM_FLIGHT_COMPLETED || entry->timeout_ns == 0 || entry->created_ns > end_ns - entry->timeout_ns)
    return;
  g_string_append_printf (
    text,
    "{\"ph\":\"i\",\"s\":\"p\",\"cat\":\"flight_recorder\",\"pid\":0,\"tid\":%d,\"name\":\"watchdog timeout\",\"ts\":",
    (gint) entry->group);
  loom_made_json_append_us (text, entry->created_ns + entry->timeout_ns);
  g_string_append (text, "},\n");
}

/* Returns the text of a Chrome trace with an event for each entry. Omits entries without a time; sets
 * `n_without_time` to their number. */
static GBytes *
make_text (const Recorder *recorder, guint *n_without_time)
{
  const LoomFlightDump *dump = recorder->dump;
  GString *text =
    g_string_new ("{\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":"
                  "\"Flight recorder\"}},\n");
  gint64 end_ns = MAX (loom_flight_dump_get_end (dump), recorder->end_ns);
  for (guint i = 0; i < dump->groups->len; i++)
    append_group (dump, i, text);
  for (guint i = 0; i < dump->entries->len; i++) {
    const LoomFlightEntry *entry = &g_array_index (dump->entries, LoomFlightEntry, i);
    if (entry->created_ns <= 0) {
      ++*n_without_time;
      continue;
    }
    append_entry (dump, entry, text);
    append_timeout (entry, end_ns, text);
  }
  g_string_append (text, "{}]}\n");
  return g_string_free_to_bytes (text);
}

/* --- making the source -------------------------------------------------------------------------------------------- */

static void
set_rank (const Recorder *recorder, LoomChromeImporter *chrome)
{
  LoomSource *source = chrome->info;
  gint from_pattern = loom_importer_rank_from_pattern (chrome->import, source->path),
       from_groups = loom_flight_reader_find_rank (recorder->dump),
       rank = from_groups >= 0 ? from_groups : recorder->named_rank;
  source->rank = from_pattern >= 0 ? from_pattern : rank;
  recorder->dump->rank = source->rank;
  if (from_groups >= 0 && recorder->named_rank >= 0 && from_groups != recorder->named_rank)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "rank-disagrees", LOOM_OFFSET_NONE,
                            "The file’s name gives rank %d, but the process groups in the file give rank %d",
                            recorder->named_rank, from_groups);
}

static void
add_fact (LoomSource *source, const char *key, const char *text)
{
  g_autoptr (GString) literal = g_string_new (NULL);
  loom_json_slice_append_string (literal, text, strlen (text));
  if (text[0] != '\0')
    loom_source_add_fact (source, key, literal->str);
}

static void
log_damage (const Recorder *recorder, LoomSource *source)
{
  loom_pickle_file_log_end (source, &recorder->end);
  loom_importer_note_end (source, &recorder->packed);
  for (guint i = 0; i < loom_import_log_get_n_problems (recorder->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (recorder->log, i);
    loom_import_log_add_n (source->log, problem->severity, problem->code, problem->offset, problem->count,
                           problem->message);
  }
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  Recorder *recorder = chrome->data;
  LoomSource *source = chrome->info;
  set_rank (recorder, chrome);
  log_damage (recorder, source);
  loom_trace_builder_source_extend_open (chrome->builder, chrome->source, recorder->end_ns);
  add_fact (source, "version", recorder->dump->version);
  add_fact (source, "nccl_version", recorder->dump->nccl_version);
  if (chrome->n_timed > 0)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("nanoseconds since 1970"), 0);
  source->flight = g_steal_pointer (&recorder->dump);
}

static gboolean
read_text (LoomImporter *import, const LoomFoundFile *file, Recorder *recorder, GError **error)
{
  guint n_without_time = 0;
  g_autoptr (GBytes) bytes = make_text (recorder, &n_without_time);
  if (n_without_time > 0)
    loom_import_log_add_n (recorder->log, LOOM_SEVERITY_WARNING, "no-time", LOOM_OFFSET_NONE, n_without_time,
                           N_ ("An entry without a valid time_created_ns is not on the timeline"));
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (bytes);
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  LoomFoundFile view = *file;
  view.origin = origin;
  LoomChromeImporterJob job = { .format = "flight-recorder", .data = recorder, .clock = G_MAXUINT, .finish = finish };
  return loom_chrome_importer_read (import, &view, &job, error);
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  GError *failure = NULL;
  Recorder *recorder = take_dump (import->flights, file);
  if (recorder == NULL)
    recorder = read_dump (import, file, &failure);
  if (recorder == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  recorder->named_rank = loom_pickle_file_find_rank (file->path);
  recorder->end_ns = find_end (import->flights, recorder->dump, find_rank (recorder->dump, file->path));
  gboolean good = read_text (import, file, recorder, error);
  free_recorder (recorder);
  return good;
}

gboolean
loom_importer_flight_recorder (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
