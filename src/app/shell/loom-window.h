/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with tabs. Each tab shows a run or, while no run is open in it, a page such as the welcome page. The title,
 * the buttons and the actions refer to the selected tab, and "the run" in this header is the run of the selected tab.
 */
#pragma once

#include "loom-application.h"
#include "loom-document.h"
#include "loom-run-page.h"
#include "loom-tab.h"

#define LOOM_TYPE_WINDOW (loom_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomWindow, loom_window, LOOM, WINDOW, AdwApplicationWindow)

LoomWindow *loom_window_new (LoomApplication *application);

/* Adds an empty tab at the end, and selects it if `select`. Returns the tab, borrowed. */
LoomTab *loom_window_add_tab (LoomWindow *window, gboolean select);
LoomTab *loom_window_get_tab (LoomWindow *window);
guint loom_window_get_n_tabs (LoomWindow *window);
LoomTab *loom_window_get_nth_tab (LoomWindow *window, guint n);

/* Returns TRUE if no run is open in the selected tab and none is loading. */
gboolean loom_window_is_empty (LoomWindow *self);

/* Opens the files, folders and locations together as one run or, if `add` is TRUE, adds them to the open run. Remote
 * files are downloaded first. */
void loom_window_open_files (LoomWindow *self, GFile **files, guint n_files, gboolean add);
void loom_window_open_paths (LoomWindow *self, const char *const *paths, gboolean add);

/* Applies the settings of the timeline and of the analysis to all tabs. A new window does this itself. */
void loom_window_apply_settings (LoomWindow *window);

/* Returns TRUE if an editor of the window has unsaved changes. In this case the function asks the user whether to save
 * them, and the caller must not close the window. */
gboolean loom_window_asks_editors (LoomWindow *window);

/* Returns TRUE if closing would interrupt saving or reading a file, lose changes of a session, or close several runs at
 * once. In this case the function asks the user whether to do so, and the caller must not close the window. If the user
 * agrees, the window is closed or, if `quits`, the program quits. */
gboolean loom_window_asks_to_close (LoomWindow *window, gboolean quits);

LoomDocument *loom_window_get_document (LoomWindow *self);
/* The next two functions return the state of the selected tab's run, and the page that shows the run; NULL without a
 * tab. Borrowed. */
LoomRunState *loom_window_get_run_state (LoomWindow *self);
LoomRunPage *loom_window_get_run_view (LoomWindow *self);
