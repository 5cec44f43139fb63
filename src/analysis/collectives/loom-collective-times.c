/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds two lists of intervals without overlap for each rank: its waits, and its waits and transfers together. Time
 * that is in the second list but not in the first is transfer time.
 */
#include "loom-collective-times.h"

#include "loom-ranges.h"
#include "loom-rank-key.h"
#include "loom-transfer-list.h"

typedef struct {
  LoomRankKey key;
  GArray *waits, *all; /* LoomRange; `waits`: the rank's waits; `all`: its waits and transfers together */
} Rank;

static void
rank_free (gpointer data)
{
  Rank *rank = data;
  g_array_unref (rank->waits);
  g_array_unref (rank->all);
  g_free (rank);
}

/* Returns the Rank to which a sync event belongs. Adds the Rank if the table does not contain it yet. `number`: number
 * of the rank; `meeting`: index of the sync event in the trace with the index `trace`. */
static Rank *
get_rank (GHashTable *ranks, LoomTimeline *timeline, gint number, guint32 trace, guint32 meeting)
{
  const LoomRankKey key = loom_rank_key_of_event (timeline, number, trace, meeting);
  Rank *rank = g_hash_table_lookup (ranks, &key);
  if (rank != NULL)
    return rank;
  rank = g_new (Rank, 1);
  *rank =
    (Rank) { key, g_array_new (FALSE, FALSE, sizeof (LoomRange)), g_array_new (FALSE, FALSE, sizeof (LoomRange)) };
  g_hash_table_insert (ranks, &rank->key, rank);
  return rank;
}

static void
add_range (GArray *ranges, gint64 begin_ns, gint64 end_ns, LoomRange within)
{
  LoomRange range = { MAX (begin_ns, within.begin_ns), MIN (end_ns, within.end_ns) };
  if (range.begin_ns < range.end_ns)
    g_array_append_val (ranges, range);
}

static void
gather_collectives (GHashTable *ranks, const LoomCollectives *collectives)
{
  g_autofree Rank **by_number = g_new0 (Rank *, (gsize) collectives->n_rank_numbers + 1);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *one = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, one);
    gint64 end_ns = loom_time_add (one->arrival_ns, one->transfer_ns);
    for (guint k = 0; k < one->n; k++) {
      Rank *rank = by_number[members[k].rank_number];
      if (rank == NULL)
        rank = by_number[members[k].rank_number] =
          get_rank (ranks, collectives->timeline, members[k].rank, members[k].trace, members[k].meeting);
      add_range (rank->waits, members[k].arrival_ns, one->arrival_ns, collectives->range);
      add_range (rank->all, members[k].arrival_ns, end_ns, collectives->range);
    }
  }
}

/* Adds the time of each send and each receive to the list `all` of its Rank. If one side of a message begins before the
 * other side, adds the wait to the list `waits` of the Rank that begins first. */
static void
gather_messages (GHashTable *ranks, const LoomCollectives *collectives)
{
  const LoomTransferList *list = loom_transfer_list_get (collectives, NULL);
  for (guint i = list->transfers->len - list->n_messages; i < list->transfers->len; i++) {
    const LoomTransfer *one = &g_array_index (list->transfers, LoomTransfer, i);
    const gint *sides = &g_array_index (list->ranks, gint, one->first_rank);
    Rank *sender = get_rank (ranks, collectives->timeline, sides[0], one->trace, one->meeting),
         *receiver = get_rank (ranks, collectives->timeline, sides[1], one->other_trace, one->other_meeting);
    add_range (sender->all, one->sides[0].begin_ns, one->sides[0].end_ns, collectives->range);
    add_range (receiver->all, one->sides[1].begin_ns, one->sides[1].end_ns, collectives->range);
    if (one->waiting_rank < 0)
      continue;
    gboolean sender_waits = one->waiting_meeting == one->meeting && one->waiting_trace == one->trace;
    add_range (sender_waits ? sender->waits : receiver->waits, one->wait.begin_ns, one->wait.end_ns,
               collectives->range);
  }
}

/* Calls `visit` with the rank's transfers: the parts of rank->all that are not in rank->waits. Each wait lies within
 * one interval of rank->all. */
static void
visit_transfers (const Rank *rank, LoomCollectiveTimesVisit visit, gpointer data)
{
  guint at = 0;
  for (guint i = 0; i < rank->all->len; i++) {
    LoomRange range = g_array_index (rank->all, LoomRange, i);
    gint64 begin_ns = range.begin_ns;
    for (; at < rank->waits->len && g_array_index (rank->waits, LoomRange, at).begin_ns < range.end_ns; at++) {
      LoomRange wait = g_array_index (rank->waits, LoomRange, at);
      if (begin_ns < wait.begin_ns)
        visit ((LoomRange) { begin_ns, wait.begin_ns }, FALSE, data);
      begin_ns = wait.end_ns;
    }
    if (begin_ns < range.end_ns)
      visit ((LoomRange) { begin_ns, range.end_ns }, FALSE, data);
  }
}

guint
loom_collective_times_visit (const LoomCollectives *collectives, LoomCollectiveTimesVisit visit, gpointer data)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, NULL, rank_free);
  GHashTableIter iter;
  gpointer value;
  gather_collectives (ranks, collectives);
  gather_messages (ranks, collectives);
  g_hash_table_iter_init (&iter, ranks);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const Rank *rank = value;
    loom_ranges_join (rank->waits);
    loom_ranges_join (rank->all);
    for (guint i = 0; i < rank->waits->len; i++)
      visit (g_array_index (rank->waits, LoomRange, i), TRUE, data);
    visit_transfers (rank, visit, data);
  }
  return g_hash_table_size (ranks);
}

static void
add_to_sums (LoomRange part, gboolean is_wait, gpointer data)
{
  LoomCollectiveTimes *sums = data;
  gint64 *sum_ns = is_wait ? &sums->waits_ns : &sums->transfers_ns;
  *sum_ns = loom_time_add (*sum_ns, part.end_ns - part.begin_ns);
}

LoomCollectiveTimes
loom_collective_times_sum (const LoomCollectives *collectives)
{
  LoomCollectiveTimes sums = { 0, 0 };
  loom_collective_times_visit (collectives, add_to_sums, &sums);
  return sums;
}
