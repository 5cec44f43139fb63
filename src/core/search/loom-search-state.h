/* SPDX-License-Identifier: Apache-2.0
 *
 * The search of an open run: the text that is searched for, the hits, and the hit at which the person is. It searches again when
 * the run changes, and keeps the hits when only clocks moved. An index of names is kept while the search is open. Searches run in
 * workers; the object belongs to the main thread.
 *
 * Property: "open", FALSE at first; closing forgets text and hits. Notified also when it is opened again while it is open, for who
 * gives the search the focus.
 *
 * Signals: "found" when the result is another one, which happens several times while args are read; "changed" when the position
 * or the progress is another, too.
 */
#pragma once

#include "loom-search.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_SEARCH_STATE (loom_search_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchState, loom_search_state, LOOM, SEARCH_STATE, GObject)

/* Searches the timeline of the animator's view, to which it gives the hits; steps move the view. Takes a reference. */
LoomSearchState *loom_search_state_new (LoomViewAnimator *animator);

void loom_search_state_set_open (LoomSearchState *self, gboolean open);
gboolean loom_search_state_is_open (LoomSearchState *self);

/* Searches for `text`; nothing for "". A question that is the same as the last is not asked again. */
void loom_search_state_ask (LoomSearchState *self, const char *text, gboolean regex);
/* Ends a search that reads args. The hits found so far stay. */
void loom_search_state_stop (LoomSearchState *self);
/* Goes to the next or the previous hit: at first the nearest to the selection, else to the left edge of the view. While nothing is
 * found yet, goes as soon as something is. FALSE when there is nothing to go to. */
gboolean loom_search_state_step (LoomSearchState *self, gboolean forward);

/* Borrowed until "found"; NULL when nothing is searched for or nothing is known yet. */
LoomSearchResult *loom_search_state_get_result (LoomSearchState *self);
/* The position of the person's hit in by_time of the result; G_MAXUINT before the first step. */
guint loom_search_state_get_position (LoomSearchState *self);
/* Why the text cannot be searched for; NULL when it can. Borrowed. */
const char *loom_search_state_get_error (LoomSearchState *self);
/* TRUE while args are read. */
gboolean loom_search_state_reads_args (LoomSearchState *self);
/* Of reading args, 0 to 1; negative while unknown. */
double loom_search_state_get_fraction (LoomSearchState *self);
gboolean loom_search_state_was_stopped (LoomSearchState *self);
