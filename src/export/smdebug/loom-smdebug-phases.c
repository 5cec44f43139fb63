/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-smdebug-phases.h"

#include <string.h>

typedef struct {
  const char *key; /* a phase gets a pid from `first` to `end` − 1 if its name contains this text (case sensitive) */
  gint64 first, end; /* the first pid of the range, and the pid after the last one */
} Range;

static const Range ranges[] = {
  { "Step:", 1, 10000 },
  { "Forward", 10000, 20000 },
  { "Backward", 20000, 30000 },
  { "DataIterator", 30000, 40000 },
  { "Dataset", 40000, 50000 },
  { "/device", 50000, 60000 },
  { "/host", 60000, 70000 },
  { "gpu_functions", 70000, 80000 },
  { "cpu_functions", 80000, 90000 },
  { "Horovod", 90000, 1000000 },
  { "", 1000000, 2000000 },
};

/* First pid for phases whose range in `ranges` has no free pid left. */
#define OVERFLOW_PID 2000001

struct _LoomSmdebugPhases {
  gint64 next[G_N_ELEMENTS (ranges)];
  gint64 next_overflow;
  GHashTable *pids;   /* name of a phase → its pid (gint64 *) */
  GHashTable *tids;   /* "pid\nlabel\nidentity" of a thread (see loom_smdebug_phases_tid()) → its tid (gint64 *) */
  GHashTable *n_tids; /* pid → number of threads so far */
};

LoomSmdebugPhases *
loom_smdebug_phases_new (void)
{
  LoomSmdebugPhases *phases = g_new0 (LoomSmdebugPhases, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    phases->next[i] = ranges[i].first;
  phases->next_overflow = OVERFLOW_PID;
  phases->pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  phases->tids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  phases->n_tids = g_hash_table_new (NULL, NULL);
  return phases;
}

void
loom_smdebug_phases_free (LoomSmdebugPhases *phases)
{
  if (phases == NULL)
    return;
  g_hash_table_unref (phases->n_tids);
  g_hash_table_unref (phases->tids);
  g_hash_table_unref (phases->pids);
  g_free (phases);
}

static gint64
new_pid (LoomSmdebugPhases *phases, const char *phase)
{
  guint i = 0;
  while (strstr (phase, ranges[i].key) == NULL)
    i++; /* the loop always ends: the last key is "", which every name contains */
  return phases->next[i] < ranges[i].end ? phases->next[i]++ : phases->next_overflow++;
}

gint64
loom_smdebug_phases_pid (LoomSmdebugPhases *phases, const char *phase, gboolean *fresh)
{
  gint64 pid = GPOINTER_TO_SIZE (g_hash_table_lookup (phases->pids, phase));
  *fresh = pid == 0;
  if (*fresh) {
    pid = new_pid (phases, phase);
    g_hash_table_insert (phases->pids, g_strdup (phase), GSIZE_TO_POINTER (pid));
  }
  return pid;
}

gint64
loom_smdebug_phases_tid (LoomSmdebugPhases *phases, gint64 pid, const char *label, const char *identity,
                         gboolean *fresh)
{
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT "\n%s\n%s", pid, label, identity);
  gsize tid = GPOINTER_TO_SIZE (g_hash_table_lookup (phases->tids, key));
  *fresh = tid == 0;
  if (*fresh) {
    tid = GPOINTER_TO_SIZE (g_hash_table_lookup (phases->n_tids, GSIZE_TO_POINTER (pid))) + 1;
    g_hash_table_insert (phases->n_tids, GSIZE_TO_POINTER (pid), GSIZE_TO_POINTER (tid));
    g_hash_table_insert (phases->tids, g_steal_pointer (&key), GSIZE_TO_POINTER (tid));
  }
  return (gint64) tid;
}
