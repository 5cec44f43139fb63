/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collective-matching.h"

#include <string.h>

#include "loom-evidence-groups.h"
#include "loom-int64-hash.h"

typedef struct {
  LoomEvidenceGroups gathering; /* observations of collectives; the `tag` of an observation is its index in `found` */
  GArray *found;                /* LoomCollectiveMatchMember: the collectives of all traces, one for each observation */
  GHashTable *occurrences;      /* LoomOccurrences: how often the key of each collective occurred so far */
  GHashTable *calls;            /* calls of collectives in the current trace, see loom_collective_matching_new_calls()
                                 */
} Search;

/* --- calls of collectives on the host, by External id ------------------------------------------------------------- */

static guint
hash_call (gconstpointer key)
{
  const LoomSyncEvent *meeting = key;
  return loom_int64_hash (&meeting->call) * 31 + loom_source_ref_source (meeting->ref);
}

static gboolean
equal_calls (gconstpointer x, gconstpointer y)
{
  const LoomSyncEvent *a = x, *b = y;
  return a->call == b->call && loom_source_ref_source (a->ref) == loom_source_ref_source (b->ref);
}

GHashTable *
loom_collective_matching_new_calls (const LoomTrace *trace)
{
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  GHashTable *calls = g_hash_table_new (hash_call, equal_calls);
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].kind == LOOM_SYNC_EVENT_CALL && meetings[i].call != 0)
      g_hash_table_add (calls, (gpointer) &meetings[i]);
  return calls;
}

const LoomSyncEvent *
loom_collective_matching_find_call (GHashTable *calls, const LoomSyncEvent *meeting)
{
  gboolean asks = meeting->sequence == LOOM_SEQUENCE_NONE && meeting->call != 0;
  const LoomSyncEvent *call = asks ? g_hash_table_lookup (calls, meeting) : NULL;
  return call != NULL ? call : meeting;
}

/* --- matching the collectives of all traces ----------------------------------------------------------------------- */

static guint64
hash_text (const LoomTrace *trace, guint32 text)
{
  const char *letters = loom_trace_get_sync_event_text (trace, text);
  return loom_string_pool_hash (letters, strlen (letters));
}

static gint
rank_of (const LoomTrace *trace, const LoomSyncEvent *meeting)
{
  gint rank =
    meeting->track < loom_trace_get_n_tracks (trace) ? loom_trace_get_track (trace, meeting->track)->rank : -1;
  return rank >= 0 ? rank : loom_trace_get_source (trace, loom_source_ref_source (meeting->ref))->rank;
}

/* Returns the hash of the node that recorded a sync event. Two jobs that were merged into one file share a clock and
 * rank numbers, but not the node. */
static guint64
hash_node (const LoomTrace *trace, const LoomSyncEvent *meeting)
{
  const char *node =
    meeting->track < loom_trace_get_n_tracks (trace) ? loom_trace_get_track (trace, meeting->track)->node : NULL;
  return node != NULL ? loom_string_pool_hash (node, strlen (node)) : 0;
}

static void
take (Search *self, const LoomTrace *trace, const LoomSyncEvent *meeting, LoomCollectiveMatchMember member)
{
  const LoomSyncEvent *call = loom_collective_matching_find_call (self->calls, meeting);
  guint64 key = loom_string_pool_hash_join (hash_text (trace, call->group), hash_text (trace, call->name));
  key = loom_string_pool_hash_join (key, (guint64) call->sequence);
  guint64 side = loom_string_pool_hash_join (loom_string_pool_hash_join (key, member.clock), (guint64) member.rank);
  side = loom_string_pool_hash_join (side, hash_node (trace, meeting));
  key = loom_string_pool_hash_join (key, loom_evidence_groups_count_occurrences (self->occurrences, side));
  loom_evidence_groups_add (&self->gathering, key, member.clock, meeting->end_ns, meeting->start_ns, self->found->len);
  g_array_append_val (self->found, member);
}

static void
search_trace (Search *self, const LoomRun *run, guint number)
{
  guint32 n;
  const LoomTrace *trace = loom_run_get_trace (run, number);
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  self->calls = loom_collective_matching_new_calls (trace);
  for (guint32 i = 0; i < n; i++) {
    guint clock = loom_run_get_first_clock (run, number) +
                  loom_trace_get_source (trace, loom_source_ref_source (meetings[i].ref))->clock;
    if (meetings[i].kind <= LOOM_SYNC_EVENT_HOST)
      take (self, trace, &meetings[i], (LoomCollectiveMatchMember) { number, i, clock, rank_of (trace, &meetings[i]) });
  }
  g_hash_table_unref (self->calls);
}

LoomCollectiveMatching *
loom_collective_matching_new (const LoomRun *run)
{
  LoomCollectiveMatching *matching = g_new0 (LoomCollectiveMatching, 1);
  Search self = { .found = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMatchMember)),
                  .occurrences = loom_evidence_groups_new_occurrences () };
  loom_evidence_groups_init (&self.gathering);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    search_trace (&self, run, i);
  loom_evidence_groups_close (&self.gathering);
  matching->members = g_array_sized_new (FALSE, FALSE, sizeof (LoomCollectiveMatchMember), self.found->len);
  matching->matches = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMatch));
  for (guint i = 0, n; i < self.gathering.all->len; i += n) {
    n = loom_evidence_groups_count_equal (&self.gathering, i);
    LoomCollectiveMatch match = { i, n };
    g_array_append_val (matching->matches, match);
    for (guint j = i; j < i + n; j++)
      g_array_append_val (matching->members,
                          g_array_index (self.found, LoomCollectiveMatchMember,
                                         g_array_index (self.gathering.all, LoomObservation, j).tag));
  }
  loom_evidence_groups_clear (&self.gathering);
  g_hash_table_unref (self.occurrences);
  g_array_unref (self.found);
  return matching;
}

void
loom_collective_matching_free (LoomCollectiveMatching *matching)
{
  if (matching == NULL)
    return;
  g_array_unref (matching->members);
  g_array_unref (matching->matches);
  g_free (matching);
}
