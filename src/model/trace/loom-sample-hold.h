/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines how long a sample of a counter is valid. A value is valid until the next sample, unless a gap follows;
 * which interval counts as a gap depends on the writer of the counter. Used for both drawn lines and statistics. The
 * functions may be called on any thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns the usual time in ns between two samples: the median of at most some hundred intervals, which are taken
 * evenly from the ascending times; 0 if n < 2. */
gint64 loom_sample_hold_find_interval (const gint64 *time_ns, guint32 n);
/* Returns the longest time in ns for which a value is valid if the usual time between two samples is `interval_ns`: 2.5
 * · interval_ns, at most G_MAXINT64. A longer time between two samples is a gap. */
gint64 loom_sample_hold_get_longest (gint64 interval_ns);

/* Returns the longest time in ns for which a value of the series is valid; G_MAXINT64: always until the next sample.
 * `format`: format of the counter's track. Reads at most some hundred samples. */
gint64 loom_sample_hold_find_hold (const char *format, const LoomSeries *series);
/* Returns the time in ns for which a value is valid if no sample follows within series->hold_ns, which must be set. The
 * result is the usual time between two samples of the series; thus the last value before a gap has the same weight in
 * statistics as other values. Returns G_MAXINT64 if values are always valid until the next sample. Reads at most some
 * hundred samples. */
gint64 loom_sample_hold_find_usual (const LoomSeries *series);

/* Returns the time in ns for which the value of a sample is valid: until the next sample or, before a gap and for the
 * last sample, series->usual_ns. */
static inline gint64
loom_sample_hold_get (const LoomSeries *series, guint32 index)
{
  gint64 next_ns =
    index + 1 < series->n ? loom_time_sub (series->time_ns[index + 1], series->time_ns[index]) : G_MAXINT64;
  return next_ns <= series->hold_ns && index + 1 < series->n ? next_ns : series->usual_ns;
}
