/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes events from the device work of an Nsight Systems export: kernels, copies, memory sets, graphs, and waits for
 * such work.
 */
#include "loom-nsight-private.h"

/* Columns that are read from a table with device work. */
enum { WORK_START = 1, WORK_END, WORK_PID, WORK_DEVICE, WORK_CONTEXT, WORK_STREAM, WORK_CORRELATION, WORK_ARGS };
#define WORK_COLUMNS "start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId"

typedef struct {
  const char *category;
  gint link_table; /* index into LoomNsight.first_row; −1: rows of this table are not launched by calls */
  void (*append_name) (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first);
  void (*append_args) (LoomNsight *self, GString *text, sqlite3_stmt *row);
  /* find_name() is for tables whose rows are measured (LoomRowMeasure): it sets at most the first three elements of
   * `key` to the values that determine the name of the row's event, and returns FALSE if the row cannot be measured.
   * measure_args() returns the length in bytes of the args that append_args() appends. */
  gboolean (*find_name) (LoomNsight *self, sqlite3_stmt *row, gint64 *key);
  gsize (*measure_args) (sqlite3_stmt *row);
} WorkTable;

/* Returns the device of a row: the device to which the row's context belongs; if the context is unknown, the device
 * that the column deviceId states. The context takes precedence, because deviceId is 0 in all rows of
 * synchronizations. */
static gint64
find_device (LoomNsight *self, sqlite3_stmt *row, gint64 process)
{
  sqlite3_value *context = sqlite3_column_value (row, WORK_CONTEXT);
  gint64 key = loom_nsight_pair (process, sqlite3_value_int64 (context));
  if (sqlite3_value_type (context) == SQLITE_NULL)
    return sqlite3_column_int64 (row, WORK_DEVICE);
  if (self->last_device == 0 || self->last_context != key) {
    self->last_device = GPOINTER_TO_INT (g_hash_table_lookup (self->devices, &key));
    self->last_context = key;
  }
  return self->last_device != 0 ? self->last_device - 1 : sqlite3_column_int64 (row, WORK_DEVICE);
}

/* Appends the stream. Streams are numbered within a context. Therefore the context is appended, too, if the process has
 * several contexts on the device, or if the row is about all streams. `is_sync`: the row is a synchronization; "sync"
 * is then appended, too. */
static void
append_stream (const LoomNsight *self, GString *text, sqlite3_stmt *row, gint64 device, gboolean is_sync)
{
  gint64 key = loom_nsight_pair (sqlite3_column_int64 (row, WORK_PID), device),
         stream = sqlite3_column_int64 (row, WORK_STREAM);
  gboolean is_any = stream == G_MAXUINT32,
           names_context = is_any || GPOINTER_TO_INT (g_hash_table_lookup (self->contexts, &key)) > 1;
  if (is_sync || names_context)
    g_string_append_c (text, '"');
  if (!is_any)
    loom_made_json_append_int (text, stream);
  if (names_context) {
    loom_made_json_append (text, is_any ? "context " : " context ");
    loom_made_json_append_int (text, sqlite3_column_int64 (row, WORK_CONTEXT));
  }
  if (is_sync)
    loom_made_json_append (text, " sync");
  if (is_sync || names_context)
    g_string_append_c (text, '"');
}

static void
append_place (const LoomNsight *self, GString *text, sqlite3_stmt *row, gint64 device, gboolean is_sync)
{
  loom_made_json_append (text, ",\"pid\":\"GPU ");
  loom_made_json_append_int (text, device);
  if (sqlite3_column_type (row, WORK_PID) != SQLITE_NULL) {
    gint64 process = sqlite3_column_int64 (row, WORK_PID);
    loom_made_json_append (text, " of ");
    if (process >> 48 != self->machine) {
      loom_made_json_append_int (text, process >> 48);
      g_string_append_c (text, '/');
    }
    loom_made_json_append_int (text, loom_nsight_pid_of (process));
  }
  loom_made_json_append (text, "\",\"tid\":");
  append_stream (self, text, row, device, is_sync);
}

static void
append_work_args (LoomNsight *self, const WorkTable *work, sqlite3_stmt *row, gint64 device, GString *text)
{
  loom_made_json_append (text, ",\"args\":{\"device\":");
  loom_made_json_append_int (text, device);
  loom_row_json_append_column (text, "context", row, WORK_CONTEXT);
  loom_row_json_append_column (text, "stream", row, WORK_STREAM);
  loom_row_json_append_column (text, "correlation", row, WORK_CORRELATION);
  work->append_args (self, text, row);
  loom_made_json_append (text, "}},\n");
}

static void
format_work (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
             gpointer user_data)
{
  LoomNsight *self = user_data;
  const WorkTable *work = table->data;
  gint64 start_ns, end_ns, device = find_device (self, row, sqlite3_column_int64 (row, WORK_PID));
  if (!loom_nsight_take_times (self, row, is_first, FALSE, &start_ns, &end_ns))
    return;
  loom_nsight_append_span (text, work->category, start_ns, end_ns);
  loom_made_json_append (text, ",\"name\":\"");
  work->append_name (self, text, row, is_first);
  g_string_append_c (text, '"');
  gsize at = text->len;
  append_place (self, text, row, device, work->link_table < 0);
  gboolean is_launched =
    work->link_table >= 0 && loom_launch_links_is_launched (self->links, self->first_row[work->link_table] + number);
  g_autofree char *place = is_launched ? g_strdup (text->str + at) : NULL;
  append_work_args (self, work, row, device, text);
  if (is_launched)
    loom_nsight_append_flow (self, text, 'f', start_ns, sqlite3_column_int64 (row, WORK_PID),
                             sqlite3_column_int64 (row, WORK_CORRELATION), place);
}

static gboolean
measure_work (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  LoomNsight *self = user_data;
  const WorkTable *work = table->data;
  sqlite3_value *process = sqlite3_column_value (row, WORK_PID);
  gint64 device, correlation;
  span->key[3] = sqlite3_value_int64 (process);
  if (!loom_nsight_take_times (self, row, FALSE, FALSE, &span->start_ns, &span->end_ns) ||
      sqlite3_value_type (process) == SQLITE_NULL || !work->find_name (self, row, span->key))
    return FALSE;
  span->key[4] = device = find_device (self, row, span->key[3]);
  span->n_args_bytes = strlen ("{\"device\":}") + loom_made_json_measure_int (device) +
                       loom_row_json_measure_number ("context", row, WORK_CONTEXT, &span->key[6]) +
                       loom_row_json_measure_number ("stream", row, WORK_STREAM, &span->key[5]) +
                       loom_row_json_measure_number ("correlation", row, WORK_CORRELATION, &correlation) +
                       work->measure_args (row);
  if (loom_launch_links_is_launched (self->links, self->first_row[work->link_table] + number))
    loom_nsight_measure_flow (self, span, 'f', span->key[3], correlation);
  return TRUE;
}

enum {
  KERNEL_NAME = WORK_ARGS,
  KERNEL_SHORT,
  KERNEL_GRID,
  KERNEL_BLOCK = KERNEL_GRID + 3,
  KERNEL_REGISTERS = KERNEL_BLOCK + 3,
  KERNEL_STATIC,
  KERNEL_DYNAMIC,
  KERNEL_GRAPH,
  KERNEL_NODE
};

static void
append_kernel_name (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  gboolean has_name = sqlite3_column_type (row, KERNEL_NAME) != SQLITE_NULL;
  loom_nsight_append_name_of_id (self, text, row, has_name ? KERNEL_NAME : KERNEL_SHORT, is_first);
}

static void
append_triple (GString *text, const char *key, sqlite3_stmt *row, int column)
{
  if (sqlite3_column_type (row, column) == SQLITE_NULL)
    return;
  loom_made_json_append_key (text, key);
  for (int i = 0; i < 3; i++) {
    g_string_append_c (text, i == 0 ? '[' : ',');
    loom_made_json_append_int (text, sqlite3_column_int64 (row, column + i));
  }
  g_string_append_c (text, ']');
}

/* Returns the shared memory of a kernel in bytes: the static and the dynamic part. */
static gint64
get_shared_memory (sqlite3_stmt *row)
{
  return (gint64) ((guint64) sqlite3_column_int64 (row, KERNEL_STATIC) +
                   (guint64) sqlite3_column_int64 (row, KERNEL_DYNAMIC));
}

static void
append_kernel_args (LoomNsight *self, GString *text, sqlite3_stmt *row)
{
  append_triple (text, "grid", row, KERNEL_GRID);
  append_triple (text, "block", row, KERNEL_BLOCK);
  loom_row_json_append_column (text, "registers per thread", row, KERNEL_REGISTERS);
  if (sqlite3_column_type (row, KERNEL_STATIC) != SQLITE_NULL) {
    loom_made_json_append (text, ",\"shared memory\":");
    loom_made_json_append_int (text, get_shared_memory (row));
  }
  loom_row_json_append_column (text, "graph id", row, KERNEL_GRAPH);
  loom_row_json_append_column (text, "graph node id", row, KERNEL_NODE);
}

static gboolean
find_kernel_name (LoomNsight *self, sqlite3_stmt *row, gint64 *key)
{
  gboolean has_name = sqlite3_column_type (row, KERNEL_NAME) != SQLITE_NULL;
  return loom_nsight_has_name (self, row, has_name ? KERNEL_NAME : KERNEL_SHORT, key);
}

static gsize
measure_triple (const char *key, sqlite3_stmt *row, int column)
{
  sqlite3_value *first = sqlite3_column_value (row, column);
  if (sqlite3_value_type (first) == SQLITE_NULL)
    return 0;
  gsize n = strlen (",\"\":[,,]") + strlen (key) + loom_made_json_measure_int (sqlite3_value_int64 (first));
  for (int i = 1; i < 3; i++)
    n += loom_made_json_measure_int (sqlite3_column_int64 (row, column + i));
  return n;
}

static gsize
measure_kernel_args (sqlite3_stmt *row)
{
  gsize n = measure_triple ("grid", row, KERNEL_GRID) + measure_triple ("block", row, KERNEL_BLOCK) +
            loom_row_json_measure_column ("registers per thread", row, KERNEL_REGISTERS);
  if (sqlite3_column_type (row, KERNEL_STATIC) != SQLITE_NULL)
    n += strlen (",\"shared memory\":") + loom_made_json_measure_int (get_shared_memory (row));
  return n + loom_row_json_measure_column ("graph id", row, KERNEL_GRAPH) +
         loom_row_json_measure_column ("graph node id", row, KERNEL_NODE);
}

enum { COPY_BYTES = WORK_ARGS, COPY_KIND, COPY_FROM, COPY_TO, COPY_NODE };

static const char *const copy_kinds[] = { "Unknown", "HtoD",           "DtoH",           "HtoA",          "AtoH",
                                          "AtoA",    "AtoD",           "DtoA",           "DtoD",          "HtoH",
                                          "PtoP",    "HtoD (unified)", "DtoH (unified)", "DtoD (unified)" };
static const char *const memory_kinds[] = { "Pageable", "Pinned",        "Device",         "Array",
                                            "Managed",  "Device Static", "Managed Static", "Unknown" };

static const char *
find_word (const char *const *words, guint n_words, gint64 number)
{
  return number >= 0 && number < n_words ? words[number] : "Unknown";
}

const char *
loom_nsight_memory_kind (gint64 kind)
{
  return find_word (memory_kinds, G_N_ELEMENTS (memory_kinds), kind);
}

static void
append_copy_name (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  loom_made_json_append (text, "Memcpy ");
  loom_made_json_append (text,
                         find_word (copy_kinds, G_N_ELEMENTS (copy_kinds), sqlite3_column_int64 (row, COPY_KIND)));
  if (sqlite3_column_type (row, COPY_FROM) == SQLITE_NULL)
    return;
  loom_made_json_append (text, " (");
  loom_made_json_append (text, loom_nsight_memory_kind (sqlite3_column_int64 (row, COPY_FROM)));
  loom_made_json_append (text, " -> ");
  loom_made_json_append (text, loom_nsight_memory_kind (sqlite3_column_int64 (row, COPY_TO)));
  loom_made_json_append (text, ")");
}

/* Returns the rate of a copy in thousandths of GB/s; 1 GB/s is 1 byte per ns. −1: unknown. */
static gint64
compute_rate (sqlite3_stmt *row, int column)
{
  gint64 n_bytes = sqlite3_column_int64 (row, column),
         dur_ns = sqlite3_column_int64 (row, WORK_END) - sqlite3_column_int64 (row, WORK_START);
  return dur_ns <= 0 || n_bytes < 0 || n_bytes > G_MAXINT64 / 1000 ? -1 : n_bytes * 1000 / dur_ns;
}

/* Appends the number of bytes of a copy, and its rate in GB/s with three decimals. */
static void
append_bytes (GString *text, sqlite3_stmt *row, int column)
{
  gint64 rate = compute_rate (row, column);
  loom_row_json_append_column (text, "bytes", row, column);
  if (rate < 0)
    return;
  loom_made_json_append (text, ",\"memory bandwidth (GB/s)\":");
  loom_made_json_append_us (text, rate);
}

static gsize
measure_bytes (sqlite3_stmt *row, int column)
{
  gint64 rate = compute_rate (row, column);
  return loom_row_json_measure_column ("bytes", row, column) +
         (rate >= 0 ? strlen (",\"memory bandwidth (GB/s)\":") + loom_made_json_measure_us (rate) : 0);
}

static void
append_copy_args (LoomNsight *self, GString *text, sqlite3_stmt *row)
{
  append_bytes (text, row, COPY_BYTES);
  loom_row_json_append_column (text, "graph node id", row, COPY_NODE);
}

/* Implements find_name() for copies: sets `key` to the numbers that determine the name. Returns FALSE if one of them is
 * NULL, because the name for NULL differs from that for 0, and a key cannot distinguish them. */
static gboolean
find_copy_name (LoomNsight *self, sqlite3_stmt *row, gint64 *key)
{
  for (int i = COPY_KIND; i <= COPY_TO; i++)
    if (sqlite3_column_type (row, i) == SQLITE_NULL)
      return FALSE;
  for (int i = COPY_KIND; i <= COPY_TO; i++)
    key[i - COPY_KIND] = sqlite3_column_int64 (row, i);
  return TRUE;
}

static gsize
measure_copy_args (sqlite3_stmt *row)
{
  return measure_bytes (row, COPY_BYTES) + loom_row_json_measure_column ("graph node id", row, COPY_NODE);
}

enum { SET_BYTES = WORK_ARGS, SET_VALUE, SET_KIND, SET_NODE };

static void
append_set_name (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  gboolean has_kind = sqlite3_column_type (row, SET_KIND) != SQLITE_NULL;
  loom_made_json_append (text, "Memset (");
  loom_made_json_append (text, has_kind ? loom_nsight_memory_kind (sqlite3_column_int64 (row, SET_KIND)) : "Device");
  loom_made_json_append (text, ")");
}

static void
append_set_args (LoomNsight *self, GString *text, sqlite3_stmt *row)
{
  append_bytes (text, row, SET_BYTES);
  loom_row_json_append_column (text, "value", row, SET_VALUE);
  loom_row_json_append_column (text, "graph node id", row, SET_NODE);
}

static gboolean
find_set_name (LoomNsight *self, sqlite3_stmt *row, gint64 *key)
{
  key[0] = sqlite3_column_int64 (row, SET_KIND);
  key[1] = sqlite3_column_type (row, SET_KIND) != SQLITE_NULL;
  return TRUE;
}

static gsize
measure_set_args (sqlite3_stmt *row)
{
  return measure_bytes (row, SET_BYTES) + loom_row_json_measure_column ("value", row, SET_VALUE) +
         loom_row_json_measure_column ("graph node id", row, SET_NODE);
}

enum { GRAPH_ID = WORK_ARGS, GRAPH_EXEC };

static void
append_graph_name (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  loom_made_json_append (text, "CUDA graph ");
  loom_made_json_append_int (text, sqlite3_column_int64 (row, GRAPH_ID));
}

static void
append_graph_args (LoomNsight *self, GString *text, sqlite3_stmt *row)
{
  loom_row_json_append_column (text, "graph id", row, GRAPH_ID);
  loom_row_json_append_column (text, "graph exec id", row, GRAPH_EXEC);
}

enum { SYNC_TYPE = WORK_ARGS, SYNC_EVENT };

static void
append_sync_name (LoomNsight *self, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  static const char *const kinds[] = { "Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync" };
  gint64 kind = sqlite3_column_int64 (row, SYNC_TYPE);
  loom_made_json_append (text, kinds[kind >= 0 && kind < (gint64) G_N_ELEMENTS (kinds) ? kind : 0]);
}

static void
append_sync_args (LoomNsight *self, GString *text, sqlite3_stmt *row)
{
  loom_row_json_append_column (text, "wait_on_cuda_event_id", row, SYNC_EVENT);
}

static const char *const kernel_columns[] = { WORK_COLUMNS,
                                              "demangledName",
                                              "shortName",
                                              "gridX",
                                              "gridY",
                                              "gridZ",
                                              "blockX",
                                              "blockY",
                                              "blockZ",
                                              "registersPerThread",
                                              "staticSharedMemory",
                                              "dynamicSharedMemory",
                                              "graphId",
                                              "graphNodeId",
                                              NULL };
static const char *const copy_columns[] = {
  WORK_COLUMNS, "bytes", "copyKind", "srcKind", "dstKind", "graphNodeId", NULL
};
static const char *const set_columns[] = { WORK_COLUMNS, "bytes", "value", "memKind", "graphNodeId", NULL };
static const char *const graph_columns[] = { WORK_COLUMNS, "graphId", "graphExecId", NULL };
static const char *const sync_columns[] = { WORK_COLUMNS, "syncType", "eventId", NULL };

static const WorkTable kernels = { "kernel",           0, append_kernel_name, append_kernel_args, find_kernel_name,
                                   measure_kernel_args };
static const WorkTable copies = {
  "gpu_memcpy", 1, append_copy_name, append_copy_args, find_copy_name, measure_copy_args
};
static const WorkTable sets = { "gpu_memset", 2, append_set_name, append_set_args, find_set_name, measure_set_args };
static const WorkTable graphs = { "kernel", 3, append_graph_name, append_graph_args };
static const WorkTable syncs = { "cuda_sync", -1, append_sync_name, append_sync_args };

const LoomRowTable loom_nsight_work_tables[LOOM_NSIGHT_N_WORK_TABLES] = {
  { "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, format_work, &kernels, measure_work },
  { "CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, format_work, &copies, measure_work },
  { "CUPTI_ACTIVITY_KIND_MEMSET", set_columns, format_work, &sets, measure_work },
  { "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, format_work, &graphs },
  { "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns, format_work, &syncs },
};
