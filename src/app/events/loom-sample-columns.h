/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the table of samples: time, duration, name, value, depth, rank, track. Called on the main thread.
 */
#pragma once

#include "loom-sample-list.h"
#include "loom-table-model.h"
#include "loom-timeline-state.h"

/* Adds a column for each LoomSampleOrder, in this order. Columns have titles and can be sorted by a click; at first
 * the view is sorted by time. Times have the unit of the ruler of `state`, which must live longer than the view. */
void loom_sample_columns_add (GtkColumnView *view, LoomTimelineState *state);
/* Fits the width of the column of times to all times of the list. Hides each of the columns of values, depths and ranks
 * if no sample of the list has a value, a depth or a rank. In a narrow table (loom-narrow-table.h), also hides the
 * column of durations and, if ranks differ (LoomSampleList.ranks_differ), the column of tracks. */
void loom_sample_columns_fit (GtkColumnView *view, const LoomSampleList *list, LoomTimelineState *state,
                              gboolean is_narrow);

/* Returns the cells of a row for the clipboard, separated by tabs. Tabs and line feeds in texts become spaces. Owned
 * by the caller. */
char *loom_sample_columns_dup_line (const LoomSampleList *list, guint row, LoomTimelineState *state);
/* Returns the titles of the columns, separated by tabs. Owned by the caller. */
char *loom_sample_columns_dup_titles (void);
