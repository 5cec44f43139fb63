/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows the rows of the answer of a run's query: as a table, or as a chart of chosen columns with a
 * sentence about the rows that the chart does not show. Whether a table or a chart is shown is stored with the query
 * (loom-query-state.h). Called on the main thread.
 *
 * A double click on a row, a click on an element of the chart, or Enter shows the span or range that the row names on
 * the timeline. Selecting rows in the table selects their spans on the timeline.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_QUERY_RESULT (loom_query_result_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryResult, loom_query_result, LOOM, QUERY_RESULT, GtkBox)

/* Sets the run. The widget shows the answer of the run's query and follows its changes. Takes references; charts have
 * the colours and the font of the scene. Call once. */
void loom_query_result_set_run (LoomQueryResult *self, LoomRunState *run, LoomRenderContext *scene);

/* Returns the numbers (guint) of the selected rows, or of all rows shown if none is selected. Owned by the caller.
 * O(rows). */
GArray *loom_query_result_list_rows (LoomQueryResult *self);
