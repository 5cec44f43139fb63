/* SPDX-License-Identifier: Apache-2.0
 *
 * A helper thread that keeps blocks of the page allocator ready for another thread, which fills them. The interface is
 * described in loom-page-supply.h.
 */
#include "loom-page-supply.h"

#include "loom-page-allocator.h"

#define READY_BLOCKS 8

struct _LoomPageSupply {
  GThread *thread; /* NULL if the thread could not be started */
  GMutex lock;     /* protects the members below */
  GCond changed;
  gboolean is_wanted, is_stopped;
};

static gpointer
run (gpointer data)
{
  LoomPageSupply *self = data;
  g_mutex_lock (&self->lock);
  while (!self->is_stopped) {
    if (!self->is_wanted) {
      g_cond_wait (&self->changed, &self->lock);
      continue;
    }
    self->is_wanted = FALSE;
    g_mutex_unlock (&self->lock);
    loom_page_allocator_prepare (READY_BLOCKS);
    g_mutex_lock (&self->lock);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

LoomPageSupply *
loom_page_supply_new (void)
{
  LoomPageSupply *self = g_new0 (LoomPageSupply, 1);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_try_new ("loom-pages", run, self, NULL);
  return self;
}

void
loom_page_supply_refill (LoomPageSupply *self)
{
  g_mutex_lock (&self->lock);
  self->is_wanted = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
loom_page_supply_free (LoomPageSupply *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
