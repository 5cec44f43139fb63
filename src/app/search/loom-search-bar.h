/* SPDX-License-Identifier: Apache-2.0
 *
 * The search over the timeline: an entry, how many were found, and the way from one to the next. Enter and Shift+Enter
 * in the entry go to the next and previous; Escape closes.
 * Whether it is open, what is searched for and found is state of the run (loom-search-state.h).
 */
#pragma once

#include "loom-run-state.h"
#include "loom-timeline-view.h"

#define LOOM_TYPE_SEARCH_BAR (loom_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchBar, loom_search_bar, LOOM, SEARCH_BAR, GtkWidget)

/* Sets the run that is searched and the widget that shows it, which must live as long as the bar. Call once. */
void loom_search_bar_set_run (LoomSearchBar *self, LoomRunState *run, LoomTimelineView *view);
