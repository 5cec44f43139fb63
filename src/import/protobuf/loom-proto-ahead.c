/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a part of a file on another thread. The interface is described in loom-proto-ahead.h.
 */
#include "loom-proto-ahead.h"

struct _LoomProtoAhead {
  LoomByteSource *file;
  GThread *thread;
  GMutex lock; /* guards the members below */
  GCond changed;
  /* the part to read; the thread uses these members while `is_wanted` */
  guint64 offset;
  guint8 *buffer;
  gsize n_bytes;
  gsize n_read;
  gboolean is_wanted, is_stopped;
};

gsize
loom_proto_ahead_read (LoomByteSource *file, guint64 offset, guint8 *buffer, gsize n_bytes)
{
  gsize n_read = 0;
  while (n_read < n_bytes) {
    gssize n = loom_byte_source_read (file, offset + n_read, buffer + n_read, n_bytes - n_read, NULL);
    if (n <= 0)
      break;
    n_read += (gsize) n;
  }
  return n_read;
}

static gpointer
run (gpointer data)
{
  LoomProtoAhead *self = data;
  g_mutex_lock (&self->lock);
  while (!self->is_stopped) {
    if (!self->is_wanted) {
      g_cond_wait (&self->changed, &self->lock);
      continue;
    }
    g_mutex_unlock (&self->lock);
    gsize n_read = loom_proto_ahead_read (self->file, self->offset, self->buffer, self->n_bytes);
    g_mutex_lock (&self->lock);
    self->n_read = n_read;
    self->is_wanted = FALSE;
    g_cond_signal (&self->changed);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

LoomProtoAhead *
loom_proto_ahead_new (LoomByteSource *file)
{
  LoomProtoAhead *self = g_new0 (LoomProtoAhead, 1);
  self->file = file;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_try_new ("loom-proto", run, self, NULL);
  if (self->thread != NULL)
    return self;
  loom_proto_ahead_free (self);
  return NULL;
}

void
loom_proto_ahead_free (LoomProtoAhead *self)
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

void
loom_proto_ahead_start (LoomProtoAhead *self, guint64 offset, guint8 *buffer, gsize n_bytes)
{
  g_mutex_lock (&self->lock);
  self->offset = offset;
  self->buffer = buffer;
  self->n_bytes = n_bytes;
  self->is_wanted = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

gsize
loom_proto_ahead_wait (LoomProtoAhead *self)
{
  g_mutex_lock (&self->lock);
  while (self->is_wanted)
    g_cond_wait (&self->changed, &self->lock);
  gsize n_read = self->n_read;
  g_mutex_unlock (&self->lock);
  return n_read;
}
