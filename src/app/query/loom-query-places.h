/* SPDX-License-Identifier: Apache-2.0
 *
 * Leads from rows of the answer of a run's query to their places on the timeline. Called on the main thread.
 */
#pragma once

#include "loom-run-state.h"

/* Shows on the timeline what the rows of a query's answer name: a span, a range or nothing (LoomQueryPlace). The
 * functions do nothing if no row names anything in the present run. `rows` (guint): numbers of rows. */

/* Shows the timeline and selects the spans of the rows or, if the rows have ranges, the range that covers these.
 * O(rows). */
void loom_query_places_show (LoomRunState *run, const GArray *rows);
/* Selects the spans of the rows, at most LOOM_SELECTED_MOST, and stays on the page. One span is brought into view. O(rows). */
void loom_query_places_select (LoomRunState *run, const GArray *rows);
/* Marks the span or range of a row on the timeline as hovered; G_MAXUINT: no row. `origin`: as for
 * loom_hovered_place_set(). */
void loom_query_places_hover (LoomRunState *run, guint row, gconstpointer origin);
