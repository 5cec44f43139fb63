/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers about ranges of one row without walking its spans: what drawing needs at any zoom.
 * Cost of a question: O(log n), whatever lies in the range.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

typedef struct {
  guint32 n;         /* spans that touch the range */
  guint32 longest;   /* column index of the longest of them; G_MAXUINT32 when n is 0 */
  gint64 busy_ns;    /* time of the range that spans cover (whole spans count; the two at the edges are cut) */
} LoomSummary;

/* Summarises [begin_ns, end_ns) of a row, in local time. */
void loom_row_summarise (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns,
                         LoomSummary *summary);

/* The same for `n` neighbouring ranges whose borders are edges_ns[0 … n]; ascending. Cheaper than n questions. */
void loom_row_summarise_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                              LoomSummary *summaries);

G_END_DECLS
