/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-axis-order.h"

#include <math.h>

#include "loom-rank-order.h"

typedef struct {
  gint rank;
  guint key;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

GArray *
loom_axis_order_new (const LoomParallelAxes *axes, LoomParallelAxis axis)
{
  g_return_val_if_fail (axes != NULL && axis < LOOM_N_PARALLEL_AXES, NULL);
  g_autoptr (GHashTable) groups = loom_parallel_axes_index_groups (axes, axis);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  gboolean by_coordinate = axis == LOOM_PARALLEL_AXIS_DATA || axis == LOOM_PARALLEL_AXIS_PIPELINE;
  for (guint i = 0; i < axes->all->len; i++) {
    const LoomParallelRank *rank = &g_array_index (axes->all, LoomParallelRank, i);
    guint group = GPOINTER_TO_UINT (g_hash_table_lookup (groups, GINT_TO_POINTER (rank->rank)));
    const Place place = { rank->rank, by_coordinate ? (guint) rank->coordinates[axis] : group - 1 };
    g_array_append_val (places, place);
  }
  g_array_sort (places, compare_places); /* ranks without a group have the largest sort key, so they come last */
  GArray *ranks = g_array_sized_new (FALSE, FALSE, sizeof (gint), places->len);
  for (guint i = 0; i < places->len; i++)
    g_array_append_val (ranks, g_array_index (places, Place, i).rank);
  return ranks;
}

gboolean
loom_axis_order_is_known (const LoomParallelAxes *axes, LoomParallelAxis axis)
{
  g_return_val_if_fail (axes != NULL && axis < LOOM_N_PARALLEL_AXES, FALSE);
  return axes->sizes[axis].n_groups > 0;
}

/* --- ranks with the same work ------------------------------------------------------------------------------------- */

typedef struct {
  const LoomParallelRank *place;
  const LoomRankTime *time;
  gint64 wait_ns; /* total time that the rank waits in collectives until the last rank arrives */
} Candidate;

static gboolean
is_near (gint64 own_ns, gint64 other_ns, gint64 whole_ns)
{
  return fabs ((double) own_ns - (double) other_ns) <= LOOM_AXIS_ORDER_ALIKE * (double) whole_ns;
}

static gboolean
are_alike (const Candidate *one, const Candidate *other)
{
  for (guint i = LOOM_PARALLEL_AXIS_TENSOR; i < LOOM_N_PARALLEL_AXES; i++)
    if (i != LOOM_PARALLEL_AXIS_DATA && i != LOOM_PARALLEL_AXIS_EXPERT &&
        one->place->coordinates[i] != other->place->coordinates[i])
      return FALSE;
  gint64 whole_ns = one->time->recorded_ns;
  return is_near (one->time->compute_ns, other->time->compute_ns, whole_ns) &&
         is_near (one->time->exposed_communication_ns, other->time->exposed_communication_ns, whole_ns) &&
         is_near (one->time->idle_ns, other->time->idle_ns, whole_ns) &&
         is_near (one->wait_ns, other->wait_ns, whole_ns);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;
  return x->place->rank < y->place->rank ? -1 : x->place->rank > y->place->rank;
}

static void
add_waits (GArray *candidates, LoomCollectives *collectives)
{
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]);
    for (guint k = 0; k < collectives->all[i].n; k++) {
      guint at;
      const LoomParallelRank place = { .rank = members[k].rank };
      const Candidate wanted = { .place = &place };
      if (g_array_binary_search (candidates, &wanted, compare_ranks, &at))
        g_array_index (candidates, Candidate, at).wait_ns +=
          loom_rank_order_get_wait (collectives, &collectives->all[i], &members[k]);
    }
  }
}

/* Returns a Candidate for each rank whose coordinates and times are known, ascending by rank. Owned by the caller. */
static GArray *
list_candidates (const LoomParallelAxes *axes, const LoomRankBreakdown *breakdown)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GHashTable) times = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < breakdown->n_ranks; i++)
    g_hash_table_insert (times, GINT_TO_POINTER (breakdown->ranks[i].rank), (gpointer) &breakdown->ranks[i]);
  for (guint i = 0; i < axes->all->len; i++) {
    const LoomParallelRank *place = &g_array_index (axes->all, LoomParallelRank, i);
    const Candidate own = { place, g_hash_table_lookup (times, GINT_TO_POINTER (place->rank)), 0 };
    if (own.time != NULL && own.time->recorded_ns > 0)
      g_array_append_val (candidates, own);
  }
  return candidates;
}

GArray *
loom_axis_order_find_alike (const LoomParallelAxes *axes, LoomCollectives *collectives,
                            const LoomRankBreakdown *breakdown)
{
  g_return_val_if_fail (axes != NULL && collectives != NULL && breakdown != NULL, NULL);
  GArray *alike = g_array_new (FALSE, FALSE, sizeof (LoomAlikeRank));
  g_autoptr (GArray) candidates = list_candidates (axes, breakdown);
  add_waits (candidates, collectives);
  g_autoptr (GArray) leaders = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint i = 0; i < candidates->len; i++) {
    const Candidate *own = &g_array_index (candidates, Candidate, i), *leader = NULL;
    for (guint k = 0; k < leaders->len && leader == NULL; k++)
      if (are_alike (&g_array_index (leaders, Candidate, k), own))
        leader = &g_array_index (leaders, Candidate, k);
    if (leader == NULL)
      g_array_append_val (leaders, *own);
    else
      g_array_append_val (alike, ((LoomAlikeRank) { own->place->rank, leader->place->rank }));
  }
  return alike;
}
