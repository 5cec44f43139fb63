/* SPDX-License-Identifier: Apache-2.0
 *
 * A window: a run, or nothing yet, in each of its tabs. It shows the state of the selected one and offers the actions; the
 * parts do the work. What is said of “the run” here is about the selected tab.
 */
#pragma once

#include "loom-application.h"
#include "loom-document.h"
#include "loom-run-page.h"
#include "loom-tab.h"

G_BEGIN_DECLS

#define LOOM_TYPE_WINDOW (loom_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomWindow, loom_window, LOOM, WINDOW, AdwApplicationWindow)

LoomWindow *loom_window_new (LoomApplication *application);

/* Tabs, in their order. A new one shows nothing yet. Borrowed. */
LoomTab *loom_window_add_tab (LoomWindow *window, gboolean select);
LoomTab *loom_window_get_tab (LoomWindow *window);
guint loom_window_get_n_tabs (LoomWindow *window);
LoomTab *loom_window_get_nth_tab (LoomWindow *window, guint n);

/* Nothing is open and nothing loads. */
gboolean loom_window_is_empty (LoomWindow *self);
/* A session is being read: its files come then, or what it says of the run that is read meanwhile. */
gboolean loom_window_is_opening (LoomWindow *self);

/* Opens the files, folders and locations together, or adds them to what is open. What is not on this machine is fetched
 * first. */
void loom_window_open_files (LoomWindow *self, GFile **files, guint n_files, gboolean add);
void loom_window_open_paths (LoomWindow *self, const char *const *paths, gboolean add);

/* What the settings say of the timeline: ruler and dragging. New windows do it by themselves. */
void loom_window_apply_settings (LoomWindow *window);

/* TRUE when something is written in one of its editors that is not saved: it is asked about, and the window is to stay. */
gboolean loom_window_asks_editors (LoomWindow *window);

/* TRUE when something would be lost, or several runs closed at once: it is asked about, the window is to stay, and what was
 * begun, closing it or (`quits`) the program, goes on with the answer. */
gboolean loom_window_asks_to_close (LoomWindow *window, gboolean quits);

LoomDocument *loom_window_get_document (LoomWindow *self);
/* The state of the run in the tab that shows, NULL without a tab; and the page that shows it. Borrowed. */
LoomRunState *loom_window_get_run_state (LoomWindow *self);
LoomRunPage *loom_window_get_run_view (LoomWindow *self);

/* The page that shows: "empty", "reading", "nothing" or "run". */
const char *loom_window_get_page (LoomWindow *self);
/* What the trouble bar says, NULL while it is hidden; what the "nothing" page says. Borrowed. For tests. */
const char *loom_window_get_load_error (LoomWindow *self);
const char *loom_window_get_nothing (LoomWindow *self);

G_END_DECLS
