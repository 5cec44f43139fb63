/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a trace file. The parts of the text that every time range needs are copies in the index of the file
 * (LoomByteIndex.kept); the other parts are read from the file. The interface is described in loom-kept-text.h.
 */
#include "loom-kept-text.h"

#include <string.h>

typedef struct {
  LoomByteSource base;
  LoomByteSource *text;
  const LoomByteIndex *index;
} KeptText;

/* Finds the copied part (LoomByteIndex.kept) that contains the byte at `offset`. Sets `at` to the index of this byte in
 * LoomByteIndex.kept, and `n` to the number of bytes from there to the end of the part. Returns FALSE if there is no
 * such part. */
static gboolean
find_part (const LoomByteIndex *index, guint64 offset, gsize *at, gsize *n)
{
  gsize before = (gsize) index->head_end, n_kept = g_bytes_get_size (index->kept);
  *at = (gsize) offset;
  *n = offset < index->head_end ? before - *at : 0;
  for (guint i = 0; i < index->fixed->len && *n == 0; i++) {
    const LoomByteIndexPart *part = &g_array_index (index->fixed, LoomByteIndexPart, i);
    if (offset >= part->begin && offset < part->end) {
      *at = before + (gsize) (offset - part->begin);
      *n = (gsize) (part->end - offset);
    }
    before += (gsize) (part->end - part->begin);
  }
  if (*n == 0 && offset >= index->tail_begin) {
    *at = (gsize) MIN (before + (offset - index->tail_begin), n_kept);
    *n = n_kept - *at;
    return TRUE;
  }
  return *n > 0;
}

static gssize
kept_text_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  KeptText *text = (KeptText *) base;
  gsize at, n;
  if (!find_part (text->index, offset, &at, &n))
    return loom_byte_source_read (text->text, offset, buffer, n_bytes, error);
  n = MIN (n, n_bytes);
  if (n > 0)
    memcpy (buffer, (const char *) g_bytes_get_data (text->index->kept, NULL) + at, n);
  return (gssize) n;
}

static void
kept_text_finalize (LoomByteSource *base)
{
  loom_byte_source_unref (((KeptText *) base)->text);
}

LoomByteSource *
loom_kept_text_new (LoomByteSource *text, const LoomByteIndex *index)
{
  static const LoomByteSourceClass klass = { kept_text_read, kept_text_finalize };
  if (index->kept == NULL)
    return text;
  KeptText *kept = (KeptText *) loom_byte_source_alloc (&klass, sizeof (KeptText));
  kept->text = text;
  kept->index = index;
  return &kept->base;
}
