/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with tabs. Each tab shows a run or, while no run is open in the tab, a page such as the welcome page. The
 * title, the buttons and the actions of the window are for the selected tab. In this header, "the run" is the run of
 * the selected tab. Main thread only.
 */
#pragma once

#include "loom-application.h"
#include "loom-document.h"
#include "loom-run-page.h"
#include "loom-tab.h"

#define LOOM_TYPE_WINDOW (loom_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomWindow, loom_window, LOOM, WINDOW, AdwApplicationWindow)

LoomWindow *loom_window_new (LoomApplication *application);

/* Adds an empty tab after all other tabs. If `select` is TRUE, selects it. Returns the tab, borrowed. */
LoomTab *loom_window_add_tab (LoomWindow *window, gboolean select);
LoomTab *loom_window_get_tab (LoomWindow *window);
guint loom_window_get_n_tabs (LoomWindow *window);
LoomTab *loom_window_get_nth_tab (LoomWindow *window, guint n);

/* Returns TRUE if no run is open or loading in the selected tab. */
gboolean loom_window_is_empty (LoomWindow *self);

/* Opens the files, folders and locations together as one run. If `add` is TRUE, adds them to the open run and opens no
 * new one. Remote files are downloaded first. */
void loom_window_open_files (LoomWindow *self, GFile **files, guint n_files, gboolean add);
void loom_window_open_paths (LoomWindow *self, const char *const *paths, gboolean add);

/* Applies the settings of the timeline and of the analysis to all tabs. Does not have to be called for a new window. */
void loom_window_apply_settings (LoomWindow *window);

/* If an editor of the window has unsaved changes, asks the user whether to save them, and returns TRUE. The caller
 * must then not close the window. */
gboolean loom_window_asks_editors (LoomWindow *window);

/* Asks the user for confirmation if closing the window would interrupt saving or reading a file, lose changes of a
 * session, or close several runs at once. In these cases returns TRUE, and the caller must not close the window: if the
 * user agrees, this function closes the window or, if `quits` is TRUE, quits the program. Otherwise returns FALSE. */
gboolean loom_window_asks_to_close (LoomWindow *window, gboolean quits);

LoomDocument *loom_window_get_document (LoomWindow *self);
/* The next two functions return the state of the selected tab's run, and the page that shows the run; NULL if no tab
 * is selected. Borrowed. */
LoomRunState *loom_window_get_run_state (LoomWindow *self);
LoomRunPage *loom_window_get_run_view (LoomWindow *self);
