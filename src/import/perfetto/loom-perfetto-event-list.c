/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of a Perfetto trace while they can still be changed. The interface is described in
 * loom-perfetto-event-list.h.
 */
#include "loom-perfetto-event-list.h"

/* From this number of blocks on, a separate thread allocates the memory of further blocks in advance. */
#define LEAST_BLOCKS 16

G_STATIC_ASSERT (sizeof (LoomPerfettoEvent) == 32);

void
loom_perfetto_event_list_init (LoomPerfettoEventList *self)
{
  *self = (LoomPerfettoEventList) { .blocks = g_ptr_array_new () };
}

void
loom_perfetto_event_list_clear (LoomPerfettoEventList *self)
{
  loom_perfetto_event_list_end_supply (self);
  for (guint i = 0; self->blocks != NULL && i < self->blocks->len; i++)
    if (self->blocks->pdata[i] != NULL)
      loom_page_allocator_free (self->blocks->pdata[i]);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  self->len = 0;
}

void
loom_perfetto_event_list_enlarge (LoomPerfettoEventList *self)
{
  gpointer block = loom_page_allocator_new ();
  if (block == NULL)
    g_error ("There is no memory for further events"); /* ends the program, as g_malloc() does if there is no memory */
  g_ptr_array_add (self->blocks, block);
  if (self->blocks->len < LEAST_BLOCKS)
    return;
  if (self->supply == NULL)
    self->supply = loom_page_supply_new ();
  loom_page_supply_refill (self->supply);
}

void
loom_perfetto_event_list_end_supply (LoomPerfettoEventList *self)
{
  g_clear_pointer (&self->supply, loom_page_supply_free);
}

guint
loom_perfetto_event_list_free_before (LoomPerfettoEventList *self, guint begin, guint32 n)
{
  for (; begin < n / LOOM_PERFETTO_EVENT_LIST_BLOCK; begin++)
    loom_page_allocator_free (g_steal_pointer (&self->blocks->pdata[begin]));
  return begin;
}
