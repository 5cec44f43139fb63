/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the summaries: a long row by even steps of time. A bucket stands for 2ⁿ ns and for 32 to 64 spans on
 * average, one of the level above for four of them. Where a picture's ranges are several buckets wide, its borders need
 * not be looked for and what lies between them stands in a row: a quarter of the memory that the tree would touch.
 * Less than a byte per span.
 */
#pragma once

#include "loom-row-summary.h"

#include "loom-trace-private.h"

/* Words of 8 bytes for the grid of a row with so many spans, full cache lines; 0 when it gets none. */
gsize loom_summary_grid_n_words (guint32 n_spans);

void loom_summary_grid_fill (const LoomTrace *trace, const LoomRow *row, gint64 *words);

/* Fills the summaries as loom_row_summary_sketch_many() does. FALSE when the ranges are too narrow for the grid. */
gboolean loom_summary_grid_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *words,
                                   const gint64 *edges_ns, guint n, gint64 slack_ns, LoomSpanSummary *summaries);
