/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the selection of the k-th smallest value with sorting, and checks that a log of durations returns the
 * durations that were added to it.
 */
#include "loom-duration-log.h"
#include "loom-quickselect.h"

#include <string.h>

#define MOST 5000

/* Distributions of values: all equal, few different ones, uniform, one outlier, ascending. */
static gint64
value_of (guint shape, gsize i)
{
  switch (shape) {
  case 0: return 7;
  case 1: return g_test_rand_int_range (0, 3);
  case 2: return (gint64) ((guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ());
  case 3: return i == 0 ? G_MAXINT64 : g_test_rand_int_range (1000, 100000);
  case 4: return (gint64) i;
  case 5: return i % 2 == 0 ? G_MININT64 : G_MAXINT64;
  default: return (gint64) 1 << g_test_rand_int_range (0, 62);
  }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

static void
check_select (guint shape, gsize n)
{
  gsize at[6];
  gint64 found[6];
  g_autofree gint64 *values = g_new (gint64, n);
  for (gsize i = 0; i < n; i++)
    values[i] = value_of (shape, i);
  for (guint k = 0; k < G_N_ELEMENTS (at); k++) /* requested positions: pairs of neighbours, in random order */
    at[k] = k % 2 == 1 ? MIN (at[k - 1] + 1, n - 1) : (gsize) g_test_rand_int_range (0, (gint32) n);
  g_autofree gint64 *sorted = g_memdup2 (values, n * sizeof *values), *before = g_memdup2 (values, n * sizeof *values);
  qsort (sorted, n, sizeof *sorted, compare);
  loom_quickselect (values, n, at, G_N_ELEMENTS (at), found);
  for (guint k = 0; k < G_N_ELEMENTS (at); k++)
    g_assert_cmpint (found[k], ==, sorted[at[k]]);
  g_assert_cmpmem (values, n * sizeof *values, before, n * sizeof *before);
}

static void
test_select (void)
{
  for (guint shape = 0; shape < 7; shape++) {
    for (gsize n = 1; n < 100; n++)
      check_select (shape, n);
    for (guint round = 0; round < 20; round++)
      check_select (shape, (gsize) g_test_rand_int_range (100, MOST));
  }
}

/* Adds durations for all keys in turn, sometimes one at a time and sometimes 64 in a row. */
static void
test_log (void)
{
  enum { N_KEYS = 50, N_ROUNDS = 400, RUN = 64 };
  LoomDurationLog log;
  loom_duration_log_init (&log, N_KEYS);
  for (gint64 round = 0; round < N_ROUNDS; round++)
    for (gsize key = 1; key < N_KEYS; key++) { /* key 0 stays empty */
      gsize n = (gsize) round * key % 7 == 0 ? RUN : 1;
      for (gsize i = 0; i < n; i++)
        loom_duration_log_add (&log, key, (gint64) key * 1000000 + round);
    }
  for (gsize key = 0; key < N_KEYS; key++) {
    g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
    guint expected = 0;
    loom_duration_log_append_to (&log, key, values);
    g_array_sort (values, compare);
    for (gint64 round = 0; key > 0 && round < N_ROUNDS; round++)
      for (gsize i = 0; i < ((gsize) round * key % 7 == 0 ? RUN : 1u); i++)
        g_assert_cmpint (g_array_index (values, gint64, expected++), ==, (gint64) key * 1000000 + round);
    g_assert_cmpuint (expected, ==, values->len);
  }
  loom_duration_log_clear (&log);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/quickselect/against-sorting", test_select);
  g_test_add_func ("/analysis/quickselect/log", test_log);
  return g_test_run ();
}
