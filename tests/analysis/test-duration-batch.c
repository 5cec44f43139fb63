/* SPDX-License-Identifier: Apache-2.0
 *
 * Sixty-four durations by vectors against what the words say; meson runs this once for each kind of vectors.
 */
#include "loom-duration-batch.h"

static gint64
random_duration (void)
{
  switch (g_test_rand_int_range (0, 6)) {
  case 0: return 0;
  case 1: return G_MAXINT64 - g_test_rand_int_range (0, 3);
  case 2: return G_MAXINT64 / LOOM_BATCH + g_test_rand_int_range (-2, 3);
  case 3: return (gint64) 1 << g_test_rand_int_range (0, 62);
  default: return g_test_rand_int_range (0, 50);
  }
}

static gint64
random_edge (const gint64 *durations)
{
  switch (g_test_rand_int_range (0, 4)) {
  case 0: return -1;
  case 1: return G_MAXINT64;
  default: return durations[g_test_rand_int_range (0, LOOM_BATCH)] - g_test_rand_int_range (0, 2);
  }
}

static void
check (const gint64 *durations, const gint64 *edges, const LoomBatchMeasures *found)
{
  __int128 total = 0;
  gint64 min_ns = durations[0], max_ns = durations[0];
  for (guint k = 0; k < LOOM_BATCH; k++) {
    total += durations[k];
    min_ns = MIN (min_ns, durations[k]);
    max_ns = MAX (max_ns, durations[k]);
    for (guint e = 0; e < G_N_ELEMENTS (found->above); e++)
      g_assert_cmpint (found->above[e] >> k & 1, ==, durations[k] > edges[e]);
  }
  g_assert_cmpint (found->total_ns, ==, (gint64) MIN (total, G_MAXINT64));
  g_assert_cmpint (found->min_ns, ==, min_ns);
  g_assert_cmpint (found->max_ns, ==, max_ns);
}

static void
test_batch (void)
{
  for (guint round = 0; round < 2000; round++) {
    gint64 durations[LOOM_BATCH], edges[LOOM_N_BAND_PARTS + 1];
    gboolean small = round % 2 == 0;
    for (guint k = 0; k < LOOM_BATCH; k++)
      durations[k] = small ? g_test_rand_int_range (0, 1000) : random_duration ();
    for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
      edges[e] = random_edge (durations);
    LoomBatchMeasures found;
    loom_batch_measure (durations, edges, &found);
    check (durations, edges, &found);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/duration-batch/against-definition", test_batch);
  return g_test_run ();
}
