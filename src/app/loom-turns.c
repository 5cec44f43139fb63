/* SPDX-License-Identifier: Apache-2.0
 *
 * One source for all of them: the main loop calls every source that is ready in a turn, and they would have a budget each.
 */
#include "loom-turns.h"

#define BUDGET_US 1500 /* of a turn; a piece that began is done to its end */

static GQueue going = G_QUEUE_INIT; /* LoomTurns: those that have something left */
static guint id;                    /* source; 0 while nothing goes on */

static gboolean
turn (gpointer user_data)
{
  gint64 until_us = g_get_monotonic_time () + BUDGET_US;
  do {
    LoomTurns *first = g_queue_peek_head (&going);
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
loom_turns_init (LoomTurns *self, LoomTurnsAdvance advance, gpointer owner)
{
  *self = (LoomTurns) { advance, owner };
}

void
loom_turns_begin (LoomTurns *self)
{
  if (!loom_turns_is_going (self))
    g_queue_push_tail (&going, self);
  if (id == 0)
    id = g_idle_add (turn, NULL);
}

void
loom_turns_stop (LoomTurns *self)
{
  g_queue_remove (&going, self);
}

void
loom_turns_finish (LoomTurns *self)
{
  if (!loom_turns_is_going (self))
    return;
  loom_turns_stop (self);
  while (self->advance (self->owner))
    ;
}

gboolean
loom_turns_is_going (const LoomTurns *self)
{
  return g_queue_find (&going, self) != NULL;
}
