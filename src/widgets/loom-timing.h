/* SPDX-License-Identifier: Apache-2.0
 *
 * How long, how many, how often: of spans, of a range, between two marks. Pure questions; nothing is changed.
 */
#pragma once

#include "loom-view-state.h"

G_BEGIN_DECLS

typedef struct {
  gint64 duration_ns; /* of the range, or from the first begin to the last end of the spans */
  guint64 count;      /* spans that touch it */
  guint64 n_starts;   /* those that start in it */
  gint64 first_ns, last_ns; /* start of the first and the last of these; timeline */
} LoomTiming;

/* Of spans, in any order; zeros for none. Times are the timeline's. O(n). */
LoomTiming loom_timing_of_spans (const LoomTimeline *timeline, const LoomSpanId *spans, guint n);

/* Of all spans of the sources shown: those loom_selection_stats_new() counts. O(rows · log n). */
LoomTiming loom_timing_of_range (LoomViewState *state, LoomRange range);

/* The range between the two marks around an instant, else between the last two. FALSE when there are fewer than two. */
gboolean loom_timing_between_marks (const LoomTimeMark *marks, guint n, gint64 at_ns, LoomRange *range);

/* From one start to the next in the mean, rounded to ns; 0 when there are not two that differ. */
gint64 loom_timing_get_period_ns (const LoomTiming *timing);
/* Starts per second; 0 when there is no period. */
double loom_timing_get_frequency_hz (const LoomTiming *timing);

G_END_DECLS
