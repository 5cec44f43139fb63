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

G_BEGIN_DECLS

typedef struct {
  gint rank;
  guint32 trace;                      /* of the first of its members */
  guint n, n_last;                    /* took part in; came last in */
  gint64 wait_ns;                     /* sum of its waits */
  gint64 transfer_ns;                 /* sum of the transfers it took part in */
  gint64 others_ns;                   /* others waited so long for it */
  gint64 latest_ns;                   /* its greatest lateness */
  gint64 late_ns;                     /* sum of late_by where it was last */
  gint64 late_median_ns, late_max_ns; /* of these; 0 when it never was */
  guint worst;        /* the collective others waited longest for it in; G_MAXUINT when they never did */
  const char *before; /* NULL: nothing that is recorded */
  gint64 before_ns;   /* so much longer, in all */
  gboolean on_host;   /* that was its processor's: its devices explain less than half of how far behind it was */
  double correlation; /* NaN: fewer than LOOM_STRAGGLERS_LEAST collectives, or no difference among them */
} LoomStraggler;

#define LOOM_STRAGGLERS_LEAST 5

/* What was before, and its correlation, is worked out for so many, the latest. */
#define LOOM_STRAGGLERS_LOOKED_AT 16

typedef struct _LoomStragglers LoomStragglers;

/* Cost: O(members), and O(spans) of the ranks that are in the middle and that are looked at. NULL only when cancelled. */
LoomStragglers *loom_stragglers_new (LoomCollectives *collectives, GCancellable *cancellable);
void loom_stragglers_free (LoomStragglers *stragglers);

/* The latest first: by others_ns, then by rank. One for each rank; files of one rank that follow one another are one, ranks that
 * are unknown are one for each trace. */
const LoomStraggler *loom_stragglers_get (const LoomStragglers *stragglers, guint *n);
LoomCollectives *loom_stragglers_get_collectives (const LoomStragglers *stragglers); /* borrowed */

/* Sums over all collectives. */
gint64 loom_stragglers_get_wait (const LoomStragglers *stragglers);     /* of all members */
gint64 loom_stragglers_get_transfer (const LoomStragglers *stragglers); /* of all members: transfer × members */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStragglers, loom_stragglers_free)

G_END_DECLS
