/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries of time ranges of one row without walking its spans, for drawing at any zoom. Cost per range: O(log n),
 * however many spans it has.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint32 n;         /* number of spans that touch the range */
  guint32 longest;   /* column index of the longest span; G_MAXUINT32 when n is 0 */
  gint64 busy_ns;    /* time of the range that spans cover, cut at the ends of the range */
  gint64 longest_ns; /* duration of the longest span, also outside of the range; 0 for an instant, and if n is 0 */
  guint32 name_id;   /* name of the longest span; undefined if n is 0 */
} LoomSpanSummary;

/* Summarises the spans of a row in [begin_ns, end_ns), local time. */
void loom_row_summary_add (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns,
                           LoomSpanSummary *summary);

/* Like loom_row_summary_add() for `n` adjacent ranges with the borders edges_ns[0] to edges_ns[n], ascending.
 * Cheaper than n calls for single ranges. */
void loom_row_summary_add_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                LoomSpanSummary *summaries);

/* Approximates loom_row_summary_add_many() for drawing, with ranges of one length. Spans close to a border are not
 * examined one by one: if together they take less than 1/LOOM_SKETCH_SHARE of a range, they are divided between the two
 * ranges as if they were spread evenly. Counts and covered times of a range are therefore off by less than that share;
 * their sums over all ranges are exact. A longest span no longer than that share may be reported for the range before
 * its own, or be replaced by another span of its range. The cost does not depend on the number of spans in a range.
 * With a share of an eighth instead of a quarter, fewer rows would have a grid that is fine enough, and frames that
 * show long times would take longer. */
#define LOOM_SKETCH_SHARE 4
void loom_row_summary_sketch_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                   LoomSpanSummary *summaries);
