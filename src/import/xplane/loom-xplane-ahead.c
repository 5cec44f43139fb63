/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the items (events) of an XSpace in a separate thread, up to 32,768 items before the caller needs them. The
 * interface is described in loom-xplane-ahead.h.
 */
#include "loom-xplane-ahead.h"

/* Items per batch. All batches take 1.8 MB. Each batch wakes the other thread, so that batches of 2,048 items made loading
 * take a fifth longer while other programs used one of two cores. */
#define BATCH_ITEMS 8192
#define N_BATCHES 4

typedef struct {
  LoomXplaneItem items[BATCH_ITEMS];
  guint n;
} Batch;

struct _LoomXplaneAhead {
  LoomXplaneMeasure *measure; /* used only by `thread`, if there is one */
  LoomMadePlace place;        /* likewise */
  Batch *batches;             /* array of N_BATCHES batches, used as a ring */
  guint at;                   /* index of the batch that the caller uses, or will use first */
  gboolean has_batch;         /* TRUE: the caller currently uses a batch */
  GThread *thread;            /* NULL: there is no thread, so batches are filled when they are needed */
  GMutex lock;                /* guards the members below */
  GCond changed;
  guint n_full; /* number of batches from `at` on that are filled, including the one that the caller uses */
  gboolean is_stopped;
};

static void
fill (LoomXplaneAhead *self, Batch *batch)
{
  batch->n = loom_xplane_measure_read (self->measure, &self->place, batch->items, BATCH_ITEMS);
}

/* Waits until a batch of the ring is free. Returns FALSE if the thread must end. */
static gboolean
wait_for_room (LoomXplaneAhead *self)
{
  g_mutex_lock (&self->lock);
  while (self->n_full == N_BATCHES && !self->is_stopped)
    g_cond_wait (&self->changed, &self->lock);
  gboolean goes_on = !self->is_stopped;
  g_mutex_unlock (&self->lock);
  return goes_on;
}

static gpointer
run (gpointer data)
{
  LoomXplaneAhead *self = data;
  guint n = 1;
  for (guint i = 0; n > 0 && wait_for_room (self); i = (i + 1) % N_BATCHES) {
    fill (self, &self->batches[i]);
    n = self->batches[i].n;
    g_mutex_lock (&self->lock);
    self->n_full++;
    g_cond_signal (&self->changed);
    g_mutex_unlock (&self->lock);
  }
  return NULL;
}

LoomXplaneAhead *
loom_xplane_ahead_new (const LoomXplaneSpace *space, gboolean has_thread)
{
  LoomXplaneAhead *self = g_new0 (LoomXplaneAhead, 1);
  self->measure = loom_xplane_measure_new (space);
  self->batches = g_new (Batch, N_BATCHES);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = has_thread ? g_thread_try_new ("loom-xplane", run, self, NULL) : NULL;
  return self;
}

void
loom_xplane_ahead_free (LoomXplaneAhead *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  loom_xplane_measure_free (self->measure);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self->batches);
  g_free (self);
}

/* Marks the batch of the caller as free, and waits until the next one is filled. */
static void
pass_batch (LoomXplaneAhead *self)
{
  g_mutex_lock (&self->lock);
  if (self->has_batch) {
    self->n_full--;
    self->at = (self->at + 1) % N_BATCHES;
    g_cond_signal (&self->changed);
  }
  while (self->n_full == 0 && self->thread != NULL)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  self->has_batch = TRUE;
}

const LoomXplaneItem *
loom_xplane_ahead_get_next (LoomXplaneAhead *self, guint *n)
{
  gboolean is_over = self->has_batch && self->batches[self->at].n == 0;
  if (!is_over)
    pass_batch (self);
  if (!is_over && self->thread == NULL) {
    fill (self, &self->batches[self->at]);
    self->n_full = 1;
  }
  *n = self->batches[self->at].n;
  return self->batches[self->at].items;
}
