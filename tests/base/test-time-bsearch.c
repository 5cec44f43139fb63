/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests binary searches in sorted times: all variants return the same index as a linear scan, from any initial guess.
 */
#include "loom-time-bsearch.h"

static gint64
negated (gconstpointer of, guint32 at)
{
  return -((const gint64 *) of)[-(gssize) at];
}

static void
check (const gint64 *times_ns, guint32 n, gint64 wanted_ns, guint32 low, guint32 guess)
{
  guint32 expected = low;
  while (expected < n && times_ns[expected] < wanted_ns)
    expected++;
  g_assert_cmpuint (loom_time_bsearch_time (times_ns, low, n, wanted_ns), ==, expected);
  g_assert_cmpuint (loom_time_bsearch_near (times_ns, low, n, guess, wanted_ns), ==, expected);
  g_assert_cmpuint (loom_time_bsearch_near (times_ns, low, n, expected, wanted_ns), ==, expected);
  g_assert_cmpuint (loom_time_bsearch_near_by (loom_time_bsearch_column_key, times_ns, low, n, guess, wanted_ns), ==,
                    expected);
}

/* Searches columns with different distributions of times: uniform, in bursts, with many equal times. */
static void
test_column (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);
  gint64 times_ns[700];
  for (guint32 n = 0; n < G_N_ELEMENTS (times_ns); n += 1 + n / 3) {
    gint64 now_ns = g_rand_int_range (dice, -1000, 1000);
    for (guint32 i = 0; i < n; i++)
      times_ns[i] = now_ns += g_rand_int_range (dice, 0, 3) == 0 ? g_rand_int_range (dice, 0, 400) : (gint) (n % 2) * 7;
    for (guint i = 0; i < 400; i++) {
      gint64 wanted_ns = g_rand_int_range (dice, -1200, (gint) now_ns + 300);
      guint32 low = (guint32) g_rand_int_range (dice, 0, (gint) n + 1);
      check (times_ns, n, wanted_ns, low, (guint32) g_rand_int_range (dice, (gint) low, (gint) n + 1));
    }
  }
}

static void
test_ends (void)
{
  static const gint64 times_ns[] = { G_MININT64, G_MININT64, -1, 0, 1, G_MAXINT64, G_MAXINT64 };
  const guint32 n = G_N_ELEMENTS (times_ns);
  for (guint32 guess = 0; guess <= n; guess++)
    for (guint32 i = 0; i < n; i++)
      check (times_ns, n, times_ns[i], 0, guess);
}

/* Tests the variant of the search that gets its times from a key function, here from an array that
 * is read backwards. */
static void
test_key (void)
{
  static const gint64 times_ns[] = { 1, 4, 4, 9 };
  const gint64 *last = times_ns + 3;
  g_assert_cmpuint (loom_time_bsearch_by (negated, last, 0, 4, -4), ==, 1);
  g_assert_cmpuint (loom_time_bsearch_near_by (negated, last, 0, 4, 4, -4), ==, 1);
  g_assert_cmpuint (loom_time_bsearch_near_by (negated, last, 0, 4, 0, -3), ==, 3);
  g_assert_cmpuint (loom_time_bsearch_near_by (negated, last, 0, 4, 2, 0), ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/time-bsearch/column", test_column);
  g_test_add_func ("/base/time-bsearch/ends", test_ends);
  g_test_add_func ("/base/time-bsearch/key", test_key);
  return g_test_run ();
}
