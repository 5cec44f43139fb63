/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads rocpd databases of rocprofv3 and rocprof-sys. A database may contain several sessions. The table names of a
 * session end with the id of the session; ids of rows are unique only within a session.
 */
#include "loom-hidden-rows.h"
#include "loom-int64-hash.h"
#include "loom-rocm-private.h"
#include "loom-rocpd-counters.h"
#include "loom-rocpd-events.h"
#include "loom-rocpd-memory.h"

#include "loom-json-slice.h"
#include "loom-parse-time.h"

enum { REGION_PID = 1, REGION_TID, REGION_START, REGION_END, REGION_NAME, REGION_EVENT };
enum {
  KERNEL_PID = 1,
  KERNEL_AGENT,
  KERNEL_SYMBOL,
  KERNEL_DISPATCH,
  KERNEL_QUEUE,
  KERNEL_STREAM,
  KERNEL_START,
  KERNEL_END,
  KERNEL_EVENT,
  KERNEL_GROUP,
  KERNEL_GRID = KERNEL_GROUP + 3
};
enum {
  COPY_PID = 1,
  COPY_NAME,
  COPY_TO,
  COPY_FROM,
  COPY_BYTES,
  COPY_START,
  COPY_END,
  COPY_EVENT,
  COPY_QUEUE,
  COPY_STREAM
};
enum { N_TABLES = 5 };

#define METADATA "rocpd_metadata"
#define KERNELS "rocpd_kernel_dispatch"

typedef struct {
  guint number;         /* index of this session in `all` and in LoomRocm.places */
  const GPtrArray *all; /* Session *: all sessions of the database; borrowed */
  LoomRowNames *texts, *kernels, *symbols;
  LoomRocpdCounters *counters;
  const char *allocations; /* name of the table of allocations; owned by Rocpd.names */
  LoomRocpdEvents *events;
  GHashTable *pids, *tids; /* id of a process in the database → pid; id of a thread → tid */
  GHashTable *gpus;        /* id of an agent (device) → its GPU index + 1; only GPUs */
  GHashTable *ranks;       /* id of a process in the database → GINT_TO_POINTER (rank + 1) */
  /* GPU index → rank + 1 of the processes that used the GPU; NULL: the rank is unknown, or these processes have
   * different ranks. Filled only if ranks_differ is TRUE */
  GHashTable *owners;
  gboolean ranks_differ; /* the processes of the session have different ranks */
  LoomLaunchLinks *links;
  guint64 n_kernels;
  GString *place; /* JSON text with the members pid and tid of the current row; reused for each row */
} Session;

typedef struct {
  LoomRocmReader reader; /* must be the first member, because a pointer to this reader is converted to Rocpd * */
  GPtrArray *sessions;   /* Session *: all sessions in the database */
  GPtrArray *names;      /* char *: names of tables of all sessions; owns them */
} Rocpd;

static gint64
look_up (GHashTable *table, gint64 id)
{
  gint64 *value = g_hash_table_lookup (table, &id);
  return value != NULL ? *value : id;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Appends the number of the session to a pid, if the database has several sessions: different sessions may have
 * processes and devices with the same numbers. */
static void
append_session (const Session *session, GString *text)
{
  if (session->all->len <= 1)
    return;
  loom_made_json_append (text, LOOM_ROCM_SESSION);
  loom_made_json_append_int (text, session->number);
}

/* Returns the members pid and tid of a call, as JSON text. Valid until the next row. */
static const char *
write_host_place (const Session *session, gint64 process, gint64 thread)
{
  g_string_truncate (session->place, 0);
  const char *quote = session->all->len > 1 ? "\"" : "";
  loom_made_json_append (session->place, ",\"pid\":");
  loom_made_json_append (session->place, quote);
  loom_made_json_append_int (session->place, look_up (session->pids, process));
  append_session (session, session->place);
  loom_made_json_append (session->place, quote);
  loom_made_json_append (session->place, ",\"tid\":");
  loom_made_json_append_int (session->place, look_up (session->tids, thread));
  return session->place->str;
}

static void
format_region (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
               gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gint64 start_ns, end_ns, event = sqlite3_column_int64 (row, REGION_EVENT),
                           name_id = sqlite3_column_int64 (row, REGION_NAME);
  if (!loom_rocm_take_times (&self->reader, row, REGION_START, is_first, &start_ns, &end_ns))
    return;
  const char *place =
    write_host_place (session, sqlite3_column_int64 (row, REGION_PID), sqlite3_column_int64 (row, REGION_TID));
  const char *name = loom_row_names_get (session->texts, name_id),
             *message = loom_rocpd_events_find_message (session->events, event);
  loom_rocm_append_span (text, loom_rocpd_events_find_category (session->events, event, name), start_ns, end_ns);
  loom_rocm_append_name (&self->reader, text, message != NULL ? message : name, name_id, is_first);
  loom_made_json_append (text, place);
  gint64 stack = loom_rocpd_events_find_stack (session->events, event);
  loom_made_json_append (text, ",\"args\":{\"correlation\":");
  loom_made_json_append_int (text, stack);
  if (message != NULL && name != NULL) {
    loom_made_json_append (text, ",\"operation\":\"");
    loom_made_json_append (text, name);
    loom_made_json_append (text, "\"");
  }
  loom_made_json_append (text, "}},\n");
  if (loom_launch_links_launches (session->links, number))
    loom_rocm_append_flow (text, 's', start_ns, place, session->number, stack);
}

/* Sets the phase and the id of the row's flow event in `span`. The id consists of the number of the session and
 * `stack`, the stack id, as loom_rocm_append_flow() writes it. */
static void
measure_flow (const Session *session, LoomRowSpan *span, char phase, gint64 stack)
{
  span->flow = phase;
  span->flow_group = session->number;
  span->flow_number = stack;
}

static gboolean
measure_region (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gint64 event = sqlite3_column_int64 (row, REGION_EVENT), name_id = sqlite3_column_int64 (row, REGION_NAME);
  const char *name = loom_row_names_get (session->texts, name_id);
  if (!loom_rocm_take_times (&self->reader, row, REGION_START, FALSE, &span->start_ns, &span->end_ns) || name == NULL ||
      loom_rocpd_events_find_message (session->events, event) != NULL) /* a marker is not measured, because each marker
                                                                        * has its own text */
    return FALSE;
  gint64 stack = loom_rocpd_events_find_stack (session->events, event);
  span->key[0] = name_id;
  span->key[1] = sqlite3_column_int64 (row, REGION_PID);
  span->key[2] = sqlite3_column_int64 (row, REGION_TID);
  span->key[3] = (gint64) (gintptr) loom_rocpd_events_find_category (session->events, event, name);
  span->n_args_bytes = strlen ("{\"correlation\":}") + loom_made_json_measure_int (stack);
  if (loom_launch_links_launches (session->links, number))
    measure_flow (session, span, 's', stack);
  return TRUE;
}

/* Returns the members pid and tid for work on a device, as JSON text. The tid states the stream of the work or, if the
 * row has no stream, its queue. Valid until the next row. */
static const char *
write_device_place (const Session *session, gint64 agent, sqlite3_stmt *row, int stream_column, int queue_column)
{
  gint64 gpu = look_up (session->gpus, agent);
  gboolean has_stream = sqlite3_column_type (row, stream_column) != SQLITE_NULL;
  gint64 number = sqlite3_column_int64 (row, has_stream ? stream_column : queue_column);
  g_string_truncate (session->place, 0);
  loom_made_json_append (session->place, ",\"pid\":\"GPU ");
  loom_made_json_append_int (session->place, gpu);
  append_session (session, session->place);
  loom_made_json_append (session->place, has_stream ? "\",\"tid\":\"stream " : "\",\"tid\":\"queue ");
  loom_made_json_append_int (session->place, number);
  loom_made_json_append (session->place, "\"");
  return session->place->str;
}

static void
append_triple (GString *text, const char *key, const gint64 *values)
{
  loom_made_json_append_key (text, key);
  for (guint i = 0; i < 3; i++) {
    loom_made_json_append (text, i == 0 ? "[" : ",");
    loom_made_json_append_int (text, values[i]);
  }
  loom_made_json_append (text, "]");
}

/* Reads the numbers of work groups and of work items per group. AMD's runtime states the size of the grid in work
 * items; the function divides it by the size of a work group, to get the number of groups, as CUDA states it. */
static void
take_size (sqlite3_stmt *row, gint64 *grid, gint64 *block)
{
  for (int i = 0; i < 3; i++) {
    block[i] = sqlite3_column_int64 (row, KERNEL_GROUP + i);
    gint64 items = sqlite3_column_int64 (row, KERNEL_GRID + i);
    grid[i] = block[i] > 0 ? items / block[i] : items;
  }
}

static void
append_kernel_args (const Session *session, sqlite3_stmt *row, gint64 stack, gboolean is_first, GString *text)
{
  gint64 grid[3], block[3];
  loom_made_json_append (text, ",\"args\":{\"correlation\":");
  loom_made_json_append_int (text, stack);
  loom_row_json_append_column (text, "dispatch_id", row, KERNEL_DISPATCH);
  loom_row_json_append_column (text, "queue", row, KERNEL_QUEUE);
  loom_row_json_append_column (text, "stream", row, KERNEL_STREAM);
  take_size (row, grid, block);
  append_triple (text, "grid", grid);
  append_triple (text, "block", block);
  loom_rocpd_counters_append_args (session->counters, sqlite3_column_int64 (row, KERNEL_EVENT), is_first, text);
  loom_made_json_append (text, "}},\n");
}

static const char *
find_kernel_name (const Session *session, gint64 symbol)
{
  const char *shown = loom_row_names_get (session->kernels, symbol);
  return shown != NULL && shown[0] != '\0' ? shown : loom_row_names_get (session->symbols, symbol);
}

static void
format_kernel (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
               gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gint64 start_ns, end_ns, symbol = sqlite3_column_int64 (row, KERNEL_SYMBOL);
  if (!loom_rocm_take_times (&self->reader, row, KERNEL_START, is_first, &start_ns, &end_ns))
    return;
  const char *place =
    write_device_place (session, sqlite3_column_int64 (row, KERNEL_AGENT), row, KERNEL_STREAM, KERNEL_QUEUE);
  gint64 stack = loom_rocpd_events_find_stack (session->events, sqlite3_column_int64 (row, KERNEL_EVENT));
  loom_rocm_append_span (text, "kernel", start_ns, end_ns);
  loom_rocm_append_name (&self->reader, text, find_kernel_name (session, symbol), symbol, is_first);
  loom_made_json_append (text, place);
  append_kernel_args (session, row, stack, is_first, text);
  if (loom_launch_links_is_launched (session->links, number))
    loom_rocm_append_flow (text, 'f', start_ns, place, session->number, stack);
}

static gsize
measure_triple (const char *key, const gint64 *values)
{
  gsize n = strlen (",\"\":[,,]") + strlen (key);
  for (guint i = 0; i < 3; i++)
    n += loom_made_json_measure_int (values[i]);
  return n;
}

/* Returns the length of the args that append_kernel_args() appends, without counters. */
static gsize
measure_kernel_args (sqlite3_stmt *row, gint64 stack)
{
  gint64 grid[3], block[3];
  take_size (row, grid, block);
  return strlen ("{\"correlation\":}") + loom_made_json_measure_int (stack) +
         loom_row_json_measure_column ("dispatch_id", row, KERNEL_DISPATCH) +
         loom_row_json_measure_column ("queue", row, KERNEL_QUEUE) +
         loom_row_json_measure_column ("stream", row, KERNEL_STREAM) + measure_triple ("grid", grid) +
         measure_triple ("block", block);
}

static gboolean
measure_kernel (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gboolean has_stream = sqlite3_column_type (row, KERNEL_STREAM) != SQLITE_NULL;
  gint64 symbol = sqlite3_column_int64 (row, KERNEL_SYMBOL);
  if (loom_rocpd_counters_has_args (session->counters) ||
      !loom_rocm_take_times (&self->reader, row, KERNEL_START, FALSE, &span->start_ns, &span->end_ns) ||
      find_kernel_name (session, symbol) == NULL)
    return FALSE;
  gint64 stack = loom_rocpd_events_find_stack (session->events, sqlite3_column_int64 (row, KERNEL_EVENT));
  span->key[0] = symbol;
  span->key[1] = sqlite3_column_int64 (row, KERNEL_AGENT);
  span->key[2] = has_stream;
  span->key[3] = sqlite3_column_int64 (row, has_stream ? KERNEL_STREAM : KERNEL_QUEUE);
  span->n_args_bytes = measure_kernel_args (row, stack);
  if (loom_launch_links_is_launched (session->links, number))
    measure_flow (session, span, 'f', stack);
  return TRUE;
}

/* Appends a copy. It is shown on the device that receives the data; if this device is not a GPU, on the device that
 * sends the data. */
static void
format_copy (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
             gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gint64 start_ns, end_ns, name_id = sqlite3_column_int64 (row, COPY_NAME), agent = sqlite3_column_int64 (row, COPY_TO);
  if (!loom_rocm_take_times (&self->reader, row, COPY_START, is_first, &start_ns, &end_ns))
    return;
  if (!g_hash_table_contains (session->gpus, &agent))
    agent = sqlite3_column_int64 (row, COPY_FROM);
  const char *place = write_device_place (session, agent, row, COPY_STREAM, COPY_QUEUE);
  gint64 stack = loom_rocpd_events_find_stack (session->events, sqlite3_column_int64 (row, COPY_EVENT));
  loom_rocm_append_span (text, "gpu_memcpy", start_ns, end_ns);
  loom_rocm_append_name (&self->reader, text, loom_row_names_get (session->texts, name_id), name_id, is_first);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"args\":{\"correlation\":");
  loom_made_json_append_int (text, stack);
  loom_row_json_append_column (text, "bytes", row, COPY_BYTES);
  loom_made_json_append (text, "}},\n");
  if (loom_launch_links_is_launched (session->links, session->n_kernels + number))
    loom_rocm_append_flow (text, 'f', start_ns, place, session->number, stack);
}

/* Returns the text at the end of a pid that names the session; empty if there is only one session. Owned by the
 * caller. */
static char *
dup_session (const Session *session)
{
  return session->all->len > 1 ? g_strdup_printf (LOOM_ROCM_SESSION "%u", session->number) : g_strdup ("");
}

static void
format_counter (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
                gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  g_autofree char *name = dup_session (session);
  loom_rocpd_counters_format (session->counters, &self->reader, row, name, is_first, text);
}

/* Appends a sample as an instant. Appends nothing if counters have values for this sample, because these values are
 * appended as counter samples. */
static void
format_sample (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
               gpointer user_data)
{
  Rocpd *self = user_data;
  const Session *session = table->data;
  gint64 process, thread;
  if (loom_rocpd_counters_has_values (session->counters, loom_rocpd_events_get_event (row)))
    return;
  loom_rocpd_events_find_track (session->events, row, &process, &thread);
  loom_rocpd_events_format_sample (session->events, &self->reader, row, write_host_place (session, process, thread),
                                   is_first, text);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  Rocpd *self;
  Session *session;
  const char *suffix;
} Place;

/* Returns the full name of a table in this session. Valid as long as the reader. */
static const char *
name_table (const Place *place, const char *table)
{
  char *name = g_strconcat ("rocpd_", table, place->suffix, NULL);
  g_ptr_array_add (place->self->names, name);
  return name;
}

static sqlite3_stmt *
select_rows (const Place *place, const char *table, const char *const *columns)
{
  return loom_database_select (place->self->reader.database, name_table (place, table), columns, NULL);
}

/* Moves to the next row. Returns FALSE if there is none. */
static gboolean
step (const Place *place, sqlite3_stmt *row)
{
  return row != NULL && loom_database_step (place->self->reader.database, row) == SQLITE_ROW;
}

/* Returns a hash table: id of a row → number in a column. Owned by the caller. */
static GHashTable *
read_numbers (const Place *place, const char *table, const char *column)
{
  GHashTable *numbers = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  sqlite3_stmt *row = select_rows (place, table, (const char *const[]) { column, "id", NULL });
  while (step (place, row)) {
    gint64 id = loom_row_ids_of_row (row, 2), value = sqlite3_column_int64 (row, 1);
    g_hash_table_insert (numbers, g_memdup2 (&id, sizeof id), g_memdup2 (&value, sizeof value));
  }
  sqlite3_finalize (row);
  return numbers;
}

static GHashTable *
read_gpus (const Place *place)
{
  GHashTable *gpus = read_numbers (place, "info_agent", "absolute_index");
  sqlite3_stmt *row = select_rows (place, "info_agent", (const char *const[]) { "type", "id", NULL });
  while (step (place, row)) {
    gint64 id = loom_row_ids_of_row (row, 2);
    if (g_strcmp0 ((const char *) sqlite3_column_text (row, 1), "GPU") != 0)
      g_hash_table_remove (gpus, &id);
  }
  sqlite3_finalize (row);
  return gpus;
}

/* Returns the rank in the environment of a process; −1: unknown. Only the variables in `keys` are read, because others
 * may contain secrets. */
static gint
find_rank (const char *environment)
{
  static const char *const keys[] = { "RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID" };
  for (guint i = 0; environment != NULL && i < G_N_ELEMENTS (keys); i++) {
    const LoomJsonSlice all = { environment, strlen (environment) };
    g_autofree char *value = loom_json_slice_dup_plain (loom_json_slice_member (all, keys[i]));
    gint64 rank;
    if (loom_parse_time_parse_int (value, strlen (value), &rank) && rank >= 0 && rank < G_MAXINT)
      return (gint) rank;
  }
  return -1;
}

/* Reads the ranks of the processes of a session. Returns the rank if at least one rank is known and all known ranks are
 * equal; −1: no rank is known, or the processes have different ranks. */
static gint
read_ranks (const Place *place)
{
  static const char *const columns[] = { "environment", "id", NULL };
  Session *session = place->session;
  sqlite3_stmt *row = select_rows (place, "info_process", columns);
  gint only = -1;
  session->ranks = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  while (step (place, row)) {
    gint64 id = loom_row_ids_of_row (row, 2);
    gint rank = find_rank ((const char *) sqlite3_column_text (row, 1));
    if (rank < 0)
      continue;
    session->ranks_differ |= only >= 0 && only != rank;
    only = rank;
    g_hash_table_insert (session->ranks, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (rank + 1));
  }
  sqlite3_finalize (row);
  return session->ranks_differ ? -1 : only;
}

/* Returns the name of the host; NULL: unknown. Owned by the caller. */
static char *
read_host (const Place *place)
{
  sqlite3_stmt *row = select_rows (place, "info_node", (const char *const[]) { "hostname", NULL });
  char *host = step (place, row) ? loom_rocm_dup_shown (row, 1) : NULL;
  sqlite3_finalize (row);
  return host;
}

/* Returns a name for the clock that counts from the boot of the host; NULL: the machine is unknown. Owned by the
 * caller. */
static char *
read_domain (const Place *place)
{
  sqlite3_stmt *row = select_rows (place, "info_node", (const char *const[]) { "hostname", "machine_id", NULL });
  gboolean has_machine = step (place, row) && sqlite3_column_type (row, 2) != SQLITE_NULL;
  g_autofree char *host = has_machine ? loom_rocm_dup_shown (row, 1) : NULL,
                  *machine = has_machine ? loom_rocm_dup_shown (row, 2) : NULL;
  sqlite3_finalize (row);
  return has_machine ? g_strdup_printf ("rocpd:%s:%s", host != NULL ? host : "", machine) : NULL;
}

/* Records that a process used the device with the id `agent`, and thus which rank used this device. Does nothing if the
 * agent is not a GPU. */
static void
note_owner (Session *session, gint64 agent, gint64 process)
{
  const gint64 *gpu = g_hash_table_lookup (session->gpus, &agent);
  gpointer known, rank = g_hash_table_lookup (session->ranks, &process);
  if (gpu == NULL)
    return;
  if (g_hash_table_lookup_extended (session->owners, gpu, NULL, &known) && known != rank)
    rank = NULL;
  g_hash_table_insert (session->owners, g_memdup2 (gpu, sizeof *gpu), rank);
}

/* Adds the rows of a table with device work to the launch links, numbered from `first` on. Returns the number of added
 * rows. `columns`: names of the columns with the event, the process, and the agents; ends with NULL. */
static guint64
add_rows (const Place *place, const char *table, guint64 first, const char *const *columns)
{
  enum { ROW_EVENT = 1, ROW_PROCESS, ROW_AGENTS };
  sqlite3_stmt *row = select_rows (place, table, columns);
  guint64 n = 0;
  for (; step (place, row); n++) {
    gint64 stack = loom_rocpd_events_find_stack (place->session->events, sqlite3_column_int64 (row, ROW_EVENT));
    if (stack != 0)
      loom_launch_links_add_row (place->session->links, first + n, 0, (guint64) stack);
    for (int i = ROW_AGENTS; place->session->ranks_differ && i < sqlite3_column_count (row); i++)
      note_owner (place->session, sqlite3_column_int64 (row, i), sqlite3_column_int64 (row, ROW_PROCESS));
  }
  sqlite3_finalize (row);
  return n;
}

static void
read_links (const Place *place)
{
  static const char *const kernel[] = { "event_id", "pid", "agent_id", NULL }, *const copy[] = { "event_id", "pid",
                                                                                                 "dst_agent_id",
                                                                                                 "src_agent_id", NULL };
  Session *session = place->session;
  session->links = loom_launch_links_new ();
  session->n_kernels = add_rows (place, "kernel_dispatch", 0, kernel);
  add_rows (place, "memory_copy", session->n_kernels, copy);
  sqlite3_stmt *row = select_rows (place, "region", (const char *const[]) { "event_id", NULL });
  for (guint64 n = 0; step (place, row); n++) {
    gint64 stack = loom_rocpd_events_find_stack (session->events, sqlite3_column_int64 (row, 1));
    if (stack != 0)
      loom_launch_links_add_call (session->links, n, 0, (guint64) stack, 0);
  }
  sqlite3_finalize (row);
  loom_launch_links_finish (session->links);
  guint64 n_without;
  loom_launch_links_count (session->links, &n_without);
  place->self->reader.common.n_without_launch += n_without;
}

static LoomRowNames *
new_names (const Place *place, const char *table, const char *column)
{
  return loom_row_names_new (place->self->reader.database, name_table (place, table), column);
}

static void
read_schema (const Place *place)
{
  LoomRocm *common = &place->self->reader.common;
  sqlite3_stmt *row = select_rows (place, "metadata", (const char *const[]) { "tag", "value", NULL });
  while (step (place, row)) {
    const char *tag = (const char *) sqlite3_column_text (row, 1), *value = (const char *) sqlite3_column_text (row, 2);
    if (g_strcmp0 (tag, "schema_version") == 0 && value != NULL)
      common->schema = MAX (common->schema, (gint) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXINT));
  }
  sqlite3_finalize (row);
}

static void
read_session (const Place *place)
{
  Session *session = place->session;
  session->texts = new_names (place, "string", "string");
  session->kernels = new_names (place, "info_kernel_symbol", "display_name");
  session->symbols = new_names (place, "info_kernel_symbol", "kernel_name");
  session->events = loom_rocpd_events_new (place->self->reader.database, name_table (place, "event"),
                                           name_table (place, "track"), session->texts);
  session->pids = read_numbers (place, "info_process", "pid");
  session->tids = read_numbers (place, "info_thread", "tid");
  session->gpus = read_gpus (place);
  session->owners = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  session->allocations = name_table (place, "memory_allocate");
  read_schema (place);
  const LoomRocpdCounterTables counters = { name_table (place, "info_pmc"), name_table (place, "sample"),
                                            name_table (place, "pmc_event") };
  session->counters = loom_rocpd_counters_new (&place->self->reader, counters, session->gpus);
  const LoomRocmPlace where = { read_ranks (place), read_host (place), read_domain (place) };
  g_array_append_val (place->self->reader.common.places, where);
  read_links (place);
}

static void
add_tables (const Place *place, GArray *tables)
{
  static const char *const region[] = { "pid", "tid", "start", "end", "name_id", "event_id", NULL },
                           *const kernel[] = { "pid",
                                               "agent_id",
                                               "kernel_id",
                                               "dispatch_id",
                                               "queue_id",
                                               "stream_id",
                                               "start",
                                               "end",
                                               "event_id",
                                               "workgroup_size_x",
                                               "workgroup_size_y",
                                               "workgroup_size_z",
                                               "grid_size_x",
                                               "grid_size_y",
                                               "grid_size_z",
                                               NULL },
                           *const copy[] = { "pid", "name_id",  "dst_agent_id", "src_agent_id", "size", "start",
                                             "end", "event_id", "queue_id",     "stream_id",    NULL };
  const LoomRowTable all[N_TABLES] = {
    { name_table (place, "kernel_dispatch"), kernel, format_kernel, place->session, measure_kernel },
    { name_table (place, "memory_copy"), copy, format_copy, place->session },
    { name_table (place, "region"), region, format_region, place->session, measure_region },
    { name_table (place, "pmc_event"), loom_rocpd_counter_columns, format_counter, place->session },
    { name_table (place, "sample"), loom_rocpd_sample_columns, format_sample, place->session }
  };
  g_array_append_vals (tables, all, G_N_ELEMENTS (all));
}

static void
session_free (gpointer data)
{
  Session *session = data;
  loom_row_names_free (session->texts);
  loom_row_names_free (session->kernels);
  loom_row_names_free (session->symbols);
  loom_rocpd_counters_free (session->counters);
  loom_rocpd_events_free (session->events);
  g_hash_table_unref (session->pids);
  g_hash_table_unref (session->tids);
  g_hash_table_unref (session->gpus);
  g_hash_table_unref (session->ranks);
  g_hash_table_unref (session->owners);
  loom_launch_links_free (session->links);
  g_string_free (session->place, TRUE);
  g_free (session);
}

/* Sets the ranks of the processes and GPUs of a session whose processes have different ranks. */
static void
set_ranks (const Session *session, LoomRocm *rows)
{
  g_autofree char *name = dup_session (session);
  const char *quote = name[0] != '\0' ? "\"" : "";
  GHashTableIter iter;
  gpointer key, rank;
  g_hash_table_iter_init (&iter, session->ranks);
  while (g_hash_table_iter_next (&iter, &key, &rank))
    g_hash_table_insert (rows->ranks,
                         g_strdup_printf ("%s%" G_GINT64_FORMAT "%s%s", quote,
                                          look_up (session->pids, *(const gint64 *) key), name, quote),
                         rank);
  g_hash_table_iter_init (&iter, session->owners);
  while (g_hash_table_iter_next (&iter, &key, &rank))
    g_hash_table_insert (rows->ranks, g_strdup_printf ("\"GPU %" G_GINT64_FORMAT "%s\"", *(const gint64 *) key, name),
                         rank);
}

static void
finish (LoomRocmReader *reader, LoomChromeImporter *chrome, GString *hidden)
{
  const Rocpd *self = (const Rocpd *) reader;
  guint64 n_values = 0, n_blocks = 0;
  for (guint i = 0; i < self->sessions->len; i++) {
    const Session *session = self->sessions->pdata[i];
    g_autofree char *name = dup_session (session);
    n_values += loom_rocpd_counters_count_hidden (session->counters);
    loom_rocpd_events_forget (session->events);
    n_blocks += loom_rocpd_memory_add (reader, session->allocations, session->gpus, name, chrome);
    if (session->ranks_differ)
      set_ranks (session, &reader->common);
  }
  loom_hidden_rows_add (hidden, "rocpd_pmc_event", n_values);
  loom_hidden_rows_add (hidden, "rocpd_memory_allocate", n_blocks);
}

static void
rocpd_free (gpointer data)
{
  Rocpd *self = data;
  g_ptr_array_unref (self->sessions);
  g_ptr_array_unref (self->names);
  loom_rocm_clear (&self->reader);
  g_free (self);
}

/* If the table at index `i` identifies a session, returns the end of the names of the session's tables; otherwise NULL.
 * The table of metadata identifies a session; if a damaged database has lost this table, the table of kernels does. */
static const char *
find_suffix (const LoomDatabase *database, guint i)
{
  const char *name = loom_database_get_table (database, i);
  if (g_str_has_prefix (name, METADATA))
    return name + strlen (METADATA);
  if (!g_str_has_prefix (name, KERNELS))
    return NULL;
  g_autofree char *metadata = g_strconcat (METADATA, name + strlen (KERNELS), NULL);
  return loom_database_has_table (database, metadata) ? NULL : name + strlen (KERNELS);
}

LoomRocmReader *
loom_rocm_rocpd_new (LoomDatabase *database, GArray *tables, GDestroyNotify *free)
{
  Rocpd *self = g_new0 (Rocpd, 1);
  loom_rocm_init (&self->reader, database);
  self->sessions = g_ptr_array_new_with_free_func (session_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->reader.finish = finish;
  for (guint i = 0; i < loom_database_get_n_tables (database); i++) {
    const char *suffix = find_suffix (database, i);
    if (suffix == NULL)
      continue;
    Session *session = g_new0 (Session, 1);
    const Place place = { self, session, suffix };
    session->number = self->sessions->len;
    session->all = self->sessions;
    session->place = g_string_new (NULL);
    g_ptr_array_add (self->sessions, session);
    read_session (&place);
    add_tables (&place, tables);
  }
  *free = rocpd_free;
  return &self->reader;
}
