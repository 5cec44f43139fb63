/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the length of a stream's queue over time. The queue gets one longer when a launch starts,
 * and one shorter when the launched kernel starts. Times are ns of one clock. One thread.
 */
#pragma once

#include <glib.h>

/* A queue with at least this number of launches counts as full. In CUDA, a stream has a queue of about 1,022 launches;
 * another launch blocks the host until a kernel begins. The limit is lower, because some launches may not be
 * recorded. */
#define LOOM_LAUNCH_QUEUE_FULL 1000

typedef struct {
  GArray *launches, *begins; /* gint64: times of the launches, and of the starts of kernels */
} LoomLaunchQueue;

typedef struct {
  guint64 longest;  /* greatest length of the queue; lengths that last 0 ns do not count */
  double mean;      /* mean length of the queue from the first launch to the last start of a kernel */
  gint64 queued_ns; /* time during which at least one kernel is in the queue */
  gint64 full_ns;   /* time during which at least LOOM_LAUNCH_QUEUE_FULL kernels are in the queue */
} LoomLaunchQueueLength;

void loom_launch_queue_init (LoomLaunchQueue *queue);
void loom_launch_queue_clear (LoomLaunchQueue *queue);
void loom_launch_queue_reset (LoomLaunchQueue *queue);
/* Adds a kernel. A kernel that begins before its launch is in the queue for 0 ns. */
void loom_launch_queue_add (LoomLaunchQueue *queue, gint64 launch_ns, gint64 begin_ns);
/* Sorts the launches and the starts of kernels, and computes the lengths. O(n log n); O(n) if they are already
 * sorted. */
LoomLaunchQueueLength loom_launch_queue_get_length (LoomLaunchQueue *queue);
