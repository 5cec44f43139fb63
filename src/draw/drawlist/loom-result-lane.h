/* SPDX-License-Identifier: Apache-2.0
 *
 * A lane of the timeline that shows the result of a query: bars (of spans or ranges) or the line of a counter. A
 * counter may have several series, whose lines are drawn one below the other with a common scale. Immutable and
 * ref-counted atomically; filled by one thread before it is shared.
 */
#pragma once

#include "loom-timeline.h"

/* Heights of a lane of bars and of a lane of values, in logical pixels. */
#define LOOM_RESULT_LANE_BARS_PX 26
#define LOOM_RESULT_LANE_COUNTER_PX 44

/* Maximum number of series of a lane. */
#define LOOM_RESULT_LANE_MOST_SERIES 64

typedef struct {
  LoomRange range;  /* time of the bar in timeline ns; not empty */
  LoomSpanId span;  /* span that the bar represents; LOOM_SPAN_ID_NONE: the bar is only a range */
  const char *text; /* text of the bar, owned by the lane; "": the bar has no text */
} LoomResultBar;

typedef struct {
  gint64 time_ns; /* time of the sample on the timeline */
  double value;   /* value from `time_ns` until the next sample; NaN: there is no value in this time */
} LoomResultSample;

typedef struct _LoomResultLane LoomResultLane;

/* Makes a lane without bars and samples. `title`, `unit`: name and unit of the values, if samples will be added; "" for
 * values without a name or unit. If bars will be added, both are "". */
LoomResultLane *loom_result_lane_new (const char *title, const char *unit);
LoomResultLane *loom_result_lane_ref (LoomResultLane *lane);
void loom_result_lane_unref (LoomResultLane *lane); /* NULL: does nothing */

/* The next two functions add a bar or a sample. A lane must not contain both bars and samples. The text of a bar is
 * copied. A sample whose value is not finite, or is beyond ±1e300, becomes a gap. */
void loom_result_lane_add_bar (LoomResultLane *lane, LoomRange range, LoomSpanId span, const char *text);
/* `series`: name of the sample's series, copied; "" if there is only one series. Returns FALSE and adds nothing if the
 * series is new and the lane has LOOM_RESULT_LANE_MOST_SERIES series already. */
gboolean loom_result_lane_add_sample (LoomResultLane *lane, const char *series, gint64 time_ns, double value);
/* Sets `is_cut`: TRUE if the result of the query has more rows than were added to the lane. */
void loom_result_lane_set_cut (LoomResultLane *lane, gboolean is_cut);
/* Sets the number of rows of the query's result that were not added to the lane because they have no time or place on
 * the timeline. */
void loom_result_lane_set_left (LoomResultLane *lane, guint n_left);
/* Sorts the bars by start; in a lane of values, sorts the series by name, and the samples of each series by time. Call
 * it before the lane is drawn. */
void loom_result_lane_end (LoomResultLane *lane);

/* returns TRUE if the lane has neither bars nor samples */
gboolean loom_result_lane_is_empty (const LoomResultLane *lane);
gboolean loom_result_lane_is_cut (const LoomResultLane *lane);
/* Returns TRUE if samples were refused because the lane has LOOM_RESULT_LANE_MOST_SERIES series already. */
gboolean loom_result_lane_is_series_cut (const LoomResultLane *lane);
guint loom_result_lane_get_left (const LoomResultLane *lane);
gboolean loom_result_lane_is_counter (const LoomResultLane *lane);
const char *loom_result_lane_get_title (const LoomResultLane *lane);
const char *loom_result_lane_get_unit (const LoomResultLane *lane);
/* Returns the bars, sorted by start; of bars with equal start, the longest first. */
const LoomResultBar *loom_result_lane_get_bars (const LoomResultLane *lane, guint *n);
guint loom_result_lane_get_n_series (const LoomResultLane *lane); /* 0 for a lane of bars */
const char *loom_result_lane_get_series_name (const LoomResultLane *lane, guint series);
/* Returns the samples of a series, sorted by time. */
const LoomResultSample *loom_result_lane_get_samples (const LoomResultLane *lane, guint series, guint *n);
/* Returns the height at which the lane is drawn, in logical pixels. Several series share this height equally. */
int loom_result_lane_get_height (const LoomResultLane *lane);
/* Returns TRUE if each series is drawn so high that its name fits beside it. */
gboolean loom_result_lane_names_series (const LoomResultLane *lane);
/* Sets `least` and `greatest` to the least and the greatest value of all series; to 0 and 1 if there are no values. The
 * lines are drawn with a scale that contains both values and 0. */
void loom_result_lane_get_scale (const LoomResultLane *lane, double *least, double *greatest);
/* Returns the title and the ends of the scale: "queue: 0 – 24"; NULL for bars. Owned by the caller. */
char *loom_result_lane_dup_scale (const LoomResultLane *lane);

/* Returns the index of the first bar that ends after a time. O(log bars). */
guint loom_result_lane_find_first (const LoomResultLane *lane, gint64 time_ns);
/* Returns the bar that touches [from_ns, to_ns). If several bars touch this range, returns the innermost one, which is
 * the one that begins last. NULL: no bar touches it. */
const LoomResultBar *loom_result_lane_find_bar (const LoomResultLane *lane, gint64 from_ns, gint64 to_ns);
/* Returns the sample of a series whose value holds at a time; NULL before the first sample. O(log samples). */
const LoomResultSample *loom_result_lane_find_sample (const LoomResultLane *lane, guint series, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomResultLane, loom_result_lane_unref)
