/* SPDX-License-Identifier: Apache-2.0
 *
 * For each rank, builds two lists of time intervals for each parallel axis: the waits and the transfers. The intervals
 * of a list do not overlap. One pass over the spans of the rank's devices then measures how much of each list is
 * exposed.
 */
#include "loom-axis-cost.h"

#include "loom-device-rows.h"
#include "loom-ranges.h"
#include "loom-rank-key.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

#include <string.h>

enum { WAIT, TRANSFER, N_KINDS };

#define N_LISTS (LOOM_N_PARALLEL_AXES * N_KINDS)

typedef struct {
  LoomRankKey key;
  GArray *ranges[N_LISTS]; /* [list] LoomRange; loom_ranges_join() sorts them and merges overlapping ones */
  /* [list] index in ranges[list] of the first range that ends after the time of the last call of find_active() */
  guint at[N_LISTS];
  gint64 exposed_ns[N_LISTS], hidden_ns[N_LISTS];
} Rank;

static void
rank_init (Rank *rank, LoomRankKey key)
{
  *rank = (Rank) { .key = key };
  for (guint i = 0; i < N_LISTS; i++)
    rank->ranges[i] = g_array_new (FALSE, FALSE, sizeof (LoomRange));
}

static void
rank_clear (Rank *rank)
{
  for (guint i = 0; i < N_LISTS; i++)
    g_array_unref (rank->ranges[i]);
}

/* Clips an interval to `within`, the range of the collectives. Adds the part inside the range to the rank's list of
 * waits (`kind`: WAIT) or transfers (`kind`: TRANSFER) of an axis. */
static void
add_range (Rank *rank, LoomParallelAxis axis, guint kind, gint64 begin_ns, gint64 end_ns, LoomRange within)
{
  LoomRange range = { MAX (begin_ns, within.begin_ns), MIN (end_ns, within.end_ns) };
  if (range.begin_ns < range.end_ns)
    g_array_append_val (rank->ranges[axis * N_KINDS + kind], range);
}

/* Returns the rank that recorded a sync event; NULL: the rank has no device work. `by_rank`: table LoomRankKey → Rank.
 * `meeting`: index of the sync event in the trace with the index `trace`. */
static Rank *
find_rank (GHashTable *by_rank, LoomTimeline *timeline, gint rank, guint32 trace, guint32 meeting)
{
  const LoomRankKey key = loom_rank_key_of_event (timeline, rank, trace, meeting);
  return g_hash_table_lookup (by_rank, &key);
}

static void
gather_collectives (GHashTable *by_rank, const LoomCollectives *collectives, const LoomParallelAxes *axes)
{
  g_autofree Rank **by_number = g_new0 (Rank *, (gsize) collectives->n_rank_numbers + 1);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *collective = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
    for (guint k = 0; k < collective->n; k++) {
      Rank *rank = by_number[members[k].rank_number];
      if (rank == NULL)
        rank = by_number[members[k].rank_number] =
          find_rank (by_rank, collectives->timeline, members[k].rank, members[k].trace, members[k].meeting);
      if (rank == NULL)
        continue;
      add_range (rank, axes->axis_of[i], WAIT, members[k].arrival_ns, collective->arrival_ns, collectives->range);
      add_range (rank, axes->axis_of[i], TRANSFER, collective->arrival_ns, members[k].end_ns, collectives->range);
    }
  }
}

/* Adds the waits and transfers of all messages to the lists of the pipeline axis, because ranks that exchange messages
 * form a pipeline (loom-parallel-axes.h). */
static void
gather_messages (GHashTable *by_rank, const LoomTransferList *list, LoomRange within)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const gint *ranks = &g_array_index (list->ranks, gint, transfer->first_rank);
    if (strcmp (transfer->name, LOOM_TRANSFERS_MESSAGE) != 0)
      continue;
    Rank *waiting = find_rank (by_rank, list->timeline, transfer->waiting_rank, transfer->waiting_trace,
                               transfer->waiting_meeting),
         *sides[] = { find_rank (by_rank, list->timeline, ranks[0], transfer->trace, transfer->meeting),
                      find_rank (by_rank, list->timeline, ranks[1], transfer->other_trace, transfer->other_meeting) };
    if (waiting != NULL)
      add_range (waiting, LOOM_PARALLEL_AXIS_PIPELINE, WAIT, transfer->wait.begin_ns, transfer->wait.end_ns, within);
    for (guint k = 0; k < G_N_ELEMENTS (sides); k++)
      if (sides[k] != NULL)
        add_range (sides[k], LOOM_PARALLEL_AXIS_PIPELINE, TRANSFER, transfer->range.begin_ns, transfer->range.end_ns,
                   within);
  }
}

/* Removes from `ranges` all time outside of the recorded steps of a rank. The ranges are sorted and do not overlap; the
 * steps are sorted by start. If two steps overlap, their common time belongs to the first one. If `steps` is NULL, all
 * time is removed. */
static void
cut_to_steps (GArray *ranges, const LoomRankSteps *steps)
{
  g_autoptr (GArray) cut = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  gint64 done_ns = G_MININT64;
  guint first = 0;
  for (guint i = 0; steps != NULL && steps->has_device && i < steps->n_steps; i++) {
    const LoomStepTime *step = &steps->steps[i];
    gint64 begin_ns = MAX (step->begin_ns, done_ns);
    if (!step->is_recorded)
      continue;
    while (first < ranges->len && g_array_index (ranges, LoomRange, first).end_ns <= begin_ns)
      first++;
    for (guint k = first; k < ranges->len && g_array_index (ranges, LoomRange, k).begin_ns < step->end_ns; k++) {
      LoomRange part = g_array_index (ranges, LoomRange, k);
      part = (LoomRange) { MAX (part.begin_ns, begin_ns), MIN (part.end_ns, step->end_ns) };
      if (part.begin_ns < part.end_ns)
        g_array_append_val (cut, part);
    }
    done_ns = MAX (done_ns, step->end_ns);
  }
  g_array_set_size (ranges, 0);
  if (cut->len > 0)
    g_array_append_vals (ranges, cut->data, cut->len);
}

/* Returns a key for finding the steps of a rank: its number or, if the number is −1, its trace. */
static gpointer
make_steps_key (gint rank, guint32 trace)
{
  return rank >= 0 ? GSIZE_TO_POINTER (2 * (gsize) rank + 2) : GSIZE_TO_POINTER (2 * (gsize) trace + 1);
}

/* Returns a hash table for finding the steps of a rank in O(1). Key: result of make_steps_key(). Value: 1 + index of
 * the first rank in `breakdown` that has this key. Owned by the caller. */
static GHashTable *
list_steps (const LoomStepBreakdown *breakdown)
{
  GHashTable *first = g_hash_table_new (NULL, NULL);
  for (guint i = breakdown->n_ranks; i > 0; i--) {
    const LoomRankSteps *steps = &breakdown->ranks[i - 1];
    g_hash_table_insert (first, make_steps_key (steps->rank, steps->rank < 0 ? steps->steps[0].span.trace : 0),
                         GUINT_TO_POINTER (i));
  }
  return first;
}

/* Returns the steps of the rank to which a group of device rows belongs; NULL if the rank has no steps. `first`: result
 * of list_steps(). */
static const LoomRankSteps *
find_steps (const LoomStepBreakdown *breakdown, GHashTable *first, const LoomDeviceRowGroup *group)
{
  guint begin = GPOINTER_TO_UINT (g_hash_table_lookup (first, make_steps_key (group->rank, group->trace)));
  for (guint i = begin; i > 0 && i <= breakdown->n_ranks; i++) {
    const LoomRankSteps *steps = &breakdown->ranks[i - 1];
    /* compare the nodes, too: if two jobs are opened together, both can have a rank with this number */
    gboolean same_node = group->node == NULL || steps->node == NULL || strcmp (group->node, steps->node) == 0;
    if (group->rank >= 0 ? steps->rank == group->rank && same_node
                         : steps->rank < 0 && steps->steps[0].span.trace == group->trace)
      return steps;
  }
  return NULL;
}

static guint
count_steps (const LoomStepBreakdown *breakdown)
{
  guint n = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    n += breakdown->ranks[i].has_device ? breakdown->ranks[i].n_recorded : 0;
  return n;
}

/* Returns a mask: bit i is set if one of the ranges in rank->ranges[i] contains `time_ns`. If a bit changes before
 * `end_ns`, sets `end_ns` to the time of the first change. */
static guint
find_active (Rank *rank, gint64 time_ns, gint64 *end_ns)
{
  guint active = 0;
  for (guint i = 0; i < N_LISTS; i++) {
    const LoomRange *ranges = (const LoomRange *) (gconstpointer) rank->ranges[i]->data;
    while (rank->at[i] < rank->ranges[i]->len && ranges[rank->at[i]].end_ns <= time_ns)
      rank->at[i]++;
    if (rank->at[i] == rank->ranges[i]->len)
      continue;
    const LoomRange *next = &ranges[rank->at[i]];
    active |= next->begin_ns <= time_ns ? 1u << i : 0;
    *end_ns = MIN (*end_ns, next->begin_ns <= time_ns ? next->end_ns : next->begin_ns);
  }
  return active;
}

/* Divides `ns` equally among the lists of ranges whose bits are set in `active` (a result of find_active()). Adds the
 * share of list i to sums_ns[i]. */
static void
share_time (gint64 *sums_ns, guint active, gint64 ns)
{
  gint64 n = __builtin_popcount (active), left_ns = ns;
  for (guint i = 0; i < N_LISTS && n > 0; i++) {
    if ((active & 1u << i) == 0)
      continue;
    gint64 part_ns = left_ns / n--;
    sums_ns[i] += part_ns;
    left_ns -= part_ns;
  }
}

static void
on_interval (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Rank *rank = data;
  gboolean computes = (mask & 1u << LOOM_WORK_KIND_COMPUTE) != 0;
  if ((mask & 1u << LOOM_WORK_KIND_COMMUNICATION) == 0)
    return;
  for (gint64 at_ns = begin_ns, next_ns; at_ns < end_ns; at_ns = next_ns) {
    next_ns = end_ns;
    guint active = find_active (rank, at_ns, &next_ns);
    share_time (computes ? rank->hidden_ns : rank->exposed_ns, active, next_ns - at_ns);
  }
}

/* Measures how much of a rank's waits and transfers on each axis is exposed and hidden, and adds these times to `cost`.
 * `steps`: the steps of the rank; NULL if it has none.
 * Returns FALSE when cancelled. */
static gboolean
measure_rank (LoomAxisCost *cost, Rank *rank, const LoomDeviceRows *rows, const LoomDeviceRowGroup *group,
              const LoomRankSteps *steps, LoomRange range, GCancellable *cancellable)
{
  LoomDeviceRowsSeen seen;
  for (guint i = 0; i < N_LISTS; i++) {
    loom_ranges_join (rank->ranges[i]);
    if (cost->n_steps > 0)
      cut_to_steps (rank->ranges[i], steps);
  }
  if (!loom_device_rows_sweep (rows, group, range, on_interval, rank, &seen, cancellable))
    return FALSE;
  for (guint axis = 0; axis < LOOM_N_PARALLEL_AXES; axis++) {
    LoomAxisCostTime *all = &cost->all[axis];
    guint wait = axis * N_KINDS + WAIT, transfer = axis * N_KINDS + TRANSFER;
    all->exposed_wait_ns = loom_time_add (all->exposed_wait_ns, rank->exposed_ns[wait]);
    all->exposed_transfer_ns = loom_time_add (all->exposed_transfer_ns, rank->exposed_ns[transfer]);
    all->hidden_ns = loom_time_add (all->hidden_ns, rank->hidden_ns[wait] + rank->hidden_ns[transfer]);
  }
  return TRUE;
}

static gboolean
measure_all (LoomAxisCost *cost, const LoomCollectives *collectives, const LoomParallelAxes *axes,
             const LoomDeviceRows *rows, const LoomTransferList *list, const LoomStepBreakdown *breakdown,
             GCancellable *cancellable)
{
  guint n = rows->groups->len;
  gboolean done = TRUE;
  g_autofree Rank *ranks = g_new (Rank, n + 1);
  g_autoptr (GHashTable) by_rank = g_hash_table_new (loom_rank_key_hash, loom_rank_key_equal);
  for (guint i = 0; i < n; i++) {
    const LoomDeviceRowGroup *group = rows->groups->pdata[i];
    rank_init (&ranks[i], loom_rank_key (group->node, group->rank, group->trace));
    g_hash_table_insert (by_rank, &ranks[i].key, &ranks[i]);
  }
  gather_collectives (by_rank, collectives, axes);
  gather_messages (by_rank, list, collectives->range);
  g_autoptr (GHashTable) first = list_steps (breakdown);
  for (guint i = 0; i < n; i++) {
    const LoomDeviceRowGroup *group = rows->groups->pdata[i];
    done = done && measure_rank (cost, &ranks[i], rows, group, find_steps (breakdown, first, group), collectives->range,
                                 cancellable);
    rank_clear (&ranks[i]);
  }
  return done;
}

gboolean
loom_axis_cost_init (LoomAxisCost *cost, const LoomCollectives *collectives, const LoomParallelAxes *axes,
                     const LoomStepBreakdown *breakdown, GCancellable *cancellable)
{
  g_autoptr (LoomDeviceRows) rows = loom_device_rows_new (collectives->timeline, FALSE, cancellable);
  const LoomTransferList *list = rows != NULL ? loom_transfer_list_get (collectives, cancellable) : NULL;
  *cost = (LoomAxisCost) { .n_ranks = rows != NULL ? rows->groups->len : 0, .n_steps = count_steps (breakdown) };
  return list != NULL && measure_all (cost, collectives, axes, rows, list, breakdown, cancellable);
}
