/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: parses the fields of protobuf messages by their numbers, without a schema. Inline, because it
 * is called for every field.
 */
#pragma once

#include <glib.h>
#include <string.h>

enum { LOOM_PROTO_VARINT = 0, LOOM_PROTO_FIXED64 = 1, LOOM_PROTO_BYTES = 2, LOOM_PROTO_FIXED32 = 5 };

typedef struct {
  guint number;
  guint wire;    /* wire type of the field, LOOM_PROTO_… */
  guint64 value; /* for a number: the value; for a byte field: the length of `bytes` */
  /* content of a field of the type LOOM_PROTO_BYTES, borrowed; may extend beyond the end of the message; NULL for other
   * types */
  const guint8 *bytes;
} LoomProtoField;

/* Takes the lower seven bits of each of eight bytes, and returns the number that they form, which has 56 bits. */
static inline guint64
loom_proto_join_sevens (guint64 bytes)
{
  bytes = (bytes & G_GUINT64_CONSTANT (0x007F007F007F007F)) | (bytes & G_GUINT64_CONSTANT (0x7F007F007F007F00)) >> 1;
  bytes = (bytes & G_GUINT64_CONSTANT (0x00003FFF00003FFF)) | (bytes & G_GUINT64_CONSTANT (0x3FFF00003FFF0000)) >> 2;
  return (bytes & 0x0FFFFFFF) | (bytes & G_GUINT64_CONSTANT (0x0FFFFFFF00000000)) >> 4;
}

/* Reads a number of at most ten bytes. Returns FALSE if the number does not end before `end`. */
static inline gboolean
loom_proto_read_varint (const guint8 **p, const guint8 *end, guint64 *value)
{
  guint shift = 0;
  if (G_LIKELY (*p < end && **p < 0x80)) {
    *value = *(*p)++;
    return TRUE;
  }
  *value = 0;
  if (end - *p >= 8) {
    guint64 bytes;
    memcpy (&bytes, *p, sizeof bytes);
    bytes = GUINT64_FROM_LE (bytes);
    guint64 ends = ~bytes & G_GUINT64_CONSTANT (0x8080808080808080);
    if (ends != 0) {
      *value = loom_proto_join_sevens (bytes & (ends ^ (ends - 1)));
      *p += __builtin_ctzll (ends) / 8 + 1;
      return TRUE;
    }
    *value = loom_proto_join_sevens (bytes);
    *p += 8;
    shift = 56;
  }
  for (; shift < 70 && *p < end; shift += 7) {
    guint8 byte = *(*p)++;
    if (shift < 64)
      *value |= (guint64) (byte & 0x7F) << shift;
    if (byte < 0x80)
      return TRUE;
  }
  return FALSE;
}

static inline gboolean
loom_proto_read_fixed (const guint8 **p, const guint8 *end, gsize n_bytes, guint64 *value)
{
  if ((gsize) (end - *p) < n_bytes)
    return FALSE;
  *value = 0;
  for (gsize i = 0; i < n_bytes; i++)
    *value |= (guint64) (*p)[i] << 8 * i;
  *p += n_bytes;
  return TRUE;
}

/* Reads the beginning of a field: its key, and the value of a number or the length of bytes. Returns FALSE if it is
 * damaged or incomplete. */
static inline gboolean
loom_proto_read_head (const guint8 **p, const guint8 *end, LoomProtoField *field)
{
  guint64 key;
  if (!loom_proto_read_varint (p, end, &key) || key >> 3 == 0 || key >> 3 > G_MAXUINT)
    return FALSE;
  field->number = (guint) (key >> 3);
  field->wire = key & 7;
  field->bytes = NULL;
  switch (field->wire) {
  case LOOM_PROTO_VARINT: return loom_proto_read_varint (p, end, &field->value);
  case LOOM_PROTO_FIXED64: return loom_proto_read_fixed (p, end, 8, &field->value);
  case LOOM_PROTO_FIXED32: return loom_proto_read_fixed (p, end, 4, &field->value);
  case LOOM_PROTO_BYTES:
    if (!loom_proto_read_varint (p, end, &field->value))
      return FALSE;
    field->bytes = *p;
    return TRUE;
  default: return FALSE;
  }
}

/* Reads the next field of a message, of any kind. loom_proto_next() reads the most frequent kinds itself and calls this
 * function for the others. Returns FALSE in the same cases as loom_proto_next(). This function is not inline, so that
 * loom_proto_next() stays small enough to be inlined. */
static gboolean __attribute__ ((noinline, unused))
loom_proto_next_any (const guint8 **p, const guint8 *end, LoomProtoField *field)
{
  const guint8 *at = *p;
  if (at >= end || !loom_proto_read_head (&at, end, field))
    return FALSE;
  if (field->wire == LOOM_PROTO_BYTES) {
    if (field->value > (guint64) (end - at))
      return FALSE;
    at += field->value;
  }
  *p = at;
  return TRUE;
}

/* Reads the next field of a message that is completely in memory, and moves `*p` to its end. Returns FALSE at the end
 * of the message, where `*p` equals `end`, and at damage, where `*p` is the beginning of the damaged field. */
static inline gboolean
loom_proto_next (const guint8 **p, const guint8 *end, LoomProtoField *field)
{
  const guint8 *at = *p;
  if (at >= end)
    return FALSE;
  /* The most frequent kind of field has a key of one byte, and then a number or length of one byte. All other fields
   * are read by loom_proto_next_any(). */
  if (G_UNLIKELY (end - at < 2 || at[0] < 8 || ((at[0] | at[1]) & 0x80) != 0))
    return loom_proto_next_any (p, end, field);
  guint wire = at[0] & 7, value = at[1];
  if (wire == LOOM_PROTO_BYTES ? value > (gsize) (end - at) - 2 : wire != LOOM_PROTO_VARINT)
    return loom_proto_next_any (p, end, field);
  field->number = at[0] >> 3;
  field->wire = wire;
  field->value = value;
  field->bytes = wire == LOOM_PROTO_BYTES ? at + 2 : NULL;
  *p = at + 2 + (wire == LOOM_PROTO_BYTES ? value : 0);
  return TRUE;
}

static inline double
loom_proto_to_double (guint64 bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}
