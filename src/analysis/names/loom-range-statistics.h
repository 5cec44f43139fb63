/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the spans in a range by name: one pass over the columns, on all processors. Immutable when made, freed
 * by its owner, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* Statistics of one name, over the spans that touch the range. Durations are those of whole spans; only the members
 * with “in_range” in their name are cut to the range. */
typedef struct {
  const char *name; /* borrowed from the run */
  const char *category;
  guint64 count;
  gint64 total_ns;
  gint64 in_range_ns;
  gint64 self_ns;          /* total_ns minus the time of the spans' children */
  gint64 self_in_range_ns; /* in_range_ns minus the time of the spans' children inside the range */
  gint64 mean_ns;          /* total_ns ÷ count, rounded */
  double deviation_ns;     /* standard deviation of the sample (n − 1); 0 for one span */
  gint64 min_ns;
  gint64 max_ns;
  gint64 p50_ns, p95_ns, p99_ns; /* exact percentiles, interpolated linearly as by numpy.quantile(), rounded */
  double share;                  /* in_range_ns ÷ the sum of in_range_ns over all names; 0 if the sum is 0 */
  LoomSpanId longest;            /* the longest span; of equally long spans, the first in trace order */
} LoomNameStats;

typedef struct {
  const LoomNameStats *names; /* sorted by total_ns, largest first; then by name */
  guint n_names;
  guint64 count; /* sum of the counts of all names */
  LoomRunNames *joined;
  /* sources of the counted spans, as indices in the run, ascending; if any span of a trace was counted, the list
   * contains all sources of this trace */
  const guint *sources;
  guint n_sources;
  LoomTimeline *timeline; /* private, like the members below; owns the texts */
  GArray *all_names, *all_sources;
} LoomRangeStatistics;

/* Computes statistics of all names in a range. `tracks`: the tracks that count; NULL: all tracks of spans and async
 * spans, except those that aggregate other tracks (LOOM_TRACK_DERIVED). Names with equal text and category count as the
 * same in all traces. O(names + spans in range + child spans of spans that extend out of the range). NULL only when
 * cancelled. */
LoomRangeStatistics *loom_range_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                gsize n_tracks, GCancellable *cancellable);
/* Like loom_range_statistics_new(), but takes the LoomRunNames of the run as an argument, which is faster if statistics
 * of many ranges are computed. */
LoomRangeStatistics *loom_range_statistics_new_with_names (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                           const LoomTrackId *tracks, gsize n_tracks,
                                                           GCancellable *cancellable);
void loom_range_statistics_free (LoomRangeStatistics *stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRangeStatistics, loom_range_statistics_free)
