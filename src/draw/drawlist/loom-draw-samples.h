/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds, by their times, the samples from which the lines of counters are made. Uses a binary search; if there is an
 * estimate of the result, the search starts at the estimate. Private to the draw list.
 */
#pragma once

#include "loom-draw-private.h"
#include "loom-min-max-index.h"
#include "loom-time-bsearch.h"

/* Maximum distance in ns between the start of a view and an instant. A greater distance is reduced to this maximum
 * before the conversion to gint64, because it might not fit into a gint64. */
#define LOOM_MOST_NS 0x1p62

/* Samples are prefetched this many pixels ahead of the current pixel. */
#define LOOM_AHEAD_PX 6

/* The difference or rate of a counter is unknown at a sample before a gap. To find the last sample at which it is
 * known, at most this many samples are examined, from the last one backwards. */
#define LOOM_LOOK_BACK 64

/* Returns the number of samples whose time is at or before `time_ns`. */
static inline guint32
loom_draw_samples_until (const LoomSeries *series, gint64 time_ns)
{
  return time_ns < G_MAXINT64 ? loom_time_bsearch_time (series->time_ns, 0, series->n, time_ns + 1) : series->n;
}

/* Returns the first sample, from `from` on, that is not before the time. `guess`: estimated number of samples to skip;
 * the search is fastest if the estimate is near the result. */
static inline guint32
loom_draw_samples_seek (const LoomSeries *series, guint32 from, guint32 guess, gint64 time_ns)
{
  return loom_time_bsearch_near (series->time_ns, from, series->n, MIN (guess, series->n - from) + from, time_ns);
}

/* Prefetches the samples that are LOOM_AHEAD_PX pixels ahead, estimated from `n_per_px`, the number of samples per
 * pixel. */
static inline void
loom_draw_samples_prefetch (const LoomSeries *series, guint32 at, guint32 n_per_px)
{
  gsize ahead = MIN (at + LOOM_AHEAD_PX * (gsize) n_per_px, series->n - 1);
  __builtin_prefetch (series->time_ns + ahead);
  __builtin_prefetch (series->value + ahead);
}

/* Returns the value of a quantity at the last of the samples `first` … `end` − 1 for which the quantity is known. NaN
 * if it is unknown for the last LOOM_LOOK_BACK of these samples. */
static inline double
loom_draw_samples_last (const LoomSeries *series, LoomQuantity quantity, guint32 first, guint32 end)
{
  double last = loom_counter_quantity_read (series, quantity, end - 1);
  for (guint32 i = end - 1; isnan (last) && i > first && end - i < LOOM_LOOK_BACK; i--)
    last = loom_counter_quantity_read (series, quantity, i - 1);
  return last;
}

static inline const LoomSeries *
loom_draw_samples_of (const LoomDrawList *list, const LoomCounterSeries *plotted)
{
  return loom_trace_get_series (loom_draw_list_trace (list, plotted->trace), plotted->series);
}

static inline void
loom_draw_samples_push_column (LoomDrawList *list, double x, double low, double high, double last)
{
  LoomPlotColumn column = { (float) x, (float) low, (float) high, (float) last };
  g_array_append_val (list->columns, column);
}
