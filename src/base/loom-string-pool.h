/* SPDX-License-Identifier: Apache-2.0
 *
 * String pool: gives each text a number (id), so that equal texts have the same id. Ids begin at 0 and are given in
 * the order in which texts are added; id 0 is always "". Texts stay at their address until the pool is freed, end with
 * a NUL and may contain any bytes. The pool has no lock: it may be used by one writer, or by any number of readers
 * while no thread writes. Adding a text needs one hash of the text.
 */
#pragma once

#include <glib.h>

typedef struct _LoomStringPool LoomStringPool;

LoomStringPool *loom_string_pool_new (void);
void loom_string_pool_free (LoomStringPool *strings);

/* Returns the id of a text. Adds the text if necessary. `text` may be NULL if `length` is 0. */
guint32 loom_string_pool_intern (LoomStringPool *strings, const char *text, gsize length);

/* Returns the id of a text; G_MAXUINT32 if the text was never interned. */
guint32 loom_string_pool_find (const LoomStringPool *strings, const char *text, gsize length);

/* Returns the text with an id; borrowed, valid until the pool is freed. */
const char *loom_string_pool_get (const LoomStringPool *strings, guint32 id);
gsize loom_string_pool_get_length (const LoomStringPool *strings, guint32 id);
guint32 loom_string_pool_get_count (const LoomStringPool *strings);

/* Returns the number of bytes that the pool uses. */
gsize loom_string_pool_get_memory (const LoomStringPool *strings);

/* Returns the hash of a text as the pool uses it: the same in all runs and on all machines. This hash is also the seed
 * of a name's colour. */
guint64 loom_string_pool_hash (const char *text, gsize length);

/* Combines two hashes; their order matters. Calls with the same `first` and different `second`, or the reverse, always
 * give different results. */
static inline guint64
loom_string_pool_hash_join (guint64 first, guint64 second)
{
  guint64 hash = (first << 23 | first >> 41) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) + second;
  hash ^= hash >> 32;
  hash *= G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  return hash ^ (hash >> 32);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStringPool, loom_string_pool_free)
