/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-string-pool.h"

#include <string.h>

#define N_RANDOM 100000

static guint32
intern (LoomStringPool *strings, const char *text)
{
  return loom_string_pool_intern (strings, text, strlen (text));
}

static void
test_empty (void)
{
  g_autoptr (LoomStringPool) strings = loom_string_pool_new ();
  g_assert_cmpuint (loom_string_pool_get_count (strings), ==, 1);
  g_assert_cmpstr (loom_string_pool_get (strings, 0), ==, "");
  g_assert_cmpuint (intern (strings, ""), ==, 0);
  g_assert_cmpuint (loom_string_pool_intern (strings, NULL, 0), ==, 0);
  g_assert_cmpuint (loom_string_pool_find (strings, NULL, 0), ==, 0);
  g_assert_cmpuint (loom_string_pool_get_count (strings), ==, 1);
  loom_string_pool_free (NULL);
}

static void
test_dense_ids (void)
{
  g_autoptr (LoomStringPool) strings = loom_string_pool_new ();
  g_assert_cmpuint (intern (strings, "forward"), ==, 1);
  g_assert_cmpuint (intern (strings, "backward"), ==, 2);
  g_assert_cmpuint (intern (strings, "forward"), ==, 1);
  g_assert_cmpuint (loom_string_pool_find (strings, "backward", 8), ==, 2);
  g_assert_cmpuint (loom_string_pool_find (strings, "backward", 4), ==, G_MAXUINT32);
  g_assert_cmpuint (loom_string_pool_find (strings, "optimizer", 9), ==, G_MAXUINT32);
  g_assert_cmpuint (loom_string_pool_get_count (strings), ==, 3);
}

static void
test_any_bytes (void)
{
  static const char bytes[] = "a\0b\xff";
  g_autoptr (LoomStringPool) strings = loom_string_pool_new ();
  guint32 whole = loom_string_pool_intern (strings, bytes, 4);
  guint32 head = loom_string_pool_intern (strings, bytes, 1);
  guint32 head_and_nul = loom_string_pool_intern (strings, bytes, 2);
  g_assert_cmpuint (whole, !=, head);
  g_assert_cmpuint (head, !=, head_and_nul);
  g_assert_cmpmem (loom_string_pool_get (strings, whole), loom_string_pool_get_length (strings, whole), bytes, 4);
  g_assert_cmpint (loom_string_pool_get (strings, whole)[4], ==, '\0');
}

static void
test_long_text (void)
{
  g_autoptr (LoomStringPool) strings = loom_string_pool_new ();
  const gsize n_bytes = 3 * 1024 * 1024;
  g_autofree char *text = g_malloc (n_bytes);
  memset (text, 'x', n_bytes);
  guint32 before = intern (strings, "before");
  guint32 id = loom_string_pool_intern (strings, text, n_bytes);
  guint32 after = intern (strings, "after");
  g_assert_cmpmem (loom_string_pool_get (strings, id), loom_string_pool_get_length (strings, id), text, n_bytes);
  g_assert_cmpstr (loom_string_pool_get (strings, before), ==, "before");
  g_assert_cmpstr (loom_string_pool_get (strings, after), ==, "after");
  g_assert_cmpuint (loom_string_pool_get_memory (strings), >=, n_bytes);
}

static gsize
fill_random (char *text, gsize n_max)
{
  gsize n = (gsize) g_test_rand_int_range (0, (gint32) n_max + 1);
  for (gsize i = 0; i < n; i++)
    text[i] = (char) g_test_rand_int_range (0, 4);
  return n;
}

/* Compares the pool with GLib's hash table: equal bytes have equal ids, and texts never move in memory. */
static void
test_random (void)
{
  g_autoptr (LoomStringPool) strings = loom_string_pool_new ();
  g_autoptr (GHashTable) expected =
    g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  g_autoptr (GPtrArray) places = g_ptr_array_new ();
  g_ptr_array_add (places, (gpointer) loom_string_pool_get (strings, 0));
  g_hash_table_insert (expected, g_bytes_new (NULL, 0), GUINT_TO_POINTER (0));
  for (guint i = 0; i < N_RANDOM; i++) {
    char text[20];
    gsize n = fill_random (text, sizeof text);
    g_autoptr (GBytes) key = g_bytes_new (text, n);
    guint32 id = loom_string_pool_intern (strings, text, n);
    gpointer known;
    if (g_hash_table_lookup_extended (expected, key, NULL, &known)) {
      g_assert_cmpuint (id, ==, GPOINTER_TO_UINT (known));
    } else {
      g_assert_cmpuint (id, ==, places->len);
      g_hash_table_insert (expected, g_steal_pointer (&key), GUINT_TO_POINTER (id));
      g_ptr_array_add (places, (gpointer) loom_string_pool_get (strings, id));
    }
  }
  g_assert_cmpuint (loom_string_pool_get_count (strings), ==, places->len);
  GHashTableIter iter;
  gpointer key, id;
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &id)) {
    gsize n;
    const char *text = g_bytes_get_data (key, &n);
    g_assert_cmpuint (loom_string_pool_find (strings, text, n), ==, GPOINTER_TO_UINT (id));
    const char *kept = loom_string_pool_get (strings, GPOINTER_TO_UINT (id));
    g_assert_true (kept == places->pdata[GPOINTER_TO_UINT (id)]);
    g_assert_cmpmem (kept, loom_string_pool_get_length (strings, GPOINTER_TO_UINT (id)), text, n);
  }
}

/* The hash of a name must be the same in every version, because the colours of names depend on it. */
static void
test_hash_is_stable (void)
{
  g_assert_cmphex (loom_string_pool_hash ("", 0), ==, 0);
  g_assert_cmphex (loom_string_pool_hash ("aten::addmm", 11), ==, G_GUINT64_CONSTANT (0xeb7c672794ca650a));
}

/* Names of one program differ in few bytes; the low bits of the hash, which choose the slot, must still differ. */
static void
test_hash_spreads (void)
{
  enum { N = 4096 };
  guint hits[N] = { 0 };
  for (guint i = 0; i < 8 * N; i++) {
    char text[32];
    gsize n = (gsize) g_snprintf (text, sizeof text, "ProfilerStep#%u", i);
    hits[loom_string_pool_hash (text, n) % N]++;
  }
  guint most = 0;
  for (guint i = 0; i < N; i++)
    most = MAX (most, hits[i]);
  g_assert_cmpuint (most, <, 32);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/string-pool/empty", test_empty);
  g_test_add_func ("/base/string-pool/dense-ids", test_dense_ids);
  g_test_add_func ("/base/string-pool/any-bytes", test_any_bytes);
  g_test_add_func ("/base/string-pool/long-text", test_long_text);
  g_test_add_func ("/base/string-pool/random", test_random);
  g_test_add_func ("/base/string-pool/hash-is-stable", test_hash_is_stable);
  g_test_add_func ("/base/string-pool/hash-spreads", test_hash_spreads);
  return g_test_run ();
}
