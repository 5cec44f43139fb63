/* SPDX-License-Identifier: Apache-2.0
 *
 * The page Query: an editor for SQL with highlighting and completion of tables and columns, and below it the rows of
 * the answer (loom-query-result.h). The page shows and changes the query that belongs to the run (loom-query-state.h).
 * Called on the main thread.
 *
 * Actions: "query.run" (Ctrl+Enter), "query.cancel", "query.show" shows the selected rows, or all rows, on the
 * timeline, "query.take" and "query.take-saved" (s: name) put a query of a file or of the session into the editor and
 * run it; "query.save", "query.rename" and "query.delete" change the queries of the session; "query.open-file" and
 * "query.save-file" ask for a file.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_QUERY_PANEL (loom_query_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryPanel, loom_query_panel, LOOM, QUERY_PANEL, GtkWidget)

/* Makes the panel. Takes a reference to the run; charts have the colours and the font of the scene. */
GtkWidget *loom_query_panel_new (LoomRunState *run, LoomRenderContext *scene);

/* Moves the focus to the editor. */
void loom_query_panel_focus (LoomQueryPanel *self);

/* loom_query_panel_open_file() puts the query of a file into the editor, without running it.
 * loom_query_panel_save_file() writes the query of the editor into a file. The page shows errors. Both functions block;
 * they are meant for small files. */
void loom_query_panel_open_file (LoomQueryPanel *self, const char *path);
void loom_query_panel_save_file (LoomQueryPanel *self, const char *path);
