/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel with a table of the events in the range of the analysis; events of hidden sources are not listed. A worker
 * sorts the events by a column and filters them by a text. The selection of the table and the selection of the timeline
 * follow each other. The run state holds the rows (loom_run_state_get_event_rows()), a LoomTableModel that shows a
 * LoomEventList. Called on the main thread.
 *
 * If a single row is selected, the timeline moves to its event; a double click or Enter makes the event fill the width
 * of the timeline. The button for saving activates the action "win.save-events".
 */
#pragma once

#include "loom-record-table.h"

#define LOOM_TYPE_EVENTS_PANEL (loom_events_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventsPanel, loom_events_panel, LOOM, EVENTS_PANEL, LoomRecordTable)

/* The largest number of rows that can be copied at once, because the clipboard holds them as text. More rows can be
 * saved to a file. */
#define LOOM_EVENTS_COPY_MOST 100000

GtkWidget *loom_events_panel_new (LoomRunState *run);

/* Returns TRUE while a worker computes the rows or finds out which rows are selected. */
gboolean loom_events_panel_is_working (LoomEventsPanel *self);
