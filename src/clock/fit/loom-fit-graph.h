/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The evidence seen from its clocks, and the moments of its occasions under the lines in force.
 */
#pragma once

#include "loom-clock-fit.h"

/* A reading in the list of its clock. */
typedef struct {
  gint64 local_ns;
  guint32 reading;
} LoomGraphEdge;

/* The last two of an occasion's members to come, mapped. */
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
  guint32 *first_edge;    /* by clock, and one more */
  LoomClockLine *lines;   /* by clock, where it is placed */
  guint8 *placed;         /* by clock: a member of the component at hand */
  gint64 *moment_ns;      /* by occasion: LOOM_TIME_NONE without a member */
  guint32 *n_members;     /* by occasion: readings of members */
  LoomArrivals *arrivals; /* by occasion, as loom_fit_graph_update_arrivals() left them */
} LoomGraph;

LoomGraph *loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads);
void loom_fit_graph_free (LoomGraph *graph);

/* No clock is placed, no moment known. */
void loom_fit_graph_reset (LoomGraph *graph);

/* The moments of all occasions anew, from the clocks that are placed. */
void loom_fit_graph_update (LoomGraph *graph, guint n_threads);
/* Only of those that `clocks` read, which were placed just now. */
void loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads);

/* The moment of a reading's occasion as the others say, that is without its own clock where that has much of a say.
 * LOOM_TIME_NONE when it stands alone. */
gint64 loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading);

/* The arrivals of all occasions, from the clocks that are placed. */
void loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads);

/* The latest arrival of the others; LOOM_TIME_NONE when none is known. O(1). */
gint64 loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading);

/* The pairs of one clock, by its local time. */
typedef struct {
  LoomClockSamples pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} LoomClockPairs;

/* `of_others`: against the moments as the other members see them, else against those of all. O(readings of the clock). */
void loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others);
void loom_fit_graph_pairs_clear (LoomClockPairs *own);
/* Returns whether there are enough pairs, over enough time, to fit a drift. */
gboolean loom_fit_graph_pairs_may_drift (const LoomClockPairs *own);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGraph, loom_fit_graph_free)
