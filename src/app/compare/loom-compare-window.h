/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that compares two runs. A sentence at the top says what makes one run slower; below it both timelines are
 * shown one above the other on a common axis; at the bottom are tables of the parts of a step, the ranks and the names.
 * Activating a name shows its longest spans in both runs. Called on the main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <adwaita.h>

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* A run that can be chosen. */
typedef struct {
  LoomTimeline *timeline; /* a reference */
  char *name;
} LoomCompareRun;

/* Returns the runs that are open, LoomCompareRun, in an array that frees them. */
typedef GPtrArray *(*LoomCompareWindowListRuns) (GtkWindow *parent);

/* Takes a reference and copies the name. */
LoomCompareRun *loom_compare_window_new_run (LoomTimeline *timeline, const char *name);
void loom_compare_window_free_run (LoomCompareRun *run);

/* Compares these two timelines, which it references; later changes of the runs are not followed. `list_runs` is called with the
 * parent whenever the menus of runs are shown. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, const LoomCompareRun *first,
                                            const LoomCompareRun *second, LoomCompareWindowListRuns list_runs);
/* Loads files, a folder or a saved session, with its changes to sources and clocks, and compares them instead of one of
 * the two runs, 0 or 1. A session with remote locations is refused. */
void loom_compare_window_open (LoomCompareWindow *self, guint which, const char *const *paths);
