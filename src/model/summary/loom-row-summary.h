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
  gint64 longest_ns; /* its duration; 0 for an instant and when n is 0 */
  guint32 name_id;   /* its name; undefined when n is 0 */
} LoomSpanSummary;

/* Summarises [begin_ns, end_ns) of a row, in local time. */
void loom_row_summary_add (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns,
                           LoomSpanSummary *summary);

/* The same for `n` neighbouring ranges whose borders are edges_ns[0 … n]; ascending. Cheaper than n questions. */
void loom_row_summary_add_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                LoomSpanSummary *summaries);

/* The same for a picture of ranges of one length: spans that stand closely around a border are taken together, as long
 * as all of them lie within this share of a range, and divided between its two ranges as if they lay evenly. What is
 * counted and covered is so off by less than that share, in all it is exact; a longest span of no more than it may
 * count for the range before its own, and one so close to a border be passed over for what else the range has. Costs
 * the same whatever number of spans a range has. Of an eighth instead of a quarter, fewer rows would have a grid that is
 * fine enough, and far frames take longer. */
#define LOOM_SKETCH_SHARE 4
void loom_row_summary_sketch_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                   LoomSpanSummary *summaries);

G_END_DECLS
