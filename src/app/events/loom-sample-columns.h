/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the table of samples: time, duration, name, value, depth, rank, track. Called on the main thread.
 */
#pragma once

#include "loom-sample-list.h"
#include "loom-table-model.h"
#include "loom-timeline-state.h"

/* Adds a column for each LoomSampleOrder, in order, with a title and sortable by a click; sorted by time at first. Times
 * use the unit of the ruler of `state`, which must outlive the view. */
void loom_sample_columns_add (GtkColumnView *view, LoomTimelineState *state);
/* Sets the width of the column of times to what they need. Hides the columns of values, depths and ranks if the list has
 * none, and those of durations and ranks in a narrow table: see loom-narrow-table.h. */
void loom_sample_columns_fit (GtkColumnView *view, const LoomSampleList *list, LoomTimelineState *state,
                              gboolean is_narrow);

/* Gets the order selected in the view. If the user has selected none, it is by time, ascending. */
void loom_sample_columns_get_sort (GtkColumnView *view, LoomSampleOrder *order, gboolean *descending);

/* The cells of a row, tab-separated, for the clipboard; tabs and line feeds in texts become spaces. Owned by the caller. */
char *loom_sample_columns_dup_line (const LoomSampleList *list, guint row, LoomTimelineState *state);
/* The titles of the columns, tab-separated. Owned by the caller. */
char *loom_sample_columns_dup_titles (void);
