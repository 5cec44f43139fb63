/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes events from the tables of an Nsight Systems export. For the kinds of work that PyTorch's profiler records, too,
 * the events have the categories and the keys of args that PyTorch's profiler writes, so that analyses treat both
 * formats alike.
 */
#include "loom-nsight-private.h"

/* Columns that are read from a table with calls of threads. */
enum { CALL_START = 1, CALL_END, CALL_TID, CALL_NAME, CALL_CLASS, CALL_CORRELATION, CALL_RETURN, CALL_ARGS };
#define CALL_COLUMNS "start", "end", "globalTid", "nameId", "eventClass", "correlationId", "returnValue"

enum { METRIC_TIME = 1, METRIC_TYPE, METRIC_ID, METRIC_VALUE };

/* --- parts of an event -------------------------------------------------------------------------------------------- */

void
loom_nsight_count (LoomNsight *self, gboolean is_first, LoomNsightLoss loss)
{
  self->losses[loss] += is_first;
}

/* Converts a value to a whole number. The column may have any type, because tools that copy exports store some numbers
 * as TEXT or REAL. Returns FALSE if the value is not a whole number. */
static gboolean
take_whole (sqlite3_value *value, gint64 *number)
{
  int type = sqlite3_value_numeric_type (value);
  *number = sqlite3_value_int64 (value);
  return type == SQLITE_INTEGER || (type == SQLITE_FLOAT && sqlite3_value_double (value) == (double) *number);
}

gboolean
loom_nsight_take_times (LoomNsight *self, sqlite3_stmt *row, gboolean is_first, gboolean may_lack_end, gint64 *start_ns,
                        gint64 *end_ns)
{
  sqlite3_value *end = sqlite3_column_value (row, 2);
  gboolean lacks_end = sqlite3_value_type (end) == SQLITE_NULL, has_end = take_whole (end, end_ns),
           has_start = take_whole (sqlite3_column_value (row, 1), start_ns);
  if (lacks_end)
    *end_ns = *start_ns;
  if (!has_start || (!lacks_end && !has_end))
    loom_nsight_count (self, is_first, LOOM_NSIGHT_NO_NUMBER);
  else if (lacks_end && !may_lack_end)
    loom_nsight_count (self, is_first, LOOM_NSIGHT_ENDLESS);
  else if (*end_ns < *start_ns)
    loom_nsight_count (self, is_first, LOOM_NSIGHT_BACKWARDS);
  else if (*start_ns < self->min_ns || *end_ns > self->max_ns)
    loom_nsight_count (self, is_first, LOOM_NSIGHT_FAR);
  else
    return TRUE;
  return FALSE;
}

/* Appends the pid of a process, for example 145. For a process on another machine than the first process in the
 * file, appends a text with the machine id and the pid: "3/145". */
static void
append_pid (const LoomNsight *self, GString *text, gint64 global_id)
{
  gint64 machine = global_id >> 48;
  if (machine == self->machine) {
    loom_made_json_append_int (text, loom_nsight_pid_of (global_id));
    return;
  }
  g_string_append_c (text, '"');
  loom_made_json_append_int (text, machine);
  g_string_append_c (text, '/');
  loom_made_json_append_int (text, loom_nsight_pid_of (global_id));
  g_string_append_c (text, '"');
}

static void
append_begin (GString *text, const char *category, gint64 start_ns)
{
  loom_made_json_append (text, "{\"ph\":\"X\",\"cat\":\"");
  loom_made_json_append (text, category);
  loom_made_json_append (text, "\",\"ts\":");
  loom_made_json_append_us (text, start_ns);
}

static void
append_duration (GString *text, gint64 dur_ns)
{
  loom_made_json_append (text, ",\"dur\":");
  loom_made_json_append_us (text, dur_ns);
}

void
loom_nsight_append_span (GString *text, const char *category, gint64 start_ns, gint64 end_ns)
{
  append_begin (text, category, start_ns);
  append_duration (text, end_ns - start_ns);
}

void
loom_nsight_append_thread (const LoomNsight *self, GString *text, gint64 global_tid, const char *lane)
{
  loom_made_json_append (text, ",\"pid\":");
  append_pid (self, text, global_tid);
  loom_made_json_append (text, ",\"tid\":");
  if (lane != NULL)
    g_string_append_c (text, '"');
  loom_made_json_append_int (text, global_tid & 0xFFFFFF);
  if (lane != NULL) {
    g_string_append_c (text, ' ');
    loom_made_json_append (text, lane);
    g_string_append_c (text, '"');
  }
}

void
loom_nsight_append_flow (const LoomNsight *self, GString *text, char phase, gint64 time_ns, gint64 process,
                         gint64 correlation, const char *place)
{
  loom_made_json_append (text, "{\"ph\":\"");
  g_string_append_c (text, phase);
  loom_made_json_append (text, "\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"id\":\"");
  loom_made_json_append_int (text, self->has_process ? process >> 24 : 0);
  g_string_append_c (text, ':');
  loom_made_json_append_int (text, correlation);
  loom_made_json_append (text, phase == 'f' ? "\",\"bp\":\"e\"},\n" : "\"},\n");
}

void
loom_nsight_append_name_of_id (LoomNsight *self, GString *text, sqlite3_stmt *row, int column, gboolean is_first)
{
  gint64 id = sqlite3_column_int64 (row, column);
  const char *known = sqlite3_column_type (row, column) != SQLITE_NULL ? loom_row_names_get (self->texts, id) : "";
  if (known != NULL) {
    loom_made_json_append (text, known);
    return;
  }
  loom_nsight_count (self, is_first, LOOM_NSIGHT_UNNAMED);
  g_string_append_c (text, '#');
  loom_made_json_append_int (text, id);
}

gboolean
loom_nsight_has_name (LoomNsight *self, sqlite3_stmt *row, int column, gint64 *id)
{
  sqlite3_value *value = sqlite3_column_value (row, column);
  *id = sqlite3_value_int64 (value);
  return sqlite3_value_type (value) != SQLITE_NULL && loom_row_names_get (self->texts, *id) != NULL;
}

void
loom_nsight_measure_flow (const LoomNsight *self, LoomRowSpan *span, char phase, gint64 process, gint64 correlation)
{
  span->flow = phase;
  span->flow_group = self->has_process ? process >> 24 : 0;
  span->flow_number = correlation;
}

/* --- calls of a thread -------------------------------------------------------------------------------------------- */

typedef struct {
  const char *category;
  const char *lane;        /* name of a separate lane for these calls; NULL: they are shown on the lane of the thread */
  const char *const *args; /* keys of the args that are in the columns from CALL_ARGS on; ends with NULL */
  gboolean may_lack_end;   /* TRUE: a row may have no end, because the call had not returned when recording stopped */
} CallTable;

/* Calls of MPI. Their names are in the column textId; other calls have the column nameId instead. */
static const char *const mpi_args[] = { "tag",          "bytes", "received bytes", "remote rank", "root rank",
                                        "communicator", NULL };
static const CallTable mpi_calls = { "mpi", NULL, mpi_args, TRUE };
enum { MPI_TEXT = CALL_ARGS + G_N_ELEMENTS (mpi_args) - 1 };

/* Returns the length in bytes of the name of a CUDA call without the API version at its end, such as "_v7000"; the
 * whole length if the name has no version. */
static gsize
measure_plain_name (const char *name)
{
  gsize length = strlen (name), digits = length;
  while (digits > 0 && g_ascii_isdigit (name[digits - 1]))
    digits--;
  return digits < length && digits > 2 && name[digits - 1] == 'v' && name[digits - 2] == '_' ? digits - 2 : length;
}

static void
append_call_name (LoomNsight *self, const CallTable *table, GString *text, sqlite3_stmt *row, gboolean is_first)
{
  gsize at = text->len;
  gboolean has_text = table == &mpi_calls && sqlite3_column_type (row, MPI_TEXT) != SQLITE_NULL;
  loom_nsight_append_name_of_id (self, text, row, has_text ? MPI_TEXT : CALL_NAME, is_first);
  g_string_truncate (text, at + measure_plain_name (text->str + at));
}

static const char *
find_call_category (const CallTable *table, sqlite3_stmt *row)
{
  enum { RUNTIME = 0, DRIVER = 1 };
  if (table->category != NULL)
    return table->category;
  return sqlite3_column_int64 (row, CALL_CLASS) == DRIVER ? "cuda_driver" : "cuda_runtime";
}

static void
append_call_args (const CallTable *table, sqlite3_stmt *row, GString *text)
{
  loom_made_json_append (text, ",\"args\":{");
  loom_row_json_append_column (text, "correlation", row, CALL_CORRELATION);
  if (sqlite3_column_int64 (row, CALL_RETURN) != 0)
    loom_row_json_append_column (text, "returnValue", row, CALL_RETURN);
  for (int i = 0; table->args[i] != NULL; i++)
    loom_row_json_append_column (text, table->args[i], row, CALL_ARGS + i);
  loom_made_json_append (text, "}},\n");
}

static void
format_call (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
             gpointer user_data)
{
  LoomNsight *self = user_data;
  const CallTable *call = table->data;
  gint64 start_ns, end_ns, tid = sqlite3_column_int64 (row, CALL_TID);
  if (!loom_nsight_take_times (self, row, is_first, call->may_lack_end, &start_ns, &end_ns))
    return;
  append_begin (text, find_call_category (call, row), start_ns);
  if (sqlite3_column_type (row, CALL_END) != SQLITE_NULL)
    append_duration (text, end_ns - start_ns);
  loom_made_json_append (text, ",\"name\":\"");
  append_call_name (self, call, text, row, is_first);
  g_string_append_c (text, '"');
  gsize place = text->len;
  loom_nsight_append_thread (self, text, tid, call->lane);
  g_autofree char *thread =
    call->category == NULL && loom_launch_links_launches (self->links, number) ? g_strdup (text->str + place) : NULL;
  append_call_args (call, row, text);
  if (thread != NULL)
    loom_nsight_append_flow (self, text, 's', start_ns, loom_nsight_process_of (tid),
                             sqlite3_column_int64 (row, CALL_CORRELATION), thread);
}

/* Implements LoomRowMeasure for a call of the CUDA runtime or driver. Its args are only the correlation id and the
 * return value, because its table has no further columns with args. */
static gboolean
measure_cuda_call (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  LoomNsight *self = user_data;
  gint64 tid = sqlite3_column_int64 (row, CALL_TID);
  if (!loom_nsight_take_times (self, row, FALSE, FALSE, &span->start_ns, &span->end_ns) ||
      !loom_nsight_has_name (self, row, CALL_NAME, &span->key[0]))
    return FALSE;
  span->key[1] = tid;
  span->key[2] = sqlite3_column_int64 (row, CALL_CLASS);
  gint64 correlation, code;
  gsize n = loom_row_json_measure_number ("correlation", row, CALL_CORRELATION, &correlation),
        n_code = loom_row_json_measure_number ("returnValue", row, CALL_RETURN, &code);
  n += code != 0 ? n_code : 0;
  span->n_args_bytes = strlen ("{}") + n - (n > 0 ? strlen (",") : 0);
  if (loom_launch_links_launches (self->links, number))
    loom_nsight_measure_flow (self, span, 's', loom_nsight_process_of (tid), correlation);
  return TRUE;
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* Gets the time and the value of a metric. Returns FALSE if the row cannot be shown, and counts the reason. `is_first`:
 * FALSE if the row was read before, so that it is not counted again. */
static gboolean
take_metric (LoomNsight *self, sqlite3_stmt *row, gboolean is_first, gint64 *time_ns, double *value)
{
  if (!take_whole (sqlite3_column_value (row, METRIC_TIME), time_ns))
    loom_nsight_count (self, is_first, LOOM_NSIGHT_NO_NUMBER);
  else if (*time_ns < self->min_ns || *time_ns > self->max_ns)
    loom_nsight_count (self, is_first, LOOM_NSIGHT_FAR);
  else if (!loom_row_json_take_number (row, METRIC_VALUE, value))
    loom_nsight_count (self, is_first, LOOM_NSIGHT_NO_VALUE);
  else
    return TRUE;
  return FALSE;
}

static void
format_metric (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
               gpointer user_data)
{
  LoomNsight *self = user_data;
  gint64 type = sqlite3_column_int64 (row, METRIC_TYPE), metric = sqlite3_column_int64 (row, METRIC_ID),
         key = loom_nsight_pair (type, metric), time_ns;
  const char *name = g_hash_table_lookup (self->metrics, &key);
  double value;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (!take_metric (self, row, is_first, &time_ns, &value))
    return;
  loom_made_json_append (text, "{\"ph\":\"C\",\"ts\":");
  loom_made_json_append_us (text, time_ns);
  /* writes the key of a device as in loom-nsight.c: the lowest bits of the type contain the number of the GPU, and the
   * other bits identify the host */
  loom_made_json_append (text, ",\"pid\":\"GPU ");
  loom_made_json_append_int (text, type & LOOM_NSIGHT_GPU_MASK);
  loom_made_json_append (text, " of ");
  loom_made_json_append_int (text, (type & G_MAXINT64) >> LOOM_NSIGHT_GPU_BITS);
  loom_made_json_append (text, "/0\",\"name\":\"");
  if (name != NULL)
    loom_made_json_append (text, name);
  else
    loom_made_json_append (text, "metric "), loom_made_json_append_int (text, metric);
  loom_made_json_append (text, "\",\"args\":{\"value\":");
  if (sqlite3_column_type (row, METRIC_VALUE) == SQLITE_INTEGER)
    loom_made_json_append_int (text, sqlite3_column_int64 (row, METRIC_VALUE));
  else
    loom_made_json_append (text, g_ascii_dtostr (digits, sizeof digits, value));
  loom_made_json_append (text, "}},\n");
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static const char *const call_columns[] = { CALL_COLUMNS, NULL };
static const char *const mpi_columns[] = { CALL_COLUMNS, "tag",        "size",   "recvSize", "remoteRank",
                                           "rootRank",   "commHandle", "textId", NULL };
static const char *const metric_columns[] = { "timestamp", "typeId", "metricId", "value", NULL };

static const char *const no_args[] = { NULL };

static const CallTable cuda_calls = { NULL, NULL, no_args };
static const CallTable system_calls = { "os_runtime", "system", no_args };
static const CallTable blas_calls = { "cublas", NULL, no_args };
static const CallTable dnn_calls = { "cudnn", NULL, no_args };
static const CallTable callbacks = { "cuda_callback", NULL, no_args };
static const CallTable compilations = { "cuda_jit", NULL, no_args };
static const CallTable overheads = { "overhead", "overhead", no_args };

static const LoomRowTable other_tables[] = {
  { "CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, format_call, &cuda_calls, measure_cuda_call },
  { "MPI_P2P_EVENTS", mpi_columns, format_call, &mpi_calls },
  { "MPI_COLLECTIVES_EVENTS", mpi_columns, format_call, &mpi_calls },
  { "MPI_START_WAIT_EVENTS", mpi_columns, format_call, &mpi_calls },
  { "MPI_OTHER_EVENTS", mpi_columns, format_call, &mpi_calls },
  { "CUBLAS_EVENTS", call_columns, format_call, &blas_calls },
  { "CUDNN_EVENTS", call_columns, format_call, &dnn_calls },
  { "CUDA_HOST_CALLBACK", call_columns, format_call, &callbacks },
  { "CUPTI_ACTIVITY_KIND_JIT", call_columns, format_call, &compilations },
  { "OSRT_API", call_columns, format_call, &system_calls },
  { "CUPTI_ACTIVITY_KIND_OVERHEAD", call_columns, format_call, &overheads },
  { "PROFILER_OVERHEAD", call_columns, format_call, &overheads },
  { "GPU_METRICS", metric_columns, format_metric, NULL },
};

guint
loom_nsight_list_tables (LoomRowTable *tables)
{
  guint n = LOOM_NSIGHT_N_WORK_TABLES;
  memcpy (tables, loom_nsight_work_tables, sizeof loom_nsight_work_tables);
  tables[n++] = loom_nsight_range_table;
  memcpy (tables + n, other_tables, sizeof other_tables);
  G_STATIC_ASSERT (LOOM_NSIGHT_N_WORK_TABLES + 1 + G_N_ELEMENTS (other_tables) <= LOOM_NSIGHT_MOST_TABLES);
  return n + G_N_ELEMENTS (other_tables);
}
