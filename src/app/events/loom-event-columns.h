/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the table of events: start, duration, name, category, rank, track. Called on the main thread.
 */
#pragma once

#include "loom-event-list.h"
#include "loom-table-model.h"
#include "loom-timeline-state.h"

/* Adds a column for each LoomEventOrder, in this order. Columns have titles and can be sorted by a click; at first
 * the view is sorted by start. Start times have the unit of the ruler of `state`, which must live longer than the
 * view. */
void loom_event_columns_add (GtkColumnView *view, LoomTimelineState *state);

/* Sets the width of the column of starts to fit all starts of the list. Hides the column of categories if the list
 * has no categories or the table is narrow (loom-narrow-table.h). Hides the column of ranks if the list has no ranks.
 * In a narrow table, hides the column of tracks if ranks differ (LoomEventList.ranks_differ). */
void loom_event_columns_fit (GtkColumnView *view, const LoomEventList *list, LoomTimelineState *state,
                             gboolean is_narrow);

/* Returns the width in px, including padding, of a column whose cells are `chars` characters wide. */
int loom_event_columns_get_width (GtkColumnView *view, int chars);

/* Returns the width of the column of starts, in characters: 1 plus the length of the text of a start that is
 * `extent_ns` after the start of the timeline. If starts are shown as dates or as steps, the width is a fixed number.
 * `digits`: number of decimals of a second. */
int loom_event_columns_count_start_chars (LoomTimelineState *state, guint digits, gint64 extent_ns);
