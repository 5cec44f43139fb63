/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the path that dialogs make from a typed name and a chosen format when they save a file.
 */
#include "loom-file-dialogs.h"

static void
assert_path (const char *typed, guint format, const char *expected)
{
  static const LoomSaveFormat formats[] = { { "Web page", ".html" }, { "PDF", ".pdf" }, { "JSON", ".json" } };
  g_autofree char *path = loom_file_dialogs_dup_path (typed, formats, G_N_ELEMENTS (formats), format);
  g_assert_cmpstr (path, ==, expected);
}

/* The format that is chosen in the list replaces or appends the ending of the file name if the
 * typed name has no known ending, or still has the ending of the proposed name, .html. Otherwise
 * the typed ending decides. */
static void
test_formats (void)
{
  assert_path ("/a/run.html", 0, "/a/run.html");
  assert_path ("/a/run.html", 1, "/a/run.pdf");
  assert_path ("/a/run.HTML", 2, "/a/run.json");
  assert_path ("/a/run.json", 1, "/a/run.json");
  assert_path ("/a/run", 1, "/a/run.pdf");
  assert_path ("/a/run.v2", 0, "/a/run.v2.html");
  assert_path (".html", 0, ".html.html"); /* “.html” alone is the name of a hidden file, not an ending */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/file-names/formats", test_formats);
  return g_test_run ();
}
