/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-waits.h"

#include <string.h>

#include "loom-rank-breakdown.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

typedef struct {
  LoomCollectives *collectives;
  GHashTable *by_rank; /* rank → index in `ranks`, plus 1 */
  GArray *ranks;       /* LoomRankWaits: the ranks that wait */
} Summing;

static LoomRankWaits *
find_rank (Summing *summing, gint rank)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (summing->by_rank, GINT_TO_POINTER (rank)));
  if (found == 0) {
    LoomRankWaits empty = { .rank = rank };
    g_array_append_val (summing->ranks, empty);
    found = summing->ranks->len;
    g_hash_table_insert (summing->by_rank, GINT_TO_POINTER (rank), GUINT_TO_POINTER (found));
  }
  return &g_array_index (summing->ranks, LoomRankWaits, found - 1);
}

/* Adds a wait to the sums of a rank. Only its part inside the range of the collectives counts, because the recorded
 * time of the rank (recorded_ns) also covers only this range. */
static void
add (Summing *summing, gint rank, LoomRankWaitKind kind, LoomRange wait_range, const LoomCollectiveMember *member)
{
  const LoomRange *all = &summing->collectives->range;
  LoomRange range = { MAX (wait_range.begin_ns, all->begin_ns), MIN (wait_range.end_ns, all->end_ns) };
  gint64 wait_ns = loom_time_sub (range.end_ns, range.begin_ns);
  if (rank < 0 || wait_ns <= 0)
    return;
  LoomRankWait *wait = &find_rank (summing, rank)->waits[kind];
  wait->n++;
  wait->total_ns = loom_time_add (wait->total_ns, wait_ns);
  if (wait_ns <= wait->longest_ns)
    return;
  wait->longest_ns = wait_ns;
  wait->longest = range;
  wait->span = loom_collectives_get_span (summing->collectives, member);
}

static void
add_collective (Summing *summing, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (summing->collectives, collective);
  if (!loom_transfer_list_is_all_to_all (collective->name))
    return;
  for (guint i = 0; i < collective->n; i++)
    add (summing, members[i].rank, LOOM_RANK_WAIT_ALL_TO_ALL,
         (LoomRange) { members[i].arrival_ns, collective->arrival_ns }, &members[i]);
}

static void
add_messages (Summing *summing, const LoomTransferList *list)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const LoomCollectiveMember member = { .trace = transfer->waiting_trace, .meeting = transfer->waiting_meeting };
    if (strcmp (transfer->name, LOOM_TRANSFERS_MESSAGE) == 0)
      add (summing, transfer->waiting_rank, LOOM_RANK_WAIT_MESSAGES, transfer->wait, &member);
  }
}

static gboolean
add_recorded (Summing *summing, GCancellable *cancellable)
{
  g_autoptr (LoomRankBreakdown) breakdown =
    loom_rank_breakdown_new (summing->collectives->timeline, summing->collectives->range, cancellable);
  for (guint i = 0; breakdown != NULL && i < breakdown->n_ranks; i++) {
    const LoomRankTime *time = &breakdown->ranks[i];
    gpointer known = g_hash_table_lookup (summing->by_rank, GINT_TO_POINTER (time->rank));
    if (time->rank >= 0 && known != NULL)
      find_rank (summing, time->rank)->recorded_ns += time->recorded_ns;
  }
  return breakdown != NULL;
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const LoomRankWaits *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

GArray *
loom_rank_waits_new (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  Summing summing = { collectives, g_hash_table_new (NULL, NULL), g_array_new (FALSE, FALSE, sizeof (LoomRankWaits)) };
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  gboolean done = FALSE;
  if (list != NULL) {
    add_messages (&summing, list);
    for (guint i = 0; i < collectives->n; i++)
      add_collective (&summing, &collectives->all[i]);
    done = add_recorded (&summing, cancellable);
  }
  g_hash_table_unref (summing.by_rank);
  g_array_sort (summing.ranks, compare_ranks);
  if (!done)
    g_clear_pointer (&summing.ranks, g_array_unref);
  return summing.ranks;
}

GArray *
loom_rank_waits_new_of_messages (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  if (list == NULL)
    return NULL;
  Summing summing = { collectives, g_hash_table_new (NULL, NULL), g_array_new (FALSE, FALSE, sizeof (LoomRankWaits)) };
  add_messages (&summing, list);
  g_hash_table_unref (summing.by_rank);
  g_array_sort (summing.ranks, compare_ranks);
  return summing.ranks;
}

gint64
loom_rank_waits_sum_messages (LoomCollectives *collectives, GCancellable *cancellable)
{
  gint64 sum_ns = 0;
  const LoomRange *range = &collectives->range;
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  for (guint i = 0; list != NULL && i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    gint64 begin_ns = CLAMP (transfer->wait.begin_ns, range->begin_ns, range->end_ns),
           end_ns = CLAMP (transfer->wait.end_ns, range->begin_ns, range->end_ns);
    if (strcmp (transfer->name, LOOM_TRANSFERS_MESSAGE) == 0 && end_ns > begin_ns)
      sum_ns = loom_time_add (sum_ns, loom_time_sub (end_ns, begin_ns));
  }
  return sum_ns;
}
