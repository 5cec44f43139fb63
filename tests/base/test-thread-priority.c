/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests background priority: threads that are started by a thread with background priority have it too; other threads
 * do not.
 */
#include "loom-thread-priority.h"

static gpointer
look (gpointer data)
{
  return GINT_TO_POINTER (loom_thread_priority_is_on ());
}

static gboolean
is_on_in (GThread *thread)
{
  return GPOINTER_TO_INT (g_thread_join (thread));
}

static gpointer
enter_and_start (gpointer data)
{
  *(gboolean *) data = loom_thread_priority_enter () && loom_thread_priority_enter () && loom_thread_priority_is_on ();
  return GINT_TO_POINTER (is_on_in (g_thread_new ("inner", look, NULL)));
}

static void
count_if_on (gpointer item, gpointer user_data)
{
  if (loom_thread_priority_is_on ())
    g_atomic_int_inc ((gint *) user_data);
}

static gpointer
enter_and_pool (gpointer data)
{
  loom_thread_priority_enter ();
  GThreadPool *pool = g_thread_pool_new (count_if_on, data, 2, TRUE, NULL);
  for (guint i = 0; i < 4; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  return NULL;
}

static void
test_threads (void)
{
  gboolean entered = FALSE;
  gboolean inherited = is_on_in (g_thread_new ("outer", enter_and_start, &entered));
#ifdef __linux__
  g_assert_true (entered);
  g_assert_true (inherited);
#else
  g_assert_cmpint (inherited, ==, entered);
#endif
  g_assert_false (loom_thread_priority_is_on ());
  g_assert_false (is_on_in (g_thread_new ("beside", look, NULL)));
}

/* Threads of a thread pool that a background thread creates also have background priority, as when a loader reads
 * several files. */
static void
test_own_pool (void)
{
  gint n_on = 0;
  g_thread_join (g_thread_new ("outer", enter_and_pool, &n_on));
#ifdef __linux__
  g_assert_cmpint (n_on, ==, 4);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (loom_thread_priority_is_on ()) {
    g_print ("1..0 # SKIP runs in the background itself\n");
    return 0;
  }
  g_test_add_func ("/base/thread-priority/threads", test_threads);
  g_test_add_func ("/base/thread-priority/own-pool", test_own_pool);
  return g_test_run ();
}
