/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks for which the other ranks wait, when they are late, and what this costs. These are the ranks that the page
 * "Stragglers" names: the stragglers of a LoomSlowdown; if there are none, the ranks that are late because of their
 * hosts; if the slowdown is unknown, the rank for which the others wait longest, unless they hardly wait. Any thread.
 */
#pragma once

#include "loom-slowdown.h"

typedef enum {
  /* it computes longer than is typical; `cost_ns`: what repairing it would save per step or, if `step` is known, in
   * total */
  LOOM_LATENESS_SLOW,
  LOOM_LATENESS_HOST,    /* its host holds it up; `cost_ns`: its largest lateness in one collective */
  LOOM_LATENESS_AWAITED, /* the reason is unknown; `cost_ns`: how long all others wait for it, in total */
} LoomLatenessKind;

typedef struct {
  LoomLatenessKind kind;
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* ≥ 0 */
  guint32 trace;    /* a trace with events of the rank */
  gint64 cost_ns;   /* see LoomLatenessKind; 0: unknown */
  gint64 step;      /* number of the step in which most of this time is lost; −1: there is no such step */
  /* LoomRange, ascending, timeline ns. For LOOM_LATENESS_SLOW the steps in which the rank computes at least half as
   * much too long as in its worst step; otherwise the times from the first arrival to the arrival of the rank, of those
   * collectives in which it comes at least half as late as in the worst one */
  GArray *ranges;
} LoomRankLateness;

/* Returns an array of LoomRankLateness: stragglers begin with the most costly one, ranks that are late because of their
 * hosts are sorted by number; empty if no rank is late. `stragglers` must be of the
 * same collectives. Owned by the caller; NULL only when cancelled. O(collectives + steps · stragglers), after
 * loom_slowdown_get(). */
GArray *loom_late_ranks_find (const LoomCollectives *collectives, const LoomStragglers *stragglers,
                              GCancellable *cancellable);
