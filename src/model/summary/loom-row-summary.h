/* SPDX-License-Identifier: Apache-2.0
 *
 * Summarises the spans of a row in ranges of time, so that a timeline can be drawn at any zoom without reading every
 * span. A range costs O(log n), however many spans it has.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  guint32 n;       /* number of spans that touch the range */
  guint32 longest; /* column index of the longest span that touches the range; G_MAXUINT32 if n is 0 */
  gint64 busy_ns;  /* total time in ns, within the range, during which spans are running */
  /* whole duration of the longest span in ns, including its parts outside the range; 0 for an instant, and if n is 0 */
  gint64 longest_ns;
  guint32 name_id; /* name of the longest span; undefined if n is 0 */
} LoomSpanSummary;

/* Sets `summary` to the summary of the spans of the row that touch the range [begin_ns, end_ns). Both times are local
 * times of the row's clock. */
void loom_row_summary_add (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns,
                           LoomSpanSummary *summary);

/* Sets summaries[i], for i from 0 to `n` − 1, to the summary of the spans of the row that touch the range [edges_ns[i],
 * edges_ns[i + 1]). The borders edges_ns[0] to edges_ns[n] must be ascending. Gives the same result as a call of
 * loom_row_summary_add() for each range, but takes less time. */
void loom_row_summary_add_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                LoomSpanSummary *summaries);

/* Approximates loom_row_summary_add_many() for drawing, with ranges of equal length. The cost does not depend on the
 * number of spans in a range.
 *
 * Let s be the length of a range divided by LOOM_SKETCH_SHARE. If a group of neighbouring spans contains a border
 * between two ranges and lasts less than s, these spans are not read one by one, but divided between the two ranges as
 * if they were spread evenly over the time of the group. This has three consequences: The counts and covered times of a
 * range are wrong by less than the share 1/LOOM_SKETCH_SHARE. Their sums over all ranges are exact. If the longest span
 * of a range is at most s long, it may be reported as the longest span of the previous range, and another span may be
 * reported for its own range.
 *
 * With LOOM_SKETCH_SHARE 8 instead of 4, long time ranges would be drawn more slowly, because fewer rows would have a
 * grid that is fine enough. */
#define LOOM_SKETCH_SHARE 4
void loom_row_summary_sketch_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                                   LoomSpanSummary *summaries);

/* Returns the index in the row of sampled span number `i`. The `n_sampled` sampled spans represent the `n` spans of the
 * row. If n equals n_sampled, all spans are sampled; otherwise groups of LOOM_SAMPLE_RUN neighbouring spans, at equal
 * distances, are sampled. Single spans at equal distances would show only the waits, or only the kernels, of a stream
 * on which both alternate. `n_sampled` is at most n, and a multiple of LOOM_SAMPLE_RUN if it is less. */
#define LOOM_SAMPLE_RUN 4
static inline guint32
loom_row_summary_sample (guint32 n, guint32 n_sampled, guint32 i)
{
  if (n == n_sampled)
    return i;
  guint32 n_runs = n_sampled / LOOM_SAMPLE_RUN, run = i / LOOM_SAMPLE_RUN;
  return (guint32) ((guint64) run * n / n_runs) + i % LOOM_SAMPLE_RUN;
}
