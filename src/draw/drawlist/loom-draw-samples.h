/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds samples for the lines of counters. Private to the draw list.
 */
#pragma once

#include "loom-draw-private.h"
#include "loom-min-max-index.h"
#include "loom-time-bsearch.h"

/* Limit for distances in a view, which is at most half of all time wide: sums don't overflow. */
#define LOOM_MOST_NS 0x1p62

/* Samples are prefetched this many pixels ahead. */
#define LOOM_AHEAD_PX 6

/* How many samples to search backwards for one that has the derived quantity; samples before gaps have none. */
#define LOOM_LOOK_BACK 64

/* Number of samples at or before the time. */
static inline guint32
loom_draw_samples_until (const LoomSeries *series, gint64 time_ns)
{
  return time_ns < G_MAXINT64 ? loom_time_bsearch_time (series->time_ns, 0, series->n, time_ns + 1) : series->n;
}

/* The first sample from `from` on that is not before the time; it is expected near `from + guess`. */
static inline guint32
loom_draw_samples_seek (const LoomSeries *series, guint32 from, guint32 guess, gint64 time_ns)
{
  return loom_time_bsearch_near (series->time_ns, from, series->n, MIN (guess, series->n - from) + from, time_ns);
}

/* Prefetches the samples of a pixel further on, assuming that samples are equally dense there. */
static inline void
loom_draw_samples_prefetch (const LoomSeries *series, guint32 at, guint32 n_per_px)
{
  gsize ahead = MIN (at + LOOM_AHEAD_PX * (gsize) n_per_px, series->n - 1);
  __builtin_prefetch (series->time_ns + ahead);
  __builtin_prefetch (series->value + ahead);
}

/* Returns the last known value of a quantity in the samples first … end − 1; NaN if the last LOOM_LOOK_BACK of them have
 * none. */
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
