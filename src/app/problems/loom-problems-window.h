/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with the problems that occurred while a run was loaded (loom-problems-view.h). The user can keep it open
 * next to the timeline. It does not update when files are loaded later. Called on the main thread.
 */
#pragma once

#include "loom-problems-view.h"

/* Shows the problems of a run (may be NULL) in a window. `paths`: only the problems of these files are shown until
 * the user clicks the button to show all problems. If `paths` is NULL, the problems of all files are shown. The
 * window destroys itself when it is closed. It is returned for tests. */
GtkWindow *loom_problems_window_present (GtkWindow *parent, LoomRun *run, const LoomSourceOverrides *names,
                                         const char *const *paths);

/* Returns the list of problems in the window. Borrowed. */
LoomProblemsView *loom_problems_window_get_view (GtkWindow *window);
