/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-list-separator.h"

static void
check (guint n, guint n_most, const char *expected)
{
  static const char *const all[] = { "rank 0", "rank 1", "rank 2", "rank 3" };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) all[i]);
  g_autofree char *text = loom_list_separator_join (names, n_most);
  g_assert_cmpstr (text, ==, expected);
}

/* A list names the first names and counts the others. */
static void
test_join (void)
{
  check (1, 3, "rank 0");
  check (3, 3, "rank 0, rank 1, rank 2");
  check (4, 3, "rank 0, rank 1, rank 2 and 1 more");
  check (4, 1, "rank 0 and 3 more");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/list-separator/join", test_join);
  return g_test_run ();
}
