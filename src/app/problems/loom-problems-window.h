/* SPDX-License-Identifier: Apache-2.0
 *
 * The window around the list of problems. It stays open beside the timeline and shows what it was opened for.
 */
#pragma once

#include "loom-problems-view.h"

G_BEGIN_DECLS

/* `run` may be NULL; `paths`: at first only these files, NULL: all. Returned for tests; the window owns itself. */
GtkWindow *loom_problems_window_present (GtkWindow *parent, LoomRun *run, const LoomSourceOverrides *names,
                                         const char *const *paths);

/* The list in it. Borrowed. */
LoomProblemsView *loom_problems_window_get_view (GtkWindow *window);

G_END_DECLS
