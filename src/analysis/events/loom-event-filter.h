/* SPDX-License-Identifier: Apache-2.0
 *
 * Filter for lists of events and samples. An event or a sample matches if each word of a text occurs in its name, in
 * its category, or in the labels of its track, ignoring case. There are few different names and tracks. Therefore their
 * texts are searched once; then each event is tested by the ids of its name and track. Private to src/analysis/events.
 * One thread.
 */
#pragma once

#include "loom-timeline.h"

#define LOOM_EVENT_FILTER_MOST 32 /* maximum number of words; further words are ignored */

typedef struct {
  char **words; /* case-folded words of the filter, for searching without regard to case */
  guint32 all;  /* mask in which bit i is set for each word i of the filter */
} LoomEventFilter;

/* Splits a text into the words of a filter. If `text` is NULL or has no words, all events match. */
void loom_event_filter_init (LoomEventFilter *match, const char *text);
void loom_event_filter_clear (LoomEventFilter *match);

/* Returns a mask in which bit i is set if word i of the filter (match->words) occurs in the labels of a track. `name`:
 * the name that the user gave to the source of the track, or NULL. */
guint32 loom_event_filter_track (const LoomEventFilter *match, const LoomTrack *track, const char *name);
/* Returns a mask in which bit i is set if word i of the filter (match->words) occurs in a text. `text` may be NULL. */
guint32 loom_event_filter_text (const LoomEventFilter *match, const char *text);
/* Returns an array with a mask for each name id of the trace. Bit i of a mask is set if word i of the filter
 * (match->words) occurs in the name or in its category. Owned by the caller. */
guint32 *loom_event_filter_names (const LoomEventFilter *match, const LoomTrace *trace);
