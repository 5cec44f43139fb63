/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-deferred-free.h"

static GMutex gate;
static gint n_released;

static void
release_behind_gate (gpointer data)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_atomic_int_add (&n_released, *(gint *) data);
}

/* loom_deferred_free() frees memory in a background thread: the caller continues while this thread is still blocked. */
static void
test_aside (void)
{
  gint values[] = { 1, 20, 300 };
  n_released = 0;
  g_mutex_lock (&gate);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    loom_deferred_free (release_behind_gate, &values[i]);
  g_assert_cmpint (g_atomic_int_get (&n_released), ==, 0);
  g_mutex_unlock (&gate);
  loom_deferred_free_wait ();
  g_assert_cmpint (g_atomic_int_get (&n_released), ==, 321);
}

static void
test_nothing (void)
{
  loom_deferred_free_wait ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/release/nothing", test_nothing);
  g_test_add_func ("/base/release/aside", test_aside);
  return g_test_run ();
}
