/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a protobuf file through a window: a part of the file that is in memory and moves as the file is read, so that
 * the file may be larger than the memory. The interface is described in loom-proto-window.h.
 */
#include "loom-proto-window.h"

#define WINDOW_BYTES (256u * 1024)
#define MOST_BYTES (64u * 1024 * 1024)
/* Maximum length in bytes of the key and the length of a field: ten bytes each. */
#define MOST_HEAD_BYTES 20

struct _LoomProtoWindow {
  LoomByteSource *file;
  guint64 begin;
  gsize length, capacity;
  guint8 *bytes;
};

LoomProtoWindow *
loom_proto_window_new (LoomByteSource *file)
{
  LoomProtoWindow *self = g_new0 (LoomProtoWindow, 1);
  self->file = file;
  self->capacity = WINDOW_BYTES;
  self->bytes = g_malloc (self->capacity);
  return self;
}

LoomProtoWindow *
loom_proto_window_dup (const LoomProtoWindow *self)
{
  return loom_proto_window_new (loom_byte_source_ref (self->file));
}

void
loom_proto_window_free (LoomProtoWindow *self)
{
  if (self == NULL)
    return;
  loom_byte_source_unref (self->file);
  g_free (self->bytes);
  g_free (self);
}

/* Moves the window to `offset`. The window then contains at least `n_bytes` bytes, or fewer at the end of the file. */
static void
fill (LoomProtoWindow *self, guint64 offset, gsize n_bytes)
{
  if (n_bytes > self->capacity)
    self->bytes = g_realloc (self->bytes, self->capacity = n_bytes);
  self->begin = offset;
  self->length = 0;
  while (self->length < self->capacity) {
    gssize n = loom_byte_source_read (self->file, offset + self->length, self->bytes + self->length,
                                      self->capacity - self->length, NULL);
    if (n <= 0)
      break;
    self->length += (gsize) n;
  }
}

/* Returns the bytes at `offset` and sets `there` to their number, at most `n_bytes`. */
static const guint8 *
look_at (LoomProtoWindow *self, guint64 offset, gsize n_bytes, gsize *there)
{
  if (offset < self->begin || offset - self->begin > self->length || self->length - (offset - self->begin) < n_bytes)
    fill (self, offset, n_bytes);
  *there = MIN (n_bytes, self->length - (gsize) (offset - self->begin));
  return self->bytes + (offset - self->begin);
}

const guint8 *
loom_proto_window_get (LoomProtoWindow *self, guint64 offset, gsize n_bytes)
{
  gsize there;
  if (n_bytes > MOST_BYTES)
    return NULL;
  const guint8 *bytes = look_at (self, offset, n_bytes, &there);
  return there == n_bytes ? bytes : NULL;
}

gsize
loom_proto_window_peek (const LoomProtoWindow *self, guint64 offset, const guint8 **bytes)
{
  guint64 at = offset - self->begin;
  *bytes = self->bytes + MIN (at, self->length);
  return self->length - (gsize) MIN (at, self->length);
}

gsize
loom_proto_window_find_cost (const LoomProtoWindow *self, guint64 offset, guint64 end)
{
  guint64 n_bytes = MIN (MOST_HEAD_BYTES, end - MIN (offset, end));
  gboolean is_inside = offset >= self->begin && offset - self->begin + n_bytes <= self->length;
  return is_inside ? 0 : 2 * self->capacity;
}

gboolean
loom_proto_window_next_cut (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field, guint64 *content,
                            gboolean *is_cut)
{
  if (*at >= end)
    return FALSE;
  gsize there;
  const guint8 *bytes = look_at (self, *at, (gsize) MIN (MOST_HEAD_BYTES, end - *at), &there), *p = bytes;
  if (!loom_proto_read_head (&p, bytes + there, field))
    return FALSE;
  *content = *at + (guint64) (p - bytes);
  guint64 n_bytes = field->wire == LOOM_PROTO_BYTES ? field->value : 0;
  if (n_bytes > end - *content) {
    n_bytes = field->value = end - *content;
    *is_cut = TRUE;
  }
  *at = *content + n_bytes;
  return TRUE;
}

gboolean
loom_proto_window_next (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field, guint64 *content)
{
  gboolean is_cut = FALSE;
  guint64 before = *at;
  if (loom_proto_window_next_cut (self, at, end, field, content, &is_cut) && !is_cut)
    return TRUE;
  *at = before;
  return FALSE;
}
