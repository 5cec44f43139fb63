/* SPDX-License-Identifier: Apache-2.0
 *
 * The counters of a range: every series as the step function it is. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

/* Of one series. A value holds until the next sample, but not over a gap (loom-sample-hold.h), and the last one not
 * beyond the run. Nothing is known before the first sample. */
typedef struct {
  LoomTrackId track;
  guint32 series;   /* of the trace */
  const char *name; /* the counter's; borrowed from the run */
  const char *series_name;
  const char *unit;  /* "" none */
  guint64 n_samples; /* in the range */
  gint64 covered_ns; /* of the range: where the value is known */
  double mean;       /* weighted by time: integral ÷ covered; where covered is 0, the mean of the samples */
  double min, max;   /* of the values that hold somewhere in the range */
  double integral;   /* value × seconds */
} LoomCounterRow;

typedef struct _LoomCounterStatistics LoomCounterStatistics;

/* `tracks` NULL: all counters but those that aggregate others (LOOM_TRACK_DERIVED). Series without a known value in the
 * range are not there. Cost O(series · log + samples in range). NULL only when cancelled. */
LoomCounterStatistics *loom_counter_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                    gsize n_tracks, GCancellable *cancellable);
void loom_counter_statistics_free (LoomCounterStatistics *stats);

/* In the order of traces, tracks and series. */
const LoomCounterRow *loom_counter_statistics_get (const LoomCounterStatistics *stats, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCounterStatistics, loom_counter_statistics_free)

G_END_DECLS
