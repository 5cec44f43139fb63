/* SPDX-License-Identifier: Apache-2.0
 *
 * How a job is split over its ranks: the groups of ranks that take part in the same collectives or messages, the
 * parallel axis of each group (loom-parallel-axis.h), and the coordinates of each rank.
 *
 *   groups       The description of a process group may state its axis. Otherwise the axis is guessed. A group with
 *                mostly all-to-all collectives is an expert group. A group with transfers of known size is a tensor or
 *                a data group: it is tensor if its ranks are consecutive and it has many collectives, else data. Many
 *                means at least TENSOR_FACTOR times the mean number of collectives of the groups whose ranks are not
 *                consecutive. If there are no such groups, it means at least the mean number of messages of a rank.
 *                Ranks that send messages to each other form a pipeline, in the order of its stages.
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
  /* Number of ranks of the group whose files are not open. For a pipeline, this number is unknown, so another number is
   * stored: the number of ranks of the pipeline that have an open file and exchange messages with ranks that have
   * none. */
  guint n_missing;
  gint64 transfer_ns; /* total transfer time of the group's collectives and messages in the range, without waiting */
} LoomParallelGroup;

typedef struct {
  guint size;   /* number of ranks in each group; 0: the axis is not used, or its groups differ in size */
  guint stride; /* difference between the numbers of neighbouring ranks in a group; 0: the difference is not constant */
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

/* Returns the coordinates of a rank. NULL: the rank is not in any group. O(log ranks). */
const LoomParallelRank *loom_parallel_axes_find (const LoomParallelAxes *axes, gint rank);

/* Returns a table: rank (GINT_TO_POINTER) → index in `groups`, plus 1, of the group to which the rank belongs on the
 * axis. A rank can be in several groups on one axis. For example, a rare collective of more ranks looks like a larger
 * group, and a collective in which a rank is missing looks like a smaller one. Therefore only some groups are
 * considered: those that have at least a quarter of the collectives and messages of the rank's most active group. Of
 * these, the largest is used; of equally large groups, the first. Owned by the caller. O(sum of the sizes of all
 * groups). */
GHashTable *loom_parallel_axes_index_groups (const LoomParallelAxes *axes, LoomParallelAxis axis);

/* Returns the ranks of a group as text, for example "1, 5" or "0–7". The text lists at most eight ranks or ranges of
 * consecutive ranks; "…" replaces the others. Owned by the caller. */
char *loom_parallel_axes_dup_ranks (const LoomParallelAxes *axes, const LoomParallelGroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomParallelAxes, loom_parallel_axes_free)
