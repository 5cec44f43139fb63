/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the radix sort: it is stable, for any keys and number of threads.
 */
#include "loom-radix-sort.h"

typedef struct {
  guint64 key;
  guint32 number;
} Item;

typedef struct {
  const guint64 *keys;
  guint8 *done;
} Sorting;

static inline Item
get_item (const Sorting *sorting, guint32 i)
{
  return (Item) { sorting->keys[i], i };
}

static inline guint64
key_of (const Item *item)
{
  return item->key;
}

static void
note_done (const Sorting *sorting, Item *items, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    sorting->done[i]++;
}

LOOM_DEFINE_BUCKET_SORT (sort_items, Sorting, Item, get_item, key_of, note_done)

static void
check (GRand *dice, guint32 n, guint64 most_key, guint n_threads)
{
  g_autofree guint64 *keys = g_new (guint64, n + 1);
  g_autofree guint8 *done = g_malloc0 (n + 1);
  g_autofree Item *items = g_new (Item, n + 1);
  for (guint32 i = 0; i < n; i++) {
    guint64 any = (guint64) g_rand_int (dice) << 32 | g_rand_int (dice);
    keys[i] = most_key == G_MAXUINT64 ? any : any % (most_key + 1);
  }
  if (n > 1)
    keys[n / 2] = most_key;
  Sorting sorting = { keys, done };
  sort_items (&sorting, n, most_key, n_threads, items);
  for (guint32 i = 0; i < n; i++) {
    g_assert_cmpuint (done[i], ==, 1);
    g_assert_cmpuint (items[i].key, ==, keys[items[i].number]);
    if (i > 0)
      g_assert_true (items[i - 1].key < items[i].key ||
                     (items[i - 1].key == items[i].key && items[i - 1].number < items[i].number));
  }
}

static void
test_keys (void)
{
  static const guint64 most[] = {
    0, 1, 6, 255, 2047, 2048, 1 << 20, G_MAXUINT32, G_GUINT64_CONSTANT (1) << 44, G_MAXINT64, G_MAXUINT64
  };
  static const guint32 numbers[] = { 0, 1, 3, 5000, 150000 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (3);
  for (guint m = 0; m < G_N_ELEMENTS (most); m++)
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      check (dice, numbers[i], most[m], 1 + (m + i) % 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/bucket-sort/keys", test_keys);
  return g_test_run ();
}
