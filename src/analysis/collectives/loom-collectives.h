/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives across ranks: when each rank arrived, which rank came last, how long each waited, how long the transfer
 * took. All collectives of a run are matched (loom-collective-matching.h); members whose clocks are not connected
 * belong to different runs and form collectives of their own. Immutable, ref-counted atomically, any thread.
 *
 *   arrival_r = start of rank r's kernel, timeline          wait_r   = max over ranks of arrival − arrival_r
 *   transfer  = median over ranks of end − last arrival, at least 0
 *   late_by   = last arrival − the arrival before it: the time that the last rank alone cost the others
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

typedef struct {
  gint rank;         /* −1: unknown */
  guint32 trace;     /* number of the trace in the run */
  guint32 meeting;   /* number of the meeting in the trace */
  guint clock;       /* index of the clock in the run */
  gint64 arrival_ns; /* timeline */
  gint64 end_ns;     /* timeline */
  gint64 wait_ns;    /* time until the last arrival, ≥ 0 */
} LoomCollectiveMember;

typedef struct {
  const char *name; /* borrowed from the run, as is `group`; "": unknown */
  const char *group;
  gint64 sequence;   /* LOOM_SEQUENCE_NONE: unknown */
  guint first, n;    /* range in the array of members, sorted by arrival; n ≥ 2 */
  gint64 arrival_ns; /* arrival of the last member, timeline */
  gint64 end_ns;     /* median of the members' ends, timeline */
  gint64 transfer_ns;
  gint64 late_by_ns;
} LoomCollective;

/* Results that several analyses read. */
typedef enum {
  LOOM_COLLECTIVES_TRANSFER_LIST,
  LOOM_COLLECTIVES_TRANSFERS,
  LOOM_COLLECTIVES_SLOWDOWN,
  LOOM_COLLECTIVES_AXES,
  LOOM_COLLECTIVES_BUBBLES,
  LOOM_COLLECTIVES_IDLE_TIME,
  LOOM_N_COLLECTIVES_RESULTS,
} LoomCollectivesResult;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;           /* given to loom_collectives_new(); all of time if it was NULL */
  const LoomCollective *all; /* sorted by last arrival */
  guint n;
  /* Private: */
  gatomicrefcount refs;
  GArray *collectives; /* LoomCollective */
  GArray *members;     /* LoomCollectiveMember */
  /* [trace] → index of its first meeting in `collective_of`; the last element is the total */
  guint32 *first_place;
  guint32 *collective_of; /* [trace's first place + meeting] → number of its collective; G_MAXUINT32: none */
  struct _LoomCollectivesShared *shared; /* what loom_collectives_share() has made */
} LoomCollectives;

/* Matches the collectives whose time from first arrival to end touches `range` (timeline ns, end exclusive; NULL: all
 * collectives). Times are not cut to the range: callers that sum them up must cut them. O(collectives · ranks). Returns
 * NULL only when cancelled. */
LoomCollectives *loom_collectives_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable);
LoomCollectives *loom_collectives_ref (LoomCollectives *collectives);
void loom_collectives_unref (LoomCollectives *collectives);

const LoomCollectiveMember *loom_collectives_get_members (const LoomCollectives *collectives,
                                                          const LoomCollective *collective);

/* Returns a result that belongs to the collectives, so that analyses that need the same one compute it once. The first caller
 * makes it, others wait meanwhile unless they are cancelled; NULL if `make` returns NULL, as when it is cancelled: then the next caller makes it. `make`
 * may share other results, but not its own. `destroy` frees the result with the collectives. Any thread. */
typedef gpointer (*LoomCollectivesMake) (const LoomCollectives *collectives, GCancellable *cancellable);
gconstpointer loom_collectives_share (const LoomCollectives *collectives, LoomCollectivesResult result,
                                      LoomCollectivesMake make, GDestroyNotify destroy, GCancellable *cancellable);

/* Sums the waits of all members, the part in the range. O(members). */
gint64 loom_collectives_sum_waits (const LoomCollectives *collectives);

/* Returns TRUE if `timeline` shows the same run, so that its spans can be looked up here; FALSE if an argument is
 * NULL. */
gboolean loom_collectives_belong_to (const LoomCollectives *collectives, const LoomTimeline *timeline);

/* Returns the span of a member; LOOM_SPAN_ID_NONE if it has none. O(rows of its track · log spans). */
LoomSpanId loom_collectives_get_span (const LoomCollectives *collectives, const LoomCollectiveMember *member);
/* Returns the number of the collective that has this span as a member; G_MAXUINT if there is none. O(log collectives of
 * the trace). */
guint loom_collectives_find (const LoomCollectives *collectives, LoomSpanId span);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectives, loom_collectives_unref)
