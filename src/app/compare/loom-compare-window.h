/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that compares two runs. A sentence at the top says what makes one run slower; below it both timelines are
 * shown one above the other on a common axis; at the bottom are tables of the parts of a step, the ranks and the names.
 * Activating a name shows its longest spans in both runs. Main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <adwaita.h>

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* Compares these two timelines, which it references; later changes of the runs are not followed. `first_name` and
 * `second_name` are the names of the runs. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name,
                                            LoomTimeline *second, const char *second_name);
