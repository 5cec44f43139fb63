/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes for tables whose keys come from files. With a known hash function, the author of a file could choose keys that
 * all have the same hash, and a table would take quadratic time. To prevent this, these hashes depend on a random
 * number of the process. Because they differ between processes, they must not be stored, and must not determine an
 * order that the user sees. Any thread.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Returns the random number of this process. */
guint64 loom_seeded_hash_get_seed (void);

/* Mixes all bits of a number with the last step of the random number generator splitmix64. Different numbers have
 * different results. */
static inline guint64
loom_seeded_hash_mix (guint64 bits)
{
  bits = (bits ^ bits >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

/* Returns the hash of a text. Different texts of up to eight bytes have different hashes. */
guint64 loom_seeded_hash_text (const char *text, gsize length);

/* Returns the hash of a text; it also depends on the number `seed`. If `seed` is 0, the result equals that of
 * loom_string_pool_hash(). */
guint64 loom_seeded_hash_text_from (guint64 seed, const char *text, gsize length);
