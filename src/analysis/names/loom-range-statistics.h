/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran in a range, by name: one pass over the columns, on all processors. Immutable when made, freed by its owner,
 * any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

/* Of the spans that touch the range. Durations count whole; only what is said to be in the range is cut to it. */
typedef struct {
  const char *name; /* borrowed from the run */
  const char *category;
  guint64 count;
  gint64 total_ns;
  gint64 in_range_ns;
  gint64 self_ns;          /* total without what runs one depth below */
  gint64 self_in_range_ns; /* in_range without what of that is in the range */
  gint64 mean_ns;          /* total / count, rounded */
  gint64 min_ns;
  gint64 max_ns;
  gint64 p50_ns, p95_ns,
    p99_ns;           /* exact: position q·(n−1), linear between neighbours, rounded (formats/analysis.md §2) */
  double share;       /* in_range of all names' in_range; 0 where that is 0 */
  LoomSpanId longest; /* of equally long ones the first in trace order */
} LoomNameStats;

typedef struct _LoomRangeStatistics LoomRangeStatistics;

/* `tracks` NULL: all spans and async tracks that do not aggregate others (LOOM_TRACK_DERIVED); a derived track counts
 * when it is asked for. Names with equal text and category are one, whatever trace they stand in. Cost O(names + spans
 * in range), and O(spans one depth below a span that reaches out of the range). NULL only when cancelled. */
LoomRangeStatistics *loom_range_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                gsize n_tracks, GCancellable *cancellable);
/* The same where the names of the run are joined already: for one range after another. */
LoomRangeStatistics *loom_range_statistics_new_with_names (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                           const LoomTrackId *tracks, gsize n_tracks,
                                                           GCancellable *cancellable);
void loom_range_statistics_free (LoomRangeStatistics *stats);

/* Sorted by total_ns, largest first; then by name. */
const LoomNameStats *loom_range_statistics_get (const LoomRangeStatistics *stats, guint *n);
guint64 loom_range_statistics_get_count (const LoomRangeStatistics *stats);
gint64 loom_range_statistics_get_total_ns (const LoomRangeStatistics *stats);
gint64 loom_range_statistics_get_in_range_ns (const LoomRangeStatistics *stats);
LoomRunNames *loom_range_statistics_get_names (const LoomRangeStatistics *stats); /* borrowed */
/* Files whose spans were counted: flat numbers in the run, ascending; borrowed. Of a trace of several files all. */
const guint *loom_range_statistics_get_sources (const LoomRangeStatistics *stats, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRangeStatistics, loom_range_statistics_free)

G_END_DECLS
