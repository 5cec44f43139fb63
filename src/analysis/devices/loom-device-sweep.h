/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. One pass over all device work of a group in order of time reports what ran when; callers derive unions,
 * intersections and gaps of the kinds of work. Nothing is stored. Any thread.
 */
#pragma once

#include "loom-device-rows.h"

/* Bits of a mask: 1 << LoomWorkKind, and LOOM_GPU_RECORDED, set wherever the group was recorded. */
#define LOOM_GPU_RECORDED (1u << LOOM_N_DEVICE_WORK)
#define LOOM_GPU_KERNELS ((1u << LOOM_WORK_KIND_COMPUTE) | (1u << LOOM_WORK_KIND_COMMUNICATION))
#define LOOM_GPU_COPIES ((1u << LOOM_WORK_KIND_MEMCPY) | (1u << LOOM_WORK_KIND_MEMSET))

/* Called for a stretch of time in which the same kinds of work run; `mask` is never 0. Stretches are reported in order
 * and don't overlap. */
typedef void (*LoomDeviceSweepFunc) (gint64 begin_ns, gint64 end_ns, guint mask, gpointer user_data);

/* Totals of a sweep over the group's spans that touch the range. */
typedef struct {
  guint64 n_spans[LOOM_N_DEVICE_WORK];
  /* sum of durations inside the range; more than their union if streams run concurrently */
  gint64 sum_ns[LOOM_N_DEVICE_WORK];
  /* earliest begin and latest end of work inside the range; LOOM_TIME_NONE if there is none */
  gint64 first_ns, last_ns;
} LoomDeviceSweepSeen;

/* Times are on the timeline. O(spans in range · log rows). Returns FALSE if cancelled. */
gboolean loom_device_sweep (const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group, LoomRange range,
                            LoomDeviceSweepFunc func, gpointer user_data, LoomDeviceSweepSeen *seen,
                            GCancellable *cancellable);
