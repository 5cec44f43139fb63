/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives across ranks: when each rank arrived, who came last, how long each waited, how long the transfer took. All of a
 * run's are matched (loom-collective-matching.h); members whose clocks nothing connects are of different runs and make collectives of
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
  gint rank;         /* −1 unknown */
  guint32 trace;     /* of the run */
  guint32 meeting;   /* of the trace */
  guint clock;       /* flat number in the run */
  gint64 arrival_ns; /* timeline */
  gint64 end_ns;     /* timeline */
  gint64 wait_ns;    /* ≥ 0 */
} LoomCollectiveMember;

typedef struct {
  const char *name; /* borrowed from the run, like `group`; "" unknown */
  const char *group;
  gint64 sequence;   /* LOOM_SEQUENCE_NONE */
  guint first, n;    /* members, by arrival; n ≥ 2 */
  gint64 arrival_ns; /* of the last, timeline */
  gint64 end_ns;     /* median of the ends */
  gint64 transfer_ns;
  gint64 late_by_ns;
} LoomCollective;

typedef struct _LoomCollectives LoomCollectives;

/* Those that touch `range` between the first arrival and the end, timeline ns, end exclusive; NULL: all. Their times are whole;
 * who adds them up cuts them to the range. Cost: O(collectives · ranks). NULL only when cancelled. */
LoomCollectives *loom_collectives_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable);
LoomCollectives *loom_collectives_ref (LoomCollectives *collectives);
void loom_collectives_unref (LoomCollectives *collectives);

/* By last arrival. */
const LoomCollective *loom_collectives_get (const LoomCollectives *collectives, guint *n);
const LoomCollectiveMember *loom_collectives_get_members (const LoomCollectives *collectives,
                                                          const LoomCollective *collective);

LoomTimeline *loom_collectives_get_timeline (const LoomCollectives *collectives); /* borrowed */
LoomRange loom_collectives_get_range (const LoomCollectives *collectives);        /* without one all of time */

/* Whether spans of a timeline may be looked up: it is of the same run. Either may be NULL: then not. */
gboolean loom_collectives_belong_to (const LoomCollectives *collectives, const LoomTimeline *timeline);

/* The span of a member; LOOM_SPAN_ID_NONE where it has none. The number of the collective a span is a member of, G_MAXUINT for
 * none. O(log of what the trace has). */
LoomSpanId loom_collectives_get_span (const LoomCollectives *collectives, const LoomCollectiveMember *member);
guint loom_collectives_find (const LoomCollectives *collectives, LoomSpanId span);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectives, loom_collectives_unref)

G_END_DECLS
