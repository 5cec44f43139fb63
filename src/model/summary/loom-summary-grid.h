/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the summaries: a long row in even steps of time. A bucket covers 2ⁿ ns and 32 to 64 spans on average; a
 * bucket of the next level covers four buckets. If ranges are several buckets wide, their borders need no search and
 * the buckets between them are contiguous: this touches a quarter of the memory that the tree would. Less than a byte
 * per span.
 */
#pragma once

#include "loom-row-summary.h"

#include "loom-trace-private.h"

/* Returns the number of 8-byte words of the grid of a row with `n_spans` spans, rounded up to full cache lines; 0:
 * it gets no grid. */
gsize loom_summary_grid_n_words (guint32 n_spans);

void loom_summary_grid_fill (const LoomTrace *trace, const LoomRow *row, gint64 *words);

/* Fills the summaries as loom_row_summary_sketch_many() does. Returns FALSE if the grid is too coarse for the
 * ranges. */
gboolean loom_summary_grid_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *words,
                                   const gint64 *edges_ns, guint n, gint64 slack_ns, LoomSpanSummary *summaries);
