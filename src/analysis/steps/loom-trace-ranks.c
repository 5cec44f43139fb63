/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-trace-ranks.h"

#include "loom-rank-key.h"

/* Returns the number that a rank has in `ranks`; adds the rank if it is new. `known`: hash table. Key: LoomRankKey.
 * Value: 1 + number of the rank. */
static guint32
find_number (LoomTraceRanks *ranks, LoomRankKey key, GHashTable *known)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (known, &key));
  if (number > 0)
    return number - 1;
  g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (++ranks->n));
  return ranks->n - 1;
}

void
loom_trace_ranks_init (LoomTraceRanks *ranks, const LoomTrace *own, guint32 trace)
{
  guint n = loom_trace_get_n_tracks (own);
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL);
  *ranks = (LoomTraceRanks) { .of_track = g_new (guint32, MAX (n, 1)) };
  for (guint i = 0; i < n; i++) {
    const LoomTrack *track = loom_trace_get_track (own, i);
    ranks->of_track[i] = find_number (ranks, loom_rank_key (track->node, track->rank, trace), known);
  }
}

void
loom_trace_ranks_clear (LoomTraceRanks *ranks)
{
  g_clear_pointer (&ranks->of_track, g_free);
}
