/* SPDX-License-Identifier: Apache-2.0
 *
 * What the search found, as a list beside the timeline: names, how many of each, how long they took. Main thread.
 * Signals: "span-chosen" (guint trace, guint span): the longest of a name; "close".
 */
#pragma once

#include "loom-search.h"
#include "loom-table-view.h"

G_BEGIN_DECLS

#define LOOM_TYPE_FOUND_PANEL (loom_found_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomFoundPanel, loom_found_panel, LOOM, FOUND_PANEL, GtkWidget)

GtkWidget *loom_found_panel_new (void);
/* References are taken. `result` NULL: nothing is searched for, or it is not found yet. Counted when it is seen. */
void loom_found_panel_show (LoomFoundPanel *panel, LoomTimeline *timeline, LoomSearchResult *result);

LoomTableView *loom_found_panel_get_view (LoomFoundPanel *panel);
/* The line above: how many there are, and how long they take. */
const char *loom_found_panel_get_summary (LoomFoundPanel *panel);
gboolean loom_found_panel_is_working (LoomFoundPanel *panel);

G_END_DECLS
