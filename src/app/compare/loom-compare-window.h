/* SPDX-License-Identifier: Apache-2.0
 *
 * A window with two runs one above the other on a common axis, and above them what made one slower. Below are tables of the
 * parts of a step, the ranks and the names; a name leads to its longest spans in both runs. Main thread.
 */
#pragma once

#include "loom-timeline.h"

#include <adwaita.h>

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* Compares two timelines as they are now; takes references. The names are those of the runs. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name,
                                            LoomTimeline *second, const char *second_name);
