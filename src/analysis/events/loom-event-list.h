/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of a timeline as a list: those that touch a range, have the words of a text, in an order. Eight bytes per
 * event and nothing else, so that ten million of them can be looked through. Events are spans, async spans and instants.
 * Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* More are counted, not listed, unless a query says otherwise: a list on the screen has no place for more. */
#define LOOM_EVENT_LIST_MOST 50000000

/* Equals stand by start, then as in the trace. */
typedef enum {
  LOOM_EVENT_BY_START,
  LOOM_EVENT_BY_DURATION,
  LOOM_EVENT_BY_NAME,     /* natural order */
  LOOM_EVENT_BY_CATEGORY, /* likewise */
  LOOM_EVENT_BY_TRACK,    /* as the run has them */
  LOOM_N_EVENT_ORDERS
} LoomEventOrder;

typedef struct {
  LoomRange range;      /* timeline; empty: all of the timeline */
  const GArray *tracks; /* LoomTrackId; NULL: all tracks of events */
  const char *text;     /* words that all have to be in name, category or labels of the track; NULL or "": any */
  const LoomSourceOverrides *names; /* what sources are called, which is a label of their tracks; NULL: as they are */
  LoomEventOrder order;
  gboolean descending;
  guint most; /* more are counted, not listed; 0: LOOM_EVENT_LIST_MOST */
} LoomEventQuery;

typedef struct _LoomEventList LoomEventList;

/* Blocking: O(events of the range), with 40 bytes for each of them meanwhile. NULL when cancelled. */
LoomEventList *loom_event_list_new (LoomTimeline *timeline, const LoomEventQuery *query, GCancellable *cancellable);
LoomEventList *loom_event_list_ref (LoomEventList *list);
void loom_event_list_unref (LoomEventList *list);

LoomTimeline *loom_event_list_get_timeline (const LoomEventList *list); /* borrowed */
guint loom_event_list_get_n (const LoomEventList *list);
guint64 loom_event_list_get_n_found (const LoomEventList *list); /* with those beyond the most */
LoomSpanId loom_event_list_get (const LoomEventList *list, guint position);
const LoomSpanId *loom_event_list_get_ids (const LoomEventList *list); /* all of them, borrowed */
/* Where an event stands; G_MAXUINT: not in the list. O(log n). */
guint loom_event_list_find (const LoomEventList *list, LoomSpanId event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventList, loom_event_list_unref)

G_END_DECLS
