/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the quantity that the plot of a counter shows from the counter's samples: the values, their differences to
 * the next sample, or these differences per second. A difference is drawn from its sample to the next sample, that is,
 * over the time in which the value changed.
 */
#pragma once

#include <math.h>

#include "loom-trace.h"

/* Returns the quantity for sample i; NaN if it has none. A sample has a difference only if a next sample follows
 * without a gap (loom-sample-hold.h), and a rate only if the next sample also has a later time. Rates are per second of
 * the counter's own clock. */
static inline double
loom_counter_quantity_read (const LoomSeries *series, LoomQuantity quantity, guint32 i)
{
  if (quantity == LOOM_QUANTITY_VALUE)
    return series->value[i];
  if (i + 1 >= series->n)
    return NAN;
  gint64 ns = loom_time_sub (series->time_ns[i + 1], series->time_ns[i]);
  double difference = series->value[i + 1] - series->value[i];
  if (ns > series->hold_ns)
    return NAN;
  if (quantity == LOOM_QUANTITY_DIFFERENCE)
    return difference;
  return ns > 0 ? difference * (double) LOOM_NS_PER_S / (double) ns : NAN;
}
