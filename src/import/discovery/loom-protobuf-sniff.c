/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises protobuf files. The interface is described in loom-protobuf-sniff.h.
 */
#define _GNU_SOURCE /* makes <string.h> declare memmem() */
#include "loom-protobuf-sniff.h"

#include "loom-proto.h"

#define LOOK_MESSAGES 64

gboolean
loom_protobuf_sniff_is_protobuf (const char *text, gsize n)
{
  gboolean is_text = TRUE;
  for (gsize i = 0; i < MIN (n, 64) && is_text; i++)
    is_text = (guchar) text[i] >= ' ' || (text[i] != '\0' && strchr ("\n\r\t", text[i]) != NULL);
  return n >= 2 && text[0] == '\n' && !(is_text && strchr ("[{\n\r\t ", text[1]) != NULL);
}

static gboolean
has (const char *text, gsize n_bytes, const char *word)
{
  return memmem (text, n_bytes, word, strlen (word)) != NULL;
}

gboolean
loom_protobuf_sniff_is_xspace (const char *text, gsize n)
{
  return loom_protobuf_sniff_is_protobuf (text, n) &&
         (has (text, n, "/host:") || has (text, n, "/device:") || has (text, n, "Task Environment"));
}

/* Returns TRUE for a field that only packets of a Perfetto trace have, not the planes of an XSpace: time, sequence,
 * flags, clearing of state, event, track, compressed packets. */
static gboolean
is_of_packet (const LoomProtoField *field)
{
  enum { TIME = 8, SEQUENCE = 10, EVENT = 11, FLAGS = 13, CLEARED = 41, COMPRESSED = 50, TRACK = 60, ZSTD = 133 };
  switch (field->number) {
  case TIME:
  case SEQUENCE:
  case FLAGS:
  case CLEARED: return field->wire == LOOM_PROTO_VARINT;
  case EVENT:
  case COMPRESSED:
  case TRACK:
  case ZSTD: return field->wire == LOOM_PROTO_BYTES;
  default: return FALSE;
  }
}

/* Parses the fields of a message, of which the end may be missing (`is_cut`). Sets `is_packet` to TRUE if the
 * message has a field that only packets of Perfetto traces have. Returns FALSE if the message is invalid. */
static gboolean
look_at_message (const guint8 *p, const guint8 *end, gboolean is_cut, gboolean *is_packet)
{
  LoomProtoField field;
  while (p < end) {
    if (!loom_proto_read_head (&p, end, &field))
      return is_cut;
    *is_packet |= is_of_packet (&field);
    if (field.wire != LOOM_PROTO_BYTES)
      continue;
    if (field.value > (guint64) (end - p))
      return is_cut;
    p += field.value;
  }
  return TRUE;
}

gboolean
loom_protobuf_sniff_is_perfetto_name (const char *path)
{
  static const char *const endings[] = { ".pftrace", ".perfetto-trace", ".pftrace.gz", ".perfetto-trace.gz" };
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
loom_protobuf_sniff_is_perfetto (const char *path, const char *text, gsize n)
{
  const guint8 *p = (const guint8 *) text, *end = p + n;
  gboolean is_packet = FALSE;
  LoomProtoField field;
  guint n_messages = 0;
  if (!loom_protobuf_sniff_is_protobuf (text, n))
    return FALSE;
  for (; n_messages < LOOK_MESSAGES && p < end; n_messages++) {
    if (!loom_proto_read_head (&p, end, &field) || field.number != 1 || field.wire != LOOM_PROTO_BYTES)
      break;
    gboolean is_cut = field.value > (guint64) (end - p);
    const guint8 *message_end = is_cut ? end : p + field.value;
    if (!look_at_message (p, message_end, is_cut, &is_packet))
      break;
    p = message_end;
  }
  return is_packet || (n_messages > 0 && loom_protobuf_sniff_is_perfetto_name (path));
}
