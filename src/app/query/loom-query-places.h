/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans and ranges to which rows in the answer of a query refer, and shows, selects or highlights them on the
 * timeline of the run. Called on the main thread.
 */
#pragma once

#include "loom-run-state.h"

/* The functions below do nothing if none of the rows names a span or a range of the present run (LoomQueryPlace).
 * `rows` (guint): numbers of rows in the answer of the run's query. */

/* Shows the timeline, moves its view so that all spans and ranges that the rows name are visible, and selects these
 * spans. If the rows name only ranges, selects the range from the earliest start to the latest end of these ranges.
 * O(rows). */
void loom_query_places_show (LoomRunState *run, const GArray *rows);
/* Selects the spans of the rows, at most LOOM_SELECTED_MOST, without leaving the page. If the rows name only one span,
 * moves the view to it. O(rows). */
void loom_query_places_select (LoomRunState *run, const GArray *rows);
/* Marks the span or range of a row on the timeline as hovered; G_MAXUINT: no row. `origin`: as for
 * loom_hovered_place_set(). */
void loom_query_places_hover (LoomRunState *run, guint row, gconstpointer origin);
