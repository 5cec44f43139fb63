/* SPDX-License-Identifier: Apache-2.0
 *
 * What the search found, as a list beside the timeline: names, how many of each, how long they took. Main thread.
 * Signals: "span-chosen" (guint trace, guint span): the longest of a name; "close".
 */
#pragma once

#include "loom-search.h"
#include "loom-table-view.h"

G_BEGIN_DECLS

#define LOOM_TYPE_SEARCH_RESULTS_PANEL (loom_search_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSearchResultsPanel, loom_search_results_panel, LOOM, SEARCH_RESULTS_PANEL, GtkWidget)

GtkWidget *loom_search_results_panel_new (void);
/* References are taken. `result` NULL: nothing is searched for, or it is not found yet. Counted when it is seen. */
void loom_search_results_panel_show (LoomSearchResultsPanel *self, LoomTimeline *timeline, LoomSearchResult *result);

LoomTableView *loom_search_results_panel_get_view (LoomSearchResultsPanel *self);
/* The line above: how many there are, and how long they take. */
const char *loom_search_results_panel_get_summary (LoomSearchResultsPanel *self);
gboolean loom_search_results_panel_is_working (LoomSearchResultsPanel *self);

G_END_DECLS
