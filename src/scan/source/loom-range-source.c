/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a range of a text into a text of its own (a LoomByteSource), for example a member of an archive. The interface
 * is described in loom-range-source.h.
 */
#include "loom-range-source.h"

typedef struct {
  LoomByteSource text;
  LoomByteSource *whole;
  guint64 offset, n_bytes;
} RangeText;

static gssize
range_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  RangeText *range = (RangeText *) text;
  if (offset >= range->n_bytes)
    return 0;
  return loom_byte_source_read (range->whole, range->offset + offset, buffer,
                                (gsize) MIN (n_bytes, range->n_bytes - offset), error);
}

static void
range_text_finalize (LoomByteSource *text)
{
  loom_byte_source_unref (((RangeText *) text)->whole);
}

LoomByteSource *
loom_range_source_new (LoomByteSource *whole, guint64 offset, guint64 n_bytes)
{
  static const LoomByteSourceClass klass = { range_text_read, range_text_finalize };
  RangeText *range = (RangeText *) loom_byte_source_alloc (&klass, sizeof (RangeText));
  range->whole = whole;
  range->offset = offset;
  range->n_bytes = MIN (n_bytes, G_MAXUINT64 - offset);
  return &range->text;
}
