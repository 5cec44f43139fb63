/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank is late how often, by how much, and what it did just before. Any thread. The caller owns what it makes; texts are
 * borrowed from the run of the collectives, which are kept.
 *
 * Sums are of what lies in the range of the collectives; medians and maxima are of whole times.
 *
 *   others waited        = its share of what the members of its collectives waited: each moment is shared equally among those
 *                          who have not come yet (loom-wait-attribution.h); over all ranks it adds up to all waits
 *   lateness of a member = its arrival − that of the first
 *   behind               = its arrival − that of the member in the middle
 *   before               = of what it did since its collective before, the name it spent most more time on than the member in
 *                          the middle did since its own, over the collectives it was at least half as far behind in as the last;
 *                          before their first one: since the records of both had begun
 *   correlation          = Pearson's r, over all its collectives, of how far behind it is with how long `before` ran since the
 *                          one before, or since its record began
 */
#pragma once

#include "loom-collectives.h"

typedef struct {
  gint rank;
  guint32 trace;      /* trace of the rank's first member */
  guint n, n_last;    /* number of collectives it took part in, and in which it arrived last */
  gint64 wait_ns;     /* total time that it waited */
  gint64 transfer_ns; /* total transfer time of its collectives */
  gint64 others_ns;   /* total time that others waited for it */
  gint64 latest_ns;   /* greatest lateness of the rank */
  gint64 late_ns;     /* sum of late_by over the collectives in which it was last */
  /* median and maximum of late_by over the collectives in which it was last; 0: it never was */
  gint64 late_median_ns, late_max_ns;
  /* number of the collective in which others waited longest for it; G_MAXUINT: they never waited for it */
  guint worst;
  const char *before; /* name, see above; NULL: nothing recorded */
  gint64 before_ns;   /* extra time under that name, in total */
  /* TRUE if `before` ran on the host: its devices explain less than half of how far behind it was */
  gboolean on_host;
  double correlation; /* NaN: fewer than LOOM_STRAGGLERS_LEAST collectives, or no variation */
} LoomStraggler;

#define LOOM_STRAGGLERS_LEAST 5

/* `before` and `correlation` are computed only for this many ranks: those that come latest. */
#define LOOM_STRAGGLERS_LOOKED_AT 16

typedef struct _LoomStragglers LoomStragglers;

/* O(members), and O(spans) for the examined ranks and the ranks in the middle. NULL only when cancelled. */
LoomStragglers *loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable);
void loom_stragglers_free (LoomStragglers *stragglers);

/* Sorted by others_ns, largest first, then by rank. There is one entry for each rank: files of the same rank that
 * follow one another share it. Each trace of unknown rank has its own entry. */
const LoomStraggler *loom_stragglers_get (const LoomStragglers *stragglers, guint *n);
LoomCollectives *loom_stragglers_get_collectives (const LoomStragglers *stragglers); /* borrowed */

/* Sums over all collectives. */
gint64 loom_stragglers_get_wait (const LoomStragglers *stragglers);     /* waits of all members */
gint64 loom_stragglers_get_transfer (const LoomStragglers *stragglers); /* transfer × members */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStragglers, loom_stragglers_free)
