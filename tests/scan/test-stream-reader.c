/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests files that change between loading and reading details of events: reading continues if the content may be the
 * same; for other changes the error says that the file changed, which differs from a disk error.
 */
#include "loom-error.h"
#include "loom-stream-reader.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *path;

static void
put (const char *text)
{
  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* Returns the byte source of a file as it is after loading; `opened`: the source was already read once. */
static LoomByteSource *
new_text (gboolean opened)
{
  char byte;
  g_unlink (path);
  put ("0123456789");
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  LoomByteSource *text = loom_stream_reader_dup_text (reader);
  if (opened)
    g_assert_cmpint (loom_byte_source_read (text, 0, &byte, 1, NULL), ==, 1);
  g_usleep (10000); /* longer than the resolution of file times, so that the modification time changes */
  return text;
}

static void
check_readable (LoomByteSource *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = loom_byte_source_dup_range (text, 2, 5, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (bytes, ==, "23456");
}

static void
check_changed (LoomByteSource *text)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_byte_source_dup_range (text, 2, 5, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, "changed since it was loaded; reload it"));
}

static void
test_shrunk (gconstpointer opened)
{
  g_autoptr (LoomByteSource) text = new_text (opened != NULL);
  g_assert_cmpint (truncate (path, 4), ==, 0);
  check_changed (text);
}

/* The file is overwritten in place by a text of the same size. Reading must report that the file changed. */
static void
test_written_over (gconstpointer opened)
{
  g_autoptr (LoomByteSource) text = new_text (opened != NULL);
  put ("abcdefghij");
  check_changed (text);
}

static void
test_grown (gconstpointer opened)
{
  g_autoptr (LoomByteSource) text = new_text (opened != NULL);
  FILE *file = g_fopen (path, "a");
  fputs ("more", file);
  fclose (file);
  check_readable (text);
}

/* The file is replaced by another one with the same name: the old file can be read as long as the source has it
 * open. */
static void
test_replaced (gconstpointer opened)
{
  g_autoptr (LoomByteSource) text = new_text (opened != NULL);
  g_autofree char *other = g_strconcat (path, ".new", NULL);
  g_assert_true (g_file_set_contents (other, "abcdefghij", -1, NULL));
  g_assert_cmpint (g_rename (other, path), ==, 0);
  if (opened != NULL)
    check_readable (text);
  else
    check_changed (text);
}

static void
test_removed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomByteSource) text = new_text (FALSE);
  char byte;
  g_unlink (path);
  g_assert_cmpint (loom_byte_source_read (text, 0, &byte, 1, &error), ==, -1);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_null (strstr (error->message, "changed"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autofree char *folder = g_dir_make_tmp ("traceloom-test-XXXXXX", NULL);
  path = g_build_filename (folder, "text.json", NULL);
  static const struct {
    const char *name;
    void (*test) (gconstpointer opened);
  } tests[] = {
    { "shrunk", test_shrunk },
    { "written-over", test_written_over },
    { "grown", test_grown },
    { "replaced", test_replaced },
  };
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *closed = g_strdup_printf ("/file-text/%s/closed", tests[i].name),
                    *opened = g_strdup_printf ("/file-text/%s/opened", tests[i].name);
    g_test_add_data_func (closed, NULL, tests[i].test);
    g_test_add_data_func (opened, path, tests[i].test);
  }
  g_test_add_func ("/file-text/removed", test_removed);
  int result = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  return result;
}
