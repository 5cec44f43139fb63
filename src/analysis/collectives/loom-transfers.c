/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-transfers.h"

#include <math.h>
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-number-runs.h"
#include "loom-statistics.h"
#include "loom-string-pool.h"
#include "loom-transfer-list.h"

/* maximum number of elements in a displayed list of ranks; an element is one rank, "5", or a range, "0–7" */
#define MOST_NAMED 8

typedef struct {
  const LoomTransferList *list;
  /* hash (guint64) of the kind, the ranks and the size of a transfer → index of its group, plus 1 */
  GHashTable *by_key;
  GPtrArray *times; /* [group] GArray of double: transfer times in ns */
  LoomTransfers *transfers;
} Grouping;

/* --- groups of ranks, and the median transfer of each ------------------------------------------------------------- */

static guint64
hash_ranks (const GArray *ranks, guint first, guint n)
{
  guint64 key = n;
  for (guint i = 0; i < n; i++)
    key = loom_string_pool_hash_join (key, (guint64) g_array_index (ranks, gint, first + i));
  return key;
}

/* Returns a key that is equal for comparable groups of ranks. Groups are comparable if they have the same kind of
 * transfer, number of ranks, size in bytes and LoomTransferPlace (on one node, or over the network). */
static guint64
hash_likes (const char *name, guint n_ranks, gint64 bytes, guint place)
{
  guint64 key = loom_string_pool_hash_join (loom_string_pool_hash (name, strlen (name)), n_ranks);
  return loom_string_pool_hash_join (loom_string_pool_hash_join (key, (guint64) bytes), place);
}

static guint
find_group (Grouping *grouping, const LoomTransfer *transfer)
{
  guint64 key = hash_likes (transfer->name, transfer->n_stated, transfer->bytes, transfer->place);
  key = loom_string_pool_hash_join (key, hash_ranks (grouping->list->ranks, transfer->first_rank, transfer->n_ranks));
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (grouping->by_key, &key));
  if (found > 0)
    return found - 1;
  LoomTransferGroup group = { .name = transfer->name,
                              .first_rank = grouping->transfers->ranks->len,
                              .n_ranks = transfer->n_ranks,
                              .n_stated = transfer->n_stated,
                              .n_missing = transfer->n_missing,
                              .bytes = transfer->bytes,
                              .place = transfer->place,
                              .shortest_ns = G_MAXINT64,
                              .longest_ns = -1,
                              .longest = LOOM_SPAN_ID_NONE };
  g_array_append_vals (grouping->transfers->ranks, &g_array_index (grouping->list->ranks, gint, transfer->first_rank),
                       transfer->n_ranks);
  g_array_append_val (grouping->transfers->groups, group);
  g_ptr_array_add (grouping->times, g_array_new (FALSE, FALSE, sizeof (double)));
  g_hash_table_insert (grouping->by_key, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (grouping->transfers->groups->len));
  return grouping->transfers->groups->len - 1;
}

static void
add_transfer (Grouping *grouping, const LoomCollectives *collectives, const LoomTransfer *transfer)
{
  guint number = find_group (grouping, transfer);
  LoomTransferGroup *group = &g_array_index (grouping->transfers->groups, LoomTransferGroup, number);
  double time = (double) transfer->transfer_ns;
  g_array_append_val ((GArray *) grouping->times->pdata[number], time);
  group->n++;
  group->n_inside += transfer->transfer_ns > 0 ? (double) transfer->inside_ns / time : 1;
  group->total_ns = loom_time_add (group->total_ns, transfer->inside_ns);
  group->shortest_ns = MIN (group->shortest_ns, transfer->transfer_ns);
  if (transfer->transfer_ns <= group->longest_ns)
    return;
  const LoomCollectiveMember member = { .trace = transfer->trace, .meeting = transfer->meeting };
  group->longest_ns = transfer->transfer_ns;
  group->longest = loom_collectives_get_span (collectives, &member);
  group->range = transfer->range;
}

static void
finish_group (LoomTransferGroup *group, GArray *times)
{
  group->median_ns = (gint64) loom_statistics_median ((double *) (gpointer) times->data, times->len);
  group->bandwidth = group->bytes > 0 && group->median_ns > 0 && group->n_ranks > 1
                       ? (double) group->bytes * 1e9 / (double) group->median_ns
                       : NAN;
  group->bus_bandwidth = group->bandwidth * loom_transfer_list_get_bus_factor (group->name, group->n_stated);
}

/* --- comparison of each group with comparable groups -------------------------------------------------------------- */

static gboolean
is_compared (const LoomTransferGroup *group)
{
  return group->n >= LOOM_TRANSFERS_LEAST && group->median_ns > 0 && group->n_missing == 0;
}

/* Returns the median of LoomTransferGroup.median_ns over the groups that are comparable with the group `own`. Returns 0
 * if there are no such groups. `likes`: indices (in `groups`) of the comparable groups and of `own`. `scratch`: array
 * of double, overwritten. */
static gint64
find_typical (const GArray *groups, const GArray *likes, guint own, GArray *scratch)
{
  g_array_set_size (scratch, 0);
  for (guint i = 0; i < likes->len; i++) {
    guint number = g_array_index (likes, guint, i);
    double median = (double) g_array_index (groups, LoomTransferGroup, number).median_ns;
    if (number != own)
      g_array_append_val (scratch, median);
  }
  return scratch->len > 0 ? (gint64) loom_statistics_median ((double *) (gpointer) scratch->data, scratch->len) : 0;
}

gint64
loom_transfers_get_excess (const LoomTransferGroup *group)
{
  return (gint64) CLAMP ((double) group->total_ns - (double) group->typical_ns * group->n_inside, 0, 9e18);
}

static void
compare_group (GArray *groups, const GArray *likes, guint number, GArray *scratch)
{
  LoomTransferGroup *group = &g_array_index (groups, LoomTransferGroup, number);
  group->typical_ns = find_typical (groups, likes, number, scratch);
  group->slow = group->typical_ns > 0 && (double) group->median_ns > LOOM_TRANSFERS_SLOW * (double) group->typical_ns;
  if (group->slow)
    group->lost_ns = loom_transfers_get_excess (group);
}

static void
compare_likes (GArray *groups)
{
  g_autoptr (GHashTable) by_likes =
    g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (double));
  GHashTableIter iter;
  gpointer likes;
  for (guint i = 0; i < groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (groups, LoomTransferGroup, i);
    guint64 key = hash_likes (group->name, group->n_stated, group->bytes, group->place);
    if (!is_compared (group))
      continue;
    if (!g_hash_table_contains (by_likes, &key))
      g_hash_table_insert (by_likes, g_memdup2 (&key, sizeof key), g_array_new (FALSE, FALSE, sizeof (guint)));
    g_array_append_val ((GArray *) g_hash_table_lookup (by_likes, &key), i);
  }
  g_hash_table_iter_init (&iter, by_likes);
  while (g_hash_table_iter_next (&iter, NULL, &likes))
    for (guint i = 0; i < ((GArray *) likes)->len; i++)
      compare_group (groups, likes, g_array_index ((GArray *) likes, guint, i), scratch);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomTransferGroup *x = a, *y = b;
  if (x->slow != y->slow)
    return x->slow ? -1 : 1;
  if (x->lost_ns != y->lost_ns)
    return x->lost_ns > y->lost_ns ? -1 : 1;
  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  return x->first_rank < y->first_rank ? -1 : x->first_rank > y->first_rank;
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static void
group_all (Grouping *grouping, const LoomCollectives *collectives)
{
  GArray *groups = grouping->transfers->groups;
  for (guint i = 0; i < grouping->list->transfers->len; i++)
    add_transfer (grouping, collectives, &g_array_index (grouping->list->transfers, LoomTransfer, i));
  for (guint i = 0; i < groups->len; i++)
    finish_group (&g_array_index (groups, LoomTransferGroup, i), grouping->times->pdata[i]);
  compare_likes (groups);
  g_array_sort (groups, compare_rows);
}

static void
free_transfers (gpointer data)
{
  LoomTransfers *transfers = data;
  g_array_unref (transfers->groups);
  g_array_unref (transfers->ranks);
  g_free (transfers);
}

static gpointer
make_transfers (const LoomCollectives *collectives, GCancellable *cancellable)
{
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  if (list == NULL)
    return NULL;
  LoomTransfers *transfers = g_new0 (LoomTransfers, 1);
  transfers->groups = g_array_new (FALSE, FALSE, sizeof (LoomTransferGroup));
  transfers->ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  transfers->n_transfers = list->transfers->len;
  transfers->n_messages = list->n_messages;
  transfers->n_unaligned = list->n_unaligned;
  Grouping grouping = { .list = list,
                        .by_key = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL),
                        .times = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
                        .transfers = transfers };
  group_all (&grouping, collectives);
  g_hash_table_unref (grouping.by_key);
  g_ptr_array_unref (grouping.times);
  return transfers;
}

const LoomTransfers *
loom_transfers_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_TRANSFERS, make_transfers, free_transfers, cancellable);
}

char *
loom_transfers_dup_ranks (const LoomTransfers *transfers, const LoomTransferGroup *group, const char *separator)
{
  const gint *ranks = &g_array_index (transfers->ranks, gint, group->first_rank);
  return loom_number_runs_dup (ranks, group->n_ranks, separator, MOST_NAMED);
}
