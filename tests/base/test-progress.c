/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-progress.h"

#define N_THREADS 4
#define N_ROUNDS 20000

static void
test_null (void)
{
  loom_progress_add_total (NULL, 1);
  loom_progress_add_done (NULL, 1);
  loom_progress_set_label (NULL, "x");
  g_assert_cmpuint (loom_progress_get_total (NULL), ==, 0);
  g_assert_cmpuint (loom_progress_get_done (NULL), ==, 0);
  g_assert_null (loom_progress_dup_label (NULL));
  g_assert_null (loom_progress_get_cancellable (NULL));
  g_assert_false (loom_progress_is_cancelled (NULL));
  g_assert_null (loom_progress_ref (NULL));
  loom_progress_unref (NULL);
}

static void
test_cancel (void)
{
  g_autoptr (LoomProgress) free_running = loom_progress_new (NULL);
  g_assert_false (loom_progress_is_cancelled (free_running));
  GCancellable *cancellable = g_cancellable_new ();
  LoomProgress *progress = loom_progress_new (cancellable);
  g_assert_true (loom_progress_get_cancellable (progress) == cancellable);
  g_assert_false (loom_progress_is_cancelled (progress));
  g_cancellable_cancel (cancellable);
  g_assert_true (loom_progress_is_cancelled (progress));
  loom_progress_unref (progress);
  g_assert_finalize_object (cancellable);
}

static void
test_label (void)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  g_assert_null (loom_progress_dup_label (progress));
  loom_progress_set_label (progress, "rank 0");
  g_autofree char *label = loom_progress_dup_label (progress);
  g_assert_cmpstr (label, ==, "rank 0");
  loom_progress_set_label (progress, NULL);
  g_assert_null (loom_progress_dup_label (progress));
}

static gpointer
work (gpointer data)
{
  g_autoptr (LoomProgress) progress = data;
  for (guint i = 0; i < N_ROUNDS; i++) {
    loom_progress_add_total (progress, 2);
    loom_progress_add_done (progress, 1);
    if (i % 64 == 0)
      loom_progress_set_label (progress, i % 128 == 0 ? "even" : "odd");
    g_autofree char *label = loom_progress_dup_label (progress);
    g_assert_true (label == NULL || g_str_equal (label, "even") || g_str_equal (label, "odd"));
  }
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  GThread *threads[N_THREADS];
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("work", work, loom_progress_ref (progress));
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (loom_progress_get_total (progress), ==, 2 * N_THREADS * N_ROUNDS);
  g_assert_cmpuint (loom_progress_get_done (progress), ==, N_THREADS * N_ROUNDS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/progress/null", test_null);
  g_test_add_func ("/base/progress/cancel", test_cancel);
  g_test_add_func ("/base/progress/label", test_label);
  g_test_add_func ("/base/progress/threads", test_threads);
  return g_test_run ();
}
