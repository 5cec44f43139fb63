/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether GPUs work alike: a histogram each and the Jensen–Shannon distance of every two, formats/analysis.md §7. NAN
 * distances mean no data. As written 49 bins, so that values above 98 are dropped, GPUs told apart by name alone.
 * Any thread; O(GPU samples + GPUs² · bins).
 */
#pragma once

#include "loom-job-phases.h"

G_BEGIN_DECLS

#define LOOM_GPU_BALANCE_LIMIT 0.5 /* usually two GPUs farther apart than this are flagged */
#define LOOM_GPU_BALANCE_MAX_BINS 50

typedef struct {
  const char *host; /* as written "" */
  const char *name;
  guint64 n; /* counted */
  guint64 counts[LOOM_GPU_BALANCE_MAX_BINS];
} LoomGpuBalanceDevice;

typedef struct {
  guint a, b;       /* devices, a < b */
  double distance;  /* 0 … √ln 2; NAN: no data */
  gboolean differs; /* by more than the limit */
} LoomGpuBalancePair;

typedef struct {
  LoomGpuBalanceDevice *devices; /* by host and name */
  guint n_devices;
  LoomGpuBalancePair *pairs; /* of one host, or of all with `across_hosts`; by a, then b */
  guint n_pairs;
  guint n_bins;
} LoomGpuBalance;

/* `loop_only`: samples inside the loop; ignored where there is none. `limit`: pairs farther apart are flagged. */
void loom_gpu_balance_init (LoomGpuBalance *balance, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, gboolean loop_only, gboolean across_hosts, double limit);
void loom_gpu_balance_clear (LoomGpuBalance *balance);

G_END_DECLS
