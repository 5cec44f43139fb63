/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. One pass over all device work of a group in order of time, which tells what ran when: unions, intersections
 * and gaps of the kinds of work fall out of it, and nothing is kept. Any thread.
 */
#pragma once

#include "loom-device-rows.h"

G_BEGIN_DECLS

/* Bits of a mask: 1 << LoomWorkKind, and this one, set where the group was recorded at all. */
#define LOOM_GPU_RECORDED (1u << LOOM_N_DEVICE_WORK)
#define LOOM_GPU_KERNELS ((1u << LOOM_WORK_KIND_COMPUTE) | (1u << LOOM_WORK_KIND_COMMUNICATION))
#define LOOM_GPU_COPIES ((1u << LOOM_WORK_KIND_MEMCPY) | (1u << LOOM_WORK_KIND_MEMSET))

/* A stretch in which the same kinds of work run; `mask` is never 0. Stretches come in order and do not overlap. */
typedef void (*LoomDeviceSweepFunc) (gint64 begin_ns, gint64 end_ns, guint mask, gpointer user_data);

/* What was seen: spans of the group that touch the range. */
typedef struct {
  guint64 n_spans[LOOM_N_DEVICE_WORK];
  gint64
    sum_ns[LOOM_N_DEVICE_WORK]; /* of durations inside the range: where streams run at once more than their union */
  gint64 first_ns, last_ns;     /* earliest begin and latest end of work, inside the range; LOOM_TIME_NONE without */
} LoomDeviceSweepSeen;

/* Timeline. O(spans in range · log rows). FALSE when cancelled. */
gboolean loom_device_sweep (const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group, LoomRange range,
                            LoomDeviceSweepFunc func, gpointer user_data, LoomDeviceSweepSeen *seen,
                            GCancellable *cancellable);

G_END_DECLS
