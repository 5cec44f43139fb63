/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: a graph of clocks and the common events that they recorded, with the moment of each event,
 * that is, its time according to the current lines of the clocks.
 */
#pragma once

#include "loom-clock-fit.h"

/* An edge from a clock to a common event that the clock recorded. It has the local time of the clock's reading of the
 * event, and the index of this reading. */
typedef struct {
  gint64 local_ns;
  guint32 reading;
} LoomGraphEdge;

/* The two latest times at which processes began to wait at a common event, mapped to the reference's time. Only
 * processes whose clocks belong to the component count. */
typedef struct {
  gint64 last_ns, second_ns; /* the latest time and the second latest time, in ns; LOOM_TIME_NONE: unknown */
  guint32 last_clock;
} LoomArrivals;

typedef struct {
  const LoomEvidence *evidence;
  const LoomClockObservation *readings;
  const LoomSimultaneity *occasions;
  guint n_clocks, n_occasions;
  LoomGraphEdge *edges; /* sorted by clock, then by local time */
  /* [clock] index in `edges` of the clock's first edge; the last element is the length of `edges` */
  guint32 *first_edge;
  LoomClockLine *lines; /* [clock] line of the clock; valid if placed[clock] is TRUE */
  guint8 *placed;       /* [clock] TRUE if the clock belongs to the current component */
  /* [common event] moment of the event: the median of the readings of placed clocks, mapped to the reference's time;
   * LOOM_TIME_NONE: no placed clock recorded it */
  gint64 *moment_ns;
  guint32 *n_members;     /* [common event] number of placed clocks that recorded the event */
  LoomArrivals *arrivals; /* [common event] results of the latest call of loom_fit_graph_update_arrivals() */
} LoomGraph;

LoomGraph *loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads);
void loom_fit_graph_free (LoomGraph *graph);

/* Resets the graph: no clock is placed, and no moment is known. */
void loom_fit_graph_reset (LoomGraph *graph);

/* Recomputes the moments (`moment_ns`) of all common events from the readings of placed clocks. */
void loom_fit_graph_update (LoomGraph *graph, guint n_threads);
/* Recomputes the moments of only those common events that at least one of `clocks` recorded. */
void loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads);

/* Returns the moment of the event to which a reading belongs, computed from the readings of the other placed clocks. If
 * many placed clocks recorded the event, this reading is included, because it hardly changes the median. LOOM_TIME_NONE
 * if no other placed clock recorded the event. */
gint64 loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading);

/* Recomputes, for each common event, the latest times at which processes with a placed clock began to wait for the
 * event (`arrivals`). */
void loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads);

/* Returns the time at which the last of the other processes began to wait at a common event, mapped to the reference's
 * time; LOOM_TIME_NONE: unknown. `reading`: index of a reading of the event; the process whose clock made this reading
 * does not count. Only processes whose clocks belong to the component count. O(1). */
gint64 loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading);

/* The pairs of one clock, in order of local time. A pair has two times of one common event: the clock's own reading
 * (`local_ns`) and the moment of the event in the reference's time (`target_ns`). */
typedef struct {
  LoomClockSamples pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} LoomClockPairs;

/* Collects the pairs of a clock. `of_others`: TRUE to compute moments only from the readings of other clocks; FALSE:
 * from those of all placed clocks. O(readings of the clock). */
void loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others);
void loom_fit_graph_pairs_clear (LoomClockPairs *own);
/* Returns TRUE if there are enough pairs, over enough time, to fit a drift. */
gboolean loom_fit_graph_pairs_may_drift (const LoomClockPairs *own);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGraph, loom_fit_graph_free)
