/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports SageMaker's system metrics: JSON lines that an agent writes on each host. All files of one node are imported
 * together. The rows are sorted before they become counter series. Exact duplicates are removed: two hourly folders may
 * contain the same minute.
 */
#include "loom-importer.h"
#include "loom-parse-time.h"
#include "loom-system-metric-key.h"

#include <glib/gi18n.h>
#include <string.h>

/* a timestamp below 10¹¹ is in seconds */
#define MILLISECONDS_FROM G_GINT64_CONSTANT (100000000000)
/* a timestamp from 10¹¹ on and below 10¹⁴ is in milliseconds, a greater one in microseconds */
#define MICROSECONDS_FROM G_GINT64_CONSTANT (100000000000000)

typedef struct {
  gint64 time_ns;
  double value;
  LoomRef ref;
  guint32 series;
} Row;

typedef struct {
  LoomImporter *import;
  GHashTable *series; /* "node\ntype\nname\ndimension" of a metric → id + 1 of its series */
  GArray *rows;       /* Row: the rows of all files, collected to be sorted before their values are added to series */
  LoomSource *info;
  guint source;
  guint64 n_seen; /* number of lines that have been read */
  /* offset of the previous line if it is malformed, otherwise LOOM_OFFSET_NONE. The line is reported only when the next
   * one is read: a malformed last line is not an error, because the agent may still be writing it */
  guint64 bad_offset;
} System;

static char *
text_of (LoomJsonSlice row, const char *key)
{
  LoomJsonSlice value = loom_json_slice_member (row, key);
  return value.text == NULL || loom_json_slice_equal (value, "null") ? g_strdup ("")
                                                                     : loom_json_slice_dup_decoded (value);
}

static guint32
make_series (System *system, const char *node, const char *type, const char *name, const char *dimension)
{
  LoomTraceBuilder *builder = system->import->builder;
  g_autofree char *key = g_strconcat (node, "/", type, NULL);
  const char *shown = name[0] != '\0' ? name : type;
  guint32 process = loom_trace_builder_process (builder, 0, key, strlen (key));
  loom_trace_builder_process_set_label (builder, process, type);
  loom_trace_builder_process_set_place (builder, process, node, -1);
  guint32 counter = loom_trace_builder_counter (builder, process, type, strlen (type), shown, strlen (shown), "", 0);
  guint32 series = loom_trace_builder_series (builder, counter, dimension, strlen (dimension));
  loom_trace_builder_series_set_unit (builder, series, loom_system_metric_key_unit (shown, dimension));
  return series;
}

static guint32
series_for (System *system, LoomJsonSlice row)
{
  LoomJsonSlice parts[4] = { loom_json_slice_member (row, "NodeId"), loom_json_slice_member (row, "Type"),
                             loom_json_slice_member (row, "Name"), loom_json_slice_member (row, "Dimension") };
  g_autoptr (GString) key = g_string_new (NULL);
  for (guint i = 0; i < 4; i++) {
    g_string_append_len (key, parts[i].text != NULL ? parts[i].text : "", (gssize) parts[i].length);
    g_string_append_c (key, '\n');
  }
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (system->series, key->str));
  if (known != 0)
    return known - 1;
  g_autofree char *node = text_of (row, "NodeId"), *type = text_of (row, "Type"), *name = text_of (row, "Name"),
                  *dimension = text_of (row, "Dimension");
  guint32 series = make_series (system, node, type, name, dimension);
  if (system->info->node == NULL)
    system->info->node = g_strdup (node);
  g_hash_table_insert (system->series, g_string_free (g_steal_pointer (&key), FALSE), GUINT_TO_POINTER (series + 1));
  return series;
}

/* Parses a time. Times should be in seconds, but some writers use milliseconds or microseconds by mistake. Returns
 * FALSE if `value` is not a valid time. */
static gboolean
time_of (System *system, LoomJsonSlice value, guint64 offset, gint64 *time_ns)
{
  LoomExactTime seconds;
  double rough;
  if (value.text == NULL || !loom_parse_time_parse_double (value.text, value.length, &rough))
    return FALSE;
  if (rough < MILLISECONDS_FROM) {
    if (!loom_parse_time_parse_s (value.text, value.length, &seconds))
      return FALSE;
    *time_ns = seconds.ns;
    return TRUE;
  }
  LoomExactTime micros;
  if (!loom_parse_time_parse_us (value.text, value.length, &micros))
    return FALSE;
  gboolean millis = rough < MICROSECONDS_FROM;
  if (!millis)
    *time_ns = micros.ns;
  else if (__builtin_mul_overflow (micros.ns, 1000, time_ns))
    return FALSE;
  loom_import_log_add (system->info->log, LOOM_SEVERITY_WARNING, "time-scale", offset,
                       millis ? _ ("Timestamps are in milliseconds instead of seconds; they were converted")
                              : _ ("Timestamps are in microseconds instead of seconds; they were converted"));
  return TRUE;
}

static gboolean
on_row (const LoomEvent *event, gpointer user_data)
{
  System *system = user_data;
  LoomJsonSlice value = loom_json_slice_member (event->text, "Value"),
                stamp = loom_json_slice_member (event->text, "Timestamp");
  Row row = { .ref = loom_source_ref_make (system->source, 0, event->offset) };
  if (stamp.text == NULL && value.text == NULL && event->text.length <= 2)
    return TRUE;
  system->info->n_events++;
  if (event->offset > LOOM_REF_MAX_OFFSET) {
    loom_import_log_add (system->info->log, LOOM_SEVERITY_WARNING, "too-far", event->offset,
                         N_ ("An event was skipped because it lies more than 256 GiB into the uncompressed file"));
    return TRUE;
  }
  if (!time_of (system, stamp, event->offset, &row.time_ns)) {
    loom_import_log_add (system->info->log, LOOM_SEVERITY_WARNING, "no-time", event->offset,
                         "A row without a usable Timestamp was skipped");
    return TRUE;
  }
  if (value.text == NULL || !loom_parse_time_parse_double (value.text, value.length, &row.value)) {
    loom_import_log_add (system->info->log, LOOM_SEVERITY_INFO, "missing-value", event->offset,
                         "A row without a value is shown as a gap");
    return TRUE;
  }
  row.series = series_for (system, event->text);
  system->info->n_counters++;
  g_array_append_val (system->rows, row);
  return TRUE;
}

/* Reports the malformed line at `bad_offset`, if there is one. `last` TRUE: this line is the last one of the file. It
 * is then not reported as an error, because the agent may still be writing it. */
static void
settle_bad_line (System *system, gboolean last)
{
  if (system->bad_offset == LOOM_OFFSET_NONE)
    return;
  if (last)
    loom_import_log_add (system->info->log, LOOM_SEVERITY_INFO, "half-line", system->bad_offset,
                         "The last line was skipped, because it is incomplete");
  else
    loom_import_log_add (system->info->log, LOOM_SEVERITY_WARNING, "bad-line", system->bad_offset,
                         "A line that cannot be read was skipped");
  system->bad_offset = LOOM_OFFSET_NONE;
}

static gboolean
on_line (const LoomEvent *event, gpointer user_data)
{
  System *system = user_data;
  settle_bad_line (system, FALSE);
  if (system->n_seen++ % LOOM_IMPORTER_LOOK_EVENTS != 0)
    return on_row (event, user_data);
  /* reserves memory for the next LOOM_IMPORTER_LOOK_EVENTS rows and their samples */
  loom_importer_reserve (system->import, LOOM_IMPORTER_LOOK_EVENTS, 0);
  if (loom_memory_budget_check (system->import->budget)) {
    loom_importer_log_full (system->import, system->info, event->offset);
    return FALSE;
  }
  return on_row (event, user_data);
}

static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  System *system = user_data;
  if (problem != LOOM_SCAN_CUT_EVENT && problem != LOOM_SCAN_BROKEN_EVENT && problem != LOOM_SCAN_TOO_LARGE &&
      problem != LOOM_SCAN_NOT_AN_EVENT && problem != LOOM_SCAN_ZEROS)
    return;
  settle_bad_line (system, FALSE);
  system->bad_offset = offset;
}

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *first = a, *second = b;
  if (first->series != second->series)
    return first->series < second->series ? -1 : 1;
  if (first->time_ns != second->time_ns)
    return first->time_ns < second->time_ns ? -1 : 1;
  if (first->value != second->value)
    return first->value < second->value ? -1 : 1;
  return first->ref < second->ref ? -1 : first->ref > second->ref;
}

static void
feed_rows (System *system)
{
  guint64 n_same = 0;
  g_array_sort (system->rows, compare_rows);
  for (guint i = 0; i < system->rows->len; i++) {
    const Row *row = &g_array_index (system->rows, Row, i), *before = i > 0 ? row - 1 : NULL;
    if (before != NULL && before->series == row->series && before->time_ns == row->time_ns &&
        before->value == row->value)
      n_same++;
    else
      loom_trace_builder_sample (system->import->builder, row->series, row->time_ns, row->value, row->ref);
  }
  if (n_same > 0)
    loom_import_log_add_n (system->info->log, LOOM_SEVERITY_INFO, "duplicate-row", LOOM_OFFSET_NONE, n_same,
                           "Duplicate rows were counted once");
}

static gboolean
read_file (System *system, const LoomFoundFile *file, guint clock, GError **error)
{
  static const LoomScanHandler handler = { on_line, NULL, on_problem };
  GError *failure = NULL;
  if (loom_importer_is_full (system->import, file->path))
    return TRUE;
  g_autoptr (LoomStreamReader) reader =
    loom_stream_reader_new_from (file->path, file->origin, system->import->progress, &failure);
  if (reader == NULL)
    return loom_importer_fail (system->import, file->path, failure, error);
  loom_stream_reader_set_budget (reader, system->import->budget);
  system->info = loom_source_new (file->path);
  system->info->format = "smdebug-system";
  system->info->n_bytes = file->n_bytes;
  system->source = loom_trace_builder_add_source (system->import->builder, system->info, clock);
  system->info->clock = clock;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, system, system->import->lines);
  system->bad_offset = LOOM_OFFSET_NONE;
  gboolean good = loom_stream_reader_scan (reader, scanner, 0, &failure);
  settle_bad_line (system, TRUE);
  system->info->text = loom_stream_reader_dup_text (reader);
  system->info->packed = loom_stream_reader_is_gzip (reader);
  const LoomStreamEnd end = loom_stream_reader_get_end (reader);
  loom_importer_note_end (system->info, &end);
  return good || loom_importer_keep_part (system->info, failure, error);
}

gboolean
loom_importer_system (LoomImporter *import, GError **error)
{
  g_autoptr (GHashTable) series = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  System system = { .import = import, .series = series, .rows = rows };
  guint clock = loom_trace_builder_add_clock (import->builder);
  LoomDeclaredClock *decl = loom_trace_builder_get_clock (import->builder, clock);
  decl->state = LOOM_CLOCK_EXACT;
  decl->basis = g_strdup ("Timestamp");
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (&system, import->files[i], clock, error))
      return FALSE;
  if (system.info != NULL)
    feed_rows (&system);
  /* sets the node of sources that have none yet, because all their rows belong to series of earlier files */
  for (guint i = 0; i < loom_trace_builder_get_n_sources (import->builder); i++) {
    LoomSource *source = loom_trace_builder_get_source (import->builder, i);
    if (source->node == NULL && system.info != NULL)
      source->node = g_strdup (loom_trace_builder_get_source (import->builder, 0)->node);
  }
  return TRUE;
}
