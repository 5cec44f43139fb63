/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes protobuf messages, field by field, at the end of a buffer. Inline, because it is called
 * for every field. May be called on any thread, but only one thread at a time may write to a buffer.
 */
#pragma once

#include <glib.h>
#include <string.h>

enum { LOOM_PERFETTO_MESSAGE_VARINT, LOOM_PERFETTO_MESSAGE_FIXED64, LOOM_PERFETTO_MESSAGE_BYTES };

#define LOOM_PERFETTO_MESSAGE_VARINT_BYTES 10 /* maximum length of a varint in bytes */

static inline gsize
loom_perfetto_message_write_varint (guint8 *to, guint64 value)
{
  gsize n = 0;
  for (; value >= 0x80; value >>= 7)
    to[n++] = (guint8) (value | 0x80);
  to[n++] = (guint8) value;
  return n;
}

static inline void
loom_perfetto_message_put_varint (GString *out, guint64 value)
{
  guint8 bytes[LOOM_PERFETTO_MESSAGE_VARINT_BYTES];
  g_string_append_len (out, (const char *) bytes, (gssize) loom_perfetto_message_write_varint (bytes, value));
}

static inline void
loom_perfetto_message_put_number (GString *out, guint field, guint64 value)
{
  loom_perfetto_message_put_varint (out, (guint64) field << 3 | LOOM_PERFETTO_MESSAGE_VARINT);
  loom_perfetto_message_put_varint (out, value);
}

static inline void
loom_perfetto_message_put_double (GString *out, guint field, double value)
{
  guint64 bits;
  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  loom_perfetto_message_put_varint (out, (guint64) field << 3 | LOOM_PERFETTO_MESSAGE_FIXED64);
  g_string_append_len (out, (const char *) &bits, sizeof bits);
}

static inline void
loom_perfetto_message_put_bytes (GString *out, guint field, const char *bytes, gsize length)
{
  loom_perfetto_message_put_varint (out, (guint64) field << 3 | LOOM_PERFETTO_MESSAGE_BYTES);
  loom_perfetto_message_put_varint (out, length);
  g_string_append_len (out, bytes, (gssize) length);
}

static inline void
loom_perfetto_message_put_text (GString *out, guint field, const char *text)
{
  loom_perfetto_message_put_bytes (out, field, text, strlen (text));
}

/* Begins a message that is nested in the current one. Returns the offset of its content; pass it to
 * loom_perfetto_message_end(). */
static inline gsize
loom_perfetto_message_begin (GString *out, guint field)
{
  loom_perfetto_message_put_varint (out, (guint64) field << 3 | LOOM_PERFETTO_MESSAGE_BYTES);
  g_string_append_c (out, '\0'); /* room for the length, which is one byte in most messages */
  return out->len;
}

static inline void
loom_perfetto_message_end (GString *out, gsize place)
{
  guint8 bytes[LOOM_PERFETTO_MESSAGE_VARINT_BYTES];
  gsize n = loom_perfetto_message_write_varint (bytes, out->len - place);
  if (n > 1)
    g_string_insert_len (out, (gssize) place, (const char *) bytes, (gssize) n - 1);
  memcpy (out->str + place - 1, bytes, n);
}
