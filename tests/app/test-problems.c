/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-load-job.h"
#include "loom-memory.h"
#include "loom-problems-model.h"
#include "loom-settings.h"
#include "loom-trouble.h"

#include <glib/gstdio.h>
#include <string.h>

static LoomRun *
new_run (void)
{
  LoomRun *run = loom_run_new (NULL, 0);
  loom_run_add_ignored (run, "/x/readme.txt", "not a trace", FALSE);
  loom_run_add_ignored (run, "/x/bad.json", "no permission", TRUE);
  return run;
}

static void
test_order (void)
{
  g_autoptr (LoomRun) run = new_run ();
  g_autoptr (LoomProblemsModel) model = loom_problems_model_new (run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  g_autoptr (LoomProblemItem) first = g_list_model_get_item (G_LIST_MODEL (model), 0);
  g_assert_cmpint (loom_problem_item_get_severity (first), ==, LOOM_SEVERITY_ERROR);
  g_assert_cmpstr (loom_problem_item_get_path (first), ==, "/x/bad.json");
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (model), 2));
  g_assert_cmpuint (loom_trouble_count (run), ==, 1);
}

static void
test_text (void)
{
  g_autoptr (LoomRun) run = new_run ();
  g_autoptr (LoomProblemsModel) model = loom_problems_model_new (run);
  g_autofree char *text = loom_problems_model_dup_text (model);
  g_assert_cmpstr (text, ==, "error\t/x/bad.json\tno permission\ninfo\t/x/readme.txt\tnot a trace\n");
}

static void
test_none (void)
{
  g_autoptr (LoomProblemsModel) model = loom_problems_model_new (NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
}

static void
on_finished (LoomLoadJob *job, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* A load that the setting leaves no memory for is told like any other trouble. */
static void
test_memory_budget (void)
{
  static const char event[] = "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]";
  gsize n = 8 * 1024 * 1024; /* more than the budget is held before the load begins */
  g_autofree char *held = g_malloc (n), *folder = g_dir_make_tmp ("loom-problems-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  gboolean finished = FALSE;
  memset (held, 1, n);
  if (loom_memory_get_anonymous () == 0) {
    g_test_skip ("the kernel does not say how much memory is used");
    return;
  }
  g_assert_true (g_file_set_contents (path, event, -1, NULL));
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 1);
  g_autoptr (LoomLoadJob) job = loom_load_job_new ((const char *const[]) { path, NULL }, NULL);
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 0);
  g_signal_connect (job, "finished", G_CALLBACK (on_finished), &finished);
  loom_load_job_start (job);
  while (!finished)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (loom_load_job_get_error (job));
  g_autoptr (LoomProblemsModel) model = loom_problems_model_new (loom_load_job_get_run (job));
  g_autofree char *text = loom_problems_model_dup_text (model);
  g_assert_true (g_str_has_prefix (text, "error\t"));
  g_assert_nonnull (strstr (text, "a.json"));
  g_assert_nonnull (strstr (text, "memory budget"));
  g_assert_cmpuint (loom_trouble_count (loom_load_job_get_run (job)), ==, 1);
  g_assert_cmpint (held[n - 1], ==, 1);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/problems/order", test_order);
  g_test_add_func ("/app/problems/text", test_text);
  g_test_add_func ("/app/problems/none", test_none);
  g_test_add_func ("/app/problems/memory-budget", test_memory_budget);
  return g_test_run ();
}
