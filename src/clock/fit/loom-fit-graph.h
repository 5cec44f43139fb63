/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: a graph of clocks and the common events that they recorded. The graph also contains the moment
 * of each event, which is the time of the event according to the current lines of the clocks.
 */
#pragma once

#include "loom-clock-fit.h"

/* An edge from a clock to a common event that the clock recorded. It has the clock's reading of the event (a local
 * time), and the index of this reading. */
typedef struct {
  gint64 local_ns;
  guint32 reading;
} LoomGraphEdge;

/* When processes began to wait at a common event: the latest and the second latest of these times, mapped to the
 * time of the reference. Counts only processes whose clocks belong to the component. */
typedef struct {
  /* the latest and the second latest time at which a process began to wait, in ns; LOOM_TIME_NONE if unknown */
  gint64 last_ns, second_ns;
  guint32 last_clock;
} LoomArrivals;

typedef struct {
  const LoomEvidence *evidence;
  const LoomClockObservation *readings;
  const LoomSimultaneity *occasions;
  guint n_clocks, n_occasions;
  LoomGraphEdge *edges; /* edges, sorted by clock, then by local time */
  /* for each clock, the index in `edges` of its first edge; after the last clock, the length of `edges` */
  guint32 *first_edge;
  LoomClockLine *lines; /* for each clock, its line; valid if placed[clock] is TRUE */
  guint8 *placed;       /* for each clock, TRUE if it belongs to the current component */
  /* for each common event, its moment: the median of the readings of placed clocks, mapped to the time of the
   * reference; LOOM_TIME_NONE if no placed clock recorded the event */
  gint64 *moment_ns;
  guint32 *n_members;     /* for each common event, the number of placed clocks that recorded it */
  LoomArrivals *arrivals; /* for each common event, the result of the last call of loom_fit_graph_update_arrivals() */
} LoomGraph;

LoomGraph *loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads);
void loom_fit_graph_free (LoomGraph *graph);

/* Resets the graph: no clock is placed (has a line), and the moments (times) of all common events are unknown. */
void loom_fit_graph_reset (LoomGraph *graph);

/* Recomputes the moments (`moment_ns`) of all common events from the readings of placed clocks (clocks that have a
 * line). */
void loom_fit_graph_update (LoomGraph *graph, guint n_threads);
/* Like loom_fit_graph_update(), but only for the common events that at least one of `clocks` recorded. */
void loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads);

/* Returns the moment of the common event to which `reading` belongs. A moment is the median of the readings of the
 * placed clocks (clocks that have a line), mapped to the time of the reference. If few placed clocks recorded the
 * event, the median excludes `reading` itself. If many placed clocks recorded it, the median includes `reading`,
 * because one reading hardly changes the median. Returns LOOM_TIME_NONE if no other placed clock recorded the event. */
gint64 loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading);

/* For each common event, recomputes the latest times at which processes began to wait for the event (`arrivals`).
 * Counts only processes whose clocks are placed (have a line). */
void loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads);

/* Returns the time at which the last of the other processes began to wait at a common event, mapped to the time of
 * the reference; LOOM_TIME_NONE if unknown. `reading`: index of a reading of the event; the process of this
 * reading's clock is not counted. Counts only processes whose clocks belong to the component. O(1). */
gint64 loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading);

/* The pairs of one clock, in order of local time. A pair is two times of a common event: the reading of the clock
 * (`local_ns`), and the moment of the event in the time of the reference (`target_ns`). */
typedef struct {
  LoomClockSamples pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} LoomClockPairs;

/* Collects the pairs of times (LoomClockPairs) of a clock. `of_others`: if TRUE, the moments of events are computed
 * only from the readings of other clocks; if FALSE, from the readings of all placed clocks. O(readings of the
 * clock). */
void loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others);
void loom_fit_graph_pairs_clear (LoomClockPairs *own);
/* Returns TRUE if there are enough pairs of times, over a long enough time, to fit a drift. */
gboolean loom_fit_graph_pairs_may_drift (const LoomClockPairs *own);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGraph, loom_fit_graph_free)
