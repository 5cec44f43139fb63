/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading the available memory from files in the format of /proc/meminfo and of control groups, and the memory
 * budget that is computed from it.
 */
#include "loom-memory-budget.h"
#include "loom-memory-info.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static void
put (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static guint64
available (void)
{
  g_autofree char *proc = g_build_filename (folder, "proc", NULL), *groups = g_build_filename (folder, "groups", NULL);
  return loom_memory_info_get_available_in (proc, groups);
}

static void
test_available (void)
{
  g_assert_cmpuint (available (), ==, G_MAXUINT64); /* without any of the files of the kernel, the memory is
                                                     * unlimited */
  put ("proc/meminfo", "MemTotal:       16000 kB\nMemFree:  5 kB\nMemAvailable:    8000 kB\n");
  g_assert_cmpuint (available (), ==, 8000 * 1024);
  put ("proc/self/cgroup", "1:name=old:/elsewhere\n0::/user/job\n");
  g_assert_cmpuint (available (), ==, 8000 * 1024); /* the control group that the file names does not exist */
  put ("groups/user/job/memory.max", "max\n");
  put ("groups/user/job/memory.current", "100\n");
  g_assert_cmpuint (available (), ==, 8000 * 1024);
  put ("groups/user/job/memory.max", "1000000\n");
  put ("groups/user/job/memory.current", "400000\n");
  g_assert_cmpuint (available (), ==, 600000);
  put ("groups/user/job/memory.stat", "anon 7\nactive_file 9\ninactive_file 150000\n");
  g_assert_cmpuint (available (), ==, 750000); /* inactive file pages can be reclaimed */
  put ("groups/user/memory.max", "500000\n");
  put ("groups/user/memory.current", "450000\n");
  g_assert_cmpuint (available (), ==, 50000); /* the parent group has less memory left */
  put ("groups/user/memory.current", "700000\n");
  g_assert_cmpuint (available (), ==, 0);
}

static void
test_anonymous (void)
{
  guint64 before = loom_memory_info_get_anonymous ();
  gsize n = 64 * 1024 * 1024;
  if (before == 0) {
    g_test_skip ("the kernel does not say");
    return;
  }
  g_autofree char *block = g_malloc (n);
  memset (block, 1, n);
  g_assert_cmpuint (loom_memory_info_get_anonymous (), >=, before + n / 2);
  g_assert_cmpint (block[n - 1], ==, 1);
}

static void
test_budget (void)
{
  g_autoptr (LoomMemoryBudget) none = NULL, small = loom_memory_budget_new (1), share = loom_memory_budget_new (0);
  g_autoptr (LoomMemoryBudget) large = loom_memory_budget_new (G_GUINT64_CONSTANT (1) << 60);
  g_assert_false (loom_memory_budget_check (none));
  g_assert_false (loom_memory_budget_is_reached (none));
  loom_memory_budget_reserve (none, 5);
  if (loom_memory_info_get_anonymous () == 0) {
    g_test_skip ("the kernel does not say");
    return;
  }
  g_assert_false (loom_memory_budget_is_reached (small)); /* the state of a budget changes only in
                                                           * loom_memory_budget_check() */
  g_assert_true (loom_memory_budget_check (small));
  g_assert_true (loom_memory_budget_is_reached (small));
  g_assert_cmpuint (loom_memory_budget_get_bytes (share), >, loom_memory_info_get_anonymous () / 2);
  g_assert_false (loom_memory_budget_check (large));
  loom_memory_budget_reserve (large, G_GINT64_CONSTANT (1) << 60);
  loom_memory_budget_reserve (large, -(G_GINT64_CONSTANT (1) << 60));
  g_assert_false (loom_memory_budget_check (large));
  loom_memory_budget_reserve (large, G_GINT64_CONSTANT (1) << 60);
  g_assert_true (loom_memory_budget_check (large));
  loom_memory_budget_reserve (large, -(G_GINT64_CONSTANT (1) << 60));
  g_assert_true (loom_memory_budget_check (large)); /* once a budget is reached, it remains reached */
}

static void
test_explain (void)
{
  g_autoptr (LoomMemoryBudget) budget = loom_memory_budget_new (250000000);
  g_autofree char *text = loom_memory_budget_explain (budget);
  g_assert_nonnull (strstr (text, "250"));
  g_assert_nonnull (strstr (text, "--memory-budget"));
  g_assert_nonnull (strstr (text, "fewer files"));
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR))
      remove_folder (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("loom-budget-XXXXXX", NULL);
  g_test_add_func ("/budget/available", test_available);
  g_test_add_func ("/budget/anonymous", test_anonymous);
  g_test_add_func ("/budget/budget", test_budget);
  g_test_add_func ("/budget/explain", test_explain);
  int result = g_test_run ();
  remove_folder (folder);
  return result;
}
