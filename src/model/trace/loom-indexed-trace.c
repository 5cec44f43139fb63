/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-indexed-trace.h"

#include <glib/gi18n.h>

static char *
dup_key (const char *path, guint64 n_bytes, gint rank)
{
  g_autofree char *base = g_path_get_basename (path);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %d %s", n_bytes, rank, base);
}

static GHashTable *
list_files (const GPtrArray *traces)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < traces->len; i++)
    for (guint k = 0; k < loom_trace_get_n_sources (traces->pdata[i]); k++) {
      const LoomSource *source = loom_trace_get_source (traces->pdata[i], k);
      if (source->is_index)
        continue;
      g_hash_table_add (files, dup_key (source->path, source->n_bytes, source->rank));
      g_hash_table_add (files, g_strdup (source->path));
    }
  return files;
}

static gboolean
is_replaced (const LoomTrace *trace, GHashTable *files)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const LoomSource *source = loom_trace_get_source (trace, i);
    if (source->indexed_path == NULL)
      return FALSE;
    g_autofree char *key = dup_key (source->indexed_path, source->indexed_bytes, source->rank);
    if (!(source->is_indexed_here && g_hash_table_contains (files, source->indexed_path)) &&
        !g_hash_table_contains (files, key))
      return FALSE;
  }
  return TRUE;
}

static gboolean
has_index (const GPtrArray *traces)
{
  for (guint i = 0; i < traces->len; i++)
    if (loom_trace_is_index (traces->pdata[i]))
      return TRUE;
  return FALSE;
}

void
loom_indexed_trace_drop (GPtrArray *traces, LoomRun *notes)
{
  if (!has_index (traces))
    return;
  g_autoptr (GHashTable) files = list_files (traces);
  for (guint i = traces->len; i-- > 0 && g_hash_table_size (files) > 0;) {
    const LoomTrace *trace = traces->pdata[i];
    if (!loom_trace_is_index (trace) || !is_replaced (trace, files))
      continue;
    loom_run_add_ignored (notes, loom_trace_get_source (trace, 0)->path,
                          _ ("skipped: the trace that this index was made from is open, too"), FALSE);
    g_ptr_array_remove_index (traces, i);
  }
}

gboolean
loom_indexed_trace_has_rank (const LoomRun *run, gint rank)
{
  for (guint i = 0; rank >= 0 && i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    if (loom_trace_is_index (trace) && loom_trace_get_source (trace, 0)->rank == rank)
      return TRUE;
  }
  return FALSE;
}

const char **
loom_indexed_trace_list_paths (const LoomRun *run, gint rank)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    if (source->is_indexed_here && source->rank == rank)
      g_ptr_array_add (paths, source->path);
  }
  if (paths->len == 0)
    return NULL;
  g_ptr_array_add (paths, NULL);
  return (const char **) g_ptr_array_steal (paths, NULL);
}
