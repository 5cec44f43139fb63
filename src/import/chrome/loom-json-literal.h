/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: compares and hashes the short literals that every event has (names, pids, tids), without
 * calling functions. The hash is for tables in memory only: it may differ between machines.
 */
#pragma once

#include <glib.h>
#include <string.h>

static inline guint64
loom_json_literal_word (const char *text)
{
  guint64 word;
  memcpy (&word, text, sizeof word);
  return word;
}

/* Returns a text of at most seven bytes as a number. Different texts of the same length give different numbers. The
 * bytes are read in two or three groups that may overlap, so that no loop is needed. */
static inline guint64
loom_json_literal_short (const char *text, gsize length)
{
  if (length >= 4) {
    guint32 first, last;
    memcpy (&first, text, sizeof first);
    memcpy (&last, text + length - sizeof last, sizeof last);
    return (guint64) first << 32 | last;
  }
  return length == 0
           ? 0
           : (guint64) (guchar) text[0] << 16 | (guint64) (guchar) text[length / 2] << 8 | (guchar) text[length - 1];
}

static inline guint64
loom_json_literal_fold (guint64 a, guint64 b)
{
#ifdef __SIZEOF_INT128__
  unsigned __int128 product = (unsigned __int128) a * b;
  /* The term a ^ b is needed if one factor of the product is 0: the product is then 0, whatever the other factor is. */
  return a ^ b ^ (guint64) product ^ (guint64) (product >> 64);
#else
  guint64 hash = (a ^ (b << 29 | b >> 35)) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return (hash ^ hash >> 32) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
#endif
}

#define LOOM_JSON_LITERAL_SEED_1 G_GUINT64_CONSTANT (0xA0761D6478BD642F)
#define LOOM_JSON_LITERAL_SEED_2 G_GUINT64_CONSTANT (0xE7037ED1A0B428DB)

static inline guint64
loom_json_literal_hash (const char *text, gsize length)
{
  guint64 hash = LOOM_JSON_LITERAL_SEED_1 ^ length;
  if (length < 8)
    return loom_json_literal_fold (hash ^ loom_json_literal_short (text, length), LOOM_JSON_LITERAL_SEED_2);
  for (gsize at = 0; at + 16 < length; at += 16)
    hash = loom_json_literal_fold (loom_json_literal_word (text + at) ^ hash,
                                   loom_json_literal_word (text + at + 8) ^ LOOM_JSON_LITERAL_SEED_2);
  gsize tail = length >= 16 ? length - 16 : 0; /* position of the last 16 bytes of the text, which may overlap bytes
                                                * that were hashed before */
  return loom_json_literal_fold (loom_json_literal_word (text + tail) ^ hash,
                                 loom_json_literal_word (text + length - 8) ^ LOOM_JSON_LITERAL_SEED_2);
}

static inline gboolean
loom_json_literal_equal (const char *a, const char *b, gsize length)
{
  if (length < 8)
    return loom_json_literal_short (a, length) == loom_json_literal_short (b, length);
  guint64 differ = loom_json_literal_word (a + length - 8) ^ loom_json_literal_word (b + length - 8);
  for (gsize at = 0; at + 8 < length; at += 8)
    differ |= loom_json_literal_word (a + at) ^ loom_json_literal_word (b + at);
  return differ == 0;
}
