/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel with a table of events: those of the range the panels speak of, of the sources that are shown; sorted by a
 * column and filtered by a text in a worker. In step with the timeline: what is selected there is selected here and the
 * other way round. Its rows are loom_run_state_get_event_rows(), a LoomTableModel of LoomEventList. Main thread.
 *
 * A row that is chosen alone is brought into view; a double click or Enter fills the view with it. Its button
 * saves by the action "win.save-events".
 */
#pragma once

#include "loom-event-list.h"
#include "loom-run-state.h"
#include "loom-table-model.h"

#define LOOM_TYPE_EVENTS_PANEL (loom_events_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventsPanel, loom_events_panel, LOOM, EVENTS_PANEL, GtkWidget)

/* Most rows to copy at once, as a clipboard holds them as text. More rows can be saved to a file. */
#define LOOM_EVENTS_COPY_MOST 100000

GtkWidget *loom_events_panel_new (LoomRunState *run);

/* TRUE while a worker computes the rows, or which of them are selected. */
gboolean loom_events_panel_is_working (LoomEventsPanel *self);
