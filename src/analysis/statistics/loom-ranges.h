/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of time intervals (LoomRange) on one clock, in ns. Private to src/analysis. The caller owns the arrays; one
 * thread at a time may change an array, any thread may read it.
 */
#pragma once

#include "loom-time.h"

/* Sorts the intervals and joins those that overlap or touch. O(n log n). */
void loom_ranges_join (GArray *ranges);

/* If a step lies mostly inside a range (at least LOOM_RANGES_MOSTLY of it), steps of which less than LOOM_RANGES_SLIVER
 * lies inside are omitted. If the range begins and ends with steps of one rank, all steps that lie mostly outside are
 * omitted: such a range cuts pieces from the steps before and after it on other ranks, whose steps begin earlier or
 * later. Means over these pieces and the step would be half or a third of the step. Other ranges keep the larger pieces,
 * so that the times of adjacent ranges add up. */
#define LOOM_RANGES_MOSTLY 0.5
#define LOOM_RANGES_SLIVER 0.1
/* A range begins or ends with a step if their ends differ by at most this share of the step. */
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

/* Returns the share of a step that lies inside a range; 0 or less: none of it. */
static inline double
loom_ranges_get_share (LoomRange step, LoomRange range)
{
  gint64 inside_ns = MIN (step.end_ns, range.end_ns) - MAX (step.begin_ns, range.begin_ns);
  return (double) inside_ns / (double) MAX (step.end_ns - step.begin_ns, 1);
}

/* Returns how much of [begin_ns, end_ns) lies outside of all intervals, which must be joined; 0 if end_ns is not after
 * begin_ns. O(log n + intervals that overlap). */
gint64 loom_ranges_get_outside (const GArray *ranges, gint64 begin_ns, gint64 end_ns);
