/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of time intervals (LoomRange) on one clock, in ns. Private to src/analysis. The caller owns the arrays; one
 * thread at a time may change an array, any thread may read it.
 */
#pragma once

#include "loom-time.h"

/* Sorts the intervals and joins those that overlap or touch. O(n log n). */
void loom_ranges_join (GArray *ranges);

/* Returns how much of [begin_ns, end_ns) lies outside of all intervals, which must be joined; 0 if end_ns is not after
 * begin_ns. O(log n + intervals that overlap). */
gint64 loom_ranges_get_outside (const GArray *ranges, gint64 begin_ns, gint64 end_ns);
