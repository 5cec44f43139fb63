/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-progress-cancellable.h"

static void
test_others (void)
{
  g_autoptr (GCancellable) plain = g_cancellable_new ();
  loom_progress_cancellable_add_total (NULL, 1);
  loom_progress_cancellable_add_done (NULL, 1);
  loom_progress_cancellable_add_total (plain, 2);
  loom_progress_cancellable_add_done (plain, 1);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (NULL), ==, -1);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (plain), ==, -1);
}

static void
test_fraction (void)
{
  g_autoptr (GCancellable) meter = G_CANCELLABLE (loom_progress_cancellable_new ());
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (meter), ==, -1); /* the total amount of work is unknown, so
                                                                               * no fraction can be given */
  loom_progress_cancellable_add_total (meter, 300);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (meter), ==, 0);
  loom_progress_cancellable_add_done (meter, 100);
  loom_progress_cancellable_add_total (meter, 100);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (meter), ==, 0.25);
  loom_progress_cancellable_add_done (meter, 1000);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (meter), ==, 1);
  g_assert_false (g_cancellable_is_cancelled (meter));
  g_cancellable_cancel (meter);
  g_assert_true (g_cancellable_is_cancelled (meter));
}

/* Work that must be done first accounts for two thirds of the progress. */
static void
test_before (void)
{
  LoomProgressCancellable *before = loom_progress_cancellable_new ();
  g_autoptr (LoomProgressCancellable) meter = loom_progress_cancellable_new ();
  loom_progress_cancellable_set_before (meter, before);
  loom_progress_cancellable_add_total (G_CANCELLABLE (before), 200);
  loom_progress_cancellable_add_total (G_CANCELLABLE (meter), 100);
  loom_progress_cancellable_add_done (G_CANCELLABLE (before), 150);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (G_CANCELLABLE (meter)), ==, 0.5);
  loom_progress_cancellable_add_done (G_CANCELLABLE (before), 50);
  loom_progress_cancellable_add_done (G_CANCELLABLE (meter), 100);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (G_CANCELLABLE (meter)), ==, 1);
  g_object_unref (before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/progress-cancellable/others", test_others);
  g_test_add_func ("/base/progress-cancellable/fraction", test_fraction);
  g_test_add_func ("/base/progress-cancellable/before", test_before);
  return g_test_run ();
}
