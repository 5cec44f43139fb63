/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-whole-text.h"

#define BLOCK_BYTES (256u * 1024)

GByteArray *
loom_whole_text_read (LoomStreamReader *reader, gsize most_bytes, GError **error)
{
  g_return_val_if_fail (most_bytes < G_MAXUINT32, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (gssize n = 1; n > 0 && bytes->len <= most_bytes;) {
    guint filled = bytes->len, room = (guint) MIN (most_bytes + 1 - filled, BLOCK_BYTES);
    g_byte_array_set_size (bytes, filled + room);
    n = loom_stream_reader_read (reader, (char *) bytes->data + filled, room, error);
    if (n < 0)
      return NULL;
    g_byte_array_set_size (bytes, filled + (guint) n);
  }
  return g_steal_pointer (&bytes);
}
