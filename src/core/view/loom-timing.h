/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures spans: the time that they cover, their number, and how often they start. Measures given spans, the spans in
 * a range, or the spans between two marks. Reads the state without changing it.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  /* length of the measured range; if single spans were measured, the time from the first begin to the last end */
  gint64 duration_ns;
  /* number of spans that touch the measured range; if single spans were measured, their number */
  guint64 count;
  guint64 n_starts;         /* number of spans that start in the range */
  gint64 longest_ns;        /* duration of the longest span, if single spans were measured */
  gint64 first_ns, last_ns; /* earliest and latest start of the spans that start in the range; timeline ns */
} LoomTiming;

/* Measures single spans, in any order. All members are 0 if `n` is 0. O(n). */
LoomTiming loom_timing_of_spans (const LoomTimeline *timeline, const LoomSpanId *spans, guint n);

/* Measures the spans of the shown sources that touch the range, except spans on tracks that aggregate other tracks.
 * Where rows show a detail, counts the spans of the detail instead of those of its trace. A detail contains events that
 * were read from a trace in place of its index (loom-row-parts.h). O(rows · log n). */
LoomTiming loom_timing_of_range (LoomTimelineState *state, LoomRange range);

/* Sets `range` to the range between the last mark at or before `at_ns` and the first mark after it. If one of these two
 * marks does not exist, sets `range` to the range between the last two of all marks. Returns FALSE if there are fewer
 * than two marks. */
gboolean loom_timing_between_marks (const LoomMarker *marks, guint n, gint64 at_ns, LoomRange *range);

/* Returns the mean time from one start to the next, rounded to ns; 0 if all starts are at the same time. */
gint64 loom_timing_get_period_ns (const LoomTiming *timing);
/* Returns the number of starts per second; 0 if the period is 0. */
double loom_timing_get_frequency_hz (const LoomTiming *timing);
