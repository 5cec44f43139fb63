/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of the list of problems. It stays open next to the timeline and does not follow later loads. Called on the
 * main thread.
 */
#pragma once

#include "loom-problems-view.h"

/* Shows the problems of a run (may be NULL) in a window. `paths`: at first only problems of these files, NULL: of
 * all. The window owns itself; it is returned for tests. */
GtkWindow *loom_problems_window_present (GtkWindow *parent, LoomRun *run, const LoomSourceOverrides *names,
                                         const char *const *paths);

/* The list of problems in the window. Borrowed. */
LoomProblemsView *loom_problems_window_get_view (GtkWindow *window);
