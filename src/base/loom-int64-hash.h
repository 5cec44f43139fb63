/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes of 64-bit keys for GHashTable, to be used with g_int64_equal(). g_int64_hash() only combines the two halves
 * of a key. Keys that consist of two small numbers, such as the indices of a trace and a span, then share few hashes:
 * a table of 1,000 traces of 1,000 spans had some 1,000 keys per hash.
 */
#pragma once

#include <glib.h>

/* Returns the hash of `key`, which points to a gint64 or guint64. Uses the last step of the generator splitmix64, which
 * mixes all bits. Any thread. */
static inline guint
loom_int64_hash (gconstpointer key)
{
  guint64 bits = *(const guint64 *) key;
  bits = (bits ^ bits >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint) (bits ^ bits >> 31);
}

/* Returns the hash of a key whose two numbers are packed into the pointer itself (GSIZE_TO_POINTER). g_direct_hash()
 * drops the upper half of the pointer, so that all keys with the same lower number share one hash. For tables that
 * compare keys with g_direct_equal() or NULL. Any thread. */
static inline guint
loom_int64_hash_packed (gconstpointer key)
{
  guint64 bits = (gsize) key;
  return loom_int64_hash (&bits);
}
