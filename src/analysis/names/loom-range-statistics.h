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

/* One name, over the spans that touch the range. Durations are those of whole spans; only the members named in_range
 * are cut to the range. */
typedef struct {
  const char *name; /* borrowed from the run */
  const char *category;
  guint64 count;
  gint64 total_ns;
  gint64 in_range_ns;
  gint64 self_ns;          /* total_ns minus the time of child spans, one level deeper */
  gint64 self_in_range_ns; /* in_range_ns minus the part of child spans inside the range */
  gint64 mean_ns;          /* total / count, rounded */
  double deviation_ns;     /* standard deviation of the sample (n − 1); 0 for one span */
  gint64 min_ns;
  gint64 max_ns;
  gint64 p50_ns, p95_ns, p99_ns; /* exact: position q·(n−1), linear between neighbours (as numpy.quantile()), rounded */
  double share;                  /* in_range_ns ÷ the sum of in_range_ns over all names; 0 if the sum is 0 */
  LoomSpanId longest;            /* the first in trace order of equally long spans */
} LoomNameStats;

typedef struct {
  const LoomNameStats *names; /* sorted by total_ns, largest first; then by name */
  guint n_names;
  guint64 count; /* sum of the counts of all names */
  LoomRunNames *joined;
  /* The sources whose spans were counted: indices in the run, ascending. Includes all sources of a trace with
   * several. */
  const guint *sources;
  guint n_sources;
  LoomTimeline *timeline; /* private, like the arrays below: owns the texts */
  GArray *all_names, *all_sources;
} LoomRangeStatistics;

/* `tracks` NULL: all tracks of spans and async spans except aggregates of others (LOOM_TRACK_DERIVED); a derived track
 * counts if it is listed. Names with equal text and category are the same in all traces. O(names + spans in range), and
 * O(child spans of a span that extends out of the range). NULL only when cancelled. */
LoomRangeStatistics *loom_range_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                gsize n_tracks, GCancellable *cancellable);
/* Like loom_range_statistics_new(), with names that are joined already, for computing many ranges of a run. */
LoomRangeStatistics *loom_range_statistics_new_with_names (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                           const LoomTrackId *tracks, gsize n_tracks,
                                                           GCancellable *cancellable);
void loom_range_statistics_free (LoomRangeStatistics *stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRangeStatistics, loom_range_statistics_free)
