/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the usage of GPUs: a histogram for each GPU and the Jensen–Shannon distance of each pair. A distance of NAN means
 * no data. With smdebug's numbers there are 49 bins, so values above 98 are dropped, and GPUs are distinguished by name
 * alone. Any thread; O(GPU samples + GPUs² · bins).
 */
#pragma once

#include "loom-job-phases.h"

#define LOOM_GPU_BALANCE_LIMIT 0.5 /* default limit; a pair with a greater distance is flagged */
#define LOOM_GPU_BALANCE_MAX_BINS 50

typedef struct {
  const char *host; /* "" with smdebug's numbers */
  const char *name;
  const LoomSampleSeries *series; /* first series of the device with samples, borrowed from the frame; NULL: none */
  guint64 n;                      /* number of counted samples */
  guint64 counts[LOOM_GPU_BALANCE_MAX_BINS];
} LoomGpuBalanceDevice;

typedef struct {
  guint a, b;       /* indices into `devices`, a < b */
  double distance;  /* Jensen–Shannon distance, 0 … √ln 2; NAN: no data */
  gboolean differs; /* distance is above the limit */
} LoomGpuBalancePair;

typedef struct {
  LoomGpuBalanceDevice *devices; /* sorted by host and name */
  guint n_devices;
  LoomGpuBalancePair *pairs; /* pairs of the same host, or all pairs if `across_hosts`; sorted by a, then b */
  guint n_pairs;
  guint n_bins;
} LoomGpuBalance;

/* Compares the histograms of GPU usage of all pairs of devices. `loop_only`: uses only samples inside the training
 * loop; ignored if there is no loop. `limit`: pairs with a greater distance are flagged. */
void loom_gpu_balance_init (LoomGpuBalance *balance, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, gboolean loop_only, gboolean across_hosts, double limit);
void loom_gpu_balance_clear (LoomGpuBalance *balance);
