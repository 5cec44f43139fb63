/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows the rows of the answer of a run's query, either as a table or as a chart of chosen columns. A
 * sentence below a chart states which rows the chart does not show. The choice of table or chart is stored with the
 * query (loom-query-state.h). Called on the main thread.
 *
 * A double click on a row, a click on an element of the chart, or Enter shows the span or range of the row on the
 * timeline. Selecting rows of the table selects their spans on the timeline.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_QUERY_RESULT (loom_query_result_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryResult, loom_query_result, LOOM, QUERY_RESULT, GtkBox)

/* Sets the run. The widget shows the answer of the run's query, and updates when the answer changes. Takes
 * references. `scene`: has the colors and the font of charts. May be called only once. */
void loom_query_result_set_run (LoomQueryResult *self, LoomRunState *run, LoomRenderContext *scene);

/* Returns the indices (guint) of the selected rows; if no row is selected, those of all shown rows. Owned by the
 * caller. O(rows). */
GArray *loom_query_result_list_rows (LoomQueryResult *self);
