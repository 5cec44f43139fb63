/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-smdebug-system.h"

#include <string.h>

#include "loom-parse-time.h"

#define LOW_PERCENT 85.0

typedef struct {
  guint trace;
  LoomRef ref;
  gint64 time_ns;
} Row;

struct _LoomSystemWindow {
  LoomExport *merge;
  LoomKwayMerge *sweep;
  GArray *rows; /* elements of type Row, sorted by time; rows before the index `first` are outside the window of time */
  guint first;
  gboolean has_next; /* TRUE: `next` is the first row after the window; FALSE: `sweep` has no more rows */
  Row next;
};

/* --- rows of system metrics --------------------------------------------------------------------------------------- */

static const LoomSource *
source_of (LoomExport *merge, guint trace, LoomRef ref)
{
  const LoomTrace *owner = loom_run_get_trace (merge->run, trace);
  guint source = ref == LOOM_REF_NONE ? G_MAXUINT : loom_source_ref_source (ref);
  return source < loom_trace_get_n_sources (owner) ? loom_trace_get_source (owner, source) : NULL;
}

gboolean
loom_smdebug_system_is_row (LoomExport *merge, const LoomMergeItem *item)
{
  const LoomSource *source = source_of (merge, item->trace, item->ref);
  return source != NULL && source->text != NULL && strcmp (source->format, "smdebug-system") == 0;
}

gboolean
loom_smdebug_system_row_read (LoomExport *merge, LoomBlockCache *cache, guint trace, LoomRef ref, LoomSystemRow *row,
                              GError **error)
{
  const LoomSource *source = source_of (merge, trace, ref);
  if (!loom_block_cache_read (cache, source->text, loom_source_ref_offset (ref), &row->event, error)) {
    g_prefix_error (error, "%s: ", source->path);
    return FALSE;
  }
  row->name = loom_json_slice_member (row->event.text, "Name");
  if (!loom_json_slice_is_string (row->name))
    row->name = loom_json_slice_member (row->event.text, "Type");
  row->dimension = loom_json_slice_member (row->event.text, "Dimension");
  row->node = loom_json_slice_member (row->event.text, "NodeId");
  row->value = loom_json_slice_member (row->event.text, "Value");
  if (loom_json_slice_is_string (row->value))
    row->value = (LoomJsonSlice) { row->value.text + 1, row->value.length - 2 };
  return TRUE;
}

void
loom_smdebug_system_row_append_key (const LoomSystemRow *row, GString *out)
{
  g_autoptr (GString) key = g_string_new (NULL);
  if (row->name.text != NULL)
    loom_json_slice_decode (row->name, key);
  g_string_append_c (key, '_');
  if (loom_json_slice_is_string (row->dimension))
    loom_json_slice_decode (row->dimension, key);
  g_string_append_c (key, '_');
  if (loom_json_slice_is_string (row->node))
    loom_json_slice_decode (row->node, key);
  loom_json_slice_append_string (out, key->str, key->len);
}

gboolean
loom_smdebug_system_row_is_low (const LoomSystemRow *row)
{
  double value;
  return loom_json_slice_equal (row->dimension, "\"GPUUtilization\"") &&
         loom_parse_time_parse_double (row->value.text, row->value.length, &value) && value < LOW_PERCENT;
}

/* --- the rows of system metrics around an instant ----------------------------------------------------------------- */

static LoomKwayMerge *
sweep_rows (LoomExport *merge, const LoomMergeOptions *options)
{
  LoomMergeOptions own = *options;
  own.kinds = 1u << LOOM_KWAY_MERGE_COUNTER;
  return loom_kway_merge_new (merge->timeline, merge->places, &own);
}

static gboolean
next_row (LoomExport *merge, LoomKwayMerge *sweep, Row *row)
{
  LoomMergeItem item;
  while (loom_kway_merge_next (sweep, &item)) {
    if (!loom_smdebug_system_is_row (merge, &item))
      continue;
    *row = (Row) { item.trace, item.ref, item.start_ns };
    return TRUE;
  }
  return FALSE;
}

LoomSystemWindow *
loom_smdebug_system_new_window (LoomExport *merge, const LoomMergeOptions *options)
{
  LoomSystemWindow *window = g_new0 (LoomSystemWindow, 1);
  window->merge = merge;
  window->sweep = sweep_rows (merge, options);
  window->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  window->has_next = next_row (merge, window->sweep, &window->next);
  return window;
}

void
loom_smdebug_system_free_window (LoomSystemWindow *window)
{
  loom_kway_merge_free (window->sweep);
  g_array_unref (window->rows);
  g_free (window);
}

static void
move_to (LoomSystemWindow *window, gint64 time_ns)
{
  while (window->first < window->rows->len &&
         g_array_index (window->rows, Row, window->first).time_ns < time_ns - LOOM_SYSTEM_AROUND_NS)
    window->first++;
  if (window->first > 4096 && window->first * 2 > window->rows->len) {
    g_array_remove_range (window->rows, 0, window->first);
    window->first = 0;
  }
  for (; window->has_next && window->next.time_ns <= time_ns + LOOM_SYSTEM_AROUND_NS;
       window->has_next = next_row (window->merge, window->sweep, &window->next))
    if (window->next.time_ns >= time_ns - LOOM_SYSTEM_AROUND_NS)
      g_array_append_val (window->rows, window->next);
}

gboolean
loom_smdebug_system_append_around (LoomSystemWindow *window, gint64 time_ns, LoomBlockCache *cache, GString *out,
                                   GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) key = g_string_new (NULL);
  gboolean first = TRUE;
  move_to (window, time_ns);
  g_string_append_c (out, '{');
  for (guint i = window->first; i < window->rows->len; i++) {
    const Row *row = &g_array_index (window->rows, Row, i);
    LoomSystemRow read;
    if (!loom_smdebug_system_row_read (window->merge, cache, row->trace, row->ref, &read, error))
      return FALSE;
    g_string_truncate (key, 0);
    loom_smdebug_system_row_append_key (&read, key);
    if (!g_hash_table_add (seen,
                           /* if several rows of the window have the same key, only the first is written */
                           g_strdup (key->str)))
      continue;
    if (!first)
      g_string_append_c (out, ',');
    first = FALSE;
    g_string_append_len (out, key->str, (gssize) key->len);
    g_string_append_c (out, ':');
    loom_trace_event_writer_append_value (out, read.value, FALSE);
  }
  g_string_append_c (out, '}');
  return TRUE;
}

/* Finds the time of the next row of `sweep` with a low GPU utilization; returns FALSE at the end, or with `error`. */
static gboolean
next_low (LoomExport *merge, LoomKwayMerge *sweep, LoomBlockCache *cache, gint64 *time_ns, GError **error)
{
  Row row;
  while (next_row (merge, sweep, &row)) {
    LoomSystemRow read;
    if (!loom_smdebug_system_row_read (merge, cache, row.trace, row.ref, &read, error))
      return FALSE;
    if (!loom_smdebug_system_row_is_low (&read))
      continue;
    *time_ns = row.time_ns;
    return TRUE;
  }
  return FALSE;
}

gboolean
loom_smdebug_system_count_compat (LoomExport *merge, const LoomMergeOptions *options, LoomBlockCache *cache,
                                  guint64 *n_rows, GError **error)
{
  g_autoptr (LoomKwayMerge) rows = sweep_rows (merge, options), lows = sweep_rows (merge, options);
  GError *problem = NULL;
  gint64 low_ns;
  Row row;
  *n_rows = 0;
  gboolean has_low = next_low (merge, lows, cache, &low_ns, &problem);
  while (has_low && next_row (merge, rows, &row)) {
    if (loom_smdebug_system_whole_us (row.time_ns) > loom_smdebug_system_whole_us (low_ns) + LOOM_SYSTEM_AROUND_NS)
      has_low = next_low (merge, lows, cache, &low_ns, &problem);
    *n_rows += has_low;
  }
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}
