/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs work on the main thread in small pieces. In each iteration of the main loop, the pieces of all queues together
 * take about 1.5 ms, so that input events and frames are handled without delay. Main thread only.
 */
#pragma once

#include <glib.h>

/* Does a small piece of the queue's work. Returns FALSE if no work is left, so that the function is not called again.
 */
typedef gboolean (*LoomIdleQueueAdvance) (gpointer owner);

typedef struct {
  LoomIdleQueueAdvance advance;
  gpointer owner;
} LoomIdleQueue;

/* Initialises a queue that is not running. It must be stopped before the owner is freed. */
void loom_idle_queue_init (LoomIdleQueue *self, LoomIdleQueueAdvance advance, gpointer owner);
/* Starts the work at the next iteration of the main loop. The work continues until `advance` returns FALSE. Does
 * nothing if the queue is running already. */
void loom_idle_queue_begin (LoomIdleQueue *self);
void loom_idle_queue_stop (LoomIdleQueue *self);
/* Does all remaining work before it returns. Does nothing if the queue is not running. */
void loom_idle_queue_finish (LoomIdleQueue *self);
gboolean loom_idle_queue_is_going (const LoomIdleQueue *self);
