/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the spans in a range, for each name. They are computed in one pass over the columns, on all processors.
 * Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* Statistics of one name, over the spans that touch the range. Durations are those of whole spans, except in members
 * with “in_range” in their name: these count only the parts of spans inside the range. */
typedef struct {
  const char *name; /* borrowed from the run */
  const char *category;
  guint64 count;
  gint64 total_ns;
  gint64 in_range_ns;
  gint64 self_ns;          /* total_ns minus the time of the spans' children */
  gint64 self_in_range_ns; /* in_range_ns minus the time of the spans' children inside the range */
  gint64 mean_ns;          /* total_ns ÷ count, rounded */
  double deviation_ns;     /* sample standard deviation, with n − 1 as the divisor; 0 for one span */
  gint64 min_ns;
  gint64 max_ns;
  /* exact percentiles, interpolated linearly like those of numpy.quantile(), and rounded */
  gint64 p50_ns, p95_ns, p99_ns;
  double share;       /* in_range_ns ÷ the sum of in_range_ns over all names; 0 if the sum is 0 */
  LoomSpanId longest; /* the longest span; if several are equally long, the first of them in the order of the traces */
} LoomNameStats;

typedef struct {
  const LoomNameStats *names; /* sorted by total_ns, largest first; then by name */
  guint n_names;
  guint64 count; /* sum of the counts of all names */
  LoomRunNames *joined;
  /* the sources of the counted spans: indices in the run, ascending. If any span of a trace was counted, all sources of
   * this trace are listed. */
  const guint *sources;
  guint n_sources;
  LoomTimeline *timeline; /* private, like the members below; a reference to the timeline, which owns the texts */
  GArray *all_names, *all_sources;
} LoomRangeStatistics;

/* Computes statistics of all names in a range. `tracks`: the tracks that count; NULL: all tracks of spans and async
 * spans, except those that aggregate other tracks (LOOM_TRACK_DERIVED). Names of different traces count as one name if
 * text and category are equal. O(names + spans in range + child spans of spans that are partly outside the range). NULL
 * only when cancelled. */
LoomRangeStatistics *loom_range_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                gsize n_tracks, GCancellable *cancellable);
/* Like loom_range_statistics_new(), but uses existing LoomRunNames of the run. This is faster if statistics of many
 * ranges are computed. */
LoomRangeStatistics *loom_range_statistics_new_with_names (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                           const LoomTrackId *tracks, gsize n_tracks,
                                                           GCancellable *cancellable);
void loom_range_statistics_free (LoomRangeStatistics *stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRangeStatistics, loom_range_statistics_free)
