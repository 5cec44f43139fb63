/* SPDX-License-Identifier: Apache-2.0
 *
 * How a job is split over its ranks: the groups of ranks that take part in the same collectives or messages, the
 * parallel axis of each group (loom-parallel-axis.h), and the coordinates of each rank.
 *
 *   groups       The description of a process group may state its axis. Otherwise the axis is guessed. A group with
 *                mostly all-to-all collectives is expert. A group with transfers of known size is tensor or data: it
 *                is tensor if its ranks are consecutive and it has many collectives, namely at least TENSOR_FACTOR
 *                times the mean number of the groups whose ranks are not consecutive (if there are no such groups:
 *                at least as many collectives as a rank has messages on average). Ranks that send messages to each
 *                other form a pipeline, in the order of its stages.
 *   coordinate   position of a rank in its group on an axis
 *   grid         TRUE if the sizes of all axes except expert multiply to the number of ranks, and each rank is in one
 *                group on each axis
 *
 * Only ranks whose files are open are listed. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-parallel-axis.h"

typedef struct {
  LoomParallelAxis axis;
  /* TRUE: the group's description states the axis; FALSE: it was guessed from the group's collectives */
  gboolean stated;
  /* the group's ranks: elements [first_rank, first_rank + n_ranks) of LoomParallelAxes.ranks; ascending, or, for a
   * pipeline, in the order of its stages */
  guint first_rank, n_ranks;
  guint n; /* number of collectives and messages of the group */
  /* Number of ranks that belong to the group, but of which no file is open. For a pipeline, this number is unknown.
   * Then this is the number of the pipeline's open ranks that exchange messages with ranks of which no file is open. */
  guint n_missing;
  gint64 transfer_ns; /* total transfer time of the group's collectives and messages in the range, without waiting */
} LoomParallelGroup;

typedef struct {
  guint size;   /* number of ranks in each group; 0: the axis is not used, or its groups differ in size */
  guint stride; /* difference between the numbers of neighbouring ranks in a group; 0: the difference varies */
  guint n_groups;
} LoomParallelAxisSize;

typedef struct {
  gint rank;
  /* [axis] the rank's position in its group on the axis, from 0; −1: the rank has no group on the axis */
  gint coordinates[LOOM_N_PARALLEL_AXES];
} LoomParallelRank;

typedef struct {
  GArray *groups; /* LoomParallelGroup, sorted by axis, then by first rank */
  GArray *ranks;  /* gint: the ranks of all groups */
  GArray *all;    /* LoomParallelRank: each rank that is in a group, ascending */
  LoomParallelAxisSize sizes[LOOM_N_PARALLEL_AXES];
  gboolean is_grid;
  guint8 *axis_of; /* [index of a collective in the LoomCollectives] the collective's LoomParallelAxis */
} LoomParallelAxes;

/* Guesses the axes from the collectives and messages. O(collectives · ranks + messages). NULL only when cancelled. */
LoomParallelAxes *loom_parallel_axes_new (LoomCollectives *collectives, GCancellable *cancellable);
/* Returns the parallel axes of the collectives; the first call computes them. Borrowed from the collectives; NULL only
 * when cancelled. */
const LoomParallelAxes *loom_parallel_axes_get (const LoomCollectives *collectives, GCancellable *cancellable);
void loom_parallel_axes_free (LoomParallelAxes *axes);

/* Returns the coordinates of a rank; NULL if it is not in any group. O(log ranks). */
const LoomParallelRank *loom_parallel_axes_find (const LoomParallelAxes *axes, gint rank);

/* Returns a table: rank (GINT_TO_POINTER) → index in `groups` of the rank's group on the axis, plus 1. A rank can be
 * in several groups on one axis: a rare collective of more ranks looks like a larger group, and a collective that a
 * rank missed looks like a smaller one. Therefore groups with less than a quarter as many collectives and messages
 * as the rank's most frequent group are ignored. Of the remaining groups, the largest is used; of equally large
 * groups, the first. Owned by the caller. O(ranks of groups). */
GHashTable *loom_parallel_axes_index_groups (const LoomParallelAxes *axes, LoomParallelAxis axis);

/* Returns the ranks of a group, separated by ", ": "1, 5", "0–7". A ninth element and the following ones are replaced
 * by "…". Owned by the caller. */
char *loom_parallel_axes_dup_ranks (const LoomParallelAxes *axes, const LoomParallelGroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomParallelAxes, loom_parallel_axes_free)
