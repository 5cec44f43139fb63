/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-parallel-axes.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-number-runs.h"
#include "loom-pipeline-stages.h"
#include "loom-string-pool.h"
#include "loom-transfers.h"

/* maximum number of elements in a displayed list of ranks; an element is one rank, "5", or a range, "0–7" */
#define MOST_SHOWN 8
/* A rank can be in several groups on one axis. A group is ignored as an exception if it has less than 1/RARE_SHARE of
 * the collectives and messages that the rank's most active group on the axis has; see
 * loom_parallel_axes_index_groups(). */
#define RARE_SHARE 4
/* A group of consecutive ranks counts as tensor-parallel if its number of collectives is at least TENSOR_FACTOR times
 * the mean number of collectives of the groups whose ranks are not consecutive. */
#define TENSOR_FACTOR 2

/* A group of ranks, with the counts from which its axis is guessed. */
typedef struct {
  /* the group; its member first_rank is an index into LoomTransferList.ranks here, not into LoomParallelAxes.ranks */
  LoomParallelGroup group;
  guint n_exchanges; /* number of all-to-all collectives */
  guint n_sized;     /* number of transfers whose size in bytes is known */
} Candidate;

typedef struct {
  LoomParallelAxes *axes;
  const LoomTransferList *list;
  GArray *candidates; /* Candidate: the groups of ranks found so far */
  /* key (guint64): hash of a group's ranks and axis; value: index of the group in `candidates`, plus 1 */
  GHashTable *by_key;
  GHashTable *leaders; /* union-find forest of pipelines: rank → 1 + a lower rank of its pipeline; see find_leader() */
  guint n_collectives;
  /* [collective] index of the collective's group in `candidates`, plus 1; 0: not all ranks of the collective are
   * known */
  guint32 *candidate_of;
} Grouping;

static const gint *
get_ranks (const Grouping *grouping, guint first)
{
  return &g_array_index (grouping->list->ranks, gint, first);
}

/* Returns TRUE for a message between two different ranks whose numbers are known. */
static gboolean
is_message (const Grouping *grouping, const LoomTransfer *transfer)
{
  const gint *ranks = get_ranks (grouping, transfer->first_rank);
  return loom_transfer_list_is_message (transfer) && ranks[0] >= 0 && ranks[1] >= 0 && ranks[0] != ranks[1];
}

/* Returns TRUE for a collective, as opposed to a message, if the numbers of its ranks are known. */
static gboolean
is_collective (const Grouping *grouping, const LoomTransfer *transfer)
{
  return !loom_transfer_list_is_message (transfer) && get_ranks (grouping, transfer->first_rank)[0] >= 0;
}

static LoomParallelAxis
get_stated (const Grouping *grouping, const LoomTransfer *transfer)
{
  guint32 n;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (grouping->list->timeline), transfer->trace);
  return (LoomParallelAxis) loom_trace_get_meetings (trace, &n)[transfer->meeting].axis;
}

static Candidate *
find_candidate (Grouping *grouping, const LoomTransfer *transfer, LoomParallelAxis axis)
{
  guint64 key = axis;
  for (guint i = 0; i < transfer->n_ranks; i++)
    key = loom_string_pool_hash_join (key, (guint64) get_ranks (grouping, transfer->first_rank)[i]);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (grouping->by_key, &key));
  if (found == 0) {
    const Candidate own = { .group = { .axis = axis,
                                       .stated = axis != LOOM_PARALLEL_AXIS_UNKNOWN,
                                       .first_rank = transfer->first_rank,
                                       .n_ranks = transfer->n_ranks } };
    g_array_append_val (grouping->candidates, own);
    found = grouping->candidates->len;
    g_hash_table_insert (grouping->by_key, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
  }
  return &g_array_index (grouping->candidates, Candidate, found - 1);
}

static void
add_collective (Grouping *grouping, guint number)
{
  const LoomTransfer *transfer = &g_array_index (grouping->list->transfers, LoomTransfer, number);
  Candidate *candidate = find_candidate (grouping, transfer, get_stated (grouping, transfer));
  gboolean exchange = loom_transfer_list_is_all_to_all (transfer->name);
  grouping->candidate_of[number] = (guint32) (candidate - (Candidate *) (gpointer) grouping->candidates->data) + 1;
  candidate->group.n++;
  candidate->group.n_missing = MAX (candidate->group.n_missing, transfer->n_missing);
  candidate->group.transfer_ns += transfer->inside_ns;
  candidate->n_exchanges += exchange;
  candidate->n_sized += exchange || transfer->bytes > 0;
}

/* --- pipelines ---------------------------------------------------------------------------------------------------- */

/* Returns the lowest known rank of the pipeline to which a rank belongs. This rank identifies the pipeline. */
static gint
find_leader (const Grouping *grouping, gint rank)
{
  gpointer next;
  while ((next = g_hash_table_lookup (grouping->leaders, GINT_TO_POINTER (rank))) != NULL)
    rank = GPOINTER_TO_INT (next) - 1;
  return rank;
}

static void
join_pipeline (Grouping *grouping, const LoomTransfer *message)
{
  gint from = find_leader (grouping, get_ranks (grouping, message->first_rank)[0]),
       to = find_leader (grouping, get_ranks (grouping, message->first_rank)[1]);
  if (from != to)
    g_hash_table_insert (grouping->leaders, GINT_TO_POINTER (MAX (from, to)), GINT_TO_POINTER (MIN (from, to) + 1));
}

typedef struct {
  gint leader, stage, rank;
} Member;

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  if (x->leader != y->leader)
    return x->leader < y->leader ? -1 : 1;
  if (x->stage != y->stage)
    return x->stage < y->stage ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Returns a Member for each rank that sends or receives messages, sorted by pipeline, then by stage. */
static GArray *
list_members (const Grouping *grouping)
{
  LoomPipelineStages stages;
  GArray *members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  loom_pipeline_stages_init (&stages, grouping->list);
  for (guint i = 0; i < grouping->list->transfers->len; i++) {
    const LoomTransfer *message = &g_array_index (grouping->list->transfers, LoomTransfer, i);
    for (guint k = 0; k < 2 && is_message (grouping, message); k++) {
      gint rank = get_ranks (grouping, message->first_rank)[k];
      const Member member = { find_leader (grouping, rank), loom_pipeline_stages_get (&stages, rank), rank };
      if (g_hash_table_add (known, GINT_TO_POINTER (rank)))
        g_array_append_val (members, member);
    }
  }
  loom_pipeline_stages_clear (&stages);
  g_array_sort (members, compare_members);
  return members;
}

/* Adds the number and the transfer times of the messages to the groups of their pipelines. `by_leader`: lowest rank of
 * a pipeline → 1 + index of the pipeline's group in `axes->groups`. */
static void
count_messages (Grouping *grouping, GHashTable *by_leader)
{
  for (guint i = 0; i < grouping->list->transfers->len; i++) {
    const LoomTransfer *message = &g_array_index (grouping->list->transfers, LoomTransfer, i);
    if (!is_message (grouping, message))
      continue;
    gint leader = find_leader (grouping, get_ranks (grouping, message->first_rank)[0]);
    guint found = GPOINTER_TO_UINT (g_hash_table_lookup (by_leader, GINT_TO_POINTER (leader)));
    LoomParallelGroup *group = &g_array_index (grouping->axes->groups, LoomParallelGroup, found - 1);
    group->n++;
    group->transfer_ns += message->inside_ns;
    group->stated &= get_stated (grouping, message) == LOOM_PARALLEL_AXIS_PIPELINE;
  }
}

static void
add_pipelines (Grouping *grouping)
{
  g_autoptr (GArray) members = list_members (grouping);
  g_autoptr (GHashTable) by_leader = g_hash_table_new (NULL, NULL);
  for (guint i = 0, n; i < members->len; i += n) {
    const Member *first = &g_array_index (members, Member, i);
    LoomParallelGroup group = { .axis = LOOM_PARALLEL_AXIS_PIPELINE,
                                .stated = TRUE,
                                .first_rank = grouping->axes->ranks->len };
    for (n = 0; i + n < members->len && first[n].leader == first->leader; n++) {
      g_array_append_val (grouping->axes->ranks, first[n].rank);
      group.n_missing += loom_missing_ranks_has_peer (grouping->list->missing, first[n].rank);
    }
    group.n_ranks = n;
    g_array_append_val (grouping->axes->groups, group);
    g_hash_table_insert (by_leader, GINT_TO_POINTER (first->leader), GUINT_TO_POINTER (grouping->axes->groups->len));
  }
  count_messages (grouping, by_leader);
}

/* --- axes of groups whose description does not state an axis ------------------------------------------------------ */

static gboolean
is_consecutive (const gint *ranks, guint n)
{
  for (guint i = 1; i < n; i++)
    if (ranks[i] != ranks[i - 1] + 1)
      return FALSE;
  return TRUE;
}

/* Returns how many messages a rank sends or receives on average; ranks without messages are not counted. */
static double
count_messages_of_rank (const Grouping *grouping)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
  double n = 0;
  for (guint i = grouping->n_collectives; i < grouping->list->transfers->len; i++) {
    const LoomTransfer *message = &g_array_index (grouping->list->transfers, LoomTransfer, i);
    n += 2;
    for (guint k = 0; k < 2; k++)
      g_hash_table_add (ranks, GINT_TO_POINTER (get_ranks (grouping, message->first_rank)[k]));
  }
  return n / MAX (g_hash_table_size (ranks), 1);
}

/* Returns the smallest number of collectives with which a group of consecutive ranks counts as tensor-parallel:
 * TENSOR_FACTOR times the mean number of collectives of the groups whose ranks are not consecutive. If there are no
 * such groups, returns the mean number of messages of a rank; 0 if there are no messages either. */
static double
get_tensor_least (const Grouping *grouping)
{
  double n = 0, total = 0;
  for (guint i = 0; i < grouping->candidates->len; i++) {
    const Candidate *one = &g_array_index (grouping->candidates, Candidate, i);
    if (one->group.stated || one->n_sized == 0 ||
        is_consecutive (get_ranks (grouping, one->group.first_rank), one->group.n_ranks))
      continue;
    n++;
    total += one->group.n;
  }
  return n > 0 ? TENSOR_FACTOR * total / n : count_messages_of_rank (grouping);
}

static LoomParallelAxis
tell_axis (const Grouping *grouping, const Candidate *candidate, guint n_ranks, double tensor_least)
{
  const LoomParallelGroup *group = &candidate->group;
  if (2 * candidate->n_exchanges > group->n)
    return LOOM_PARALLEL_AXIS_EXPERT;
  if (candidate->n_sized == 0)
    return group->n_ranks == n_ranks ? LOOM_PARALLEL_AXIS_WORLD : LOOM_PARALLEL_AXIS_UNKNOWN;
  if (group->n_ranks < n_ranks && tensor_least > 0 && group->n >= tensor_least &&
      is_consecutive (get_ranks (grouping, group->first_rank), group->n_ranks))
    return LOOM_PARALLEL_AXIS_TENSOR;
  return LOOM_PARALLEL_AXIS_DATA;
}

static void
add_groups (Grouping *grouping, guint n_ranks)
{
  double tensor_least = get_tensor_least (grouping);
  for (guint i = 0; i < grouping->candidates->len; i++) {
    Candidate *candidate = &g_array_index (grouping->candidates, Candidate, i);
    if (!candidate->group.stated)
      candidate->group.axis = tell_axis (grouping, candidate, n_ranks, tensor_least);
    LoomParallelGroup group = candidate->group;
    group.first_rank = grouping->axes->ranks->len;
    g_array_append_vals (grouping->axes->ranks, get_ranks (grouping, candidate->group.first_rank), group.n_ranks);
    g_array_append_val (grouping->axes->groups, group);
  }
}

/* --- coordinates of the ranks on the axes ------------------------------------------------------------------------- */

static int
compare_groups (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomParallelGroup *x = a, *y = b;
  const LoomParallelAxes *axes = user_data;
  if (x->axis != y->axis)
    return x->axis < y->axis ? -1 : 1;
  gint first = g_array_index (axes->ranks, gint, x->first_rank),
       second = g_array_index (axes->ranks, gint, y->first_rank);
  if (first != second)
    return first < second ? -1 : 1;
  return x->n_ranks > y->n_ranks ? -1 : x->n_ranks < y->n_ranks;
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const LoomParallelRank *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static guint
count_ranks (const Grouping *grouping)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < grouping->list->ranks->len; i++) {
    gint rank = g_array_index (grouping->list->ranks, gint, i);
    if (rank < 0 || !g_hash_table_add (known, GINT_TO_POINTER (rank)))
      continue;
    LoomParallelRank own = { .rank = rank };
    for (guint axis = 0; axis < LOOM_N_PARALLEL_AXES; axis++)
      own.coordinates[axis] = -1;
    g_array_append_val (grouping->axes->all, own);
  }
  g_array_sort (grouping->axes->all, compare_ranks);
  return grouping->axes->all->len;
}

/* Returns the difference between the numbers of neighbouring ranks in `ranks`; 0 if the difference is not the same
 * for all neighbours. */
static guint
get_stride (const gint *ranks, guint n)
{
  gint stride = n > 1 ? ranks[1] - ranks[0] : 0;
  for (guint i = 2; i < n; i++)
    if (ranks[i] - ranks[i - 1] != stride)
      return 0;
  return (guint) MAX (stride, 0);
}

/* Sets the coordinates of a group's ranks on the axis of the group. Returns FALSE if one of the ranks already had a
 * coordinate on this axis. */
static gboolean
set_coordinates (LoomParallelAxes *axes, const LoomParallelGroup *group)
{
  gboolean alone = TRUE;
  for (guint i = 0; i < group->n_ranks; i++) {
    LoomParallelRank *own =
      (LoomParallelRank *) loom_parallel_axes_find (axes, g_array_index (axes->ranks, gint, group->first_rank + i));
    alone &= own->coordinates[group->axis] < 0;
    own->coordinates[group->axis] = (gint) i;
  }
  return alone;
}

static void
measure_axes (LoomParallelAxes *axes)
{
  guint product = 1, n_axes = 0;
  axes->is_grid = axes->all->len > 0;
  for (guint i = 0; i < axes->groups->len; i++) {
    const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, i);
    LoomParallelAxisSize *own = &axes->sizes[group->axis];
    guint stride = get_stride (&g_array_index (axes->ranks, gint, group->first_rank), group->n_ranks);
    own->size = own->n_groups == 0 || own->size == group->n_ranks ? group->n_ranks : 0;
    own->stride = own->n_groups == 0 || own->stride == stride ? stride : 0;
    own->n_groups++;
    axes->is_grid &= set_coordinates (axes, group) || group->axis <= LOOM_PARALLEL_AXIS_WORLD;
  }
  for (guint axis = LOOM_PARALLEL_AXIS_TENSOR; axis < LOOM_N_PARALLEL_AXES; axis++)
    if (axis != LOOM_PARALLEL_AXIS_EXPERT && axes->sizes[axis].n_groups > 0) {
      n_axes++;
      product *= axes->sizes[axis].size;
      axes->is_grid &= axes->sizes[axis].size * axes->sizes[axis].n_groups == axes->all->len;
    }
  const LoomParallelAxisSize *world = &axes->sizes[LOOM_PARALLEL_AXIS_WORLD];
  axes->is_grid &= product == axes->all->len || (n_axes == 0 && world->n_groups == 1 && world->size == axes->all->len);
}

/* --- groups on all axes ------------------------------------------------------------------------------------------ */

static void
make_groups (Grouping *grouping)
{
  LoomParallelAxes *axes = grouping->axes;
  for (guint i = 0; i < grouping->list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (grouping->list->transfers, LoomTransfer, i);
    if (is_collective (grouping, transfer))
      add_collective (grouping, i);
    else if (is_message (grouping, transfer))
      join_pipeline (grouping, transfer);
  }
  add_groups (grouping, count_ranks (grouping));
  for (guint i = 0; i < grouping->n_collectives; i++)
    if (grouping->candidate_of[i] > 0)
      axes->axis_of[i] =
        (guint8) g_array_index (grouping->candidates, Candidate, grouping->candidate_of[i] - 1).group.axis;
  add_pipelines (grouping);
  g_array_sort_with_data (axes->groups, compare_groups, axes);
  measure_axes (axes);
}

LoomParallelAxes *
loom_parallel_axes_new (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  g_autoptr (LoomParallelAxes) axes = g_new0 (LoomParallelAxes, 1);
  axes->groups = g_array_new (FALSE, FALSE, sizeof (LoomParallelGroup));
  axes->ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  axes->all = g_array_new (FALSE, FALSE, sizeof (LoomParallelRank));
  Grouping grouping = { .axes = axes,
                        .candidates = g_array_new (FALSE, FALSE, sizeof (Candidate)),
                        .by_key = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL),
                        .leaders = g_hash_table_new (NULL, NULL),
                        .n_collectives = collectives->n,
                        .candidate_of = g_new0 (guint32, collectives->n + 1) };
  axes->axis_of = g_new0 (guint8, collectives->n + 1);
  grouping.list = loom_transfer_list_get (collectives, cancellable);
  if (grouping.list != NULL)
    make_groups (&grouping);
  g_array_unref (grouping.candidates);
  g_hash_table_unref (grouping.by_key);
  g_hash_table_unref (grouping.leaders);
  g_free (grouping.candidate_of);
  return grouping.list != NULL ? g_steal_pointer (&axes) : NULL;
}

void
loom_parallel_axes_free (LoomParallelAxes *axes)
{
  if (axes == NULL)
    return;
  g_array_unref (axes->groups);
  g_array_unref (axes->ranks);
  g_array_unref (axes->all);
  g_free (axes->axis_of);
  g_free (axes);
}

const LoomParallelRank *
loom_parallel_axes_find (const LoomParallelAxes *axes, gint rank)
{
  const LoomParallelRank wanted = { .rank = rank };
  guint found;
  return g_array_binary_search (axes->all, &wanted, compare_ranks, &found)
           ? &g_array_index (axes->all, LoomParallelRank, found)
           : NULL;
}

/* Returns a table for one axis. Key: rank. Value: the largest number of collectives and messages (LoomParallelGroup.n)
 * of a group that contains the rank. */
static GHashTable *
find_most_meetings (const LoomParallelAxes *axes, LoomParallelAxis axis)
{
  GHashTable *most = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < axes->groups->len; i++) {
    const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, i);
    for (guint k = 0; group->axis == axis && k < group->n_ranks; k++) {
      gpointer rank = GINT_TO_POINTER (g_array_index (axes->ranks, gint, group->first_rank + k));
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (most, rank));
      g_hash_table_insert (most, rank, GUINT_TO_POINTER (MAX (n, group->n)));
    }
  }
  return most;
}

GHashTable *
loom_parallel_axes_index_groups (const LoomParallelAxes *axes, LoomParallelAxis axis)
{
  GHashTable *groups = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) most = find_most_meetings (axes, axis);
  for (guint i = 0; i < axes->groups->len; i++) {
    const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, i);
    for (guint k = 0; group->axis == axis && k < group->n_ranks; k++) {
      gpointer rank = GINT_TO_POINTER (g_array_index (axes->ranks, gint, group->first_rank + k));
      guint own = GPOINTER_TO_UINT (g_hash_table_lookup (groups, rank));
      gboolean often = group->n >= GPOINTER_TO_UINT (g_hash_table_lookup (most, rank)) / RARE_SHARE;
      if (often && (own == 0 || g_array_index (axes->groups, LoomParallelGroup, own - 1).n_ranks < group->n_ranks))
        g_hash_table_insert (groups, rank, GUINT_TO_POINTER (i + 1));
    }
  }
  return groups;
}

char *
loom_parallel_axes_dup_ranks (const LoomParallelAxes *axes, const LoomParallelGroup *group)
{
  const gint *ranks = &g_array_index (axes->ranks, gint, group->first_rank);
  return loom_number_runs_dup (ranks, group->n_ranks, ", ", MOST_SHOWN);
}

static gpointer
make_axes (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_parallel_axes_new ((LoomCollectives *) collectives, cancellable);
}

static void
free_axes (gpointer axes)
{
  loom_parallel_axes_free (axes);
}

const LoomParallelAxes *
loom_parallel_axes_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_AXES, make_axes, free_axes, cancellable);
}
