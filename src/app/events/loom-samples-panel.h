/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel with a table of the samples in the range of the analysis, of visible sources only: values of counters,
 * samples of threads and of Python profilers. A worker sorts them by a column and filters them by a text. If a single
 * row is selected, its sample is selected on the timeline and the view moves there; a double click or Enter shows it on
 * the timeline. Called on the main thread.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-sample-list.h"
#include "loom-table-model.h"

#define LOOM_TYPE_SAMPLES_PANEL (loom_samples_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSamplesPanel, loom_samples_panel, LOOM, SAMPLES_PANEL, GtkWidget)

/* Makes a panel whose title has a switch between the tables of `stack`. */
GtkWidget *loom_samples_panel_new (LoomRunState *run, GtkStack *stack);

/* Returns the model of the rows, which come from a LoomSampleList. Borrowed. */
LoomTableModel *loom_samples_panel_get_rows (LoomSamplesPanel *self);
/* Returns TRUE while a worker computes the rows. */
gboolean loom_samples_panel_is_working (LoomSamplesPanel *self);
