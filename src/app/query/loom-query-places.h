/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans and ranges that the rows of a query's answer contain, and shows, selects or highlights them on the
 * timeline of the run. Called on the main thread.
 */
#pragma once

#include "loom-run-state.h"

/* The functions below do nothing if the rows contain no spans and no ranges of the current run (LoomQueryPlace).
 * `rows` (guint): indices of rows in the answer of the run's query. */

/* Shows the timeline, scrolls and zooms it so that all spans and ranges of the rows are visible, and selects the
 * spans. If the rows contain only ranges, selects the time from the earliest start to the latest end of these
 * ranges. O(rows). */
void loom_query_places_show (LoomRunState *run, const GArray *rows);
/* Selects the spans of the rows, at most LOOM_SELECTED_MOST, and stays on the current page. If the rows contain only
 * one span, scrolls the timeline to it. O(rows). */
void loom_query_places_select (LoomRunState *run, const GArray *rows);
/* Highlights the span or range of a row on the timeline, as if the pointer were over it. With G_MAXUINT, highlights
 * nothing. `origin`: see loom_hovered_place_set(). */
void loom_query_places_hover (LoomRunState *run, guint row, gconstpointer origin);
