/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks are late to collectives, how often, by how much, and what they did just before. The median rank of a
 * collective is the one in the middle of the order of arrival.
 *
 *   others waited  how long other ranks waited for this rank: its share in the waits, see loom-rank-order.h; the shares
 *                  of all ranks add up to all waits
 *   lateness       arrival of a rank − arrival of the first rank of the collective
 *   behind         arrival of a rank − arrival of the median rank of the collective
 *   before         the span name on which the late rank spent more time before the collective than the median rank; of
 *                  several names, the one with the largest difference. The time since the previous collective of each
 *                  rank is compared; before the first collective, the time in which both ranks were recorded. A
 *                  collective counts only if the rank was at least half as far behind as the last rank.
 *   correlation    correlation about zero, Σxy ÷ √(Σx² Σy²), over the collectives of the rank, of two numbers: how far
 *                  behind the rank was (y), and how much longer than the median rank it spent on `before` since the
 *                  previous collective (x). The means are not subtracted from x and y: if a constant difference of work
 *                  causes a constant delay, the deviations from the means are only noise.
 *
 * Sums count only the time inside the range of the collectives; medians and maxima use whole times. Any thread. Texts
 * are borrowed from the run; LoomStragglers keeps a reference to the collectives.
 */
#pragma once

#include "loom-collectives.h"

typedef struct {
  gint rank;
  /* node of the rank; NULL: unknown. It is stored because ranks of two jobs that are open together can have equal
   * numbers on different nodes. */
  const char *node;
  guint32 trace;       /* trace of the rank's first collective */
  guint32 rank_number; /* see LoomCollectiveMember.rank_number */
  guint n, n_last;     /* number of collectives of the rank; number of collectives in which the rank arrived last */
  guint n_others;      /* number of other ranks in the largest of the rank's collectives */
  gint64 wait_ns;      /* total time that the rank waited */
  gint64 transfer_ns;  /* total transfer time of the rank's collectives */
  gint64 others_ns;    /* total time that other ranks waited for this rank */
  gint64 latest_ns;    /* the longest time by which the rank arrived after the first rank of a collective */
  gint64 late_ns;      /* sum of LoomCollective.late_by_ns over the collectives in which the rank arrived last */
  /* median and maximum of LoomCollective.late_by_ns over the collectives in which the rank arrived last; 0: it never
   * arrived last */
  gint64 late_median_ns, late_max_ns;
  /* index of the collective in which others waited longest for this rank; G_MAXUINT: they never waited for it */
  guint worst;
  /* span name on which the rank spent more time before its late arrivals than the median rank, see `before` at the top
   * of this file; NULL: unknown */
  const char *before;
  gint64 before_ns; /* total time that this rank spent under the name `before`, minus that of the median rank */
  /* `devices_ns`: total time that this rank's devices worked, in spans of all names, minus that of the median rank's
   * devices. `n_names`: number of names in whose spans this rank's devices worked longer than the median rank's
   * devices. Both are set only if before_ns is less than half of behind_ns, but devices_ns is at least half of it;
   * otherwise both are 0. */
  gint64 devices_ns;
  guint n_names;
  /* total time by which the rank arrived after the median rank, in the collectives that were compared to find
   * `before` */
  gint64 behind_ns;
  /* TRUE if `before` is work on the host. It is work on the host if two conditions hold: all work of the rank's devices
   * together explains less than half of its lateness, and a name on the host explains more than any name on the
   * devices. */
  gboolean on_host;
  /* see `correlation` at the top of this file; NaN: the rank has fewer than LOOM_STRAGGLERS_LEAST collectives, or x is
   * 0 in all of its collectives, or y is 0 in all of them */
  double correlation;
} LoomStraggler;

#define LOOM_STRAGGLERS_LEAST 5

/* `before` and `correlation` are computed only for the first LOOM_STRAGGLERS_LOOKED_AT elements of
 * LoomStragglers.ranks. */
#define LOOM_STRAGGLERS_LOOKED_AT 16

/* The stragglers of a run. Each LoomStraggler is one rank, which may have several successive files. A trace of unknown
 * rank is a separate LoomStraggler. */
typedef struct {
  LoomCollectives *collectives;
  const LoomStraggler *ranks; /* sorted by others_ns, largest first, then by rank */
  guint n_ranks, n_traces; /* `n_ranks`: number of elements of `ranks`; `n_traces`: number of all traces of the run */
  /* sums over all collectives. `wait_ns`: waits of all ranks. `transfer_ns`: transfer time × number of ranks. */
  gint64 wait_ns, transfer_ns;
  GArray *all; /* private: owns `ranks` */
  /* private: array of Tally *, indexed by LoomCollectiveMember.rank_number: the sums of the rank with this number; an
   * element is NULL until the rank occurs */
  gpointer *by_number;
  /* private: [0: devices, 1: host][trace] result of loom_counted_names_list(); NULL until it is needed */
  const char ***names[2];
  GHashTable *texts;                 /* private: set of the texts in `names` */
  struct _LoomStragglersMain *mains; /* private: [trace] main thread of a rank of the trace; a cache for one rank */
} LoomStragglers;

/* Finds the stragglers. O(members), plus O(spans) of the first LOOM_STRAGGLERS_LOOKED_AT ranks and of the median ranks
 * with which they are compared. NULL only when cancelled. */
LoomStragglers *loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable);
void loom_stragglers_free (LoomStragglers *stragglers);

/* Returns how much earlier the collectives of the range would begin if the given ranks were repaired. A repaired rank
 * does not work longer on its host under its name `before` than other ranks do. The result is a sum over all
 * collectives, in ns. The saving in a collective is at most: last arrival of all its ranks − last arrival of those of
 * its ranks that are not repaired. Ranks whose `before` is unknown or not on the host are not repaired. The result is
 * an upper limit, because it also counts work that other work hides. O(members), and O(spans) before those collectives
 * in which the given ranks arrive last. */
gint64 loom_stragglers_sum_saving (const LoomStragglers *stragglers, const LoomStraggler *const *ranks, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStragglers, loom_stragglers_free)
