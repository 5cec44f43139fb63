/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of counters in a range: mean over time, minimum, maximum and integral. The value of a counter holds from
 * one sample to the next. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-track-id.h"

/* Statistics of one series. A value holds until the next sample. If the next sample is too far away
 * (loom-sample-hold.h), or if the series ends before the run does, the value holds only for the usual interval between
 * samples. Before the first sample, no value is known. */
typedef struct {
  LoomTrackId track;
  guint32 series;   /* index of the series in the trace */
  const char *name; /* name of the counter; borrowed from the run */
  const char *series_name;
  const char *unit;  /* unit of the counter; "": the counter has none */
  guint64 n_samples; /* number of samples in the range */
  gint64 covered_ns; /* part of the range in which the value is known */
  /* mean value weighted by time: integral ÷ covered_ns; if covered_ns is 0, mean of the samples */
  double mean;
  double min, max; /* least and greatest value that holds at any time of the range */
  double integral; /* integral over time: value × seconds */
} LoomCounterRow;

typedef struct {
  const LoomCounterRow *rows; /* sorted by trace, track and series */
  guint n_rows;
  /* Private: */
  LoomTimeline *timeline; /* reference to the timeline, which owns the names */
  /* the range of the statistics, end exclusive. A range that reaches the end of the run is extended by 1 ns, so that
   * samples at the last instant of the run count. */
  LoomRange range;
  gint64 known_end_ns; /* time until which the last values hold: at most the end of the run */
  GArray *all;         /* LoomCounterRow: owns `rows` */
} LoomCounterStatistics;

/* Computes statistics of counters in a range. `tracks`: the tracks to examine; NULL: all tracks except those that
 * aggregate others (LOOM_TRACK_DERIVED). Series without a known value in the range are omitted. O(series · log samples
 * + samples in the range). NULL only when cancelled. */
LoomCounterStatistics *loom_counter_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                                    gsize n_tracks, GCancellable *cancellable);
void loom_counter_statistics_free (LoomCounterStatistics *stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCounterStatistics, loom_counter_statistics_free)
