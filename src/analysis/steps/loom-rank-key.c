/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-key.h"

LoomRankKey
loom_rank_key (const char *node, gint rank, guint32 trace)
{
  return (LoomRankKey) { node, MAX (rank, -1), rank >= 0 ? G_MAXUINT32 : trace };
}

LoomRankKey
loom_rank_key_of_event (LoomTimeline *timeline, gint rank, guint32 trace, guint32 meeting)
{
  guint32 n;
  const LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  guint32 track = loom_trace_get_meetings (own, &n)[meeting].track;
  const char *node = track < loom_trace_get_n_tracks (own) ? loom_trace_get_track (own, track)->node : NULL;
  return loom_rank_key (node, rank, trace);
}

guint
loom_rank_key_hash (gconstpointer key)
{
  const LoomRankKey *own = key;
  guint hash = own->node != NULL ? g_str_hash (own->node) : 0;
  return hash * 31 + (guint) own->rank * 2654435761u + own->trace;
}

gboolean
loom_rank_key_equal (gconstpointer a, gconstpointer b)
{
  const LoomRankKey *x = a, *y = b;
  return x->rank == y->rank && x->trace == y->trace && g_strcmp0 (x->node, y->node) == 0;
}
