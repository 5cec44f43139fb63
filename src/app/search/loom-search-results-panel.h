/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel that lists the results of the search: for each name of matching spans, their number and total duration.
 * Called on the main thread.
 *
 * Signal: "span-chosen" (guint trace, guint span) when the user activated a name; `span` is the longest span of this
 * name.
 */
#pragma once

#include "loom-search-state.h"
#include "loom-table-view.h"

#include <adwaita.h>

#define LOOM_TYPE_SEARCH_RESULTS_PANEL (loom_search_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchResultsPanel, loom_search_results_panel, LOOM, SEARCH_RESULTS_PANEL, AdwBin)

/* Makes the panel of a search; takes a reference. The panel selects the row with the name of the current hit of the
 * search. */
GtkWidget *loom_search_results_panel_new (LoomSearchState *search);
/* Sets the result; takes references. `result` is NULL if there is no search or no hit yet. Hits are counted only
 * while the panel is visible. */
void loom_search_results_panel_show (LoomSearchResultsPanel *self, LoomTimeline *timeline, LoomSearchResult *result);

gboolean loom_search_results_panel_is_working (LoomSearchResultsPanel *self);
