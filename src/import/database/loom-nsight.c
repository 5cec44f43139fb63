/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports SQLite exports of Nsight Systems (nsys export --type sqlite). The rows are converted to Chrome trace events,
 * which are parsed like those of a file. This source file adds the names, ranks and clocks, which are in other tables
 * of the export.
 */
#include "loom-chrome-importer.h"
#include "loom-error.h"
#include "loom-hidden-rows.h"
#include "loom-int64-hash.h"
#include "loom-known-rows.h"
#include "loom-nsight-private.h"
#include "loom-nsight-report.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Newest version of the export's schema with which this importer was tested. */
#define KNOWN_SCHEMA 3
#define MOST_DISTANCE_NS (100 * 86400 * LOOM_NS_PER_S)
/* Number of bytes of text that are made from one byte of the database; an estimate, for the progress. Measured for five
 * exports: 2.4 to 4.1. */
#define TYPICAL_RATIO 3
#define MOST_DIAGNOSTICS 100
#define MOST_DIAGNOSTIC_BYTES 500

/* Tables of events of which an export has at least one. */
static const char *const recognised_tables[] = { "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                 "NVTX_EVENTS", "OSRT_API" };
/* Tables that are not shown and may have columns of times with other names than "start" and "timestamp". */
static const char *const hidden_tables[] = { "NVVIDEO_EVENTS", "NET_NIC_METRIC", "SOC_METRICS", "NET_IB_SWITCH_METRIC",
                                             NULL };
/* Beginnings of the names of tables that are read, but do not become events. */
static const char *const known_tables[] = { "CUDA_GPU_MEMORY_USAGE_EVENTS", "DIAGNOSTIC_EVENT", "ANALYSIS_DETAILS",
                                            "TARGET_INFO_", NULL };

typedef struct {
  /* the generated text with events; borrowed. If reading stopped early, the thread that makes this text may still be
   * running */
  LoomByteSource *text;
  LoomNsight *rows;          /* reads the rows of the export; borrowed from `text`, which owns the reader */
  GHashTable *process_names; /* global process id → name */
  GHashTable *thread_names;  /* global thread id → name */
  GHashTable *ranks;         /* global process id → GINT_TO_POINTER (rank + 1) of the process */
  /* process, device and kind of memory, joined → gint64 *: number of bytes that are allocated at present */
  GHashTable *held;
  char *host;
  gint64 base_ns;
  const char *basis;     /* text for LoomDeclaredClock.basis; NULL: the times are not relative to 1970 */
  gint schema;           /* major number of the schema; 0: unknown */
  guint32 first_process; /* number, in the builder, of the first process from this file */
} Export;

static GHashTable *
new_table (GDestroyNotify free_value)
{
  return g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, free_value);
}

static void
clear_damage (gpointer data)
{
  g_free (((LoomNsightDamage *) data)->message);
}

static LoomNsight *
nsight_new (LoomDatabase *database)
{
  LoomNsight *self = g_new0 (LoomNsight, 1);
  self->database = database;
  self->texts = loom_row_names_new (database, "StringIds", "value");
  self->domains = new_table (g_free);
  self->devices = new_table (NULL);
  self->contexts = new_table (NULL);
  self->metrics = new_table (g_free);
  self->units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->damages = g_array_new (FALSE, FALSE, sizeof (LoomNsightDamage));
  g_array_set_clear_func (self->damages, clear_damage);
  return self;
}

static void
nsight_free (gpointer data)
{
  LoomNsight *self = data;
  loom_row_names_free (self->texts);
  g_hash_table_unref (self->domains);
  g_hash_table_unref (self->devices);
  g_hash_table_unref (self->contexts);
  g_hash_table_unref (self->metrics);
  g_hash_table_unref (self->units);
  g_array_unref (self->damages);
  loom_launch_links_free (self->links);
  g_free (self);
}

/* --- reading small tables ----------------------------------------------------------------------------------------- */

typedef void (*RowFunc) (Export *export, sqlite3_stmt *row, gpointer user_data);

/* Calls `func` for each row of a table. If the database does not have the table, does nothing. */
static void
for_each_row (Export *export, const char *table, const char *const *columns, RowFunc func, gpointer user_data)
{
  sqlite3_stmt *row = loom_database_select (export->rows->database, table, columns, NULL);
  while (row != NULL && loom_database_step (export->rows->database, row) == SQLITE_ROW)
    func (export, row, user_data);
  sqlite3_finalize (row);
}

static void
insert (GHashTable *table, gint64 key, gpointer value)
{
  g_hash_table_insert (table, g_memdup2 (&key, sizeof key), value);
}

/* Returns the text of a column for display, cut at LOOM_LIMIT_NAME_BYTES; owned by the caller. */
static char *
dup_shown (sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);
  g_autoptr (GString) literal = g_string_new (NULL);
  loom_json_slice_append_string (literal, text != NULL ? text : "",
                                 MIN ((gsize) sqlite3_column_bytes (row, column), LOOM_LIMIT_NAME_BYTES));
  return loom_json_slice_dup_decoded ((LoomJsonSlice) { literal->str, literal->len });
}

static char *
dup_shown_text (LoomNsight *rows, gint64 id)
{
  const char *text = loom_row_names_get (rows->texts, id);
  g_autofree char *literal = text != NULL ? g_strdup_printf ("\"%s\"", text) : NULL;
  return literal != NULL ? loom_json_slice_dup_decoded ((LoomJsonSlice) { literal, strlen (literal) }) : NULL;
}

static void
take_process (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  g_autofree char *name = dup_shown (row, 2);
  insert (export->process_names, sqlite3_column_int64 (row, 1), g_path_get_basename (name));
}

static void
take_thread (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  char *name = dup_shown_text (export->rows, sqlite3_column_int64 (row, 2));
  if (name != NULL)
    insert (export->thread_names, sqlite3_column_int64 (row, 1), name);
}

static void
set_rank (Export *export, gint64 global_id, gint64 rank)
{
  if (rank >= 0 && rank < G_MAXINT)
    insert (export->ranks, loom_nsight_process_of (global_id), GINT_TO_POINTER ((gint) rank + 1));
}

static void
take_rank (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  set_rank (export, sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2));
}

/* Sets the rank of a process if the name of one of its threads states the rank: "MPI Rank 3", as in exports of 2022. */
static void
take_named_rank (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  enum { THREAD_NAMED = 39 };
  gint64 rank;
  if (sqlite3_column_int64 (row, 1) != THREAD_NAMED)
    return;
  gboolean has_text = sqlite3_column_type (row, 3) != SQLITE_NULL;
  g_autofree char *text = has_text ? dup_shown (row, 3) : dup_shown_text (export->rows, sqlite3_column_int64 (row, 4));
  if (text != NULL && g_str_has_prefix (text, "MPI Rank ") &&
      loom_parse_time_parse_int (text + strlen ("MPI Rank "), strlen (text) - strlen ("MPI Rank "), &rank))
    set_rank (export, sqlite3_column_int64 (row, 2), rank);
}

static void
take_host (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  if (g_strcmp0 ((const char *) sqlite3_column_text (row, 1), "Hostname") != 0)
    return;
  g_free (export->host);
  export->host = dup_shown (row, 2);
}

static void
take_start (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  gint64 start_ns = sqlite3_column_int64 (row, 1);
  if (start_ns <= 0)
    return;
  export->base_ns = start_ns;
  export->basis = N_ ("start of the session, UTC");
}

typedef struct {
  /* `is_utc`: the times are UTC; `states_utc`: a parameter of the export states whether the times are UTC */
  gboolean is_utc, states_utc;
  gint64 shift_ns;
  LoomSource *source;
} Parameters;

static void
take_parameter (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  Parameters *parameters = user_data;
  g_autofree char *name = dup_shown (row, 1), *value = dup_shown (row, 2);
  if (strcmp (name, "EXPORT_PARAM_TIME_NORMALIZE") == 0) {
    parameters->states_utc = TRUE;
    parameters->is_utc = strcmp (value, "true") == 0;
  } else if (strcmp (name, "EXPORT_PARAM_TIME_SHIFT") == 0)
    loom_parse_time_parse_int (value, strlen (value), &parameters->shift_ns);
  else if (strcmp (name, "EXPORT_SCHEMA_VERSION") == 0)
    export->schema = (gint) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXINT);
}

/* Returns TRUE if the times in the first rows of the first table with events are so late that they must count from
 * 1970: no session lasts that long. */
static gboolean
has_utc_times (const Export *export)
{
  static const char *const columns[] = { "start", NULL };
  enum { MOST_ROWS = 100 };
  gint64 least_ns = 0;
  for (guint i = 0; i < G_N_ELEMENTS (recognised_tables) && least_ns == 0; i++) {
    sqlite3_stmt *row = loom_database_select (export->rows->database, recognised_tables[i], columns, NULL);
    for (guint n = 0; row != NULL && n < MOST_ROWS && loom_database_step (export->rows->database, row) == SQLITE_ROW;
         n++)
      least_ns = n == 0 ? sqlite3_column_int64 (row, 1) : MIN (least_ns, sqlite3_column_int64 (row, 1));
    sqlite3_finalize (row);
  }
  return least_ns >= LOOM_TIME_EPOCH_MIN;
}

static void
read_clock (Export *export)
{
  static const char *const start[] = { "utcEpochNs", NULL }, *const pairs[] = { "name", "value", NULL };
  Parameters parameters = { 0 };
  for_each_row (export, "TARGET_INFO_SESSION_START_TIME", start, take_start, NULL);
  for_each_row (export, "EXPORT_META_DATA", pairs, take_parameter, &parameters);
  for_each_row (export, "META_DATA_EXPORT", pairs, take_parameter, &parameters);
  parameters.is_utc |= !parameters.states_utc && has_utc_times (export);
  if (parameters.is_utc) {
    export->base_ns = 0;
    export->basis = N_ ("UTC, chosen when the report was exported");
  } else if (export->basis != NULL) {
    export->base_ns = loom_time_sub (export->base_ns, parameters.shift_ns);
  }
  gint64 middle_ns = parameters.is_utc ? G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S : parameters.shift_ns,
         reach_ns = parameters.is_utc ? middle_ns : MOST_DISTANCE_NS;
  export->rows->min_ns = loom_time_sub (middle_ns, reach_ns);
  export->rows->max_ns = loom_time_add (middle_ns, reach_ns);
}

static void
read_small_tables (Export *export)
{
  static const char *const processes[] = { "globalPid", "name", NULL },
                           *const threads[] = { "globalTid", "nameId", NULL },
                           *const ranks[] = { "globalTid", "rank", NULL }, *const host[] = { "name", "value", NULL },
                           *const ranges[] = { "eventType", "globalTid", "text", "textId", NULL };
  export->process_names = new_table (g_free);
  export->thread_names = new_table (g_free);
  export->ranks = new_table (NULL);
  read_clock (export);
  for_each_row (export, "PROCESSES", processes, take_process, NULL);
  for_each_row (export, "ThreadNames", threads, take_thread, NULL);
  for_each_row (export, "TARGET_INFO_SYSTEM_ENV", host, take_host, NULL);
  for_each_row (export, "NVTX_EVENTS", ranges, take_named_rank, NULL);
  for_each_row (export, "MPI_RANKS", ranks, take_rank, NULL);
}

static void
export_clear (Export *export)
{
  g_hash_table_unref (export->process_names);
  g_hash_table_unref (export->thread_names);
  g_hash_table_unref (export->ranks);
  g_clear_pointer (&export->held, g_hash_table_unref);
  g_free (export->host);
}

/* --- setting names and ranks after reading the events ------------------------------------------------------------- */

/* Parses the key of a process: "145", "3/145", "GPU 1 of 145" or "GPU 1 of 3/145", where 145 is the pid and 3 the
 * machine. Returns FALSE for other keys. Sets `device` to −1 for a process of the host. */
static gboolean
parse_process_key (const Export *export, const char *key, gint64 *global_id, gint *device)
{
  g_autofree char *plain = g_strdup (key[0] == '"' ? key + 1 : key);
  char *at = plain;
  gint64 machine = export->rows->machine;
  *global_id = 0; /* remains 0 for a device that does not belong to a process */
  *device = -1;
  if (g_str_has_prefix (at, "GPU ")) {
    *device = (gint) g_ascii_strtoll (at + 4, &at, 10);
    if (!g_str_has_prefix (at, " of "))
      return g_str_has_prefix (at, "\"");
    at += 4;
  }
  if (!g_ascii_isdigit (*at) && *at != '-')
    return FALSE;
  gint64 pid = g_ascii_strtoll (at, &at, 10);
  if (*at == '/') {
    machine = pid;
    pid = g_ascii_strtoll (at + 1, &at, 10);
  }
  *global_id = (gint64) ((guint64) machine << 48 | (guint64) pid << 24);
  return TRUE;
}

static void
name_process (Export *export, LoomTraceBuilder *builder, guint32 process, gint64 global_id, gint device)
{
  const char *name = g_hash_table_lookup (export->process_names, &global_id);
  gint64 pid = loom_nsight_pid_of (global_id);
  g_autofree char *label = device >= 0    ? g_strdup_printf ("GPU %d", device)
                           : name != NULL ? g_strdup_printf ("%s [%" G_GINT64_FORMAT "]", name, pid)
                                          : g_strdup_printf ("[%" G_GINT64_FORMAT "]", pid);
  loom_trace_builder_process_set_label (builder, process, label);
  loom_trace_builder_process_set_sort (builder, process, pid * 1024 + device + 1);
  if (device >= 0)
    loom_trace_builder_process_add_flags (builder, process, LOOM_TRACK_DEVICE);
}

static void
name_processes (Export *export, LoomChromeImporter *chrome)
{
  LoomTraceBuilder *builder = chrome->builder;
  gint64 global_id;
  gint device;
  for (guint32 i = export->first_process; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *key = loom_trace_builder_process_get_key (builder, i);
    gint rank = chrome->info->rank;
    if (parse_process_key (export, key, &global_id, &device)) {
      gint known = global_id != 0 ? GPOINTER_TO_INT (g_hash_table_lookup (export->ranks, &global_id)) : 0;
      rank = known > 0 ? known - 1 : rank;
      name_process (export, builder, i, global_id, device);
    }
    loom_trace_builder_process_set_place (builder, i, chrome->info->node, rank);
  }
}

static void
name_stream (LoomTraceBuilder *builder, guint32 thread, const char *key)
{
  g_autofree char *plain = g_strdup (key[0] == '"' ? key + 1 : key);
  g_strdelimit (plain, "\"", '\0');
  gboolean is_sync = g_str_has_suffix (plain, " sync"), has_stream = g_ascii_isdigit (plain[0]);
  g_autofree char *label = g_strdup_printf (has_stream ? "stream %s" : "%s", plain);
  loom_trace_builder_thread_set_label (builder, thread, label);
  if (is_sync)
    loom_trace_builder_thread_add_flags (builder, thread, LOOM_TRACK_COLLAPSED);
  else
    loom_trace_builder_thread_add_flags (builder, thread, LOOM_TRACK_DEVICE);
  loom_trace_builder_thread_set_sort (builder, thread, g_ascii_strtoll (plain, NULL, 10) * 2 + is_sync);
}

/* Sets the name of a thread. Its key is the tid, "1701", or the tid and the name of a separate lane, "1701 system". */
static void
name_thread (Export *export, LoomTraceBuilder *builder, guint32 thread, const char *key, gint64 process_id)
{
  char *lane;
  gint64 tid = g_ascii_strtoll (key[0] == '"' ? key + 1 : key, &lane, 10), global_tid = process_id | tid;
  const char *name = g_hash_table_lookup (export->thread_names, &global_tid);
  g_autofree char *kind = g_strstrip (g_strdelimit (g_strdup (lane), "\"", ' '));
  g_autofree char *own = g_strdup_printf ("thread %" G_GINT64_FORMAT, tid);
  g_autofree char *label =
    kind[0] != '\0' ? g_strdup_printf ("%s: %s", name != NULL ? name : own, kind) : g_strdup (name);
  if (label != NULL)
    loom_trace_builder_thread_set_label (builder, thread, label);
  if (kind[0] != '\0')
    loom_trace_builder_thread_add_flags (builder, thread, LOOM_TRACK_COLLAPSED);
  loom_trace_builder_thread_set_sort (builder, thread, tid * 2 + (kind[0] != '\0'));
}

static void
name_threads (Export *export, LoomTraceBuilder *builder)
{
  gint64 process_id = 0;
  gint device;
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    const char *key = loom_trace_builder_thread_get_key (builder, i);
    if (process < export->first_process || key[0] == '\0' ||
        !parse_process_key (export, loom_trace_builder_process_get_key (builder, process), &process_id, &device))
      continue;
    if (device >= 0)
      name_stream (builder, i, key);
    else
      name_thread (export, builder, i, key, process_id);
  }
}

static void
set_units (const Export *export, LoomTraceBuilder *builder)
{
  for (guint32 i = 0; i < loom_trace_builder_get_n_series (builder); i++) {
    guint32 counter = loom_trace_builder_series_get_counter (builder, i),
            process = loom_trace_builder_counter_get_process (builder, counter);
    g_autofree char *key = g_strconcat (loom_trace_builder_process_get_key (builder, process), "\n",
                                        loom_trace_builder_counter_get_name (builder, counter), NULL);
    const char *unit = g_hash_table_lookup (export->rows->units, key);
    if (process >= export->first_process && unit != NULL)
      loom_trace_builder_series_set_unit (builder, i, unit);
  }
}

static char *
dup_memory_name (gint64 kind)
{
  return kind == 2 ? g_strdup ("GPU memory") : g_strdup_printf ("GPU memory, %s", loom_nsight_memory_kind (kind));
}

/* Adds `n_bytes` to the number of bytes that are allocated under the key `place`. Returns the sum. */
static gint64
change_held (Export *export, gint64 place, gint64 n_bytes)
{
  gint64 *held = g_hash_table_lookup (export->held, &place);
  if (held == NULL) {
    held = g_new0 (gint64, 1);
    g_hash_table_insert (export->held, g_memdup2 (&place, sizeof place), held);
  }
  return *held = (gint64) ((guint64) *held + (guint64) n_bytes);
}

/* Returns the key of the process that represents a device of a process, as kernels have it: "GPU 1 of 145" or, if the
 * process ran on another machine than the first process in the file, "GPU 1 of 3/145". Owned by the caller. */
static char *
dup_device_key (const LoomNsight *rows, gint64 process_id, gint64 device)
{
  gint64 machine = process_id >> 48;
  g_autofree char *above =
    machine != rows->machine ? g_strdup_printf ("%" G_GINT64_FORMAT "/", machine) : g_strdup ("");
  return g_strdup_printf ("\"GPU %" G_GINT64_FORMAT " of %s%" G_GINT64_FORMAT "\"", device, above,
                          loom_nsight_pid_of (process_id));
}

static guint32
find_memory_series (const LoomNsight *rows, LoomChromeImporter *chrome, gint64 process_id, gint64 device, gint64 kind)
{
  LoomTraceBuilder *builder = chrome->builder;
  g_autofree char *key = dup_device_key (rows, process_id, device), *name = dup_memory_name (kind);
  guint32 process = loom_trace_builder_process (builder, chrome->source, key, strlen (key)),
          counter = loom_trace_builder_counter (builder, process, "", 0, name, strlen (name), "", 0),
          series = loom_trace_builder_series (builder, counter, "bytes", strlen ("bytes"));
  loom_trace_builder_series_set_unit (builder, series, "B");
  return series;
}

/* One row of the table of allocated and freed memory. */
typedef struct {
  gint64 time_ns, process_id, device, kind, n_bytes; /* n_bytes: negative if memory is freed */
  /* position of the row in the table, by which rows with the same time are sorted */
  guint number;
} MemoryChange;

static void
take_memory (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  enum { TIME = 1, PROCESS, DEVICE, KIND, OPERATION, BYTES };
  GArray *changes = user_data;
  gint64 n_bytes = sqlite3_column_int64 (row, BYTES);
  gboolean allocates = sqlite3_column_int64 (row, OPERATION) == 0;
  const MemoryChange change = { .time_ns = sqlite3_column_int64 (row, TIME),
                                .process_id = sqlite3_column_int64 (row, PROCESS),
                                .device = sqlite3_column_int64 (row, DEVICE),
                                .kind = sqlite3_column_int64 (row, KIND),
                                .n_bytes = allocates ? n_bytes : (gint64) - (guint64) n_bytes,
                                .number = changes->len };
  if (change.time_ns < export->rows->min_ns || change.time_ns > export->rows->max_ns)
    loom_nsight_count (export->rows, TRUE, LOOM_NSIGHT_FAR);
  else
    g_array_append_val (changes, change);
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const MemoryChange *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds counter samples: after each row, the number of bytes that the process has allocated on the device. Sorts the
 * rows by time first, because the file need not contain them in this order. */
static void
count_memory (Export *export, LoomChromeImporter *chrome)
{
  static const char *const columns[] = { "start", "globalPid", "deviceId", "memKind", "memoryOperationType",
                                         "bytes", NULL };
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (MemoryChange));
  for_each_row (export, "CUDA_GPU_MEMORY_USAGE_EVENTS", columns, take_memory, changes);
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++) {
    const MemoryChange *change = &g_array_index (changes, MemoryChange, i);
    gint64 place = loom_nsight_pair (loom_nsight_pair (change->process_id, change->device), change->kind),
           held = change_held (export, place, change->n_bytes);
    guint32 series = find_memory_series (export->rows, chrome, change->process_id, change->device, change->kind);
    loom_trace_builder_sample (chrome->builder, series, change->time_ns, (double) held, LOOM_REF_NONE);
    chrome->info->n_events++;
    chrome->info->n_counters++;
  }
}

/* --- log ---------------------------------------------------------------------------------------------------------- */

static void
log_losses (const LoomNsight *rows, LoomSource *source)
{
  static const struct {
    LoomSeverity severity;
    const char *code, *message;
  } table[LOOM_N_NSIGHT_LOSSES] = {
    [LOOM_NSIGHT_BACKWARDS] = { LOOM_SEVERITY_WARNING, "negative-duration",
                                N_ ("A row that ends before it starts was skipped") },
    [LOOM_NSIGHT_ENDLESS] = { LOOM_SEVERITY_WARNING, "no-end", N_ ("A row without an end was skipped") },
    [LOOM_NSIGHT_FAR] = { LOOM_SEVERITY_WARNING, "far-time",
                          N_ ("A row whose time is more than 100 days from the session was skipped") },
    [LOOM_NSIGHT_UNNAMED] = { LOOM_SEVERITY_WARNING, "no-name",
                              N_ (
                                "A row refers to a string that is not in the file; the number of the string is shown instead") },
    [LOOM_NSIGHT_NO_NUMBER] = { LOOM_SEVERITY_ERROR, "damaged-row",
                                N_ ("A row whose time is not a number was skipped") },
    [LOOM_NSIGHT_NO_VALUE] = { LOOM_SEVERITY_WARNING, "no-value",
                               N_ ("A counter value that is not a number was skipped") },
  };
  for (guint i = 0; i < LOOM_N_NSIGHT_LOSSES; i++)
    if (rows->losses[i] > 0)
      loom_import_log_add_n (source->log, table[i].severity, table[i].code, LOOM_OFFSET_NONE, rows->losses[i],
                             table[i].message);
  for (guint i = 0; i < rows->damages->len; i++) {
    const LoomNsightDamage *damage = &g_array_index (rows->damages, LoomNsightDamage, i);
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "damaged-table", LOOM_OFFSET_NONE,
                            "%s cannot be read completely; %" PRIu64 " rows were kept: %s", damage->table,
                            damage->n_rows, damage->message);
  }
  source->incomplete |= rows->damages->len > 0;
}

/* Logs the tables that are views. Views are not read, because reading a view executes SQL text from the file. */
static void
log_views (const Export *export, LoomSource *source)
{
  LoomRowTable tables[LOOM_NSIGHT_MOST_TABLES];
  guint n = loom_nsight_list_tables (tables);
  for (guint i = 0; i < n; i++)
    if (loom_database_has_view (export->rows->database, tables[i].name))
      loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "view", LOOM_OFFSET_NONE,
                              "A view was not read, because a table is expected: %s", tables[i].name);
}

static void
log_hidden (const Export *export, LoomSource *source)
{
  LoomRowTable tables[LOOM_NSIGHT_MOST_TABLES];
  guint n = loom_nsight_list_tables (tables);
  g_autoptr (GString) hidden = g_string_new (NULL);
  loom_hidden_rows_add_tables (hidden, export->rows->database, tables, n, known_tables, hidden_tables);
  for (guint i = 0; i < G_N_ELEMENTS (export->rows->hidden_ranges); i++) {
    g_autofree char *name = g_strdup_printf ("NVTX_EVENTS eventType %u", i);
    loom_hidden_rows_add (hidden, name, export->rows->hidden_ranges[i]);
  }
  loom_hidden_rows_log (hidden, source);
}

static void
log_tables (const Export *export, LoomSource *source)
{
  guint64 n_without;
  loom_launch_links_count (export->rows->links, &n_without);
  if (n_without > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "no-launch", LOOM_OFFSET_NONE,
                            "The file does not contain the calls that launched %" PRIu64
                            " kernels, copies and other operations of devices",
                            n_without);
  if (export->schema > KNOWN_SCHEMA)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "newer-schema", LOOM_OFFSET_NONE,
                            "The file has schema version %d, which is newer than the versions that are supported",
                            export->schema);
}

static void
log_diagnostic (Export *export, sqlite3_stmt *row, gpointer user_data)
{
  LoomSource *source = user_data;
  g_autofree char *text = dup_shown (row, 1);
  if (loom_import_log_get_n_problems (source->log) >= MOST_DIAGNOSTICS)
    return;
  loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "nsight", LOOM_OFFSET_NONE, "Nsight Systems: %.*s",
                          MOST_DIAGNOSTIC_BYTES, text);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
on_damage (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data)
{
  LoomNsightDamage damage = { table->name, n_rows, g_strdup (message) };
  g_array_append_val (((LoomNsight *) user_data)->damages, damage);
}

static gint
find_only_rank (const Export *export)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, export->ranks);
  return g_hash_table_size (export->ranks) == 1 && g_hash_table_iter_next (&iter, NULL, &value)
           ? GPOINTER_TO_INT (value) - 1
           : -1;
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  static const char *const diagnostic[] = { "text", NULL };
  Export *export = chrome->data;
  loom_made_text_wait (export->text);
  loom_trace_builder_source_extend_open (chrome->builder, chrome->source, LOOM_TIME_NONE);
  export->held = new_table (g_free);
  count_memory (export, chrome);
  set_units (export, chrome->builder);
  gint rank = find_only_rank (export);
  if (rank >= 0)
    chrome->info->rank = rank;
  chrome->info->node = g_strdup (export->host);
  if (export->basis != NULL) {
    loom_trace_builder_shift_source (chrome->builder, chrome->source, export->base_ns);
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, export->basis, export->base_ns);
  }
  name_processes (export, chrome);
  name_threads (export, chrome->builder);
  log_losses (export->rows, chrome->info);
  loom_row_text_note_file (export->rows->database, chrome->info);
  log_views (export, chrome->info);
  log_hidden (export, chrome->info);
  log_tables (export, chrome->info);
  for_each_row (export, "DIAGNOSTIC_EVENT", diagnostic, log_diagnostic, chrome->info);
}

static gboolean
scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  const Export *export = chrome->data;
  return loom_known_rows_scan (export->text, chrome, reader, scanner, error);
}

/* Parses the generated text with events like the text of a Chrome trace file. */
static gboolean
read_text (LoomImporter *import, const LoomFoundFile *file, LoomByteSource *text, Export *export, GError **error)
{
  LoomFoundFile view = *file;
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  origin->n_bytes = G_MAXUINT64;
  view.origin = origin;
  LoomChromeImporterJob job = {
    .format = "nsight", .data = export, .clock = G_MAXUINT, .keeps_places = TRUE, .scan = scan, .finish = finish
  };
  return loom_chrome_importer_read (import, &view, &job, error);
}

/* Opens the database of a file. If the file is a report of Nsight Systems (.nsys-rep), exports it to a database
 * first. */
static LoomDatabase *
open_database (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  if (file->origin != NULL || !loom_nsight_report_recognise (file->path))
    return loom_database_open_at (file->path, file->origin, import->salvages, import->progress, error);
  g_autofree char *path = loom_nsight_report_export (file->path, import->progress, error);
  return path != NULL ? loom_database_open_cached (path, import->salvages, import->progress, error) : NULL;
}

static gboolean
read_export (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  GError *failure = NULL;
  LoomDatabase *database = open_database (import, file, &failure);
  if (database == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  Export export = { .rows = nsight_new (database),
                    .first_process = loom_trace_builder_get_n_processes (import->builder) };
  read_small_tables (&export);
  loom_nsight_look_ahead (export.rows);
  LoomRowTable tables[LOOM_NSIGHT_MOST_TABLES];
  guint n_tables = loom_nsight_list_tables (tables);
  g_autoptr (LoomByteSource) text = loom_row_text_new (database, tables, n_tables, on_damage, export.rows, nsight_free);
  loom_progress_add_total (import->progress, (TYPICAL_RATIO - 1) * file->n_bytes);
  export.text = text;
  gboolean good = read_text (import, file, text, &export, error);
  import->wants_salvage |= loom_database_wants_salvage (database);
  export_clear (&export);
  return good;
}

gboolean
loom_importer_nsight (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_export (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
