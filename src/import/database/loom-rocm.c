/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports databases of ROCm's profilers, rocpd and RPD. The rows are converted to Chrome trace events. This source file
 * adds the names, the rank and the clock.
 */
#include "loom-chrome-importer.h"
#include "loom-hidden-rows.h"
#include "loom-known-rows.h"
#include "loom-rocm-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Number of bytes of text that are made from one byte of the database; an estimate, for the progress. */
#define TYPICAL_RATIO 2
/* First version of rocpd's schema that this importer cannot read. */
#define NEWER_SCHEMA 4

static void
place_clear (gpointer data)
{
  LoomRocmPlace *place = data;
  g_free (place->host);
  g_free (place->domain);
}

void
loom_rocm_init (LoomRocmReader *self, LoomDatabase *database)
{
  self->database = database;
  self->common.places = g_array_new (FALSE, FALSE, sizeof (LoomRocmPlace));
  g_array_set_clear_func (self->common.places, place_clear);
  self->common.ranks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->common.units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->common.holds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->common.damages = g_ptr_array_new_with_free_func (g_free);
}

void
loom_rocm_clear (LoomRocmReader *self)
{
  g_ptr_array_unref (self->common.damages);
  g_array_unref (self->common.places);
  g_hash_table_unref (self->common.ranks);
  g_hash_table_unref (self->common.units);
  g_hash_table_unref (self->common.holds);
}

/* --- finding rows by their id ------------------------------------------------------------------------------------- */

/* Maximum number of rows that a cursor steps over to reach a row. A row that is farther ahead is looked up by its id
 * instead. */
#define MOST_STEPS 4

LoomRocmCursor *
loom_rocm_cursor_new (LoomDatabase *database, const char *table, const char *id, const char *const *columns)
{
  LoomRocmCursor *self = g_new0 (LoomRocmCursor, 1);
  self->database = database;
  self->ids = loom_row_ids_new (database, table, id);
  self->row = loom_database_select (database, table, columns, NULL);
  return self;
}

void
loom_rocm_cursor_free (LoomRocmCursor *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->row);
  loom_row_ids_free (self->ids);
  g_free (self);
}

static void
step (LoomRocmCursor *self)
{
  self->stands = loom_database_step (self->database, self->row) == SQLITE_ROW;
  self->row_id = self->stands ? sqlite3_column_int64 (self->row, 0) : 0;
}

gboolean
loom_rocm_cursor_find (LoomRocmCursor *self, gint64 id)
{
  gint64 row_id;
  if (self->row == NULL || !loom_row_ids_find (self->ids, id, &row_id))
    return FALSE;
  for (guint i = 0; i < MOST_STEPS && self->stands && self->row_id < row_id; i++)
    step (self);
  if (!self->stands || self->row_id != row_id) {
    sqlite3_reset (self->row);
    sqlite3_bind_int64 (self->row, 1, row_id);
    step (self);
  }
  return self->stands && self->row_id == row_id;
}

/* --- making the text of events ------------------------------------------------------------------------------------ */

gboolean
loom_rocm_take_times (LoomRocmReader *self, sqlite3_stmt *row, int start_column, gboolean is_first, gint64 *start_ns,
                      gint64 *end_ns)
{
  *start_ns = sqlite3_column_int64 (row, start_column);
  *end_ns = sqlite3_column_int64 (row, start_column + 1);
  gboolean has_times = *start_ns > 0 && *end_ns > 0;
  self->common.losses[LOOM_ROCM_TIMELESS] += is_first && !has_times;
  self->common.losses[LOOM_ROCM_BACKWARDS] += is_first && has_times && *end_ns < *start_ns;
  return has_times && *end_ns >= *start_ns;
}

void
loom_rocm_append_span (GString *text, const char *category, gint64 start_ns, gint64 end_ns)
{
  loom_made_json_append (text, "{\"ph\":\"X\",\"cat\":\"");
  loom_made_json_append (text, category);
  loom_made_json_append (text, "\",\"ts\":");
  loom_made_json_append_us (text, start_ns);
  loom_made_json_append (text, ",\"dur\":");
  loom_made_json_append_us (text, end_ns - start_ns);
}

void
loom_rocm_append_name (LoomRocmReader *self, GString *text, const char *name, gint64 id, gboolean is_first)
{
  loom_made_json_append (text, ",\"name\":\"");
  if (name != NULL) {
    loom_made_json_append (text, name);
  } else {
    g_string_append_c (text, '#');
    loom_made_json_append_int (text, id);
    self->common.losses[LOOM_ROCM_UNNAMED] += is_first;
  }
  g_string_append_c (text, '"');
}

void
loom_rocm_append_flow (GString *text, char phase, gint64 time_ns, const char *place, guint session, gint64 id)
{
  loom_made_json_append (text, phase == 'f' ? "{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"ts\":"
                                            : "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"id\":\"");
  loom_made_json_append_int (text, session);
  loom_made_json_append (text, ":");
  loom_made_json_append_int (text, id);
  loom_made_json_append (text, phase == 'f' ? "\",\"bp\":\"e\"},\n" : "\"},\n");
}

/* Decodes the escapes of a JSON string. `escaped`: the string without the quotes around it. Owned by the caller. */
static char *
dup_decoded (const char *escaped)
{
  g_autofree char *literal = g_strdup_printf ("\"%s\"", escaped);
  return loom_json_slice_dup_decoded ((LoomJsonSlice) { literal, strlen (literal) });
}

char *
loom_rocm_dup_shown (sqlite3_stmt *row, int column)
{
  g_autofree char *escaped = loom_row_names_dup_column (row, column);
  return dup_decoded (escaped);
}

/* Returns the key of a counter in LoomRocm.units; owned by the caller. `pid`: as in the key of a process, with quotes.
 */
static char *
dup_unit_key (const char *pid, const char *name)
{
  return g_strconcat (pid, "\n", name, NULL);
}

void
loom_rocm_note_unit (LoomRocmReader *self, const char *pid, const char *name, const char *unit)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", pid), *decoded = dup_decoded (name);
  g_hash_table_insert (self->common.units, dup_unit_key (quoted, decoded), g_strdup (unit));
}

void
loom_rocm_note_hold (LoomRocmReader *self, const char *pid, const char *name, gint64 hold_ns)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", pid), *decoded = dup_decoded (name),
                  *key = dup_unit_key (quoted, decoded);
  gint64 *known = g_hash_table_lookup (self->common.holds, key);
  if (known == NULL)
    g_hash_table_insert (self->common.holds, g_steal_pointer (&key), g_memdup2 (&hold_ns, sizeof hold_ns));
  else
    *known = MAX (*known, hold_ns);
}

/* --- names, rank and log ------------------------------------------------------------------------------------------ */

typedef struct {
  LoomRocmReader *reader; /* reads the rows of the database; borrowed from `text`, which owns the reader */
  guint32 first_process;
  const GArray *tables; /* LoomRowTable: the tables that are read */
  /* the generated text with events; borrowed. If reading stopped early, the thread that makes this text may still be
   * running */
  LoomByteSource *text;
} Export;

static void
name_streams (const Export *export, LoomTraceBuilder *builder)
{
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    const char *key = loom_trace_builder_thread_get_key (builder, i);
    if (process < export->first_process || key[0] == '\0' ||
        !g_str_has_prefix (loom_trace_builder_process_get_key (builder, process), "\"GPU "))
      continue;
    g_autofree char *label =
      g_ascii_isdigit (key[0]) ? g_strdup_printf ("queue %s", key) : g_strndup (key + 1, strlen (key) - 2);
    loom_trace_builder_thread_set_label (builder, i, label);
    loom_trace_builder_thread_add_flags (builder, i, LOOM_TRACK_DEVICE);
  }
}

/* Sets the rank of the file if all sessions have the same rank, and the host if all sessions have the same host. */
static void
place_file (const GArray *places, LoomSource *source)
{
  const LoomRocmPlace *first = places->len > 0 ? &g_array_index (places, LoomRocmPlace, 0) : NULL;
  gboolean same_rank = first != NULL && first->rank >= 0, same_host = first != NULL;
  for (guint i = 1; i < places->len; i++) {
    const LoomRocmPlace *other = &g_array_index (places, LoomRocmPlace, i);
    same_rank = same_rank && other->rank == first->rank;
    same_host = same_host && g_strcmp0 (other->host, first->host) == 0;
  }
  if (same_rank)
    source->rank = first->rank;
  if (same_host)
    source->node = g_strdup (first->host);
}

/* Declares that the times of the file come from a clock that counts from the boot of a host, if all sessions were
 * recorded on one host. */
static void
set_domain (const GArray *places, LoomDeclaredClock *clock)
{
  const LoomRocmPlace *first = places->len > 0 ? &g_array_index (places, LoomRocmPlace, 0) : NULL;
  for (guint i = 1; i < places->len; i++)
    if (g_strcmp0 (g_array_index (places, LoomRocmPlace, i).domain, first->domain) != 0)
      return;
  if (first != NULL && clock->domain == NULL)
    clock->domain = g_strdup (first->domain);
}

/* Returns the place of the session to which a process belongs; NULL: the database has a single session, or the key
 * states no session. `key`: key of the process, which begins with a quotation mark. Sets `n_label` to the length of the
 * name of the process in the key. */
static const LoomRocmPlace *
find_session (const GArray *places, const char *key, gsize *n_label)
{
  const char *end = strstr (key, LOOM_ROCM_SESSION);
  guint64 number = end != NULL ? g_ascii_strtoull (end + strlen (LOOM_ROCM_SESSION), NULL, 10) : G_MAXUINT64;
  if (places->len < 2 || key[0] != '"' || number >= places->len)
    return NULL;
  *n_label = (gsize) (end - key) - 1;
  return &g_array_index (places, LoomRocmPlace, number);
}

/* Returns the rank of a process: the rank in LoomRocm.ranks if the processes of its session have different ranks,
 * otherwise `common`. */
static gint
find_rank (const Export *export, const char *key, gint common)
{
  gpointer own;
  return g_hash_table_lookup_extended (export->reader->common.ranks, key, NULL, &own) ? GPOINTER_TO_INT (own) - 1
                                                                                      : common;
}

/* Gives each process the rank and the host of its session, and removes the number of the session from the name of the
 * process. */
static void
place_processes (const Export *export, const LoomChromeImporter *chrome)
{
  LoomTraceBuilder *builder = chrome->builder;
  for (guint32 i = export->first_process; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *key = loom_trace_builder_process_get_key (builder, i);
    gsize n_label;
    const LoomRocmPlace *place = find_session (export->reader->common.places, key, &n_label);
    gint rank = find_rank (export, key, place != NULL && place->rank >= 0 ? place->rank : chrome->info->rank);
    loom_trace_builder_process_set_place (builder, i, place != NULL ? place->host : chrome->info->node, rank);
    if (place == NULL)
      continue;
    g_autofree char *label = g_strndup (key + 1, n_label);
    loom_trace_builder_process_set_label (builder, i, label);
  }
}

static void
mark_devices (const Export *export, LoomTraceBuilder *builder)
{
  for (guint32 i = export->first_process; i < loom_trace_builder_get_n_processes (builder); i++)
    if (g_str_has_prefix (loom_trace_builder_process_get_key (builder, i), "\"GPU "))
      loom_trace_builder_process_add_flags (builder, i, LOOM_TRACK_DEVICE);
}

static void
set_properties (const Export *export, LoomTraceBuilder *builder)
{
  for (guint32 i = 0; i < loom_trace_builder_get_n_series (builder); i++) {
    guint32 counter = loom_trace_builder_series_get_counter (builder, i),
            process = loom_trace_builder_counter_get_process (builder, counter);
    g_autofree char *key = dup_unit_key (loom_trace_builder_process_get_key (builder, process),
                                         loom_trace_builder_counter_get_name (builder, counter));
    const char *unit = g_hash_table_lookup (export->reader->common.units, key);
    const gint64 *hold_ns = g_hash_table_lookup (export->reader->common.holds, key);
    if (process >= export->first_process && unit != NULL)
      loom_trace_builder_series_set_unit (builder, i, unit);
    if (process >= export->first_process && hold_ns != NULL)
      loom_trace_builder_series_set_hold (builder, i, *hold_ns);
  }
}

static void
log_losses (const LoomRocm *rows, LoomSource *source)
{
  static const struct {
    LoomSeverity severity;
    const char *code, *message;
  } table[LOOM_N_ROCM_LOSSES] = {
    [LOOM_ROCM_BACKWARDS] = { LOOM_SEVERITY_WARNING, "negative-duration",
                              N_ ("A row that ends before it starts was skipped") },
    [LOOM_ROCM_TIMELESS] = { LOOM_SEVERITY_WARNING, "no-time", N_ ("A row without a time was skipped") },
    [LOOM_ROCM_UNNAMED] = { LOOM_SEVERITY_WARNING, "no-name",
                            N_ (
                              "A row refers to a string that is not in the file; the number of the string is shown instead") },
    [LOOM_ROCM_NO_NUMBER] = { LOOM_SEVERITY_WARNING, "no-value",
                              N_ ("A counter value that is not a number was skipped") },
  };
  for (guint i = 0; i < LOOM_N_ROCM_LOSSES; i++)
    if (rows->losses[i] > 0)
      loom_import_log_add_n (source->log, table[i].severity, table[i].code, LOOM_OFFSET_NONE, rows->losses[i],
                             table[i].message);
  for (guint i = 0; i + 1 < rows->damages->len; i += 2)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "damaged-table", LOOM_OFFSET_NONE,
                            "%s cannot be read completely: %s", (const char *) rows->damages->pdata[i],
                            (const char *) rows->damages->pdata[i + 1]);
  source->incomplete |= rows->damages->len > 0;
  if (rows->n_without_launch > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "no-launch", LOOM_OFFSET_NONE,
                            "The file does not contain the calls that launched %" PRIu64
                            " kernels, copies and other operations of devices",
                            rows->n_without_launch);
}

/* Lets the reader add data that are not events (LoomRocmReader.finish), and logs which tables are not shown. */
static void
log_hidden (const Export *export, LoomChromeImporter *chrome)
{
  static const char *const known[] = { "rocpd_info_", "rocpd_memory_allocate", NULL }, *const others[] = { NULL };
  g_autoptr (GString) hidden = g_string_new (NULL);
  if (export->reader->finish != NULL)
    export->reader->finish (export->reader, chrome, hidden);
  loom_hidden_rows_add_tables (hidden, export->reader->database,
                               (const LoomRowTable *) (gconstpointer) export->tables->data, export->tables->len, known,
                               others);
  loom_hidden_rows_log (hidden, chrome->info);
}

/* Logs that the file has a newer schema and its rows could not be read. */
static void
log_schema (const LoomRocm *rows, LoomSource *source)
{
  if (rows->schema < NEWER_SCHEMA)
    return;
  loom_import_log_printf (
    source->log, LOOM_SEVERITY_ERROR, "newer-schema", LOOM_OFFSET_NONE,
    "The file has schema version %d of rocpd, in which times and kernels are stored in another way; "
    "convert it with “rocpd convert -f pftrace” and open the result",
    rows->schema);
  source->incomplete = TRUE;
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Export *export = chrome->data;
  const LoomRocm *rows = &export->reader->common;
  loom_made_text_wait (export->text);
  place_file (rows->places, chrome->info);
  if (chrome->n_timed > 0 && loom_chrome_importer_is_absolute (chrome))
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("nanoseconds since 1970"), 0);
  else
    set_domain (rows->places, loom_trace_builder_get_clock (chrome->builder, chrome->info->clock));
  log_hidden (export, chrome);
  place_processes (export, chrome);
  set_properties (export, chrome->builder);
  mark_devices (export, chrome->builder);
  name_streams (export, chrome->builder);
  log_losses (rows, chrome->info);
  log_schema (rows, chrome->info);
  loom_row_text_note_file (export->reader->database, chrome->info);
}

static void
on_damage (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data)
{
  LoomRocmReader *reader = user_data;
  g_ptr_array_add (reader->common.damages, g_strdup (table->name));
  g_ptr_array_add (reader->common.damages, g_strdup (message));
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  const Export *export = chrome->data;
  return loom_known_rows_scan (export->text, chrome, reader, scanner, error);
}

static gboolean
read_text (LoomImporter *import, const LoomFoundFile *file, LoomByteSource *text, Export *export, GError **error)
{
  LoomFoundFile view = *file;
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  view.origin = origin;
  LoomChromeImporterJob job = {
    .format = "rocm", .data = export, .clock = G_MAXUINT, .keeps_places = TRUE, .scan = scan, .finish = finish
  };
  return loom_chrome_importer_read (import, &view, &job, error);
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  GError *failure = NULL;
  LoomDatabase *database =
    loom_database_open_at (file->path, file->origin, import->salvages, import->progress, &failure);
  if (database == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  g_autoptr (GArray) tables = g_array_new (FALSE, FALSE, sizeof (LoomRowTable));
  GDestroyNotify destroy;
  LoomRocmReader *reader = loom_database_has_table (database, "rocpd_op")
                             ? loom_rocm_rpd_new (database, tables, &destroy)
                             : loom_rocm_rocpd_new (database, tables, &destroy);
  Export export = { reader, loom_trace_builder_get_n_processes (import->builder), tables };
  g_autoptr (LoomByteSource) text = loom_row_text_new (database, (const LoomRowTable *) (gconstpointer) tables->data,
                                                       tables->len, on_damage, reader, destroy);
  loom_progress_add_total (import->progress, (TYPICAL_RATIO - 1) * file->n_bytes);
  export.text = text;
  gboolean good = read_text (import, file, text, &export, error);
  import->wants_salvage |= loom_database_wants_salvage (database);
  return good;
}

gboolean
loom_importer_rocm (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
