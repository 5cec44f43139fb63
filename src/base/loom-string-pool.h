/* SPDX-License-Identifier: Apache-2.0
 *
 * String pool: assigns a number (id) to each text, so that equal texts have the same id. Ids begin at 0 and are
 * assigned in the order in which texts are added; id 0 is always "". A text stays at its address until the pool is
 * freed, ends with a NUL byte, and may contain any bytes. The pool has no lock: either one thread writes, or any number
 * of threads read. Adding a text computes one hash of the text.
 */
#pragma once

#include <glib.h>

typedef struct _LoomStringPool LoomStringPool;

LoomStringPool *loom_string_pool_new (void);
void loom_string_pool_free (LoomStringPool *strings);

/* Returns the id of a text; adds the text if the pool does not contain it. `text` may be NULL if `length` is 0. */
guint32 loom_string_pool_intern (LoomStringPool *strings, const char *text, gsize length);

/* Returns the id of a text; G_MAXUINT32 if the pool does not contain the text. */
guint32 loom_string_pool_find (const LoomStringPool *strings, const char *text, gsize length);

/* Returns the text with this id; borrowed, valid until the pool is freed. */
const char *loom_string_pool_get (const LoomStringPool *strings, guint32 id);
gsize loom_string_pool_get_length (const LoomStringPool *strings, guint32 id);
guint32 loom_string_pool_get_count (const LoomStringPool *strings);

/* Returns the number of bytes that the pool uses. */
gsize loom_string_pool_get_memory (const LoomStringPool *strings);

/* Returns the hash of a text. The hash is the same in all processes and on all machines. The color of a name depends on
 * this hash. */
guint64 loom_string_pool_hash (const char *text, gsize length);

/* Combines two hashes; the order of the arguments matters. If only one of the arguments differs between two calls,
 * their results differ. */
static inline guint64
loom_string_pool_hash_join (guint64 first, guint64 second)
{
  guint64 hash = (first << 23 | first >> 41) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) + second;
  hash ^= hash >> 32;
  hash *= G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  return hash ^ (hash >> 32);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStringPool, loom_string_pool_free)
