/* SPDX-License-Identifier: Apache-2.0
 *
 * The search bar above the timeline: an entry, the number of hits, and buttons for the next and the previous hit. In
 * the entry, Enter goes to the next hit, Shift+Enter to the previous hit, and Escape closes the bar. The text, the hits
 * and the open state of the search are stored with the run (loom-search-state.h).
 */
#pragma once

#include "loom-run-state.h"
#include "loom-timeline-view.h"

#define LOOM_TYPE_SEARCH_BAR (loom_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchBar, loom_search_bar, LOOM, SEARCH_BAR, GtkWidget)

/* Sets the run that is searched, and the view of its timeline. The view must live as long as the bar. May be called
 * only once. */
void loom_search_bar_set_run (LoomSearchBar *self, LoomRunState *run, LoomTimelineView *view);
