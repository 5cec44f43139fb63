/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a whole text, also from a compressed file, into memory, for formats whose files are small. The interface is
 * described in loom-whole-text.h.
 */
#include "loom-whole-text.h"

/* The blocks grow with the text. The first ones are below the size from which malloc() gets memory from the kernel and
 * returns it at once: for 10,000 files of 3 KB, this took a fifth of the time of loading them. */
#define LEAST_BLOCK_BYTES (16u * 1024)
#define LARGEST_BLOCK_BYTES (256u * 1024)

/* Returns an array with the same content and without unused capacity, and frees `bytes`. Thousands of small files may
 * be in memory. */
static GByteArray *
shrink (GByteArray *bytes)
{
  gsize n = bytes->len;
  guint8 *content = g_byte_array_free (bytes, FALSE);
  return g_byte_array_new_take (g_realloc (content, MAX (n, 1)), n);
}

/* Returns the number of bytes by which the array grows next. The first block has room for the file and for one more
 * byte, which the read that reports the end of the file needs. */
static guint
get_block (const LoomStreamReader *reader, guint n_filled)
{
  if (n_filled == 0)
    return (guint) CLAMP (loom_stream_reader_get_size (reader) + 1, 1, LARGEST_BLOCK_BYTES);
  return CLAMP (n_filled, LEAST_BLOCK_BYTES, LARGEST_BLOCK_BYTES);
}

GByteArray *
loom_whole_text_read (LoomStreamReader *reader, gsize most_bytes, GError **error)
{
  g_return_val_if_fail (most_bytes < G_MAXUINT32, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint n_filled = 0;
  for (gssize n = 1; n > 0 && n_filled <= most_bytes; n_filled += (guint) n) {
    if (n_filled == bytes->len)
      g_byte_array_set_size (bytes, (guint) MIN (most_bytes + 1, (gsize) n_filled + get_block (reader, n_filled)));
    n = loom_stream_reader_read (reader, (char *) bytes->data + n_filled, bytes->len - n_filled, error);
    if (n < 0)
      return NULL;
  }
  g_byte_array_set_size (bytes, n_filled);
  return shrink (g_steal_pointer (&bytes));
}
