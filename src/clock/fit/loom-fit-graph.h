/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: the evidence by clock, and the moments of its occasions under the current lines.
 */
#pragma once

#include "loom-clock-fit.h"

/* A reading in the list of its clock. */
typedef struct {
  gint64 local_ns;
  guint32 reading;
} LoomGraphEdge;

/* The two latest arrivals of an occasion's members, mapped to the reference. */
typedef struct {
  gint64 last_ns, second_ns; /* LOOM_TIME_NONE for none */
  guint32 last_clock;
} LoomArrivals;

typedef struct {
  const LoomEvidence *evidence;
  const LoomClockObservation *readings;
  const LoomSimultaneity *occasions;
  guint n_clocks, n_occasions;
  LoomGraphEdge *edges;   /* clock after clock, by local time */
  guint32 *first_edge;    /* per clock: its first edge in `edges`; one more element marks the end */
  LoomClockLine *lines;   /* per clock: its line, if it is placed */
  guint8 *placed;         /* per clock: TRUE if it is a member of the current component */
  gint64 *moment_ns;      /* per occasion: its moment; LOOM_TIME_NONE if no member read it */
  guint32 *n_members;     /* per occasion: number of readings of members */
  LoomArrivals *arrivals; /* per occasion: as loom_fit_graph_update_arrivals() computed them last */
} LoomGraph;

LoomGraph *loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads);
void loom_fit_graph_free (LoomGraph *graph);

/* Resets the graph: no clock is placed, and no moment is known. */
void loom_fit_graph_reset (LoomGraph *graph);

/* Recomputes the moments of all occasions from the placed clocks. */
void loom_fit_graph_update (LoomGraph *graph, guint n_threads);
/* Recomputes only the moments of occasions that `clocks` read. */
void loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads);

/* Returns the moment of a reading's occasion without the reading's own clock; with many members, including it, because it
 * hardly counts. LOOM_TIME_NONE if there is no other member. */
gint64 loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading);

/* Recomputes the arrivals of all occasions from the placed clocks. */
void loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads);

/* Returns the latest arrival of the other members; LOOM_TIME_NONE if none is known. O(1). */
gint64 loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading);

/* The pairs of one clock, by its local time. */
typedef struct {
  LoomClockSamples pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} LoomClockPairs;

/* `of_others`: the targets are the moments without the clock's own readings; else the moments of all members. O(readings
 * of the clock). */
void loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others);
void loom_fit_graph_pairs_clear (LoomClockPairs *own);
/* Returns whether there are enough pairs, over enough time, to fit a drift. */
gboolean loom_fit_graph_pairs_may_drift (const LoomClockPairs *own);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGraph, loom_fit_graph_free)
