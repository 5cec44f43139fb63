/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads every folder of tests/import/cases and compares the run, printed as text, with expected.txt in the folder.
 * Times are in the clock of the file. A file “rows” in a folder lists the rows of the format documentation that the
 * case tests; for these cases facts and messages are compared, too. If LOOM_UPDATE=1 is set, the expected files are
 * written instead: review the difference before you commit.
 */
#include "dump-run.h"

#include <string.h>

static const char *cases_folder;

static void
test_case (gconstpointer data)
{
  g_autofree char *folder = g_build_filename (cases_folder, data, NULL);
  g_autofree char *expected_path = g_build_filename (folder, "expected.txt", NULL);
  g_autofree char *rows_path = g_build_filename (folder, "rows", NULL);
  gboolean everything = g_file_test (rows_path, G_FILE_TEST_EXISTS);
  g_autofree char *found = dump_folder (folder, 0, everything), *expected = NULL;
  if (g_getenv ("LOOM_UPDATE") != NULL)
    g_assert_true (g_file_set_contents (expected_path, found, -1, NULL));
  g_assert_true (g_file_get_contents (expected_path, &expected, NULL, NULL));
  g_assert_cmpstr (found, ==, expected);
}

/* Chooses the piece sizes with which a case is read: normally all sizes. If files are mapped in small ranges
 * (LOOM_MAP_BYTES), which is slow, only one random size is chosen, unless LOOM_LONG is set. */
static void
choose_pieces (const char *name, guint n, guint *first, guint *last)
{
  gboolean sample = g_getenv ("LOOM_MAP_BYTES") != NULL && g_getenv ("LOOM_LONG") == NULL;
  *first = sample ? (g_str_hash (name) + (guint) g_test_rand_int_range (0, (gint32) n)) % n : 0;
  *last = sample ? *first : n - 1;
}

/* The result does not depend on how a file is split into pieces. */
static void
test_pieces (gconstpointer data)
{
  static const guint64 bytes[] = { 40, 97, 150, 300, 701 };
  guint first, last;
  choose_pieces (data, G_N_ELEMENTS (bytes), &first, &last);
  g_autofree char *folder = g_build_filename (cases_folder, data, NULL),
                  *whole = dump_folder (folder, DUMP_IN_ONE_PASS, TRUE);
  for (guint i = first; i <= last; i++) {
    g_autofree char *pieces = dump_folder (folder, bytes[i], TRUE);
    g_assert_cmpstr (pieces, ==, whole);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  cases_folder = g_getenv ("LOOM_TEST_CASES");
  g_autoptr (GDir) dir = g_dir_open (cases_folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *test_path = g_strconcat ("/import/", name, NULL),
                    *pieces_path = g_strconcat ("/pieces/", name, NULL);
    g_ptr_array_add (names, g_strdup (name));
    if (g_getenv ("LOOM_TEST_PIECES") != NULL) /* without this variable, LOOM_SPLIT_BYTES sets the size of pieces */
      g_test_add_data_func (pieces_path, g_ptr_array_index (names, names->len - 1), test_pieces);
    g_test_add_data_func (test_path, g_ptr_array_index (names, names->len - 1), test_case);
  }
  return g_test_run ();
}
