/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-archive-path.h"

static void
assert_shown (const char *path, const char *expected)
{
  g_autofree char *shown = loom_archive_path_dup_shown (path);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_shown (void)
{
  assert_shown ("/läufe/rang 0.json", "/läufe/rang 0.json");
  assert_shown ("a.zip//b/c.json", "a.zip › b/c.json");
  assert_shown ("s3://runs/c.json", "s3://runs/c.json");
}

static void
test_control (void)
{
  assert_shown ("/runs/\033[31mred\007.json", "/runs/\\x1b[31mred\\x07.json");
  assert_shown ("two\nlines\177", "two\\nlines\\x7f");
  assert_shown ("\xc2\x9b"
                "31m",
                "\\x9b31m"); /* the C1 control 0x9b starts an escape sequence like ESC [ */
  assert_shown ("bad\xff", "bad\xef\xbf\xbd");
  assert_shown ("a\u202egnp\u2066.json", "a\\u202egnp\\u2066.json");
}

static void
test_stem (void)
{
  static const char *const names[][2] = {
    { "own.json", "own" },    { "rank0.pt.trace.json.gz", "rank0" },
    { "job.tar.gz", "job" },  { "sample", "sample" },
    { "v1.2", "v1.2" },       { ".json", ".json" },
    { "run + 2", "run + 2" }, { "", "" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *stem = loom_archive_path_dup_stem (names[i][0]);
    g_assert_cmpstr (stem, ==, names[i][1]);
  }
}

static void
test_place (void)
{
  g_autofree char *inside = g_build_filename (g_get_home_dir (), "runs", "a.json", NULL),
                  *beside = g_strconcat (g_get_home_dir (), "x/a.json", NULL);
  g_autofree char *beside_folder = g_path_get_dirname (beside);
  g_autofree char *home = loom_archive_path_dup_place (inside), *other = loom_archive_path_dup_place (beside),
                  *control = loom_archive_path_dup_place ("/tr\x1b/a.json");
  g_assert_cmpstr (home, ==, "~/runs");
  g_assert_cmpstr (other, ==, beside_folder); /* “other” is another folder whose path begins with the path of the home
                                               * folder */
  g_assert_cmpstr (control, ==, "/tr\\x1b");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/archive-path/shown", test_shown);
  g_test_add_func ("/base/archive-path/stem", test_stem);
  g_test_add_func ("/base/archive-path/control", test_control);
  g_test_add_func ("/base/archive-path/place", test_place);
  return g_test_run ();
}
