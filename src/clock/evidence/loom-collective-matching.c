/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collective-matching.h"

#include <string.h>

#include "loom-evidence-groups.h"
#include "loom-int64-hash.h"
#include "loom-parallel.h"

/* The collectives of all traces. Several threads read the traces in parallel. */
typedef struct {
  const LoomRun *run;
  /* for each trace, the index in `found` of its first collective; after the last trace, the length of `found` */
  guint32 *first;
  guint32 *n_found; /* for each trace, the number of its collectives */
  guint64 *keys;    /* for each element of `found`, a hash; collectives with equal hashes are the same operation */
  LoomCollectiveMatchMember *found; /* the collectives; those of a trace begin at index first[trace] */
} Search;

/* The state while the collectives of one trace are read. */
typedef struct {
  const LoomTrace *trace;
  GHashTable *calls;            /* result of loom_collective_matching_new_calls(); NULL if the trace has no calls */
  LoomOccurrences *occurrences; /* counts how often each key of a collective has occurred */
} TraceSearch;

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

/* Returns the hash of the node on which a sync event was recorded. The hash distinguishes two jobs that were merged
 * into one file: their clocks and rank numbers are equal, but their nodes are different. */
static guint64
hash_node (const LoomTrace *trace, const LoomSyncEvent *meeting)
{
  const char *node =
    meeting->track < loom_trace_get_n_tracks (trace) ? loom_trace_get_track (trace, meeting->track)->node : NULL;
  return node != NULL ? loom_string_pool_hash (node, strlen (node)) : 0;
}

/* Returns the key of a collective. Equal keys on several ranks mean the same operation. The key occurs only once for
 * each clock, rank and node that took part in the operation. */
static guint64
make_key (const TraceSearch *self, const LoomSyncEvent *meeting, const LoomCollectiveMatchMember *member)
{
  const LoomTrace *trace = self->trace;
  const LoomSyncEvent *call = self->calls != NULL ? loom_collective_matching_find_call (self->calls, meeting) : meeting;
  guint64 key = loom_string_pool_hash_join (hash_text (trace, call->group), hash_text (trace, call->name));
  key = loom_string_pool_hash_join (key, (guint64) call->sequence);
  guint64 side = loom_string_pool_hash_join (loom_string_pool_hash_join (key, member->clock), (guint64) member->rank);
  side = loom_string_pool_hash_join (side, hash_node (trace, meeting));
  return loom_string_pool_hash_join (key, loom_evidence_groups_count_occurrences (self->occurrences, side));
}

static gboolean
has_calls (const LoomSyncEvent *meetings, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].kind == LOOM_SYNC_EVENT_CALL)
      return TRUE;
  return FALSE;
}

/* Reads the collectives of a trace. The occurrences of a key are counted separately in each trace, because each clock
 * belongs to one trace. */
static void
search_trace (guint number, guint worker, gpointer data)
{
  Search *all = data;
  guint32 n, at = all->first[number];
  const LoomTrace *trace = loom_run_get_trace (all->run, number);
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  guint first_clock = loom_run_get_first_clock (all->run, number);
  if (n == 0)
    return;
  TraceSearch self = { trace, has_calls (meetings, n) ? loom_collective_matching_new_calls (trace) : NULL,
                       loom_evidence_groups_new_occurrences () };
  for (guint32 i = 0; i < n; i++) {
    if (meetings[i].kind > LOOM_SYNC_EVENT_HOST)
      continue;
    guint clock = first_clock + loom_trace_get_source (trace, loom_source_ref_source (meetings[i].ref))->clock;
    all->found[at] = (LoomCollectiveMatchMember) { number, i, &meetings[i], clock, rank_of (trace, &meetings[i]) };
    all->keys[at] = make_key (&self, &meetings[i], &all->found[at]);
    at++;
  }
  all->n_found[number] = at - all->first[number];
  g_clear_pointer (&self.calls, g_hash_table_unref);
  g_hash_table_unref (self.occurrences);
}

/* Allocates memory for all sync events, and reads the collectives of all traces. */
static void
search (Search *all, const LoomRun *run)
{
  guint n_traces = loom_run_get_n_traces (run);
  all->run = run;
  all->first = g_new0 (guint32, n_traces + 1);
  all->n_found = g_new0 (guint32, MAX (n_traces, 1));
  for (guint i = 0; i < n_traces; i++) {
    guint32 n;
    loom_trace_get_meetings (loom_run_get_trace (run, i), &n);
    all->first[i + 1] = all->first[i] + n;
  }
  all->keys = g_new (guint64, MAX (all->first[n_traces], 1));
  all->found = g_new (LoomCollectiveMatchMember, MAX (all->first[n_traces], 1));
  loom_parallel_for (n_traces, 0, search_trace, all, NULL);
}

/* A match is a set of collectives that are one operation. Numbers the matches in the order of their first members,
 * and counts the members of each match. `numbers`: for each element of `found`, set to the number of its match. */
static void
number_matches (const Search *all, guint32 *numbers, GArray *matches)
{
  g_autoptr (GHashTable) known = loom_evidence_groups_new_occurrences ();
  for (guint i = 0; i < loom_run_get_n_traces (all->run); i++)
    for (guint32 k = all->first[i]; k < all->first[i] + all->n_found[i]; k++) {
      numbers[k] = loom_evidence_groups_number (known, all->keys[k]);
      if (numbers[k] == matches->len)
        g_array_set_size (matches, matches->len + 1);
      g_array_index (matches, LoomCollectiveMatch, numbers[k]).n++;
    }
}

/* Sorts the collectives by match (the operation to which they belong). Within a match, they stay in the order of
 * their traces. O(collectives). */
static void
fill (LoomCollectiveMatching *matching, const Search *all)
{
  guint n_traces = loom_run_get_n_traces (all->run), n_members = 0;
  g_autofree guint32 *numbers = g_new (guint32, MAX (all->first[n_traces], 1));
  number_matches (all, numbers, matching->matches);
  for (guint i = 0; i < matching->matches->len; i++) {
    LoomCollectiveMatch *match = &g_array_index (matching->matches, LoomCollectiveMatch, i);
    match->first = n_members;
    n_members += match->n;
    match->n = 0;
  }
  g_array_set_size (matching->members, n_members);
  for (guint i = 0; i < n_traces; i++)
    for (guint32 k = all->first[i]; k < all->first[i] + all->n_found[i]; k++) {
      LoomCollectiveMatch *match = &g_array_index (matching->matches, LoomCollectiveMatch, numbers[k]);
      g_array_index (matching->members, LoomCollectiveMatchMember, match->first + match->n++) = all->found[k];
    }
}

LoomCollectiveMatching *
loom_collective_matching_new (const LoomRun *run)
{
  LoomCollectiveMatching *matching = g_new0 (LoomCollectiveMatching, 1);
  Search all = { 0 };
  matching->members = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMatchMember));
  matching->matches = g_array_new (FALSE, TRUE, sizeof (LoomCollectiveMatch));
  search (&all, run);
  fill (matching, &all);
  g_free (all.first);
  g_free (all.n_found);
  g_free (all.keys);
  g_free (all.found);
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
