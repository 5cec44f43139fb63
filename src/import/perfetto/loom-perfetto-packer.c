/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs the events of a Perfetto trace while another thread reads them. The interface is described in
 * loom-perfetto-packer.h.
 */
#include "loom-perfetto-packer.h"

#include "loom-page-allocator.h"

/* Number of events that are packed at once. */
#define STEP ((guint32) LOOM_PERFETTO_EVENT_LIST_BLOCK)
/* Maximum number of events that are packed but not yet read by the other thread. Such events are in memory twice,
 * which takes up to 8 MiB more. */
#define MOST_AHEAD (64 * STEP)
/* Maximum number of free blocks of memory that this thread keeps ready for the reading thread, the one that reads the
 * events and stores the spans of the trace in such blocks. A few blocks are enough: as soon as events are freed, the
 * reading thread uses their blocks again, and spans take about as much memory as events. */
#define READY_BLOCKS 4

struct _LoomPerfettoPacker {
  LoomPerfettoTrace *trace;
  /* NULL: the events are not packed, because this would save less than half of their memory */
  LoomPerfettoPack *pack;
  guint n_freed;     /* number of freed blocks of events */
  gboolean is_ahead; /* TRUE: run() runs on a thread of its own */
  GThread *thread;
  GMutex lock; /* guards the members below */
  GCond changed;
  guint32 n_passed;
};

/* Waits until at most MOST_AHEAD of the first `n_packed` events have not been read by the other thread. Returns the
 * number of events that the other thread has read. */
static guint32
wait_for_reader (LoomPerfettoPacker *self, guint32 n_packed)
{
  g_mutex_lock (&self->lock);
  while (n_packed > self->n_passed && n_packed - self->n_passed > MOST_AHEAD)
    g_cond_wait (&self->changed, &self->lock);
  guint32 n_passed = self->n_passed;
  g_mutex_unlock (&self->lock);
  return n_passed;
}

static gpointer
run (gpointer data)
{
  LoomPerfettoPacker *self = data;
  LoomPerfettoEventList *events = &self->trace->events;
  guint32 n = self->trace->n_events;
  for (guint32 begin = 0; begin < n; begin += MIN (STEP, n - begin)) {
    guint32 end = begin + MIN (STEP, n - begin);
    loom_perfetto_pack_add (self->pack, loom_perfetto_event_list_get (events, begin), end - begin);
    if (self->n_freed == 0 && loom_perfetto_pack_is_large (self->pack)) {
      g_clear_pointer (&self->pack, loom_perfetto_pack_free);
      return NULL;
    }
    if (self->is_ahead)
      loom_page_allocator_prepare (READY_BLOCKS);
    self->n_freed =
      loom_perfetto_event_list_free_before (events, self->n_freed, MIN (wait_for_reader (self, end), end));
  }
  return NULL;
}

LoomPerfettoPacker *
loom_perfetto_packer_new (LoomPerfettoTrace *trace, gboolean has_thread)
{
  LoomPerfettoPacker *self = g_new0 (LoomPerfettoPacker, 1);
  self->trace = trace;
  self->pack = loom_perfetto_pack_new (trace->n_events);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->is_ahead = has_thread;
  if (has_thread)
    self->thread = g_thread_try_new ("loom-perfetto", run, self, NULL);
  if (self->thread != NULL)
    return self;
  self->is_ahead = FALSE;
  self->n_passed = G_MAXUINT32;
  run (self);
  loom_perfetto_packer_finish (self);
  return NULL;
}

void
loom_perfetto_packer_pass (LoomPerfettoPacker *self, guint32 number)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->n_passed = MAX (self->n_passed, number);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
loom_perfetto_packer_finish (LoomPerfettoPacker *self)
{
  if (self == NULL)
    return;
  loom_perfetto_packer_pass (self, G_MAXUINT32);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  self->trace->pack = self->pack;
  if (self->pack != NULL)
    loom_perfetto_event_list_clear (&self->trace->events);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
