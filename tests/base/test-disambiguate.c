/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-disambiguate.h"

/* Asserts the labels of several paths that have the same file name; one of the paths occurs twice. */
static void
assert_names (const char *const *places, guint n, const char *const *names)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = loom_disambiguate_dup ("same.json", places[i], places, n);
    g_assert_cmpstr (name, ==, names[i]);
  }
}

/* The label of a file contains the nearest folder that differs from the folders of all other paths; folders between it
 * and the file are not shown. */
static void
test_folders (void)
{
  static const char *const places[] = { "/home/may/run/same.json", "/home/june/run/same.json",
                                        "/home/june/fast/same.json" };
  static const char *const one[] = { "same.json" }, *const two[] = { "may/…/same.json", "june/…/same.json" },
                           *const three[] = { "may/…/same.json", "june/…/same.json", "fast/same.json" };
  assert_names (places, 1, one);
  assert_names (places, 2, two);
  assert_names (places, 3, three);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/disambiguate/folders", test_folders);
  return g_test_run ();
}
