/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads the fields of the events of an XSpace. Inline, because a file has about ten fields per
 * event.
 */
#pragma once

#include "loom-xplane-space.h"

#define LOOM_XPLANE_PS_PER_NS 1000

/* Keys of fields: the number of the field and its wire type, in one byte. */
enum {
  LOOM_XPLANE_KEY_LINE_EVENT = 4 << 3 | LOOM_PROTO_BYTES,
  LOOM_XPLANE_KEY_EVENT_NAME = 1 << 3 | LOOM_PROTO_VARINT,
  LOOM_XPLANE_KEY_EVENT_OFFSET = 2 << 3 | LOOM_PROTO_VARINT,
  LOOM_XPLANE_KEY_EVENT_DURATION = 3 << 3 | LOOM_PROTO_VARINT,
  LOOM_XPLANE_KEY_EVENT_STAT = 4 << 3 | LOOM_PROTO_BYTES,
  LOOM_XPLANE_KEY_STAT_ID = 1 << 3 | LOOM_PROTO_VARINT,
};

static inline gint64
loom_xplane_fields_floor_ns (gint64 ps)
{
  return ps >= 0 ? ps / LOOM_XPLANE_PS_PER_NS : -((LOOM_XPLANE_PS_PER_NS - 1 - ps) / LOOM_XPLANE_PS_PER_NS);
}

/* Reads a length-delimited field. Sets `*content` to its first byte after the length, and moves `*p` to its end.
 * Returns FALSE if the message ends before the field does. */
static inline gboolean
loom_xplane_fields_read_bytes (const guint8 **p, const guint8 *end, const guint8 **content)
{
  guint64 length;
  if (!loom_proto_read_varint (p, end, &length) || length > (guint64) (end - *p))
    return FALSE;
  *content = *p;
  *p += length;
  return TRUE;
}

/* Reads the value of a statistic. `*p`: position of the key of the field with the value. Returns FALSE if the value is
 * damaged or of a rare kind. */
static inline gboolean
loom_xplane_fields_read_value (const guint8 **p, const guint8 *end, LoomProtoField *value)
{
  guint key = *(*p)++;
  value->number = key >> 3;
  value->wire = key & 7;
  value->bytes = NULL;
  switch (value->wire) {
  case LOOM_PROTO_VARINT: return loom_proto_read_varint (p, end, &value->value);
  case LOOM_PROTO_FIXED64: return loom_proto_read_fixed (p, end, 8, &value->value);
  case LOOM_PROTO_BYTES:
    if (!loom_xplane_fields_read_bytes (p, end, &value->bytes))
      return FALSE;
    value->value = (guint64) (*p - value->bytes);
    return TRUE;
  default: return FALSE;
  }
}

/* Parses a statistic like loom_xplane_space_parse_stat(), but faster if the message consists of an id and then a value.
 * Calls that function for any other message. Returns FALSE if the statistic has no value. */
static inline gboolean
loom_xplane_fields_read_stat (const guint8 *begin, const guint8 *end, LoomXplaneStat *stat)
{
  const guint8 *p = begin;
  guint64 id;
  if (G_LIKELY (p < end && *p++ == LOOM_XPLANE_KEY_STAT_ID && loom_proto_read_varint (&p, end, &id) && p < end &&
                *p >= LOOM_XPLANE_STAT_DOUBLE << 3 && *p < 0x80 &&
                loom_xplane_fields_read_value (&p, end, &stat->value) && p == end)) {
    stat->id = (gint64) id;
    return TRUE;
  }
  const LoomProtoField message = { .bytes = begin, .value = (guint64) (end - begin) };
  return loom_xplane_space_parse_stat (&message, stat);
}
