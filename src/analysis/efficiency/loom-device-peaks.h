/* SPDX-License-Identifier: Apache-2.0
 *
 * The highest rates of devices according to the data sheets of their vendors: floating-point operations of dense matrix
 * products, and memory bandwidth. Real kernels reach less: on an MI300X, its vendor measures 708 of 1307 TFLOP/s with
 * bfloat16. Any thread.
 */
#pragma once

#include <glib.h>

#include "loom-float-type.h"

typedef struct {
  /* [LoomFloatType] FLOP/s for numbers of this type; 0: unknown */
  double flops[LOOM_N_FLOAT_TYPES];
  double bandwidth; /* B/s; 0: unknown */
} LoomDevicePeaks;

/* Peaks that the user sets. They replace the peaks of the device. 0: not set; then the peak of the device is used. */
typedef struct {
  double tflops;   /* 10¹² FLOP/s of one device, for all number types */
  double tb_per_s; /* 10¹² B/s of one device */
} LoomPeakSettings;

#define LOOM_DEVICE_PEAKS_MOST 1e6 /* greatest value that the user can set */

/* Sets `peaks` to the peaks of a device. `model`: the name that the driver reports, for example "NVIDIA H100 80GB
 * HBM3". Peaks in `settings` replace those of the device; `settings` may be NULL. Unknown peaks are 0. */
void loom_device_peaks_find (LoomDevicePeaks *peaks, const char *model, const LoomPeakSettings *settings);
