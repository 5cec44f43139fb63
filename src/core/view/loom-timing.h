/* SPDX-License-Identifier: Apache-2.0
 *
 * Duration, number and frequency of spans: of given spans, in a range, or between two marks. Reads the state without
 * changing it.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  gint64 duration_ns;       /* length of the range, or from the first begin to the last end of the spans */
  guint64 count;            /* number of spans that touch it */
  guint64 n_starts;         /* number of spans that start in it */
  gint64 first_ns, last_ns; /* starts of the first and last of the spans that start in it; timeline */
} LoomTiming;

/* Measures given spans in any order; zeros if there are none. Times are on the timeline. O(n). */
LoomTiming loom_timing_of_spans (const LoomTimeline *timeline, const LoomSpanId *spans, guint n);

/* Measures all spans of the sources shown, as counted by loom_range_statistics_new(). O(rows · log n). */
LoomTiming loom_timing_of_range (LoomTimelineState *state, LoomRange range);

/* The range between the two marks around an instant, else between the last two marks. FALSE if there are fewer than two
 * marks. */
gboolean loom_timing_between_marks (const LoomMarker *marks, guint n, gint64 at_ns, LoomRange *range);

/* Mean time from one start to the next, rounded to ns; 0 without two different starts. */
gint64 loom_timing_get_period_ns (const LoomTiming *timing);
/* Starts per second; 0 if there is no period. */
double loom_timing_get_frequency_hz (const LoomTiming *timing);
