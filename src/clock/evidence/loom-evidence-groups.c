/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-evidence-groups.h"

#include <string.h>

void
loom_evidence_groups_init (LoomEvidenceGroups *gathering)
{
  gathering->all = g_array_new (FALSE, FALSE, sizeof (LoomObservation));
  gathering->numbers = g_hash_table_new (g_direct_hash, g_direct_equal);
}

void
loom_evidence_groups_clear (LoomEvidenceGroups *gathering)
{
  g_clear_pointer (&gathering->all, g_array_unref);
  g_clear_pointer (&gathering->numbers, g_hash_table_unref);
}

/* Returns a key as a pointer. Combines its upper half with its lower half, because hash tables of pointers compute
 * the hash only from the lower half. */
static gpointer
as_pointer (guint64 key)
{
  G_STATIC_ASSERT (sizeof (gpointer) == sizeof (guint64));
  return (gpointer) (gsize) (key ^ key >> 32);
}

guint
loom_evidence_groups_number (GHashTable *numbers, guint64 key)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, as_pointer (key)));
  if (number == 0) {
    number = g_hash_table_size (numbers) + 1;
    g_hash_table_insert (numbers, as_pointer (key), GUINT_TO_POINTER (number));
  }
  return number - 1;
}

void
loom_evidence_groups_add (LoomEvidenceGroups *gathering, guint64 key, guint clock, gint64 local_ns, gint64 arrival_ns,
                          guint32 tag)
{
  LoomObservation gathered = { local_ns, arrival_ns, clock, loom_evidence_groups_number (gathering->numbers, key),
                               tag };
  g_array_append_val (gathering->all, gathered);
}

void
loom_evidence_groups_close (LoomEvidenceGroups *gathering)
{
  guint n = gathering->all->len, n_numbers = g_hash_table_size (gathering->numbers);
  const LoomObservation *from = (const LoomObservation *) (gpointer) gathering->all->data;
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (LoomObservation), n);
  g_autofree guint32 *place = g_new0 (guint32, n_numbers + 1);
  for (guint i = 0; i < n; i++)
    place[from[i].number + 1]++;
  for (guint i = 1; i <= n_numbers; i++)
    place[i] += place[i - 1];
  g_array_set_size (sorted, n);
  for (guint i = 0; i < n; i++)
    g_array_index (sorted, LoomObservation, place[from[i].number]++) = from[i];
  g_array_unref (gathering->all);
  gathering->all = sorted;
}

guint
loom_evidence_groups_count_equal (const LoomEvidenceGroups *gathering, guint first)
{
  guint end = first;
  while (end < gathering->all->len && g_array_index (gathering->all, LoomObservation, end).number ==
                                        g_array_index (gathering->all, LoomObservation, first).number)
    end++;
  return end - first;
}

void
loom_evidence_groups_finish (LoomEvidenceGroups *gathering, LoomEvidence *evidence, LoomEvidenceKind kind,
                             gint64 least_ns)
{
  loom_evidence_groups_close (gathering);
  const LoomObservation *all = (const LoomObservation *) (gpointer) gathering->all->data;
  for (guint i = 0, n; i < gathering->all->len; i += n) {
    gint64 uncertainty_ns = least_ns;
    n = loom_evidence_groups_count_equal (gathering, i);
    for (guint j = i; j < i + n; j++)
      uncertainty_ns = MAX (uncertainty_ns, all[j].arrival_ns);
    loom_evidence_begin (evidence, kind, uncertainty_ns);
    for (guint j = i; j < i + n; j++)
      loom_evidence_read (evidence, all[j].clock, all[j].local_ns, LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  loom_evidence_groups_clear (gathering);
}

LoomOccurrences *
loom_evidence_groups_new_occurrences (void)
{
  return g_hash_table_new (g_direct_hash, g_direct_equal);
}

guint
loom_evidence_groups_count_occurrences (LoomOccurrences *occurrences, guint64 key)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (occurrences, as_pointer (key)));
  g_hash_table_insert (occurrences, as_pointer (key), GUINT_TO_POINTER (n + 1));
  return n;
}

void
loom_evidence_groups_for_each_sync_event (const LoomRun *run, LoomSyncEventFunc func, gpointer user_data)
{
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    guint32 n;
    const LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
    guint first_clock = loom_run_get_first_clock (run, t);
    for (guint32 i = 0; i < n; i++)
      func (trace, &meetings[i],
            first_clock + loom_trace_get_source (trace, loom_source_ref_source (meetings[i].ref))->clock, user_data);
  }
}
