/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problems-model.h"
#include "loom-trouble.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/problems/order", test_order);
  g_test_add_func ("/app/problems/text", test_text);
  g_test_add_func ("/app/problems/none", test_none);
  return g_test_run ();
}
