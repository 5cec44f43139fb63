/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes that depend on a random number of the process. The interface is described in loom-seeded-hash.h.
 */
#include "loom-seeded-hash.h"

guint64
loom_seeded_hash_get_seed (void)
{
  static gsize is_set;
  static guint64 seed;
  if (g_once_init_enter (&is_set)) {
    seed = (guint64) g_random_int () << 32 | g_random_int ();
    g_once_init_leave (&is_set, 1);
  }
  return seed;
}

static inline guint64
load_word (const char *text)
{
  guint64 word;
  memcpy (&word, text, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Returns the last bytes of a text as a little-endian number. `text`: address of the first of these bytes; `length`:
 * their number, 1 to 7. Reads a fixed number of bytes, some of them twice, to avoid a loop over `length`. */
static inline guint64
load_tail (const char *text, gsize length)
{
  const guchar *bytes = (const guchar *) text;
  if (length < 4)
    return bytes[0] | (guint64) bytes[length / 2] << (length / 2 * 8) |
           (guint64) bytes[length - 1] << ((length - 1) * 8);
  guint32 low, high;
  memcpy (&low, text, sizeof low);
  memcpy (&high, text + length - sizeof high, sizeof high);
  return GUINT32_FROM_LE (low) | (guint64) GUINT32_FROM_LE (high) << ((length - sizeof high) * 8);
}

guint64
loom_seeded_hash_text_from (guint64 seed, const char *text, gsize length)
{
  const guint64 prime = G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  guint64 hash = length * prime ^ seed;
  for (; length >= 8; text += 8, length -= 8) {
    hash = (hash ^ load_word (text)) * prime;
    hash ^= hash >> 32;
  }
  if (length > 0)
    hash = (hash ^ load_tail (text, length)) * prime;
  hash ^= hash >> 29;
  hash *= G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  return hash ^ (hash >> 32);
}

guint64
loom_seeded_hash_text (const char *text, gsize length)
{
  return loom_seeded_hash_text_from (loom_seeded_hash_get_seed (), text, length);
}
