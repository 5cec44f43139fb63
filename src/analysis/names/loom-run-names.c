/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with the hashes that names already have; texts are compared only if their hashes are equal.
 */
#include "loom-run-names.h"

#include <string.h>

struct _LoomRunNames {
  gatomicrefcount refs;
  LoomRun *run;
  GArray *names;   /* LoomName, borrowed texts */
  guint32 **maps;  /* [trace][name id] → joined id */
  guint32 *slots;  /* id + 1; 0: free */
  guint32 n_slots; /* a power of two */
  LoomChildTimeCache *below;
};

static guint32
hash_name (const LoomName *name)
{
  return (name->text_hash ^ g_str_hash (name->category) * 31) * 2654435761u;
}

static guint32
count_names (LoomRun *run)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n += loom_trace_get_n_names (loom_run_get_trace (run, i));
  return (guint32) MIN (n, G_MAXINT32 / 2);
}

/* Makes at least twice as many slots as names before joining, so that probing always finds a free slot. */
static void
make_slots (LoomRunNames *names)
{
  names->n_slots = 16;
  while (names->n_slots < 2 * count_names (names->run))
    names->n_slots *= 2;
  names->slots = g_new0 (guint32, names->n_slots);
}

static guint32
join (LoomRunNames *names, const LoomName *name)
{
  guint32 slot = hash_name (name) & (names->n_slots - 1);
  for (; names->slots[slot] != 0; slot = (slot + 1) & (names->n_slots - 1)) {
    const LoomName *known = loom_run_names_get (names, names->slots[slot] - 1);
    if (known->text_hash == name->text_hash && strcmp (known->text, name->text) == 0 &&
        strcmp (known->category, name->category) == 0)
      return names->slots[slot] - 1;
  }
  g_array_append_vals (names->names, name, 1);
  names->slots[slot] = names->names->len;
  return names->names->len - 1;
}

LoomRunNames *
loom_run_names_new (LoomRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  LoomRunNames *names = g_new0 (LoomRunNames, 1);
  guint n_traces = loom_run_get_n_traces (run);
  g_atomic_ref_count_init (&names->refs);
  names->run = loom_run_ref (run);
  names->names = g_array_new (FALSE, FALSE, sizeof (LoomName));
  names->maps = g_new0 (guint32 *, MAX (n_traces, 1));
  names->below = loom_child_time_cache_new (run);
  make_slots (names);
  for (guint i = 0; i < n_traces; i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    guint n = loom_trace_get_n_names (trace);
    names->maps[i] = g_new (guint32, MAX (n, 1));
    for (guint k = 0; k < n; k++)
      names->maps[i][k] = join (names, loom_trace_get_name (trace, k));
  }
  g_clear_pointer (&names->slots, g_free);
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
  g_array_unref (names->names);
  loom_child_time_cache_free (names->below);
  loom_run_unref (names->run);
  g_free (names);
}

LoomRun *
loom_run_names_get_run (const LoomRunNames *names)
{
  return names->run;
}

guint32
loom_run_names_get_n (const LoomRunNames *names)
{
  return names->names->len;
}

const LoomName *
loom_run_names_get (const LoomRunNames *names, guint32 id)
{
  return &g_array_index (names->names, LoomName, id);
}

LoomChildTimeCache *
loom_run_names_get_below (const LoomRunNames *names)
{
  return names->below;
}

const guint32 *
loom_run_names_get_map (const LoomRunNames *names, guint trace)
{
  return names->maps[trace];
}
