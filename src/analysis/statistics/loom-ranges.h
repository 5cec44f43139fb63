/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of time intervals (LoomRange) on one clock, in ns. Private to src/analysis. The arrays are owned by the
 * caller. One thread at a time may change an array; while no thread changes it, any thread may read it.
 */
#pragma once

#include "loom-time.h"

/* Sorts the intervals and joins those that overlap or touch. O(n log n). */
void loom_ranges_join (GArray *ranges);

/* Shares of a step inside a range that decide which steps are omitted. There are two rules. First: if at least one step
 * has at least the share LOOM_RANGES_MOSTLY inside the range, steps with less than LOOM_RANGES_SLIVER inside are
 * omitted. Second: if the range begins with a step of a rank and ends with a step of the same rank (LOOM_RANGES_EDGE),
 * all steps with less than LOOM_RANGES_MOSTLY inside are omitted. The reason for the second rule: on other ranks, steps
 * begin earlier or later. For example, the range then contains one whole step, a small part of the step before it, and
 * a small part of the step after it. The mean of these three durations would be only a third or half of a step. If the
 * range does not begin and end with steps of one rank, only the first rule applies, so that the times of adjacent
 * ranges add up. */
#define LOOM_RANGES_MOSTLY 0.5
#define LOOM_RANGES_SLIVER 0.1
/* A range begins with a step if the starts of both differ by at most this share of the step. A range ends with a step
 * if their ends differ by at most this share of the step. */
#define LOOM_RANGES_EDGE 0.02

static inline gboolean
loom_ranges_begins_with (LoomRange range, LoomRange step)
{
  return (double) ABS (loom_time_sub (range.begin_ns, step.begin_ns)) <=
         LOOM_RANGES_EDGE * (double) (step.end_ns - step.begin_ns);
}

static inline gboolean
loom_ranges_ends_with (LoomRange range, LoomRange step)
{
  return (double) ABS (loom_time_sub (range.end_ns, step.end_ns)) <=
         LOOM_RANGES_EDGE * (double) (step.end_ns - step.begin_ns);
}

/* Returns the share of a step that is inside a range. If the step is outside of the range, returns 0 or less. */
static inline double
loom_ranges_get_share (LoomRange step, LoomRange range)
{
  gint64 inside_ns = MIN (step.end_ns, range.end_ns) - MAX (step.begin_ns, range.begin_ns);
  return (double) inside_ns / (double) MAX (step.end_ns - step.begin_ns, 1);
}

/* Returns how much of [begin_ns, end_ns) is outside of all intervals in `ranges`, which must have been joined by
 * loom_ranges_join(). Returns 0 if the intervals cover [begin_ns, end_ns) completely, or if end_ns is not after
 * begin_ns. O(log n + number of intervals that overlap [begin_ns, end_ns)). */
gint64 loom_ranges_get_outside (const GArray *ranges, gint64 begin_ns, gint64 end_ns);
