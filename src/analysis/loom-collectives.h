/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives across ranks: when each rank arrived, who came last, how long each waited, how long the transfer took. All of a
 * run's are matched (loom-matching.h); members whose clocks nothing connects are of different runs and make collectives of
 * their own. Immutable, ref-counted atomically, any thread.
 *
 *   arrival_r  = start of rank r's kernel, timeline         wait_r   = max over ranks of arrival − arrival_r
 *   transfer   = median over ranks of end − last arrival, never below 0
 *   late_by    = last arrival − the one before it: what this one rank alone cost the others
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

G_BEGIN_DECLS

typedef struct {
  gint rank;          /* −1 unknown */
  guint32 trace;      /* of the run */
  guint32 track;      /* of the trace; G_MAXUINT32 unknown */
  guint clock;        /* flat number in the run */
  gint64 arrival_ns;  /* timeline */
  gint64 end_ns;      /* timeline */
  gint64 wait_ns;     /* ≥ 0 */
} LoomCollectiveMember;

typedef struct {
  const char *name;   /* borrowed from the run, like `group`; "" unknown */
  const char *group;
  gint64 sequence;    /* LOOM_SEQUENCE_NONE */
  guint first, n;     /* members, by arrival; n ≥ 2 */
  gint64 arrival_ns;  /* of the last, timeline */
  gint64 end_ns;      /* median of the ends */
  gint64 transfer_ns;
  gint64 late_by_ns;
} LoomCollective;

/* How a rank did in all collectives it took part in. */
typedef struct {
  gint rank;
  guint32 trace;       /* of the first of its members */
  guint n, n_last;     /* took part in; came last in */
  gint64 wait_ns;      /* sum of its waits */
  gint64 late_ns;      /* sum of late_by where it was last */
  gint64 late_median_ns, late_max_ns; /* of these; 0 when it never was */
  const char *before;  /* what its devices did most of the time they were late by, borrowed; NULL: nothing */
  gint64 before_ns;    /* so long */
} LoomStraggler;

typedef struct _LoomCollectives LoomCollectives;

/* Cost: O(collectives · ranks), and O(log spans) per device track for each that somebody was late to. NULL only when
 * cancelled. */
LoomCollectives *loom_collectives_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomCollectives *loom_collectives_ref (LoomCollectives *collectives);
void loom_collectives_unref (LoomCollectives *collectives);

/* By last arrival. */
const LoomCollective *loom_collectives_get (const LoomCollectives *collectives, guint *n);
const LoomCollectiveMember *loom_collectives_get_members (const LoomCollectives *collectives, const LoomCollective *collective);

/* The latest first: by late_ns, then by rank. One for each rank; files of one rank that follow one another are one, ranks that
 * are unknown are one for each trace. */
const LoomStraggler *loom_collectives_get_stragglers (const LoomCollectives *collectives, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectives, loom_collectives_unref)

G_END_DECLS
