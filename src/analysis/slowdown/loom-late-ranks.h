/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks for which the other ranks wait, the times at which these ranks are late, and the cost. The page
 * "Stragglers" shows the same ranks. Usually, these are the stragglers of a LoomSlowdown; if there are none, the ranks
 * that are late because of their hosts; if there are none, the rank that loom_late_ranks_find_unequal() returns. If the
 * slowdown is unknown, there is at most one such rank: the rank for which the others wait longest, provided that they
 * wait long enough. Any thread.
 */
#pragma once

#include "loom-slowdown.h"

typedef enum {
  /* the rank computes longer than is typical; `cost_ns`: the time that repairing the rank would save: in total if
   * `step` is known, otherwise per step */
  LOOM_LATENESS_SLOW,
  /* the host of the rank delays the rank; `cost_ns`: largest lateness of the rank in a collective */
  LOOM_LATENESS_HOST,
  /* the rank runs other or more kernels, its devices are idle longer, or the reason is unknown; `cost_ns`: sum of
   * the times that all other ranks wait for the rank */
  LOOM_LATENESS_AWAITED,
} LoomLatenessKind;

typedef struct {
  LoomLatenessKind kind;
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* ≥ 0 */
  guint32 trace;    /* a trace with events of the rank */
  gint64 cost_ns;   /* cost of the lateness, see LoomLatenessKind; 0: unknown */
  gint64 step; /* number of the step in which most of the time `cost_ns` is lost; −1: it is not lost in a single step */
  /* LoomRange, ascending, timeline ns. For LOOM_LATENESS_SLOW: the steps in which the rank is slow, see
   * loom_slowdown_list_slow_steps(). For the other kinds: one range for each collective in which the rank is very late,
   * from the first arrival of any rank to the arrival of this rank; very late means at least half as late as in the
   * collective in which the rank is latest. */
  GArray *ranges;
} LoomRankLateness;

/* Returns an array of LoomRankLateness. Stragglers are sorted by cost, highest first; ranks that are late because of
 * their hosts are sorted by number. Empty: no rank is late. `stragglers` must have been computed from `collectives`.
 * Owned by the caller; NULL only when cancelled. O(collectives + steps · stragglers), after loom_slowdown_get(). */
GArray *loom_late_ranks_find (const LoomCollectives *collectives, const LoomStragglers *stragglers,
                              GCancellable *cancellable);

/* Returns the rank for which the other ranks wait longest if there is no straggler, and the kernels and idle times
 * of this rank together take longer than on the other ranks; sets `cause` to the cause, of any kind. Two waits must take
 * at least a twentieth of the time of the steps in the range of `stragglers`: the mean wait of all ranks, and the mean
 * wait for this rank of the members of its largest group. Returns NULL if there is no such rank, or if the
 * slowdown does not fit. */
const LoomStraggler *loom_late_ranks_find_unequal (const LoomSlowdown *slowdown, const LoomStragglers *stragglers,
                                                   const LoomSlowdownCause **cause);
