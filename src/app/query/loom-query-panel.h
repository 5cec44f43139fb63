/* SPDX-License-Identifier: Apache-2.0
 *
 * The page Query. It has an editor for SQL with highlighting and completion of the names of tables and columns. Below
 * the editor are the rows of the answer (loom-query-result.h). The page shows and changes the query of the run
 * (loom-query-state.h). Called on the main thread.
 *
 * Actions: "query.run" (Ctrl+Enter); "query.cancel"; "query.show" shows the selected rows, or all rows, on the
 * timeline; "query.take" and "query.take-saved" (s: name) put a query of a file or of the session into the editor and
 * run it; "query.save", "query.rename" and "query.delete" change the queries of the session; "query.open-file" and
 * "query.save-file" open a file dialog.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_QUERY_PANEL (loom_query_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryPanel, loom_query_panel, LOOM, QUERY_PANEL, GtkWidget)

/* Makes the panel. Takes a reference to the run. `scene`: has the colors and the font of charts. */
GtkWidget *loom_query_panel_new (LoomRunState *run, LoomRenderContext *scene);

/* Moves the focus to the editor. */
void loom_query_panel_focus (LoomQueryPanel *self);

/* loom_query_panel_open_file() reads a query from a file into the editor, without running it.
 * loom_query_panel_save_file() writes the query of the editor to a file. The page shows errors. Both functions
 * block; they are meant for small files. */
void loom_query_panel_open_file (LoomQueryPanel *self, const char *path);
void loom_query_panel_save_file (LoomQueryPanel *self, const char *path);
