/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-efficiency.h"

#include <glib/gi18n.h>
#include <math.h>

static double
divide (double a, double b)
{
  return b > 0 ? a / b : NAN;
}

static double
get_total (const LoomEfficiencyRow *row, guint64 of_one_call)
{
  return (double) of_one_call * (double) row->calls;
}

double
loom_efficiency_get_rate (const LoomEfficiencyRow *row)
{
  return divide (get_total (row, row->work.flop) * LOOM_NS_PER_S, (double) row->kernel_ns);
}

double
loom_efficiency_get_throughput (const LoomEfficiencyRow *row)
{
  return divide (get_total (row, row->work.bytes) * LOOM_NS_PER_S, (double) row->kernel_ns);
}

double
loom_efficiency_get_intensity (const LoomEfficiencyRow *row)
{
  return divide ((double) row->work.flop, (double) row->work.bytes);
}

double
loom_efficiency_get_attainable (const LoomEfficiencyRow *row)
{
  if (!(row->peak > 0) || !(row->bandwidth > 0))
    return NAN;
  return MIN (row->peak, loom_efficiency_get_intensity (row) * row->bandwidth);
}

double
loom_efficiency_get_ratio (const LoomEfficiencyRow *row)
{
  return loom_efficiency_get_rate (row) / loom_efficiency_get_attainable (row);
}

gboolean
loom_efficiency_is_memory_bound (const LoomEfficiencyRow *row)
{
  return row->peak > 0 && row->bandwidth > 0 && loom_efficiency_get_intensity (row) < row->peak / row->bandwidth;
}

LoomEfficiencySum
loom_efficiency_sum (const LoomEfficiency *efficiency, guint kinds)
{
  LoomEfficiencySum sum = { .rate = NAN, .peak = NAN };
  double flop = 0, unknown_flop = 0, at_peak_s = 0, bytes = 0, at_bandwidth_s = 0;
  for (guint i = 0; i < efficiency->rows->len; i++) {
    const LoomEfficiencyRow *row = &g_array_index (efficiency->rows, LoomEfficiencyRow, i);
    if ((kinds & 1u << row->kind) == 0)
      continue;
    flop += get_total (row, row->work.flop);
    unknown_flop += row->peak > 0 ? 0 : get_total (row, row->work.flop);
    at_peak_s += row->peak > 0 ? get_total (row, row->work.flop) / row->peak : 0;
    bytes += get_total (row, row->work.bytes);
    at_bandwidth_s += row->bandwidth > 0 ? get_total (row, row->work.bytes) / row->bandwidth : NAN;
    sum.kernel_ns = loom_time_add (sum.kernel_ns, row->kernel_ns);
  }
  sum.throughput = divide (bytes * LOOM_NS_PER_S, (double) sum.kernel_ns);
  sum.bandwidth = divide (bytes, at_bandwidth_s);
  sum.rate = divide (flop * LOOM_NS_PER_S, (double) sum.kernel_ns);
  if (unknown_flop <= LOOM_EFFICIENCY_MOST_UNKNOWN * flop)
    sum.peak = divide (flop - unknown_flop, at_peak_s);
  return sum;
}

double
loom_efficiency_get_formula_share (const LoomEfficiency *efficiency)
{
  double known_ns = (double) efficiency->counted_compute_ns + (double) efficiency->unread_ns;
  return MIN (known_ns / (double) MAX (efficiency->read_compute_ns, 1), 1);
}

double
loom_efficiency_get_mfu (const LoomEfficiency *efficiency, double *hfu)
{
  double model = 0, all = 0, time = 0, flop = 0, unknown_flop = 0;
  for (guint i = 0; i < efficiency->steps->len; i++) {
    const LoomEfficiencyStep *step = &g_array_index (efficiency->steps, LoomEfficiencyStep, i);
    double own = (double) loom_time_sub (step->range.end_ns, step->range.begin_ns) * step->n_devices,
           own_flop = (double) step->flop + (double) step->recomputed_flop;
    flop += own_flop;
    unknown_flop += isnan (step->mfu) ? own_flop : 0;
    if (isnan (step->mfu))
      continue;
    model += step->mfu * own;
    all += step->hfu * own;
    time += own;
  }
  time = unknown_flop <= LOOM_EFFICIENCY_MOST_UNKNOWN * flop ? time : 0;
  if (hfu != NULL)
    *hfu = divide (all, time);
  return divide (model, time);
}

static const LoomEfficiencyStep *
get_step (const LoomEfficiency *efficiency, guint i)
{
  return &g_array_index (efficiency->steps, LoomEfficiencyStep, i);
}

static gboolean
is_same_rank (const LoomEfficiencyStep *a, const LoomEfficiencyStep *b)
{
  return a->trace == b->trace && a->rank == b->rank && g_strcmp0 (a->node, b->node) == 0;
}

static LoomEfficiencyMean
get_mean (const LoomEfficiency *efficiency, guint first, guint n)
{
  LoomEfficiencyMean mean = { .first = first, .n = n };
  double sum_ns = 0;
  for (guint i = first; i < first + n; i++) {
    const LoomEfficiencyStep *step = get_step (efficiency, i);
    double own_ns = (double) loom_time_sub (step->range.end_ns, step->range.begin_ns);
    sum_ns += own_ns;
    mean.flop += (double) step->flop / n;
    mean.mfu += step->mfu * own_ns;
    mean.hfu += step->hfu * own_ns;
  }
  mean.time_ns = sum_ns / n;
  mean.mfu = divide (mean.mfu, sum_ns);
  mean.hfu = divide (mean.hfu, sum_ns);
  return mean;
}

GArray *
loom_efficiency_list_means (const LoomEfficiency *efficiency, gboolean by_rank)
{
  GArray *means = g_array_new (FALSE, FALSE, sizeof (LoomEfficiencyMean));
  for (guint i = 0, end; i < efficiency->steps->len; i = end) {
    end = i + 1;
    while (by_rank && end < efficiency->steps->len &&
           is_same_rank (get_step (efficiency, i), get_step (efficiency, end)))
      end++;
    LoomEfficiencyMean mean = get_mean (efficiency, i, end - i);
    g_array_append_val (means, mean);
  }
  return means;
}

const char *
loom_efficiency_get_missing (const LoomEfficiency *efficiency)
{
  if (efficiency->rows->len > 0)
    return NULL;
  if (efficiency->has_index)
    return _ ("Index files contain only sums of what the host did: open the trace files themselves to see operators.");
  if (!efficiency->has_operators)
    return _ (
      "There are no matrix products, convolutions or other operators whose floating-point operations can be counted.");
  if (!efficiency->has_shapes)
    return _ ("The shapes of the inputs are not recorded.");
  return _ ("The operators launched no kernels.");
}

const char *
loom_efficiency_get_advice (const LoomEfficiency *efficiency)
{
  LoomLack lack = efficiency->rows->len > 0 || efficiency->has_index ? LOOM_LACKS_NOTHING
                  : !efficiency->has_operators                       ? LOOM_LACKS_OPERATORS
                  : !efficiency->has_shapes                          ? LOOM_LACKS_SHAPES
                                                                     : LOOM_LACKS_KERNELS;
  return loom_recording_advice_get (efficiency->recorder, lack);
}
