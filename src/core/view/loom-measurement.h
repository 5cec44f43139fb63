/* SPDX-License-Identifier: Apache-2.0
 *
 * How long, how many, how often: of spans, of a range, between two marks. Pure questions; nothing is changed.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

typedef struct {
  gint64 duration_ns;       /* of the range, or from the first begin to the last end of the spans */
  guint64 count;            /* spans that touch it */
  guint64 n_starts;         /* those that start in it */
  gint64 first_ns, last_ns; /* start of the first and the last of these; timeline */
} LoomMeasurement;

/* Of spans, in any order; zeros for none. Times are the timeline's. O(n). */
LoomMeasurement loom_measurement_of_spans (const LoomTimeline *timeline, const LoomSpanId *spans, guint n);

/* Of all spans of the sources shown: those loom_range_statistics_new() counts. O(rows · log n). */
LoomMeasurement loom_measurement_of_range (LoomTimelineState *state, LoomRange range);

/* The range between the two marks around an instant, else between the last two. FALSE when there are fewer than two. */
gboolean loom_measurement_between_marks (const LoomMarker *marks, guint n, gint64 at_ns, LoomRange *range);

/* From one start to the next in the mean, rounded to ns; 0 when there are not two that differ. */
gint64 loom_measurement_get_period_ns (const LoomMeasurement *timing);
/* Starts per second; 0 when there is no period. */
double loom_measurement_get_frequency_hz (const LoomMeasurement *timing);

G_END_DECLS
