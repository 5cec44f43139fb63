/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of the samples in the range of the analysis: values of counters, samples of threads and of Python profilers.
 * Only samples of visible sources are listed. If a single row is selected, its sample is selected on the timeline, and
 * the timeline scrolls to it. A double click or Enter opens the timeline at the sample. The model of the table
 * (loom_record_table_get_model()) shows a LoomSampleList. Called on the main thread.
 */
#pragma once

#include "loom-record-table.h"

#define LOOM_TYPE_SAMPLES_PANEL (loom_samples_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSamplesPanel, loom_samples_panel, LOOM, SAMPLES_PANEL, LoomRecordTable)

/* Makes a table. Its title has a switch with which the user chooses which of the tables in `stack` is visible. `stack`
 * is borrowed. */
GtkWidget *loom_samples_panel_new (LoomRunState *run, GtkStack *stack);
