/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-error.h"
#include "loom-input-files.h"

typedef struct {
  char *folder, *file, *other;
} Place;

static Place
new_place (void)
{
  Place place = { .folder = g_dir_make_tmp ("loom-input-XXXXXX", NULL) };
  place.file = g_build_filename (place.folder, "trace.json", NULL);
  place.other = g_build_filename (place.folder, "other.json", NULL);
  g_assert_true (g_file_set_contents (place.file, "[]", -1, NULL));
  return place;
}

static void
clear_place (Place *place)
{
  g_unlink (place->file);
  g_unlink (place->other);
  g_rmdir (place->folder);
  g_free (place->folder);
  g_free (place->file);
  g_free (place->other);
}

static void
assert_refused (const char *target)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (loom_input_files_check_target (target, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
}

static void
assert_allowed (const char *target)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_input_files_check_target (target, &error));
  g_assert_no_error (error);
}

static void
test_while_held (void)
{
  Place place = new_place ();
  assert_allowed (place.file);
  LoomInputFiles *one = loom_input_files_new (place.file), *two = loom_input_files_new (place.file);
  assert_refused (place.file);
  assert_allowed (place.other);
  assert_allowed (place.folder);
  loom_input_files_free (one);
  assert_refused (place.file);
  loom_input_files_free (two);
  assert_allowed (place.file);
  clear_place (&place);
}

static void
test_other_names (void)
{
  Place place = new_place ();
  g_autoptr (LoomInputFiles) input = loom_input_files_new (place.file);
  g_autofree char *spelled = g_build_filename (place.folder, ".", "..", "./", NULL),
                  *base = g_path_get_basename (place.folder);
  g_autofree char *detour = g_build_filename (spelled, base, "trace.json", NULL);
  assert_refused (detour);
  g_assert_cmpint (symlink (place.file, place.other), ==, 0);
  assert_refused (place.other);
  g_unlink (place.other);
  g_assert_cmpint (link (place.file, place.other), ==, 0);
  assert_refused (place.other);
  clear_place (&place);
}

static void
test_members (void)
{
  Place place = new_place ();
  g_autofree char *member = g_strconcat (place.file, "//inner.zip//rank0.json", NULL);
  g_autoptr (LoomInputFiles) input = loom_input_files_new (member),
                             remote = loom_input_files_new ("s3://bucket/trace.json");
  assert_refused (place.file);
  assert_allowed ("s3://bucket/trace.json");
  clear_place (&place);
}

static void
test_open_file (void)
{
  Place place = new_place ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomInputFiles) input = loom_input_files_new (place.file);
  int file = g_open (place.file, O_WRONLY | O_APPEND, 0), device = g_open ("/dev/null", O_WRONLY, 0);
  g_assert_true (loom_input_files_check_fd (device, "device", &error));
  g_assert_false (loom_input_files_check_fd (file, "Standard output", &error));
  g_assert_nonnull (strstr (error->message, "Standard output"));
  close (file);
  close (device);
  clear_place (&place);
}

/* The writer of one kind of file, such as sessions, may replace an open input file only if that file was registered
 * with the same kind. No writer may replace a file that is also registered as LOOM_INPUT_FILES_FIXED. */
static void
test_kinds (void)
{
  Place place = new_place ();
  LoomInputFiles *rules = loom_input_files_new_of_kind (place.file, LOOM_INPUT_FILES_RULES);
  assert_refused (place.file);
  g_assert_true (loom_input_files_check_target_of_kind (place.file, LOOM_INPUT_FILES_RULES, NULL));
  g_assert_false (loom_input_files_check_target_of_kind (place.file, LOOM_INPUT_FILES_SESSION, NULL));
  LoomInputFiles *fixed = loom_input_files_new (place.file);
  g_assert_false (loom_input_files_check_target_of_kind (place.file, LOOM_INPUT_FILES_RULES, NULL));
  loom_input_files_free (fixed);
  g_assert_true (loom_input_files_check_target_of_kind (place.file, LOOM_INPUT_FILES_RULES, NULL));
  loom_input_files_free (rules);
  assert_allowed (place.file);
  clear_place (&place);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/input-files/while-held", test_while_held);
  g_test_add_func ("/base/input-files/other-names", test_other_names);
  g_test_add_func ("/base/input-files/members", test_members);
  g_test_add_func ("/base/input-files/open-file", test_open_file);
  g_test_add_func ("/base/input-files/kinds", test_kinds);
  return g_test_run ();
}
