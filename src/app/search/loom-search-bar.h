/* SPDX-License-Identifier: Apache-2.0
 *
 * The search bar above the timeline: an entry, the number of hits, and buttons for the next and previous hit. In the
 * entry, Enter and Shift+Enter go to the next and previous hit, and Escape closes the bar. The text, the hits and
 * whether the search is open are part of the run (loom-search-state.h).
 */
#pragma once

#include "loom-run-state.h"
#include "loom-timeline-view.h"

#define LOOM_TYPE_SEARCH_BAR (loom_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchBar, loom_search_bar, LOOM, SEARCH_BAR, GtkWidget)

/* Sets the run that is searched, and the view of its timeline. The view must live as long as the bar. Call once. */
void loom_search_bar_set_run (LoomSearchBar *self, LoomRunState *run, LoomTimelineView *view);
