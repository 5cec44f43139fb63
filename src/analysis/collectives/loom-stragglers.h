/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks are late to collectives, how often, by how much, and what they did just before. Any thread. Texts are
 * borrowed from the run; LoomStragglers keeps a reference to the collectives.
 *
 * Sums count only the time inside the range of the collectives; medians and maxima are of whole times.
 *
 *   others waited  share of the rank in all waits, see loom-rank-order.h; the shares of all ranks add up to all
 *                  waits
 *   lateness       arrival of a member minus the arrival of the first member
 *   behind         arrival of a member minus the arrival of the member in the middle
 *   before         the name under which the late rank spent more time than the rank in the middle; of several names the
 *                  one with the largest difference. Compares the time of each rank since its previous collective, or
 *                  before the first collectives the time that both recorded. Uses the collectives in which the rank was
 *                  at least half as far behind as the last rank.
 *   correlation    Pearson's r between two numbers for each collective of the rank: how far behind it was, and how long
 *                  `before` ran since its previous collective (or since its recording began)
 */
#pragma once

#include "loom-collectives.h"

typedef struct {
  gint rank;
  guint32 trace;      /* trace of the rank's first member */
  guint n, n_last;    /* number of collectives it took part in, and in which it arrived last */
  gint64 wait_ns;     /* total time that the rank waited */
  gint64 transfer_ns; /* total transfer time of its collectives */
  gint64 others_ns;   /* total time that others waited for it */
  gint64 latest_ns;   /* greatest lateness of the rank */
  gint64 late_ns;     /* sum of late_by over the collectives in which it was last */
  /* median and maximum of late_by over the collectives in which it was last; 0: it never was */
  gint64 late_median_ns, late_max_ns;
  /* number of the collective in which others waited longest for it; G_MAXUINT: they never waited for it */
  guint worst;
  const char *before; /* the name `before` of the table at the top of this file; NULL: nothing recorded */
  gint64 before_ns;   /* extra time under that name, in total */
  /* TRUE if `before` ran on the host: its devices explain less than half of how far behind it was */
  gboolean on_host;
  double correlation; /* NaN: fewer than LOOM_STRAGGLERS_LEAST collectives, or no variation */
} LoomStraggler;

#define LOOM_STRAGGLERS_LEAST 5

/* `before` and `correlation` are computed only for this many ranks: those that come latest. */
#define LOOM_STRAGGLERS_LOOKED_AT 16

/* A straggler is one rank. Successive files of a rank belong to the same straggler; each trace of unknown rank has a
 * separate one. */
typedef struct {
  LoomCollectives *collectives;
  const LoomStraggler *ranks;  /* sorted by others_ns, largest first, then by rank */
  guint n_ranks, n_traces;     /* `n_traces`: of the run */
  gint64 wait_ns, transfer_ns; /* sums over all collectives: waits of all members; transfer × members */
  GArray *all;                 /* private: owns `ranks` */
  guint8 **works[2];           /* private: [on host][trace], loom_work_kind_of_names(); NULL until needed */
} LoomStragglers;

/* O(members), and O(spans) for the examined ranks and the ranks in the middle. NULL only when cancelled. */
LoomStragglers *loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable);
void loom_stragglers_free (LoomStragglers *stragglers);

/* Returns the rank whose host does something longer before it comes, among those that others wait for about as long as for
 * the first: a rank behind it in a pipeline is waited for as long as the rank that holds it up. NULL: none. O(ranks). */
const LoomStraggler *loom_stragglers_find_host_delay (const LoomStragglers *stragglers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStragglers, loom_stragglers_free)
