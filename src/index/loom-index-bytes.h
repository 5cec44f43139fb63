/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: writes and reads the numbers and texts of an index as bytes (README.md). Numbers are written
 * byte by byte, so that files are equal on machines of any byte order. Reading never goes beyond the end of the bytes:
 * missing bytes are read as 0, and `failed` is set.
 */
#pragma once

#include <glib.h>

typedef struct {
  const guint8 *at, *end;
  gboolean failed;
} LoomIndexBytes;

static inline void
loom_index_bytes_put_fixed (GByteArray *out, guint64 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++) {
    guint8 byte = (guint8) (value >> (8 * i));
    g_byte_array_append (out, &byte, 1);
  }
}

/* Maximum number of bytes of a number. */
#define LOOM_INDEX_BYTES_MOST_BYTES 10u

/* Writes a number with seven bits per byte, the lowest first. The highest bit of a byte says that another byte follows.
 * Returns the end of the written bytes. `to` must have room for LOOM_INDEX_BYTES_MOST_BYTES bytes. */
static inline guint8 *
loom_index_bytes_write (guint8 *to, guint64 value)
{
  for (; value > 0x7F; value >>= 7)
    *to++ = (guint8) (value | 0x80);
  *to++ = (guint8) value;
  return to;
}

/* Converts a signed number to an unsigned one that is small if the signed one is near 0: 0, −1, 1, −2 … become 0, 1, 2,
 * 3 … */
static inline guint64
loom_index_bytes_fold (gint64 value)
{
  return ((guint64) value << 1) ^ (value < 0 ? G_MAXUINT64 : 0);
}

/* Appends a number as loom_index_bytes_write() does. To append many numbers, it is faster to make room for all of them
 * with loom_index_bytes_reserve(). */
static inline void
loom_index_bytes_put (GByteArray *out, guint64 value)
{
  guint8 bytes[LOOM_INDEX_BYTES_MOST_BYTES];
  g_byte_array_append (out, bytes, (guint) (loom_index_bytes_write (bytes, value) - bytes));
}

/* Maximum number of numbers for which room is made at once, so that the number of their bytes fits
 * into a guint. */
#define LOOM_INDEX_BYTES_PIECE (1u << 20)

/* Makes room for `n` more numbers, at most LOOM_INDEX_BYTES_PIECE. Returns the place of the first one. When they are
 * written, the caller must call loom_index_bytes_release() with their end. */
static inline guint8 *
loom_index_bytes_reserve (GByteArray *out, guint n)
{
  guint before = out->len;
  g_byte_array_set_size (out, before + n * LOOM_INDEX_BYTES_MOST_BYTES);
  return out->data + before;
}

static inline void
loom_index_bytes_release (GByteArray *out, const guint8 *end)
{
  g_byte_array_set_size (out, (guint) (end - out->data));
}

/* Appends a signed number. Numbers near 0 need few bytes. */
static inline void
loom_index_bytes_put_signed (GByteArray *out, gint64 value)
{
  loom_index_bytes_put (out, loom_index_bytes_fold (value));
}

/* Appends the difference `value` − `from`, which wraps around on overflow. */
static inline void
loom_index_bytes_put_difference (GByteArray *out, gint64 value, gint64 from)
{
  loom_index_bytes_put_signed (out, (gint64) ((guint64) value - (guint64) from));
}

/* Writes the difference `value` − `from` like loom_index_bytes_put_difference(). Returns the end of the written
 * bytes. */
static inline guint8 *
loom_index_bytes_write_difference (guint8 *to, gint64 value, gint64 from)
{
  return loom_index_bytes_write (to, loom_index_bytes_fold ((gint64) ((guint64) value - (guint64) from)));
}

static inline guint64
loom_index_bytes_get_fixed (LoomIndexBytes *in, guint n_bytes)
{
  guint64 value = 0;
  if ((gsize) (in->end - in->at) < n_bytes) {
    in->failed = TRUE;
    in->at = in->end;
    return 0;
  }
  for (guint i = 0; i < n_bytes; i++)
    value |= (guint64) in->at[i] << (8 * i);
  in->at += n_bytes;
  return value;
}

static inline guint64
loom_index_bytes_get (LoomIndexBytes *in)
{
  guint64 value = 0;
  for (guint shift = 0; in->at < in->end && shift < 64; shift += 7) {
    guint8 byte = *in->at++;
    value |= (guint64) (byte & 0x7F) << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
  in->failed = TRUE;
  return 0;
}

static inline gint64
loom_index_bytes_get_signed (LoomIndexBytes *in)
{
  guint64 value = loom_index_bytes_get (in);
  return (gint64) ((value >> 1) ^ ((value & 1) != 0 ? G_MAXUINT64 : 0));
}

static inline gint64
loom_index_bytes_get_sum (LoomIndexBytes *in, gint64 from)
{
  return (gint64) ((guint64) from + (guint64) loom_index_bytes_get_signed (in));
}

/* Reads how many elements follow. Each element takes at least `least_bytes` bytes: if the remaining bytes are too few
 * for so many elements, returns 0 and sets `failed`. */
static inline guint32
loom_index_bytes_get_count (LoomIndexBytes *in, gsize least_bytes)
{
  guint64 n = loom_index_bytes_get (in);
  if (n > (guint64) (in->end - in->at) / least_bytes || n >= G_MAXUINT32) {
    in->failed = TRUE;
    return 0;
  }
  return (guint32) n;
}

/* Limit in ns on times (73 years before or after 1970) and durations in an index. Greater values are treated as damage.
 * With this limit, the sum of any two values fits into gint64. */
#define LOOM_INDEX_BYTES_MOST_NS (G_MAXINT64 / 4)

static inline gboolean
loom_index_bytes_is_time (gint64 ns)
{
  return ns > -LOOM_INDEX_BYTES_MOST_NS && ns < LOOM_INDEX_BYTES_MOST_NS;
}

/* Reads a number below `limit`; for any other number, returns 0 and sets `failed`. */
static inline guint32
loom_index_bytes_get_below (LoomIndexBytes *in, guint64 limit)
{
  guint64 value = loom_index_bytes_get (in);
  if (value < limit)
    return (guint32) value;
  in->failed = TRUE;
  return 0;
}

static inline void
loom_index_bytes_put_text (GByteArray *out, const char *text, gsize length)
{
  loom_index_bytes_put (out, length);
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
}

/* Reads a text. Returns it as valid UTF-8, owned by the caller; "" if the bytes end before the text does. */
static inline char *
loom_index_bytes_dup_text (LoomIndexBytes *in)
{
  guint32 length = loom_index_bytes_get_count (in, 1);
  char *text = length > 0 ? g_utf8_make_valid ((const char *) in->at, length) : g_strdup ("");
  in->at += length;
  return text;
}
