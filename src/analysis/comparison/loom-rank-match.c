/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-match.h"

static const LoomRankSteps *
find_by_number (const LoomRankSteps *rank, const LoomStepBreakdown *second)
{
  const LoomRankSteps *found = NULL;
  guint n_found = 0;
  for (guint i = 0; i < second->n_ranks; i++) {
    const LoomRankSteps *other = &second->ranks[i];
    if (other->rank != rank->rank || other->is_process != rank->is_process)
      continue;
    if (g_strcmp0 (other->node, rank->node) == 0)
      return other;
    found = other;
    n_found++;
  }
  return n_found == 1 ? found : NULL;
}

/* Returns TRUE if the number of `rank` is a process id (LoomRankSteps.is_process), and `rank` is on the node of the
 * rank `of`. If `all` is TRUE, the node does not matter. */
static gboolean
is_candidate (const LoomRankSteps *rank, const LoomRankSteps *of, gboolean all)
{
  return rank->is_process && (all || g_strcmp0 (rank->node, of->node) == 0);
}

static guint
count_candidates (const LoomStepBreakdown *breakdown, guint end, const LoomRankSteps *of, gboolean all)
{
  guint n = 0;
  for (guint i = 0; i < end; i++)
    n += is_candidate (&breakdown->ranks[i], of, all);
  return n;
}

static gboolean
have_common_node (const LoomStepBreakdown *first, const LoomStepBreakdown *second)
{
  for (guint i = 0; i < first->n_ranks; i++)
    if (count_candidates (second, second->n_ranks, &first->ranks[i], FALSE) > 0)
      return TRUE;
  return FALSE;
}

/* Matches ranks whose numbers are process ids by their order: if first->ranks[i] is the k-th candidate (is_candidate())
 * of `first`, returns the k-th candidate of `second`. NULL: the runs have different numbers of candidates. */
static const LoomRankSteps *
find_by_order (const LoomStepBreakdown *first, guint i, const LoomStepBreakdown *second, gboolean all)
{
  const LoomRankSteps *rank = &first->ranks[i];
  guint left = count_candidates (first, i, rank, all);
  if (count_candidates (first, first->n_ranks, rank, all) != count_candidates (second, second->n_ranks, rank, all))
    return NULL;
  for (guint k = 0; k < second->n_ranks; k++)
    if (is_candidate (&second->ranks[k], rank, all) && left-- == 0)
      return &second->ranks[k];
  return NULL;
}

const LoomRankSteps *
loom_rank_match_find (const LoomStepBreakdown *first, guint i, const LoomStepBreakdown *second)
{
  const LoomRankSteps *rank = &first->ranks[i], *found = NULL;
  if (rank->rank < 0 && (first->n_ranks > 1 || second->n_ranks > 1))
    return NULL;
  if (rank->is_process)
    found = find_by_order (first, i, second, FALSE);
  if (rank->is_process && found == NULL && !have_common_node (first, second))
    found = find_by_order (first, i, second, TRUE);
  return found != NULL ? found : find_by_number (rank, second);
}
