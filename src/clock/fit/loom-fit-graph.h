/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: the evidence by clock, and the moments of its common events under the current lines.
 */
#pragma once

#include "loom-clock-fit.h"

/* A reading of a clock. Edges are sorted by clock. */
typedef struct {
  gint64 local_ns;
  guint32 reading;
} LoomGraphEdge;

/* The two latest arrivals of members at a common event, mapped to the reference. */
typedef struct {
  gint64 last_ns, second_ns; /* LOOM_TIME_NONE: there is none */
  guint32 last_clock;
} LoomArrivals;

typedef struct {
  const LoomEvidence *evidence;
  const LoomClockObservation *readings;
  const LoomSimultaneity *occasions;
  guint n_clocks, n_occasions;
  LoomGraphEdge *edges;   /* sorted by clock, then local time */
  guint32 *first_edge;    /* [clock] index of its first edge in `edges`; one more element marks the end */
  LoomClockLine *lines;   /* [clock] its line, if it is placed */
  guint8 *placed;         /* [clock] TRUE if it is a member of the current component */
  gint64 *moment_ns;      /* [occasion] its moment: median of the members' mapped readings; LOOM_TIME_NONE: none */
  guint32 *n_members;     /* [occasion] number of members that have a reading */
  LoomArrivals *arrivals; /* [occasion] as loom_fit_graph_update_arrivals() computed them last */
} LoomGraph;

LoomGraph *loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads);
void loom_fit_graph_free (LoomGraph *graph);

/* Resets the graph: no clock is placed, and no moment is known. */
void loom_fit_graph_reset (LoomGraph *graph);

/* Recomputes the moments of all common events from the readings of placed clocks. */
void loom_fit_graph_update (LoomGraph *graph, guint n_threads);
/* Recomputes only the moments of common events of which `clocks` have readings. */
void loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads);

/* Returns the moment of a reading's event, computed without this reading; if there are many members, including it,
 * because it hardly changes the median. LOOM_TIME_NONE if there is no other member. */
gint64 loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading);

/* Recomputes the arrivals of all common events from the readings of placed clocks. */
void loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads);

/* Returns the latest arrival of the other members at a reading's event; LOOM_TIME_NONE: unknown. O(1). */
gint64 loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading);

/* The pairs of one clock, in order of local time: a reading of the clock, and the moment of its event on the
 * reference (the target). */
typedef struct {
  LoomClockSamples pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} LoomClockPairs;

/* Collects the pairs of a clock. `of_others`: targets are computed without the clock's own readings; otherwise from
 * the readings of all members. O(readings of the clock). */
void loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others);
void loom_fit_graph_pairs_clear (LoomClockPairs *own);
/* Returns TRUE if there are enough pairs, over enough time, to fit a drift. */
gboolean loom_fit_graph_pairs_may_drift (const LoomClockPairs *own);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGraph, loom_fit_graph_free)
