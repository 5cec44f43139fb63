/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the table of events: start, duration, name, category, rank, track. Called on the main thread.
 */
#pragma once

#include "loom-event-list.h"
#include "loom-table-model.h"
#include "loom-timeline-state.h"

/* Adds a column for each LoomEventOrder, in order, with a title and sortable by a click; sorted by start at first.
 * Start times use the unit of the ruler of `state`, which must outlive the view. */
void loom_event_columns_add (GtkColumnView *view, LoomTimelineState *state);

/* Sets the width of the column of starts to what the starts in the list need. Hides the columns of categories and ranks
 * if the run has none, and that of categories in a narrow table: see loom-narrow-table.h. */
void loom_event_columns_fit (GtkColumnView *view, const LoomEventList *list, LoomTimelineState *state,
                             gboolean is_narrow);

/* The width in px of a column of such cells with this number of digits, including its padding. */
int loom_event_columns_get_width (GtkColumnView *view, int chars);

/* The number of characters of the widest start in a column: that at the end of the run, or a fixed number if dates or
 * steps are shown. */
int loom_event_columns_count_start_chars (LoomTimelineState *state, guint digits, gint64 extent_ns);

/* Gets the order selected in the view. If the user has selected none, it is by start, ascending. */
void loom_event_columns_get_sort (GtkColumnView *view, LoomEventOrder *order, gboolean *descending);
