/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the table of events: start, duration, name, category, track. Main thread.
 */
#pragma once

#include "loom-event-list.h"
#include "loom-table-model.h"
#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* Each in order of LoomEventOrder, titled and to be sorted by a click; sorted by start at first. Starts are read as the
 * ruler of `state` does, which outlives the view. */
void loom_event_columns_add (GtkColumnView *view, LoomTimelineState *state);

/* How the view is to be sorted; by start, ascending, when a person said nothing. */
void loom_event_columns_get_sort (GtkColumnView *view, LoomEventOrder *order, gboolean *descending);

G_END_DECLS
