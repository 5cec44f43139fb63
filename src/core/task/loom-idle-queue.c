/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-idle-queue.h. All queues share one idle source and one time budget. If each queue had its own source,
 * the main loop would run all of them in each iteration, and the budgets of all queues would add up.
 */
#include "loom-idle-queue.h"

/* time budget: when the pieces of work in an iteration of the main loop have taken this time, the next piece waits for
 * the next iteration */
#define BUDGET_US 1500

static GQueue going = G_QUEUE_INIT; /* LoomIdleQueue *: the queues that have work to do */
static guint id;                    /* id of the idle source; 0: no queue has work to do */

static gboolean
turn (gpointer user_data)
{
  gint64 until_us = g_get_monotonic_time () + BUDGET_US;
  do {
    LoomIdleQueue *first = g_queue_peek_head (&going);
    if (first == NULL) {
      id = 0;
      return G_SOURCE_REMOVE;
    }
    if (!first->advance (first->owner))
      g_queue_remove (&going, first);
  } while (g_get_monotonic_time () < until_us);
  return G_SOURCE_CONTINUE;
}

void
loom_idle_queue_init (LoomIdleQueue *self, LoomIdleQueueAdvance advance, gpointer owner)
{
  *self = (LoomIdleQueue) { advance, owner };
}

void
loom_idle_queue_begin (LoomIdleQueue *self)
{
  if (!loom_idle_queue_is_going (self))
    g_queue_push_tail (&going, self);
  if (id == 0)
    id = g_idle_add (turn, NULL);
}

void
loom_idle_queue_stop (LoomIdleQueue *self)
{
  g_queue_remove (&going, self);
}

void
loom_idle_queue_finish (LoomIdleQueue *self)
{
  if (!loom_idle_queue_is_going (self))
    return;
  loom_idle_queue_stop (self);
  while (self->advance (self->owner))
    ;
}

gboolean
loom_idle_queue_is_going (const LoomIdleQueue *self)
{
  return g_queue_find (&going, self) != NULL;
}
