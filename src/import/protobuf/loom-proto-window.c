/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a protobuf file through a window: a part of the file that is in memory and moves as the file is read, so that
 * the file may be larger than the memory. The interface is described in loom-proto-window.h.
 */
#include "loom-proto-window.h"

#include "loom-proto-ahead.h"

#define WINDOW_BYTES (256u * 1024)
/* Room before the bytes that are read ahead, for the end of the window before them: a window that moves keeps the bytes
 * from the beginning of a message on. If a longer message is there, the bytes are read again. */
#define TAIL_BYTES (64u * 1024)
/* Number of moves in order, 4 MB, after which the bytes after the window are read ahead. */
#define LEAST_IN_ORDER 16
#define MOST_BYTES (64u * 1024 * 1024)
/* Maximum length in bytes of the key and the length of a field: ten bytes each. */
#define MOST_HEAD_BYTES 20

struct _LoomProtoWindow {
  LoomByteSource *file;
  guint64 begin;
  gsize length, capacity;
  guint8 *bytes;  /* the bytes of the window, in `buffer` */
  guint8 *buffer; /* TAIL_BYTES and then `capacity` bytes */
  gboolean reads_ahead;
  guint n_in_order;      /* number of moves in order since the last move to another place */
  LoomProtoAhead *ahead; /* NULL: no bytes have been read ahead yet */
  gboolean is_ahead;     /* TRUE: `ahead` reads the bytes after the window to `next` */
  guint8 *next;          /* a second buffer of the same length as `buffer` */
};

LoomProtoWindow *
loom_proto_window_new (LoomByteSource *file)
{
  LoomProtoWindow *self = g_new0 (LoomProtoWindow, 1);
  self->file = file;
  self->capacity = WINDOW_BYTES;
  self->buffer = g_malloc (TAIL_BYTES + self->capacity);
  self->bytes = self->buffer + TAIL_BYTES;
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
  loom_proto_ahead_free (self->ahead);
  loom_byte_source_unref (self->file);
  g_free (self->next);
  g_free (self->buffer);
  g_free (self);
}

void
loom_proto_window_read_ahead (LoomProtoWindow *self)
{
  self->reads_ahead = TRUE;
}

/* Reads the bytes after the window on another thread, if the window has moved in order. */
static void
start_ahead (LoomProtoWindow *self)
{
  if (!self->reads_ahead || self->n_in_order < LEAST_IN_ORDER || self->capacity != WINDOW_BYTES)
    return;
  if (self->ahead == NULL)
    self->ahead = loom_proto_ahead_new (self->file);
  self->reads_ahead = self->ahead != NULL;
  if (self->ahead == NULL)
    return;
  if (self->next == NULL)
    self->next = g_malloc (TAIL_BYTES + self->capacity);
  self->is_ahead = TRUE;
  loom_proto_ahead_start (self->ahead, self->begin + self->length, self->next + TAIL_BYTES, self->capacity);
}

/* Moves the window to `offset` with the bytes that were read ahead. Returns FALSE if these bytes do not suffice, or
 * `offset` is not in the window. */
static gboolean
take_ahead (LoomProtoWindow *self, guint64 offset, gsize n_bytes)
{
  guint64 end = self->begin + self->length;
  if (!self->is_ahead)
    return FALSE;
  gsize n = loom_proto_ahead_wait (self->ahead), n_tail = (gsize) (end - offset);
  self->is_ahead = FALSE;
  if (offset < self->begin || offset > end || n_tail > TAIL_BYTES || n_tail + n < n_bytes)
    return FALSE;
  guint8 *bytes = self->next + TAIL_BYTES - n_tail, *buffer = self->buffer;
  memcpy (bytes, self->bytes + (offset - self->begin), n_tail);
  self->buffer = self->next;
  self->next = buffer;
  self->bytes = bytes;
  self->begin = offset;
  self->length = n_tail + n;
  return TRUE;
}

/* Reads the bytes of the window from `offset` on. */
static void
read_window (LoomProtoWindow *self, guint64 offset, gsize n_bytes)
{
  if (n_bytes > self->capacity)
    self->buffer = g_realloc (self->buffer, TAIL_BYTES + (self->capacity = n_bytes));
  self->bytes = self->buffer + TAIL_BYTES;
  self->begin = offset;
  self->length = loom_proto_ahead_read (self->file, offset, self->bytes, self->capacity);
}

/* Moves the window to `offset`. The window then contains at least `n_bytes` bytes, or fewer at the end of the file. */
static void
fill (LoomProtoWindow *self, guint64 offset, gsize n_bytes)
{
  gboolean is_in_order = offset >= self->begin && offset <= self->begin + self->length;
  gboolean was_ahead = self->is_ahead, is_taken = take_ahead (self, offset, n_bytes);
  if (!is_taken)
    read_window (self, offset, n_bytes);
  self->n_in_order = is_in_order && is_taken == was_ahead ? self->n_in_order + 1 : 0;
  start_ahead (self);
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
