/* SPDX-License-Identifier: Apache-2.0
 *
 * The page Query: an editor for SQL with highlighting and completion of tables and columns, and the rows of the answer. It
 * shows and changes the query of the run (loom-query-state.h). Called on the main thread.
 *
 * Activating a row shows its span or range on the timeline. Actions: "query.run" (Ctrl+Enter), "query.cancel",
 * "query.show" selects the spans of all rows, "query.take" (s: name) puts a named query into the editor and runs it.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_QUERY_PANEL (loom_query_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryPanel, loom_query_panel, LOOM, QUERY_PANEL, GtkWidget)

GtkWidget *loom_query_panel_new (LoomRunState *run);
