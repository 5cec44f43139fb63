/* SPDX-License-Identifier: Apache-2.0
 *
 * Which events have all words of a text in their name, their category or the labels of their track, letter case aside.
 * Names and tracks are few: each is looked at once, events only by their numbers. Private to the event list. One thread.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

#define LOOM_EVENT_FILTER_MOST 32 /* words; more are not looked for */

typedef struct {
  char **words; /* folded */
  guint32 all;  /* a bit for each */
} LoomEventFilter;

/* `text` may be NULL. Nothing to look for: everything matches. */
void loom_event_filter_init (LoomEventFilter *match, const char *text);
void loom_event_filter_clear (LoomEventFilter *match);

/* The words a track has; `name`: what its source is called by hand, may be NULL. */
guint32 loom_event_filter_track (const LoomEventFilter *match, const LoomTrack *track, const char *name);
/* By name id of the trace: the words a name has. Owned. */
guint32 *loom_event_filter_names (const LoomEventFilter *match, const LoomTrace *trace);

G_END_DECLS
