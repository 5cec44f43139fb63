/* SPDX-License-Identifier: Apache-2.0
 *
 * Does work of the main thread in small pieces. All queues together take a few milliseconds of each turn of the main loop, so that
 * keys, pointer and frames do not wait for the whole work. Main thread only.
 */
#pragma once

#include <glib.h>

/* Does one piece of the work; returns FALSE if none was left. */
typedef gboolean (*LoomIdleQueueAdvance) (gpointer owner);

typedef struct {
  LoomIdleQueueAdvance advance;
  gpointer owner;
} LoomIdleQueue;

/* Initialises a queue that does nothing yet. Stop it before the owner is freed. */
void loom_idle_queue_init (LoomIdleQueue *self, LoomIdleQueueAdvance advance, gpointer owner);
/* Starts the work with the next turn of the main loop, until none is left. Does nothing if the work goes on already. */
void loom_idle_queue_begin (LoomIdleQueue *self);
void loom_idle_queue_stop (LoomIdleQueue *self);
/* Does the rest of the work now. */
void loom_idle_queue_finish (LoomIdleQueue *self);
gboolean loom_idle_queue_is_going (const LoomIdleQueue *self);
