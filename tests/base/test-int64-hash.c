/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-int64-hash.h"

#define N_TRACES 10000
#define N_SPANS 10

/* Hashes the keys trace << 32 | span for N_TRACES × N_SPANS spans. Returns the number of different hashes. */
static guint
count_hashes (GHashFunc hash)
{
  g_autoptr (GHashTable) hashes = g_hash_table_new (NULL, NULL);
  for (guint64 trace = 0; trace < N_TRACES; trace++)
    for (guint64 span = 0; span < N_SPANS; span++)
      g_hash_table_add (hashes, GUINT_TO_POINTER (hash (GSIZE_TO_POINTER ((gsize) (trace << 32 | span)))));
  return g_hash_table_size (hashes);
}

/* The keys must collide hardly more often than random hashes would: of 100,000 random hashes of 32 bits, about one
 * equals an earlier one. */
static void
test_packed (void)
{
  g_assert_cmpuint (count_hashes (g_direct_hash), ==, N_SPANS);
  g_assert_cmpuint (count_hashes (loom_int64_hash_packed), >, N_TRACES * N_SPANS - 20);
}

/* A key that is packed into a pointer has the same hash as a pointer to the same number. */
static void
test_same (void)
{
  guint64 key = G_GUINT64_CONSTANT (0x0000271000000007);
  g_assert_cmpuint (loom_int64_hash_packed (GSIZE_TO_POINTER ((gsize) key)), ==, loom_int64_hash (&key));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/int64-hash/packed", test_packed);
  g_test_add_func ("/base/int64-hash/same", test_same);
  return g_test_run ();
}
