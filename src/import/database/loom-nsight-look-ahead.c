/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads data of an Nsight Systems export that must be known before events are made from its rows: the devices of
 * contexts, the launches, and names.
 */
#include "loom-nsight-private.h"

enum { AHEAD_PID = 1, AHEAD_CORRELATION, AHEAD_DEVICE, AHEAD_CONTEXT };
enum { CALL_TID = 1, CALL_CORRELATION, CALL_CLASS, CALL_START };
enum { DOMAIN_TYPE = 1, DOMAIN_TID, DOMAIN_ID, DOMAIN_TEXT, DOMAIN_TEXT_ID };

/* Tables with device work that is launched by calls; LoomNsight.first_row has the same order. */
static const char *const launched_tables[] = { "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                               "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE" };

/* Returns the global process id in a row; 0 if the table does not have the column because another tool removed it
 * from the export. */
static guint64
find_process (const LoomNsight *self, sqlite3_stmt *row, int column)
{
  return self->has_process ? (guint64) loom_nsight_process_of (sqlite3_column_int64 (row, column)) : 0;
}

static void
note_context (LoomNsight *self, sqlite3_stmt *row)
{
  gint64 process = sqlite3_column_int64 (row, AHEAD_PID), device = sqlite3_column_int64 (row, AHEAD_DEVICE),
         key = loom_nsight_pair (process, sqlite3_column_int64 (row, AHEAD_CONTEXT));
  if (sqlite3_column_type (row, AHEAD_CONTEXT) == SQLITE_NULL || device < 0 || device >= G_MAXINT ||
      g_hash_table_contains (self->devices, &key))
    return;
  g_hash_table_insert (self->devices, g_memdup2 (&key, sizeof key), GINT_TO_POINTER ((gint) device + 1));
  key = loom_nsight_pair (process, device);
  gint n = GPOINTER_TO_INT (g_hash_table_lookup (self->contexts, &key));
  g_hash_table_insert (self->contexts, g_memdup2 (&key, sizeof key), GINT_TO_POINTER (n + 1));
}

/* Adds the rows of a table with device work to the launch links, numbered from `first` on. Returns the number of
 * rows. */
static guint64
look_at_work (LoomNsight *self, const char *table, guint64 first)
{
  static const char *const columns[] = { "globalPid", "correlationId", "deviceId", "contextId", NULL };
  sqlite3_stmt *row = loom_database_select (self->database, table, columns, NULL);
  gint64 last_process = -1, last_context = -1;
  guint64 n = 0;
  for (; row != NULL && loom_database_step (self->database, row) == SQLITE_ROW; n++) {
    gint64 process = sqlite3_column_int64 (row, AHEAD_PID), context = sqlite3_column_int64 (row, AHEAD_CONTEXT);
    loom_launch_links_add_row (self->links, first + n, find_process (self, row, AHEAD_PID),
                               (guint64) sqlite3_column_int64 (row, AHEAD_CORRELATION));
    if (process != last_process || context != last_context)
      note_context (self, row);
    last_process = process;
    last_context = context;
  }
  sqlite3_finalize (row);
  return n;
}

/* Adds the calls to the launch links. Some calls are recorded twice with the same id. In this case, the row of the
 * runtime or driver (event class 0 or 1) gets the greater worth; if both rows have the same class, the later row. */
static void
look_at_calls (LoomNsight *self)
{
  static const char *const columns[] = { "globalTid", "correlationId", "eventClass", "start", NULL };
  sqlite3_stmt *row = loom_database_select (self->database, "CUPTI_ACTIVITY_KIND_RUNTIME", columns, NULL);
  for (guint64 n = 0; row != NULL && loom_database_step (self->database, row) == SQLITE_ROW; n++) {
    gint64 event_class = sqlite3_column_int64 (row, CALL_CLASS), start_ns = sqlite3_column_int64 (row, CALL_START);
    gboolean is_call = event_class == 0 || event_class == 1;
    loom_launch_links_add_call (self->links, n, find_process (self, row, CALL_TID),
                                (guint64) sqlite3_column_int64 (row, CALL_CORRELATION),
                                start_ns / 2 + (is_call ? G_MAXINT64 / 2 : 0));
  }
  sqlite3_finalize (row);
}

/* Returns TRUE if the rows of device work state their process. Tools that reduce exports remove this column. */
static gboolean
has_process (const LoomNsight *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (launched_tables); i++)
    if (loom_database_has_table (self->database, launched_tables[i]))
      return loom_database_has_column (self->database, launched_tables[i], "globalPid");
  return TRUE;
}

static void
look_at_launches (LoomNsight *self)
{
  guint64 n = 0;
  self->has_process = has_process (self);
  self->links = loom_launch_links_new ();
  for (guint i = 0; i < G_N_ELEMENTS (launched_tables); i++) {
    self->first_row[i] = n;
    n += look_at_work (self, launched_tables[i], n);
  }
  if (n > 0)
    look_at_calls (self);
  loom_launch_links_finish (self->links);
}

static void
look_at_domains (LoomNsight *self)
{
  enum { DOMAIN_CREATED = 75 };
  static const char *const columns[] = { "eventType", "globalTid", "domainId", "text", "textId", NULL };
  sqlite3_stmt *row = loom_database_select (self->database, "NVTX_EVENTS", columns, NULL);
  while (row != NULL && loom_database_step (self->database, row) == SQLITE_ROW) {
    if (sqlite3_column_int64 (row, DOMAIN_TYPE) != DOMAIN_CREATED)
      continue;
    gint64 key = loom_nsight_pair (loom_nsight_process_of (sqlite3_column_int64 (row, DOMAIN_TID)),
                                   sqlite3_column_int64 (row, DOMAIN_ID));
    gboolean has_text = sqlite3_column_type (row, DOMAIN_TEXT) != SQLITE_NULL;
    char *name = has_text ? loom_row_names_dup_column (row, DOMAIN_TEXT)
                          : g_strdup (loom_row_names_get (self->texts, sqlite3_column_int64 (row, DOMAIN_TEXT_ID)));
    if (name != NULL)
      g_hash_table_insert (self->domains, g_memdup2 (&key, sizeof key), name);
  }
  sqlite3_finalize (row);
}

/* Splits a name such as "SM Active [Throughput %]", which ends with the unit of the metric in brackets. Returns the
 * name without the unit. Sets `unit` to the unit; NULL: the name has no unit. Both are owned by the caller. */
static char *
split_metric (const char *text, char **unit)
{
  const char *bracket = strrchr (text, '['), *end = bracket != NULL ? strchr (bracket, ']') : NULL;
  gboolean has_unit = end != NULL && end - bracket > 1;
  *unit = !has_unit ? NULL : end[-1] == '%' ? g_strdup ("%") : g_strndup (bracket + 1, (gsize) (end - bracket) - 1);
  return g_strchomp (bracket != NULL ? g_strndup (text, (gsize) (bracket - text)) : g_strdup (text));
}

/* Stores the name of a metric and its unit. The name contains the unit if another metric of the type differs from it
 * only in the unit (`texts`, see note_metric()). */
static void
take_metric (LoomNsight *self, GHashTable *texts, gint64 type, gint64 metric, const char *text)
{
  gint64 key = loom_nsight_pair (type, metric);
  char *unit;
  g_autofree char *plain = split_metric (text, &unit), *plain_key = loom_nsight_dup_unit_key (type, plain);
  const char *shown = g_hash_table_lookup (texts, plain_key) != NULL ? plain : text;
  GString *name = g_string_new (NULL);
  loom_row_names_append_escaped (name, shown, strlen (shown));
  g_hash_table_insert (self->metrics, g_memdup2 (&key, sizeof key), g_string_free (name, FALSE));
  if (unit != NULL)
    g_hash_table_insert (self->units, loom_nsight_dup_unit_key (type, shown), unit);
}

/* Adds the name of a metric to `texts`. The keys of this table are the type and the name without the unit; the values
 * are the name with the unit, or NULL if metrics with different units have this name. */
static void
note_metric (GHashTable *texts, gint64 type, const char *text)
{
  char *unit;
  gpointer known;
  g_autofree char *plain = split_metric (text, &unit);
  g_free (unit);
  char *key = loom_nsight_dup_unit_key (type, plain);
  gboolean differs = g_hash_table_lookup_extended (texts, key, NULL, &known) && g_strcmp0 (known, text) != 0;
  g_hash_table_replace (texts, key, differs ? NULL : g_strdup (text));
}

static void
look_at_metrics (LoomNsight *self)
{
  static const char *const columns[] = { "typeId", "metricId", "metricName", NULL };
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint pass = 0; pass < 2; pass++) {
    sqlite3_stmt *row = loom_database_select (self->database, "TARGET_INFO_GPU_METRICS", columns, NULL);
    while (row != NULL && loom_database_step (self->database, row) == SQLITE_ROW) {
      const char *bytes = (const char *) sqlite3_column_text (row, 3);
      g_autofree char *text = g_utf8_make_valid (bytes != NULL ? bytes : "", -1);
      if (pass == 0)
        note_metric (texts, sqlite3_column_int64 (row, 1), text);
      else
        take_metric (self, texts, sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 2), text);
    }
    sqlite3_finalize (row);
  }
}

/* Sets LoomNsight.machine to the machine id of the first process in the tables. */
static void
look_at_machine (LoomNsight *self)
{
  static const char *const tables[] = { "PROCESSES", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
                                        "NVTX_EVENTS", "OSRT_API" };
  static const char *const columns[] = { "globalPid", "globalTid", NULL };
  for (guint i = 0; i < G_N_ELEMENTS (tables) && self->machine == 0; i++) {
    sqlite3_stmt *row = loom_database_select (self->database, tables[i], columns, NULL);
    if (row != NULL && loom_database_step (self->database, row) == SQLITE_ROW)
      self->machine = (sqlite3_column_int64 (row, 1) | sqlite3_column_int64 (row, 2)) >> 48;
    sqlite3_finalize (row);
  }
}

void
loom_nsight_look_ahead (LoomNsight *self)
{
  look_at_machine (self);
  look_at_launches (self);
  look_at_domains (self);
  look_at_metrics (self);
}
