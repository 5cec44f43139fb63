/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-names.h"

#include <string.h>

#include "loom-name-child-time.h"

static guint
hash_name (gconstpointer data)
{
  const LoomName *name = data;
  return name->text_hash ^ g_str_hash (name->category) * 31;
}

static gboolean
equal_names (gconstpointer a, gconstpointer b)
{
  const LoomName *x = a, *y = b;
  return x->text_hash == y->text_hash && strcmp (x->text, y->text) == 0 && strcmp (x->category, y->category) == 0;
}

/* Returns the index of a name in names->names; adds the name if it is new. `ids`: LoomName → index of the name, plus
 * 1. */
static guint32
join (LoomRunNames *names, GHashTable *ids, const LoomName *name)
{
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (ids, name));
  if (known != 0)
    return known - 1;
  g_array_append_vals (names->joined, name, 1);
  g_hash_table_insert (ids, (gpointer) name, GUINT_TO_POINTER (names->joined->len));
  return names->joined->len - 1;
}

LoomRunNames *
loom_run_names_new (LoomRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  LoomRunNames *names = g_new0 (LoomRunNames, 1);
  guint n_traces = loom_run_get_n_traces (run);
  g_atomic_ref_count_init (&names->refs);
  names->run = loom_run_ref (run);
  names->joined = g_array_new (FALSE, FALSE, sizeof (LoomName));
  names->maps = g_new0 (guint32 *, MAX (n_traces, 1));
  names->below = loom_name_child_time_cache_new (run);
  g_autoptr (GHashTable) ids = g_hash_table_new (hash_name, equal_names);
  for (guint i = 0; i < n_traces; i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    guint n = loom_trace_get_n_names (trace);
    names->maps[i] = g_new (guint32, MAX (n, 1));
    for (guint k = 0; k < n; k++)
      names->maps[i][k] = join (names, ids, loom_trace_get_name (trace, k));
  }
  names->names = (const LoomName *) (gpointer) names->joined->data;
  names->n = names->joined->len;
  return names;
}

LoomRunNames *
loom_run_names_ref (LoomRunNames *names)
{
  g_atomic_ref_count_inc (&names->refs);
  return names;
}

void
loom_run_names_unref (LoomRunNames *names)
{
  if (names == NULL || !g_atomic_ref_count_dec (&names->refs))
    return;
  for (guint i = 0; i < loom_run_get_n_traces (names->run); i++)
    g_free (names->maps[i]);
  g_free (names->maps);
  g_array_unref (names->joined);
  loom_name_child_time_cache_free (names->below);
  loom_run_unref (names->run);
  g_free (names);
}
