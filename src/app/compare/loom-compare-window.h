/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs one above the other on a common axis, step against step, and the names whose mean time changed most. A row leads to
 * its longest spans in both. Main thread; what takes longer is worked out in a worker.
 */
#pragma once

#include "loom-table-view.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LOOM_TYPE_COMPARE_WINDOW (loom_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, LOOM, COMPARE_WINDOW, AdwWindow)

/* References to the timelines are taken: it shows them as they are now. Names are of the runs. */
LoomCompareWindow *loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name,
                                            LoomTimeline *second, const char *second_name);

/* Nanoseconds from an instant of the first run to the one below it in the second. */
gint64 loom_compare_window_get_offset (LoomCompareWindow *self);
/* FALSE when the two have no such step. */
gboolean loom_compare_window_align_step (LoomCompareWindow *self, gint64 number);

/* 0 above, 1 below. */
LoomTimelineView *loom_compare_window_get_view (LoomCompareWindow *self, guint which);
LoomTableView *loom_compare_window_get_table (LoomCompareWindow *self);
/* Steps and names are still being looked for. */
gboolean loom_compare_window_is_working (LoomCompareWindow *self);

G_END_DECLS
