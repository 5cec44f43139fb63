/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash tables whose keys are numbers from a Perfetto trace. The interface is described in loom-perfetto-ids.h.
 */
#include "loom-perfetto-ids.h"

#include "loom-seeded-hash.h"

typedef struct {
  guint64 parts[3];
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint64 seed = loom_seeded_hash_get_seed (), hash = seed;
  for (guint i = 0; i < G_N_ELEMENTS (key->parts); i++)
    hash = loom_seeded_hash_mix (hash ^ key->parts[i]) + (seed << 32 | seed >> 32);
  return (guint) hash;
}

static gboolean
is_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;
  return x->parts[0] == y->parts[0] && x->parts[1] == y->parts[1] && x->parts[2] == y->parts[2];
}

static void
free_key (gpointer key)
{
  g_slice_free (Key, key);
}

/* The keys are allocated as slices. A table frees its keys in a random order, which takes several times as long with
 * malloc(); a file of 10 MiB can have a million keys. */
GHashTable *
loom_perfetto_ids_new (GDestroyNotify free_value)
{
  return g_hash_table_new_full (hash_key, is_equal, free_key, free_value);
}

gpointer
loom_perfetto_ids_find (GHashTable *ids, guint64 a, guint64 b, guint64 c)
{
  Key key = { { a, b, c } };
  return g_hash_table_lookup (ids, &key);
}

void
loom_perfetto_ids_insert (GHashTable *ids, guint64 a, guint64 b, guint64 c, gpointer value)
{
  Key key = { { a, b, c } };
  g_hash_table_replace (ids, g_slice_dup (Key, &key), value);
}

static guint
hash_text (gconstpointer data)
{
  guint64 hash = loom_seeded_hash_get_seed ();
  for (const guchar *p = data; *p != '\0'; p++) {
    hash = (hash ^ *p) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
    hash ^= hash >> 29;
  }
  return (guint) loom_seeded_hash_mix (hash);
}

GHashTable *
loom_perfetto_ids_new_by_text (void)
{
  return g_hash_table_new_full (hash_text, g_str_equal, g_free, NULL);
}
