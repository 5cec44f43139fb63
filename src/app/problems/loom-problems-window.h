/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with the problems that occurred while a run was loaded (loom-problems-view.h). It stays open next to the
 * timeline, and does not show the problems of later loads. Called on the main thread.
 */
#pragma once

#include "loom-problems-view.h"

/* Shows the problems of a run (may be NULL) in a window. `paths`: the window shows only the problems of these files,
 * until the user asks for all problems; NULL: it shows the problems of all files. The window destroys itself when it is
 * closed; it is returned for tests. */
GtkWindow *loom_problems_window_present (GtkWindow *parent, LoomRun *run, const LoomSourceOverrides *names,
                                         const char *const *paths);

/* Returns the list of problems in the window. Borrowed. */
LoomProblemsView *loom_problems_window_get_view (GtkWindow *window);
