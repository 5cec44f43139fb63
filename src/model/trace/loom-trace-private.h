/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. The data of a trace: src/model/freeze fills it, loom-trace.c and src/model/summary read it.
 */
#pragma once

#include "loom-lane.h"
#include "loom-trace.h"

/* Position of the summary of a row: the indices of its first elements in LoomTrace.longest and in LoomTrace.sums_ns. */
typedef struct {
  guint32 first_longest;
  guint32 first_sum;
} LoomRowSummary;

struct _LoomTrace {
  gatomicrefcount refs;
  char *stamp;        /* text that identifies the state of the files (loom_trace_set_stamp()); NULL: unknown */
  GPtrArray *sources; /* LoomSource *: the files of the trace */
  GPtrArray *clocks;  /* LoomDeclaredClock *: the clocks of the sources */
  LoomRange *extents; /* array indexed by clock: time range of the clock's events; begin_ns is LOOM_TIME_NONE if there
                       * are none */

  LoomTrack *tracks;
  guint32 n_tracks;
  LoomRow *rows; /* rows of all tracks, in the order of their spans in the columns */
  guint32 *row_tracks;
  guint32 n_rows;

  LoomSpans spans;
  gint64 *start_ns, *dur_ns; /* memory of the columns of spans; the pointers in `spans` refer to it */
  guint32 *name_id;
  LoomRef *ref;
  guint32 first_instant; /* index in the columns of the first instant: instants come after all spans */

  LoomSeries *series;
  guint32 n_series;
  gint64 *sample_time_ns;
  double *sample_value;
  LoomRef *sample_ref;
  guint64 n_samples;

  LoomName *names;
  guint32 n_names;
  LoomStringPool *texts;  /* texts of the names */
  LoomStringPool *labels; /* texts of the tracks and series */

  LoomArrow *arrows;
  guint32 *arrows_by_target;
  guint32 n_arrows;
  LoomFlowPoint *points;
  guint32 n_points;

  LoomSyncEvent *meetings; /* sync events, sorted by start */
  guint32 n_meetings;
  LoomStringPool *meeting_texts; /* texts of groups and names of sync events; NULL if there are no sync events */

  LoomEndRef *end_refs; /* LoomEndRef elements, sorted by `begin`, which is the LoomRef of the span */
  guint32 n_end_refs;

  LoomRowSummary *summaries; /* indexed by LoomRow.summary − 1: where a row's data begin in `longest` and `sums_ns` */
  guint32 n_summaries;
  /* array indexed by node of the trees of all rows: the longest span of the node, as a Peak (loom-summary-tree.h),
   * which takes two elements. Peak.span is relative to the first span of the block in which the row begins */
  guint32 *longest;
  /* For each row with a summary, one after another: the sum of the durations before each block of 16 spans; the start
   * of each node of the row's tree (loom-summary-tree.h); the longest duration of each node; the row's grid
   * (loom-summary-grid.h). */
  gint64 *sums_ns;
  gsize n_longest, n_sums;

  gsize shared[LOOM_N_TRACE_SHARES]; /* results of loom_trace_share(), as addresses; 0: not computed yet */
  GDestroyNotify free_shared[LOOM_N_TRACE_SHARES];
};

static inline gboolean
loom_trace_is_instant (const LoomTrace *trace, guint32 span)
{
  return span >= trace->first_instant;
}

/* Returns the end of a span, or the time of an instant, in local time. `span`: column index. */
static inline gint64
loom_trace_end_ns (const LoomTrace *trace, guint32 span)
{
  return trace->start_ns[span] + (loom_trace_is_instant (trace, span) ? 0 : trace->dur_ns[span]);
}

/* Returns the same result as loom_trace_row_lower_bound(), but is faster if the result is near `from`. The result must
 * not be less than `from`. */
guint32 loom_trace_row_gallop (const LoomTrace *trace, const LoomRow *row, guint32 from, gint64 time_ns);

/* Defined in loom-freeze-columns.c: returns memory for a column of `n` elements of `size` bytes, aligned to a cache
 * line. Must be freed with g_free(). */
gpointer loom_trace_column_new (gsize n, gsize size);

/* Defined in loom-summary-build.c: loom_trace_summary_reserve() reserves memory for the summaries of all rows;
 * loom_trace_summary_fill() fills the summary of one row. */
void loom_trace_summary_reserve (LoomTrace *trace);
void loom_trace_summary_fill (LoomTrace *trace, guint32 row);
