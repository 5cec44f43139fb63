/* SPDX-License-Identifier: Apache-2.0
 *
 * What the search found, as a list beside the timeline: names, how many of each, how long they took. Main thread.
 * Signal: "span-chosen" (guint trace, guint span): the longest of a name.
 */
#pragma once

#include "loom-search.h"
#include "loom-table-view.h"

#include <adwaita.h>

#define LOOM_TYPE_SEARCH_RESULTS_PANEL (loom_search_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchResultsPanel, loom_search_results_panel, LOOM, SEARCH_RESULTS_PANEL, AdwBin)

GtkWidget *loom_search_results_panel_new (void);
/* Sets the result; takes references. `result` NULL: no search, or no hits yet. Hits are counted while the panel is
 * visible. */
void loom_search_results_panel_show (LoomSearchResultsPanel *self, LoomTimeline *timeline, LoomSearchResult *result);

gboolean loom_search_results_panel_is_working (LoomSearchResultsPanel *self);
