/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model/summary. The grid of a long row: its time divided into buckets of equal length, with sums over
 * the spans of each bucket. A bucket lasts 2ⁿ ns and has 32 to 64 spans on average; a bucket of the next higher level
 * consists of four buckets. If ranges are several buckets long, a division gives the bucket that contains a border, and
 * the buckets between two borders are contiguous in memory. Therefore a query reads a quarter of the memory that it
 * would read in the tree (loom-summary-tree.h). The grid takes less than one byte per span.
 */
#pragma once

#include "loom-row-summary.h"

#include "loom-trace-private.h"

/* Returns the number of 8-byte words of the grid of a row with `n_spans` spans, rounded up to full cache lines; 0: the
 * row gets no grid. */
gsize loom_summary_grid_n_words (guint32 n_spans);

void loom_summary_grid_fill (const LoomTrace *trace, const LoomRow *row, gint64 *words);

/* Fills the summaries as loom_row_summary_sketch_many() does. Returns FALSE if the row has no grid, or if the buckets of
 * all levels are too long, or too short, for the ranges. */
gboolean loom_summary_grid_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *words,
                                   const gint64 *edges_ns, guint n, gint64 slack_ns, LoomSpanSummary *summaries);
