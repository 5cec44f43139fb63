/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of the main thread in small pieces: a few milliseconds of all such work in each turn of the main loop, so that keys, pointer
 * and frames never wait for the whole. Main thread only.
 */
#pragma once

#include <glib.h>

/* Does one piece; FALSE: there was none left. */
typedef gboolean (*LoomIdleQueueAdvance) (gpointer owner);

typedef struct {
  LoomIdleQueueAdvance advance;
  gpointer owner;
} LoomIdleQueue;

/* Rests. Stopped before the owner goes. */
void loom_idle_queue_init (LoomIdleQueue *self, LoomIdleQueueAdvance advance, gpointer owner);
/* From the next turn on, until nothing is left; nothing when it goes on already. */
void loom_idle_queue_begin (LoomIdleQueue *self);
void loom_idle_queue_stop (LoomIdleQueue *self);
/* All that is left, now: for who cannot wait. */
void loom_idle_queue_finish (LoomIdleQueue *self);
gboolean loom_idle_queue_is_going (const LoomIdleQueue *self);
