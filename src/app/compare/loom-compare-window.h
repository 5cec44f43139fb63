/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that compares two runs. A sentence at the top says what makes one run slower. Below it, both timelines are
 * shown one above the other on a common time axis. At the bottom are tables of the parts of a step, the ranks and the
 * span names. Activating a name shows the longest spans of this name in both runs. Called on the main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <adwaita.h>

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* A run that the user can choose for the comparison. */
typedef struct {
  LoomTimeline *timeline; /* owned: the struct holds a reference */
  char *name;
} LoomCompareRun;

/* Returns a new array of the open runs (LoomCompareRun *), which frees its elements when it is freed. */
typedef GPtrArray *(*LoomCompareWindowListRuns) (GtkWindow *parent);

/* Makes a LoomCompareRun. Takes a reference to the timeline and copies the name. */
LoomCompareRun *loom_compare_window_new_run (LoomTimeline *timeline, const char *name);
void loom_compare_window_free_run (LoomCompareRun *run);

/* Makes a window that compares the timelines of two runs. Takes references to the timelines. Later changes of the runs
 * do not change the window. `list_runs` is called with `parent` whenever a menu of runs is shown. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, const LoomCompareRun *first,
                                            const LoomCompareRun *second, LoomCompareWindowListRuns list_runs);
/* Loads files, a folder or a saved session, and compares the loaded run instead of run `which` (0 or 1). Applies the
 * changes to sources and clocks that a session contains. Refuses a session with remote locations. */
void loom_compare_window_open (LoomCompareWindow *self, guint which, const char *const *paths);
