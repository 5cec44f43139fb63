/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs one above the other on a common axis, step against step, and the names whose mean time changed most. A row leads to
 * its longest spans in both. Main thread; what takes longer is worked out in a worker.
 */
#pragma once

#include "loom-table-view.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* Compares two timelines as they are now; takes references. The names are those of the runs. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name,
                                            LoomTimeline *second, const char *second_name);

/* Nanoseconds to add to a time of the first run to get the time shown below it in the second. */
gint64 loom_compare_window_get_offset (LoomCompareWindow *self);
/* Aligns the views at a step; FALSE: the runs do not both have it. */
gboolean loom_compare_window_align_step (LoomCompareWindow *self, gint64 number);

/* The view of a run: 0 above, 1 below. */
LoomTimelineView *loom_compare_window_get_view (LoomCompareWindow *self, guint which);
LoomTableView *loom_compare_window_get_table (LoomCompareWindow *self);
/* TRUE while steps and names are being compared. */
gboolean loom_compare_window_is_working (LoomCompareWindow *self);
