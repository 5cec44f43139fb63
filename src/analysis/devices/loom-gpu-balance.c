/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-gpu-balance.h"

#include <math.h>
#include <string.h>

#include "loom-statistics.h"

#define BIN_WIDTH 2.0
#define N_BINS 50
#define N_BINS_AS_WRITTEN 49

/* Returns the index of the histogram bin to which a value belongs; −1 if the value does not count. `as_written`: TRUE
 * if numbers are computed as smdebug does. */
static int
bin_of (double value, gboolean as_written)
{
  double top = BIN_WIDTH * (as_written ? N_BINS_AS_WRITTEN : N_BINS);
  if (as_written && (value < 0 || value > top))
    return -1;
  int bin = (int) (CLAMP (value, 0, top) / BIN_WIDTH);
  return MIN (bin, (as_written ? N_BINS_AS_WRITTEN : N_BINS) - 1);
}

static LoomGpuBalanceDevice *
find_device (LoomGpuBalance *balance, const char *host, const char *name)
{
  for (guint i = 0; i < balance->n_devices; i++)
    if (strcmp (balance->devices[i].host, host) == 0 && strcmp (balance->devices[i].name, name) == 0)
      return &balance->devices[i];
  LoomGpuBalanceDevice *device = &balance->devices[balance->n_devices++];
  *device = (LoomGpuBalanceDevice) { .host = host, .name = name };
  return device;
}

static void
add_pairs (LoomGpuBalance *balance, gboolean as_written, gboolean across_hosts, double limit)
{
  guint n = balance->n_devices, at = 0;
  balance->pairs = g_new (LoomGpuBalancePair, MAX (n * (n > 0 ? n - 1 : 0) / 2, 1));
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++) {
      const LoomGpuBalanceDevice *x = &balance->devices[a], *y = &balance->devices[b];
      if (!across_hosts && strcmp (x->host, y->host) != 0)
        continue;
      double distance = loom_statistics_js_distance (x->counts, y->counts, balance->n_bins, as_written);
      balance->pairs[at++] = (LoomGpuBalancePair) { a, b, distance, !isnan (distance) && distance > limit };
    }
  balance->n_pairs = at;
}

void
loom_gpu_balance_init (LoomGpuBalance *balance, const LoomDataFrame *frame, const LoomJobPhases *phases,
                       LoomSelect select, gboolean loop_only, gboolean across_hosts, double limit)
{
  LoomNumberConvention numbers = frame->numbers;
  gboolean as_written = numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  const LoomSampleSeries *series = frame->series;
  *balance = (LoomGpuBalance) { .devices = g_new0 (LoomGpuBalanceDevice, MAX (frame->n_series, 1)),
                                .n_bins = as_written ? N_BINS_AS_WRITTEN : N_BINS };
  for (guint i = 0; i < frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select))
      continue;
    const char *host = as_written ? "" : loom_data_frame_get_host (frame, series[i].host_id);
    LoomGpuBalanceDevice *device = find_device (balance, host, series[i].name);
    if (device->series == NULL && series[i].n > 0)
      device->series = &series[i];
    for (guint32 k = 0; k < series[i].n; k++) {
      if (loop_only && phases->has_loop && !loom_job_phases_in_loop (phases, numbers, series[i].time_ns[k]))
        continue;
      int bin = bin_of (series[i].value[k], as_written);
      if (bin < 0)
        continue;
      device->counts[bin]++;
      device->n++;
    }
  }
  add_pairs (balance, as_written, across_hosts || as_written, limit);
}

void
loom_gpu_balance_clear (LoomGpuBalance *balance)
{
  g_clear_pointer (&balance->devices, g_free);
  g_clear_pointer (&balance->pairs, g_free);
}
