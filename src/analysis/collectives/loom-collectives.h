/* SPDX-License-Identifier: Apache-2.0
 *
 * The collectives of a run: when each rank arrived, which rank came last, how long each rank waited, and how long the
 * transfer took. The parts of a collective on different ranks are matched by loom-collective-matching.h. Parts on
 * clocks that are not aligned with each other are treated as collectives of different runs. Immutable, ref-counted
 * atomically, any thread.
 *
 *   arrival    start of a rank's kernel, on the timeline
 *   wait       last arrival of any rank − arrival of the rank
 *   transfer   median over the ranks of their ends − last arrival, at least 0
 *   late_by    last arrival − the arrival before it: the time for which all ranks waited for the last one alone
 */
#pragma once

#include <gio/gio.h>

#include "loom-steps.h"

typedef struct {
  gint rank;         /* −1: unknown */
  guint32 trace;     /* index of the trace in the run */
  guint32 meeting;   /* index of the sync event in the trace */
  guint clock;       /* index of the clock in the run */
  gint64 arrival_ns; /* on the timeline */
  gint64 end_ns;     /* on the timeline */
  gint64 wait_ns;    /* time from the arrival of this rank to the last arrival, ≥ 0 */
  /* number of the member's rank, less than LoomCollectives.n_rank_numbers. Members with equal keys
   * (loom_rank_key_of_event()) have equal numbers. So results per rank can be stored in an array, without reading the
   * sync event or hashing the node. */
  guint32 rank_number;
} LoomCollectiveMember;

typedef struct {
  const char *name; /* name of the collective; "": unknown; `name` and `group` are borrowed from the run */
  const char *group;
  gint64 sequence; /* sequence number of the collective in its group; LOOM_SEQUENCE_NONE: unknown */
  /* the members of the collective, sorted by arrival: elements [first, first + n) of LoomCollectives.members; n ≥ 2 */
  guint first, n;
  gint64 arrival_ns; /* arrival of the last rank, on the timeline */
  gint64 end_ns;     /* median, over all ranks, of the time at which the collective ends; on the timeline */
  gint64 transfer_ns;
  gint64 late_by_ns;
} LoomCollective;

/* Results that several analyses need. Each is computed once, see loom_collectives_share(). */
typedef enum {
  LOOM_COLLECTIVES_TRANSFER_LIST,
  LOOM_COLLECTIVES_TRANSFERS,
  LOOM_COLLECTIVES_SLOWDOWN,
  LOOM_COLLECTIVES_AXES,
  LOOM_COLLECTIVES_BUBBLES,
  LOOM_COLLECTIVES_IDLE_TIME,
  LOOM_COLLECTIVES_IDLE_START,
  LOOM_COLLECTIVES_SPANS,
  LOOM_N_COLLECTIVES_RESULTS,
} LoomCollectivesResult;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range; /* the range that was passed to loom_collectives_new(); all of time if none was passed */
  /* TRUE if `range` is the time of the steps with the numbers `step_numbers`. Late ranks may end these steps after the
   * range. Set only by loom_frame_collectives_get(). */
  gboolean has_numbered_steps;
  LoomStepNumbers step_numbers;
  const LoomCollective *all; /* sorted by the arrival of the last rank */
  guint n;
  guint n_rank_numbers; /* number of ranks that occur in collectives: see LoomCollectiveMember.rank_number */
  /* Private: */
  gatomicrefcount refs;
  GArray *collectives; /* LoomCollective: owns `all` */
  GArray *members;     /* LoomCollectiveMember: the members of all collectives */
  /* [trace] index of the trace's first sync event in `collective_of`; the last element is the length of
   * `collective_of` */
  guint32 *first_place;
  /* [first_place[trace] + sync event] index of the event's collective in `all`; G_MAXUINT32: none */
  guint32 *collective_of;
  /* [first_place[trace] + sync event] index of the event's member in `members` */
  guint32 *member_of;
  struct _LoomCollectivesShared *shared;       /* results of loom_collectives_share() */
  struct _LoomCollectivesNumbering *numbering; /* used only while loom_collectives_new() collects the collectives; NULL
                                                * afterwards */
} LoomCollectives;

/* Matches the collectives whose time from first arrival to end touches `range` (timeline ns, end exclusive; NULL: all
 * collectives). Times are not clipped to the range; callers that sum them up must clip them. O(collectives · ranks).
 * Returns NULL only when cancelled. */
LoomCollectives *loom_collectives_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable);
LoomCollectives *loom_collectives_ref (LoomCollectives *collectives);
void loom_collectives_unref (LoomCollectives *collectives);

const LoomCollectiveMember *loom_collectives_get_members (const LoomCollectives *collectives,
                                                          const LoomCollective *collective);

/* Returns a result that is computed once and kept with the collectives. The first caller computes it with `make`; other
 * callers wait meanwhile, unless they are cancelled. Returns NULL if `make` returns NULL, for example because it is
 * cancelled; the next caller then calls its own `make`. Inside `make`, other results can be requested, but not the
 * result that `make` computes. `destroy` frees the result together with the collectives. Any thread. */
typedef gpointer (*LoomCollectivesMake) (const LoomCollectives *collectives, GCancellable *cancellable);
gconstpointer loom_collectives_share (const LoomCollectives *collectives, LoomCollectivesResult result,
                                      LoomCollectivesMake make, GDestroyNotify destroy, GCancellable *cancellable);

/* Returns the sum of the waits of all ranks in all collectives; only the part of a wait inside the range counts.
 * O(members). */
gint64 loom_collectives_sum_waits (const LoomCollectives *collectives);

/* Returns TRUE if `timeline` shows the run of these collectives. Then spans of `timeline` can be passed to
 * loom_collectives_find(). Returns FALSE if it shows another run, or if an argument is NULL. */
gboolean loom_collectives_belong_to (const LoomCollectives *collectives, const LoomTimeline *timeline);

/* Returns the span that records a rank's part in a collective; LOOM_SPAN_ID_NONE if there is none. O(rows of the track
 * · log spans). */
LoomSpanId loom_collectives_get_span (const LoomCollectives *collectives, const LoomCollectiveMember *member);
/* Returns the span that records a sync event. `event`: index of the sync event in `trace` (loom_trace_get_meetings());
 * `number`: index of the trace in its run. LOOM_SPAN_ID_NONE if there is none. O(rows of the track · log spans). */
LoomSpanId loom_collectives_get_event_span (const LoomTrace *trace, guint32 number, guint32 event);
/* Returns the spans that record the sync events of all traces: [first_place[trace] + sync event] index of the span in
 * its trace; G_MAXUINT32: no span. For callers that need most of the spans: this is faster than
 * loom_collectives_get_span() for each member, because several threads search, each in one trace at a time. Borrowed.
 * NULL if cancelled. O(sync events · log spans). */
const guint32 *loom_collectives_get_spans (const LoomCollectives *collectives, GCancellable *cancellable);
/* Returns the index of the collective to which a span belongs; G_MAXUINT if there is none. O(log collectives of the
 * trace). */
guint loom_collectives_find (const LoomCollectives *collectives, LoomSpanId span);
/* Returns first_place[trace] + index in the trace of the sync event that a span records: a number that is unique in the
 * run. G_MAXUINT32 if the span does not record a sync event. O(log sync events of the trace). */
guint32 loom_collectives_find_event (const LoomCollectives *collectives, LoomSpanId span);
/* Returns the member of a collective to which a span belongs, borrowed, and sets `number` to the index of the
 * collective; NULL if there is none. O(log collectives of the trace). */
const LoomCollectiveMember *loom_collectives_find_member (const LoomCollectives *collectives, LoomSpanId span,
                                                          guint *number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectives, loom_collectives_unref)
