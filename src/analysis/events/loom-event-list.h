/* SPDX-License-Identifier: Apache-2.0
 *
 * A sorted list of events of a timeline: events that are in a given range and whose texts contain given words. Events
 * are spans, async spans and instants. The list uses eight bytes per event, so that lists of ten million events are
 * possible. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-run-names.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

#include <gio/gio.h>

/* Default limit of the number of listed events, because widgets cannot show longer lists. Further events are counted,
 * but not listed. */
#define LOOM_EVENT_LIST_MOST 50000000

/* The order of a list. Events with equal values (duration, name …) are sorted by start, then by their order in the
 * trace. */
typedef enum {
  LOOM_EVENT_BY_START,
  LOOM_EVENT_BY_DURATION,
  LOOM_EVENT_BY_NAME,     /* by name in natural order */
  LOOM_EVENT_BY_CATEGORY, /* by category in natural order */
  LOOM_EVENT_BY_RANK,     /* by rank; events without a rank come first */
  LOOM_EVENT_BY_TRACK,    /* in the order of the run's tracks */
  LOOM_N_EVENT_ORDERS
} LoomEventOrder;

typedef struct {
  LoomRange range;      /* time range on the timeline; if it is empty, events at all times are listed */
  const GArray *tracks; /* LoomTrackId of the tracks whose events are listed; NULL: all tracks of events */
  const char *text;     /* words that must all occur in the name, category or track labels; NULL or "": no filter */
  /* names that the user gave to sources; the name of a source is also a label of the source's tracks; NULL: no source
   * was renamed */
  const LoomSourceOverrides *names;
  LoomEventOrder order;
  gboolean descending;
  guint most; /* maximum number of listed events; further events are counted, but not listed; 0: LOOM_EVENT_LIST_MOST */
} LoomEventQuery;

typedef struct {
  LoomTimeline *timeline;
  guint64 n_found; /* number of matching events, including those beyond the limit */
  LoomSpanId *ids;
  guint n;
  /* has_categories: TRUE if any event of the run has a category; has_ranks: TRUE if any event has a rank */
  gboolean has_categories, has_ranks;
  /* TRUE if the listed events have at least two ranks, and nearly all events have one, so that the rank says where an
   * event is; determined from about a thousand events */
  gboolean ranks_differ;
  /* number of decimal digits that start times in seconds need: 0, 3, 6 or 9; determined from about a thousand events */
  guint digits;
  gint64 extent_ns; /* greatest distance in time between the start of the timeline and an event */
  /* Private: */
  gatomicrefcount refs;
  LoomEventOrder order;
  gboolean descending;
  LoomRunNames *names; /* names of the run if the list is sorted by name or category; else NULL */
  guint32 *ranks;      /* [id in `names`] position of the name in the natural order; equal texts have equal positions */
} LoomEventList;

/* Finds and sorts the events of a query. Takes O(events in the range), and needs 40 bytes per event while it runs. NULL
 * when cancelled. */
LoomEventList *loom_event_list_new (LoomTimeline *timeline, const LoomEventQuery *query, GCancellable *cancellable);
LoomEventList *loom_event_list_ref (LoomEventList *list);
void loom_event_list_unref (LoomEventList *list);

/* Returns the rank of a track of events; −1 if the track has no rank, or if its number is a process id. */
gint loom_event_list_get_rank (const LoomTrace *trace, const LoomTrack *track);
/* Ranks of several events or samples. `lowest`, `highest`: set only if n_ranked > 0. */
typedef struct {
  guint n, n_ranked;
  gint lowest, highest;
} LoomEventListRanks;

/* Counts an event or sample of a track. */
void loom_event_list_count_rank (LoomEventListRanks *ranks, const LoomTrace *trace, const LoomTrack *track);
/* Returns TRUE if there are at least two ranks, and nearly all events have one. */
gboolean loom_event_list_do_ranks_differ (const LoomEventListRanks *ranks);
/* Returns how many decimal digits are needed to state a time exactly in seconds: 0, 3, 6 or 9. */
guint loom_event_list_count_digits (gint64 ns);

/* Returns the index of an event in the list; G_MAXUINT: the event is not listed. O(log n). */
guint loom_event_list_find (const LoomEventList *list, LoomSpanId event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventList, loom_event_list_unref)
