/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-text.h"

typedef struct {
  LoomText text;
  LoomText *whole;
  guint64 offset, n_bytes;
} RangeText;

static gssize
range_text_read (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  RangeText *range = (RangeText *) text;
  if (offset >= range->n_bytes)
    return 0;
  return loom_text_read (range->whole, range->offset + offset, buffer, (gsize) MIN (n_bytes, range->n_bytes - offset), error);
}

static void
range_text_finalize (LoomText *text)
{
  loom_text_unref (((RangeText *) text)->whole);
}

LoomText *
loom_range_text_new (LoomText *whole, guint64 offset, guint64 n_bytes)
{
  static const LoomTextClass klass = { range_text_read, range_text_finalize };
  RangeText *range = (RangeText *) loom_text_alloc (&klass, sizeof (RangeText));
  range->whole = whole;
  range->offset = offset;
  range->n_bytes = MIN (n_bytes, G_MAXUINT64 - offset);
  return &range->text;
}
