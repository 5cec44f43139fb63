/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads RPD databases, which rocmProfileData (AMD) writes, and makes Chrome trace events from their rows.
 */
#include "loom-rocm-private.h"

enum { OP_GPU = 1, OP_QUEUE, OP_START, OP_END, OP_NAME, OP_TYPE, OP_ID };
enum { API_PID = 1, API_TID, API_START, API_END, API_NAME, API_ARGS, API_ID };
enum { MONITOR_DEVICE_TYPE = 1, MONITOR_DEVICE, MONITOR_KIND, MONITOR_START, MONITOR_END, MONITOR_VALUE };
enum { KERNEL_STREAM = 1, KERNEL_GRID, KERNEL_GROUP = KERNEL_GRID + 3, KERNEL_NAME = KERNEL_GROUP + 3 };
enum { COPY_STREAM = 1, COPY_BYTES };

/* Maximum length in bytes of the name of a stream. A row with a longer name is not measured; its text is made. */
#define MOST_STREAM_BYTES 64

/* A link between an operation on the device (`op`) and the call that launched it (`api`). */
typedef struct {
  gint64 op, api;
} Link;

typedef struct {
  LoomRocmReader reader; /* must be the first member, because a pointer to this reader is converted to Rpd * */
  LoomRowNames *texts;
  GArray *links;   /* Link: all links, sorted by `op` */
  guint next_link; /* index in `links` of the link after the link that was found last */
  LoomLaunchLinks *launches;
  /* queries for the details of a kernel or copy, given the id of its call; NULL: the database does not have the
   * table */
  LoomRocmCursor *kernel, *copy;
  GString *place; /* buffer of write_place(), reused for each row */
} Rpd;

static int
compare_links (gconstpointer a, gconstpointer b)
{
  const Link *x = a, *y = b;
  return x->op < y->op ? -1 : x->op > y->op;
}

/* Returns the link at the index `next_link` if it is the only link of the operation; NULL otherwise. This is usually
 * the right link, because operations are mostly read in the order of the links. */
static const Link *
try_next_link (const Rpd *self, gint64 op)
{
  const Link *links = (const Link *) (gpointer) self->links->data;
  guint at = self->next_link, n = self->links->len;
  gboolean is_only =
    at < n && links[at].op == op && (at == 0 || links[at - 1].op != op) && (at + 1 == n || links[at + 1].op != op);
  return is_only ? &links[at] : NULL;
}

/* Returns the call that launched an operation; −1 if it is unknown. */
static gint64
find_api (Rpd *self, gint64 op)
{
  const Link wanted = { op, 0 }, *found = try_next_link (self, op);
  if (found == NULL && self->links->len > 0)
    found = bsearch (&wanted, self->links->data, self->links->len, sizeof wanted, compare_links);
  if (found == NULL)
    return -1;
  self->next_link = (guint) (found - (const Link *) (gpointer) self->links->data) + 1;
  return found->api;
}

/* Moves a query for the details of a kernel or copy to the row of a call. Returns FALSE if the call has no details. */
static gboolean
find_details (LoomRocmCursor *details, gint64 api)
{
  return api >= 0 && loom_rocm_cursor_find (details, api);
}

/* Returns the members pid and tid as JSON text: the text `before_pid`, the number `pid`, the text `before_tid` and the
 * number `tid`. Valid until the next row. */
static const char *
write_place (Rpd *self, const char *before_pid, gint64 pid, const char *before_tid, gint64 tid)
{
  g_string_truncate (self->place, 0);
  loom_made_json_append (self->place, before_pid);
  loom_made_json_append_int (self->place, pid);
  loom_made_json_append (self->place, before_tid);
  loom_made_json_append_int (self->place, tid);
  return self->place->str;
}

/* --- work of devices ---------------------------------------------------------------------------------------------- */

/* Returns the category of an operation on the device. A task with a description is a kernel of a graph. Barriers,
 * markers and tasks without a description get the category of annotations, because they are not work: the queue only
 * waits, or reaches a marker. `name`: description of the operation; NULL: unknown. */
static const char *
find_category (const char *type, const char *name)
{
  gboolean is_named = name != NULL && name[0] != '\0';
  if (g_str_has_prefix (type, "Copy"))
    return "gpu_memcpy";
  if (g_str_has_prefix (type, "Barrier") || g_str_has_prefix (type, "Marker") ||
      (strcmp (type, "Task") == 0 && !is_named))
    return "gpu_user_annotation";
  return strcmp (type, "FillBuffer") == 0 ? "gpu_memset" : "kernel";
}

static const char *
find_op_name (Rpd *self, sqlite3_stmt *row, gint64 api, const char *type)
{
  const char *name = loom_row_names_get (self->texts, sqlite3_column_int64 (row, OP_NAME));
  if ((name == NULL || name[0] == '\0') && find_details (self->kernel, api))
    name = loom_row_names_get (self->texts, sqlite3_column_int64 (self->kernel->row, KERNEL_NAME));
  return name != NULL && name[0] != '\0' ? name : type;
}

static void
append_triple (GString *text, const char *key, sqlite3_stmt *row, int column)
{
  loom_made_json_append_key (text, key);
  for (int i = 0; i < 3; i++) {
    g_string_append_c (text, i == 0 ? '[' : ',');
    loom_made_json_append_int (text, sqlite3_column_int64 (row, column + i));
  }
  g_string_append_c (text, ']');
}

static void
append_string (GString *text, const char *key, const char *value)
{
  loom_made_json_append_key (text, key);
  g_string_append_c (text, '"');
  loom_made_json_append (text, value);
  g_string_append_c (text, '"');
}

static void
append_op_args (Rpd *self, sqlite3_stmt *row, gint64 api, const char *category, GString *text)
{
  loom_made_json_append (text, ",\"args\":{");
  loom_row_json_append_column (text, "device", row, OP_GPU);
  loom_row_json_append_column (text, "queue", row, OP_QUEUE);
  if (api >= 0) {
    loom_made_json_append_key (text, "correlation");
    loom_made_json_append_int (text, api);
  }
  if (strcmp (category, "kernel") == 0 && find_details (self->kernel, api)) {
    g_autofree char *stream = loom_row_names_dup_column (self->kernel->row, KERNEL_STREAM);
    append_string (text, "stream", stream);
    append_triple (text, "grid", self->kernel->row, KERNEL_GRID);
    append_triple (text, "block", self->kernel->row, KERNEL_GROUP);
  } else if (strcmp (category, "gpu_memcpy") == 0 && find_details (self->copy, api)) {
    loom_row_json_append_column (text, "bytes", self->copy->row, COPY_BYTES);
  }
  loom_made_json_append (text, "}},\n");
}

static void
format_op (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
           gpointer user_data)
{
  Rpd *self = user_data;
  gint64 start_ns, end_ns, api = find_api (self, loom_row_ids_of_row (row, OP_ID)),
                           type_id = sqlite3_column_int64 (row, OP_TYPE);
  if (!loom_rocm_take_times (&self->reader, row, OP_START, is_first, &start_ns, &end_ns))
    return;
  const char *type = loom_row_names_get (self->texts, type_id),
             *name = loom_row_names_get (self->texts, sqlite3_column_int64 (row, OP_NAME)),
             *category = find_category (type != NULL ? type : "", name);
  const char *place = write_place (self, ",\"pid\":\"GPU ", sqlite3_column_int64 (row, OP_GPU),
                                   "\",\"tid\":", sqlite3_column_int64 (row, OP_QUEUE));
  loom_rocm_append_span (text, category, start_ns, end_ns);
  loom_rocm_append_name (&self->reader, text, find_op_name (self, row, api, type), type_id, is_first);
  loom_made_json_append (text, place);
  append_op_args (self, row, api, category, text);
  if (loom_launch_links_is_launched (self->launches, number))
    loom_rocm_append_flow (text, 'f', start_ns, place, 0, api);
}

static gsize
measure_triple (const char *key, sqlite3_stmt *row, int column)
{
  gsize n = strlen (",\"\":[,,]") + strlen (key);
  for (int i = 0; i < 3; i++)
    n += loom_made_json_measure_int (sqlite3_column_int64 (row, column + i));
  return n;
}

/* Adds to `n` the length of those args of a kernel that are in its details. Returns FALSE if the name of the stream is
 * too long (MOST_STREAM_BYTES) or may need escapes; `n` must then not be used. */
static gboolean
measure_details (sqlite3_stmt *kernel, gsize *n)
{
  const char *stream = (const char *) sqlite3_column_text (kernel, KERNEL_STREAM);
  gsize length = stream != NULL ? strlen (stream) : 0;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (stream[i]))
      return FALSE;
  *n += strlen (",\"stream\":\"\"") + length + measure_triple ("grid", kernel, KERNEL_GRID) +
        measure_triple ("block", kernel, KERNEL_GROUP);
  return length <= MOST_STREAM_BYTES;
}

/* Sets `n` to the length of the args that append_op_args() appends. Returns FALSE if the length cannot be computed; `n`
 * must then not be used. */
static gboolean
measure_op_args (Rpd *self, sqlite3_stmt *row, gint64 api, const char *category, gsize *n)
{
  gint64 device;
  *n = loom_row_json_measure_number ("device", row, OP_GPU, &device);
  /* if the row has no device, "queue" is the first member and has no comma before it; the length that is computed below
   * would then be wrong by this comma */
  if (*n == 0)
    return FALSE;
  *n += strlen ("{}") - strlen (",") + loom_row_json_measure_column ("queue", row, OP_QUEUE) +
        (api >= 0 ? strlen (",\"correlation\":") + loom_made_json_measure_int (api) : 0);
  if (strcmp (category, "kernel") == 0 && find_details (self->kernel, api))
    return measure_details (self->kernel->row, n);
  if (strcmp (category, "gpu_memcpy") == 0 && find_details (self->copy, api))
    *n += loom_row_json_measure_column ("bytes", self->copy->row, COPY_BYTES);
  return TRUE;
}

/* Implements LoomRowMeasure. Elements of span->key may be pointers to texts, because LoomRowNames keeps each text at
 * one address. */
static gboolean
measure_op (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  Rpd *self = user_data;
  gint64 api = find_api (self, loom_row_ids_of_row (row, OP_ID));
  const char *type = loom_row_names_get (self->texts, sqlite3_column_int64 (row, OP_TYPE));
  if (type == NULL || !loom_rocm_take_times (&self->reader, row, OP_START, FALSE, &span->start_ns, &span->end_ns))
    return FALSE;
  const char *category = find_category (type, loom_row_names_get (self->texts, sqlite3_column_int64 (row, OP_NAME)));
  span->key[0] = (gint64) (gintptr) find_op_name (self, row, api, type);
  span->key[1] = (gint64) (gintptr) category;
  span->key[2] = sqlite3_column_int64 (row, OP_GPU);
  span->key[3] = sqlite3_column_int64 (row, OP_QUEUE);
  span->flow = loom_launch_links_is_launched (self->launches, number) ? 'f' : 0;
  span->flow_number = api;
  return measure_op_args (self, row, api, category, &span->n_args_bytes);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void
format_api (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
            gpointer user_data)
{
  Rpd *self = user_data;
  gint64 start_ns, end_ns, name_id = sqlite3_column_int64 (row, API_NAME), id = loom_row_ids_of_row (row, API_ID);
  if (!loom_rocm_take_times (&self->reader, row, API_START, is_first, &start_ns, &end_ns))
    return;
  const char *name = loom_row_names_get (self->texts, name_id),
             *args = loom_row_names_get (self->texts, sqlite3_column_int64 (row, API_ARGS));
  gboolean is_marker = g_strcmp0 (name, "UserMarker") == 0 && args != NULL && args[0] != '\0';
  const char *place = write_place (self, ",\"pid\":", sqlite3_column_int64 (row, API_PID),
                                   ",\"tid\":", sqlite3_column_int64 (row, API_TID));
  loom_rocm_append_span (text, is_marker ? "user_annotation" : "cuda_runtime", start_ns, end_ns);
  loom_rocm_append_name (&self->reader, text, is_marker ? args : name, name_id, is_first);
  loom_made_json_append (text, place);
  loom_made_json_append (text, ",\"args\":{\"correlation\":");
  loom_made_json_append_int (text, id);
  if (!is_marker && args != NULL && args[0] != '\0')
    append_string (text, "args", args);
  loom_made_json_append (text, "}},\n");
  if (loom_launch_links_launches (self->launches, number))
    loom_rocm_append_flow (text, 's', start_ns, place, 0, id);
}

/* Implements LoomRowMeasure for calls, except markers. */
static gboolean
measure_api (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span, gpointer user_data)
{
  Rpd *self = user_data;
  gint64 id = loom_row_ids_of_row (row, API_ID);
  const char *name = loom_row_names_get (self->texts, sqlite3_column_int64 (row, API_NAME)),
             *args = loom_row_names_get (self->texts, sqlite3_column_int64 (row, API_ARGS));
  if (name == NULL || strcmp (name, "UserMarker") == 0 ||
      !loom_rocm_take_times (&self->reader, row, API_START, FALSE, &span->start_ns, &span->end_ns))
    return FALSE;
  span->key[0] = (gint64) (gintptr) name;
  span->key[1] = sqlite3_column_int64 (row, API_PID);
  span->key[2] = sqlite3_column_int64 (row, API_TID);
  span->n_args_bytes = strlen ("{\"correlation\":}") + loom_made_json_measure_int (id);
  if (args != NULL && args[0] != '\0')
    span->n_args_bytes += strlen (",\"args\":\"\"") + strlen (args);
  span->flow = loom_launch_links_launches (self->launches, number) ? 's' : 0;
  span->flow_number = id;
  return TRUE;
}

/* Appends a counter sample with the value of the row, which holds from the start to the end of the row. The file stores
 * the value as text. */
static void
format_monitor (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
                gpointer user_data)
{
  Rpd *self = user_data;
  gint64 start_ns, end_ns;
  double number_of;
  if (!loom_rocm_take_times (&self->reader, row, MONITOR_START, is_first, &start_ns, &end_ns))
    return;
  if (!loom_row_json_take_number (row, MONITOR_VALUE, &number_of)) {
    self->reader.common.losses[LOOM_ROCM_NO_NUMBER] += is_first;
    return;
  }
  g_autofree char *kind = loom_row_names_dup_column (row, MONITOR_KIND),
                  *device = loom_row_names_dup_column (row, MONITOR_DEVICE_TYPE);
  gboolean is_gpu = strcmp (device, "gpu") == 0;
  char value[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *pid =
    g_strdup_printf ("%s %lld", is_gpu ? "GPU" : device, sqlite3_column_int64 (row, MONITOR_DEVICE));
  if (is_first && end_ns > start_ns)
    loom_rocm_note_hold (&self->reader, pid, kind, end_ns - start_ns);
  g_string_append_printf (text, "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":\"%s\",\"ts\":", kind, pid);
  loom_made_json_append_us (text, start_ns);
  loom_made_json_append (text, ",\"args\":{\"value\":");
  loom_made_json_append (text, g_ascii_dtostr (value, sizeof value, number_of));
  loom_made_json_append (text, "}},\n");
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
read_links (Rpd *self)
{
  static const char *const columns[] = { "op_id", "api_id", NULL };
  sqlite3_stmt *row = loom_database_select (self->reader.database, "rocpd_api_ops", columns, NULL);
  while (row != NULL && loom_database_step (self->reader.database, row) == SQLITE_ROW) {
    Link link = { sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2) };
    g_array_append_val (self->links, link);
  }
  sqlite3_finalize (row);
  g_array_sort (self->links, compare_links);
}

static void
read_launches (Rpd *self)
{
  static const char *const columns[] = { "id", NULL };
  sqlite3_stmt *row = loom_database_select (self->reader.database, "rocpd_op", columns, NULL);
  for (guint64 n = 0; row != NULL && loom_database_step (self->reader.database, row) == SQLITE_ROW; n++) {
    gint64 api = find_api (self, loom_row_ids_of_row (row, 1));
    if (api >= 0)
      loom_launch_links_add_row (self->launches, n, 0, (guint64) api);
    else
      self->reader.common.n_without_launch++;
  }
  sqlite3_finalize (row);
  row = loom_database_select (self->reader.database, "rocpd_api", columns, NULL);
  for (guint64 n = 0; row != NULL && loom_database_step (self->reader.database, row) == SQLITE_ROW; n++)
    loom_launch_links_add_call (self->launches, n, 0, (guint64) loom_row_ids_of_row (row, 1), 0);
  sqlite3_finalize (row);
  loom_launch_links_finish (self->launches);
}

static void
rpd_free (gpointer data)
{
  Rpd *self = data;
  loom_row_names_free (self->texts);
  loom_launch_links_free (self->launches);
  g_array_unref (self->links);
  g_string_free (self->place, TRUE);
  loom_rocm_cursor_free (self->kernel);
  loom_rocm_cursor_free (self->copy);
  loom_rocm_clear (&self->reader);
  g_free (self);
}

LoomRocmReader *
loom_rocm_rpd_new (LoomDatabase *database, GArray *tables, GDestroyNotify *free)
{
  static const char
    *const op[] = { "gpuId", "queueId", "start", "end", "description_id", "opType_id", "id", NULL },
           *const api[] = { "pid", "tid", "start", "end", "apiName_id", "args_id", "id", NULL },
           *const monitor[] = { "deviceType", "deviceId", "monitorType", "start", "end", "value", NULL },
           *const kernel[] = { "stream",     "gridX",      "gridY",         "gridZ", "workgroupX",
                               "workgroupY", "workgroupZ", "kernelName_id", NULL },
           *const copy[] = { "stream", "size", NULL };
  static const LoomRowTable all[] = { { "rocpd_op", op, format_op, NULL, measure_op },
                                      { "rocpd_api", api, format_api, NULL, measure_api },
                                      { "rocpd_monitor", monitor, format_monitor, NULL } };
  Rpd *self = g_new0 (Rpd, 1);
  loom_rocm_init (&self->reader, database);
  self->texts = loom_row_names_new (database, "rocpd_string", "string");
  self->place = g_string_new (NULL);
  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
  self->launches = loom_launch_links_new ();
  self->kernel = loom_rocm_cursor_new (database, "rocpd_kernelapi", "api_ptr_id", kernel);
  self->copy = loom_rocm_cursor_new (database, "rocpd_copyapi", "api_ptr_id", copy);
  read_links (self);
  read_launches (self);
  g_array_append_vals (tables, all, G_N_ELEMENTS (all));
  *free = rpd_free;
  return &self->reader;
}
