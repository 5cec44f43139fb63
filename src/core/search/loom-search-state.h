/* SPDX-License-Identifier: Apache-2.0
 *
 * The search in an open run: the text, the hits, and the current hit. The search is repeated when the run changes; when
 * only clocks are moved, the hits are kept. An index of names exists while the search is open. Searches run in workers;
 * the object belongs to the main thread.
 *
 * Property "open", initially FALSE: the search is shown. Setting it to FALSE removes text and hits. The property is
 * also notified if it is set to TRUE while it is TRUE, so that the search entry takes the focus again.
 *
 * Signals: "found" when the result is replaced, which happens several times while args are read; "changed" when the
 * result, the current hit or the progress has changed.
 */
#pragma once

#include "loom-search.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_SEARCH_STATE (loom_search_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchState, loom_search_state, LOOM, SEARCH_STATE, GObject)

/* Creates a search in the timeline of the view that `animator` moves. The search marks its hits in this view and moves
 * the view to them. Takes a reference to the animator. */
LoomSearchState *loom_search_state_new (LoomViewAnimator *animator);

void loom_search_state_set_open (LoomSearchState *self, gboolean open);
gboolean loom_search_state_is_open (LoomSearchState *self);

/* Searches for `text`; "": ends the search and removes its hits. Does nothing if `text` and `regex` are the same as
 * before. */
void loom_search_state_ask (LoomSearchState *self, const char *text, gboolean regex);
/* Stops the running search if it reads args. The hits found so far are kept. */
void loom_search_state_stop (LoomSearchState *self);
/* Moves to the next hit if `forward` is TRUE, else to the previous hit. Zooms in only if the hit would be too
 * narrow to be seen. Hits on devices come before those on the host, see loom-search-scope.h.
 *
 * If a range that contains hits is selected, this move and further moves stay in the range until something else is
 * selected. Otherwise the first move of a search begins at the start of the selection or, if nothing in view is
 * selected, at the left edge of the view. If `forward` is TRUE, the move leads to the first hit at or after this time;
 * if FALSE, to the last hit before it. Hits on devices have priority: a hit on the host is chosen only if no hit on a
 * device is in this direction. If no hit of either kind is in this direction, the move leads to the first of all hits
 * or, if `forward` is FALSE, to the last of all hits.
 *
 * If the running search has not found a hit yet, the move is made when the first hit is found. Returns FALSE if there
 * is no hit and no search is running. */
gboolean loom_search_state_step (LoomSearchState *self, gboolean forward);

/* Returns the result, borrowed until the next signal "found"; NULL if there is no search or no result yet. */
LoomSearchResult *loom_search_state_get_result (LoomSearchState *self);
/* Returns the index of the current hit in by_time of the result; G_MAXUINT before the first move to a hit. */
guint loom_search_state_get_position (LoomSearchState *self);
/* Returns the number of hits among which the user moves. If the moves stay in a range, these are the hits that overlap
 * the range, else all hits. Sets `at` to the index of the current hit among them, in the order of moves; to G_MAXUINT
 * if the current hit is not one of them. O(log hits). */
guint loom_search_state_get_scope (LoomSearchState *self, guint *at);
/* Returns the reason why the text of the search is not valid; NULL if the text is valid. Borrowed. */
const char *loom_search_state_get_error (LoomSearchState *self);
/* Returns TRUE while a search reads args. */
gboolean loom_search_state_reads_args (LoomSearchState *self);
/* Returns the share of the args that the running search has read, from 0 to 1; negative: not known. */
double loom_search_state_get_fraction (LoomSearchState *self);
gboolean loom_search_state_was_stopped (LoomSearchState *self);
