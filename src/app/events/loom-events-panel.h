/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel with a table of the events in the range of the analysis. Events of hidden sources are not listed. A worker
 * thread sorts the events by a column and filters them by a text. When the selection of the table changes, the
 * selection of the timeline changes, too, and vice versa. The run state owns the model of the rows
 * (loom_run_state_get_event_rows()), a LoomTableModel that shows a LoomEventList. Called on the main thread.
 *
 * If a single row is selected, the timeline scrolls to its event. A double click or Enter zooms the timeline to the
 * event. The button for saving activates the action "win.save-events".
 */
#pragma once

#include "loom-record-table.h"

#define LOOM_TYPE_EVENTS_PANEL (loom_events_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventsPanel, loom_events_panel, LOOM, EVENTS_PANEL, LoomRecordTable)

/* Maximum number of rows that can be copied at once; limited because the clipboard contains them as text in memory.
 * More rows can be saved to a file. */
#define LOOM_EVENTS_COPY_MOST 100000

GtkWidget *loom_events_panel_new (LoomRunState *run);

/* Returns TRUE while a worker thread computes the rows or finds the rows to select. */
gboolean loom_events_panel_is_working (LoomEventsPanel *self);
