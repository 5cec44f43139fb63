/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the usage of GPUs: computes a histogram for each GPU, and the Jensen–Shannon distance for each pair of GPUs.
 * A distance of NAN means that a GPU has no samples. If numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), there are 49 bins, values above 98 are dropped, and GPUs of different hosts with
 * the same name count as one GPU. Any thread; O(GPU samples + GPUs² · bins).
 */
#pragma once

#include "loom-job-phases.h"

/* default limit of the distance between the usage of two devices; LoomGpuBalancePair.differs is TRUE if the distance is
 * greater */
#define LOOM_GPU_BALANCE_LIMIT 0.5
#define LOOM_GPU_BALANCE_MAX_BINS 50

typedef struct {
  const char *host; /* host of the device; "" if numbers are computed as smdebug does */
  const char *name;
  /* first series of the device that has samples, borrowed from the LoomDataFrame; NULL: the device has no samples */
  const LoomSampleSeries *series;
  guint64 n; /* number of samples in `counts` */
  guint64 counts[LOOM_GPU_BALANCE_MAX_BINS];
} LoomGpuBalanceDevice;

typedef struct {
  guint a, b; /* indices into `devices`, a < b */
  /* Jensen–Shannon distance between the histograms of the two devices, from 0 to √ln 2; NAN: a device has no samples */
  double distance;
  gboolean differs; /* TRUE if `distance` is above the `limit` of loom_gpu_balance_init() */
} LoomGpuBalancePair;

typedef struct {
  LoomGpuBalanceDevice *devices; /* sorted by host and name */
  guint n_devices;
  /* pairs of devices of the same host, or, if `across_hosts` is TRUE, of all hosts; sorted by a, then by b */
  LoomGpuBalancePair *pairs;
  guint n_pairs;
  guint n_bins;
} LoomGpuBalance;

/* Compares the histograms of GPU usage of all pairs of devices. `loop_only`: counts only samples inside the training
 * loop; ignored if there is no loop. `limit`: two devices differ if their distance is greater. */
void loom_gpu_balance_init (LoomGpuBalance *balance, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, gboolean loop_only, gboolean across_hosts, double limit);
void loom_gpu_balance_clear (LoomGpuBalance *balance);
