/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests parsing of remote locations, and listing and fetching their files with GIO, for which local folders are used.
 */
#include "loom-error.h"
#include "loom-remote-folder.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder; /* local folder that represents the remote location */

static void
put (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static LoomRemoteListing *
list (const char *filter)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_strconcat ("file://", folder, "/there", filter, NULL);
  LoomRemoteListing *listing = loom_remote_folder_list (uri, NULL, &error);
  g_assert_no_error (error);
  return listing;
}

static char *
content (const char *cache, const char *name)
{
  g_autofree char *path = g_build_filename (cache, name, NULL);
  char *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
test_location (void)
{
  g_assert_true (loom_remote_location_is_remote ("s3://bucket/prefix"));
  g_assert_true (loom_remote_location_is_remote ("sftp://host/folder"));
  g_assert_false (loom_remote_location_is_remote ("/a/b"));
  g_assert_false (loom_remote_location_is_remote ("file:///a/b"));
  g_assert_false (loom_remote_location_is_remote ("a:b"));
  g_assert_false (loom_remote_location_is_remote (""));
  g_autoptr (LoomRemoteLocation) location =
    loom_remote_location_new ("s3://bucket/a#b/c/#suffix=.json&hours=2024061710-2024061712", NULL);
  g_assert_cmpstr (location->uri, ==, "s3://bucket/a#b/c");
  g_assert_cmpstr (location->bucket, ==, "bucket");
  g_assert_cmpstr (location->key, ==, "a#b/c");
  g_assert_cmpstr (location->suffix, ==, ".json");
  g_assert_true (loom_remote_location_wants (location, "2024061711/x.json"));
  g_assert_true (loom_remote_location_wants (location, "x.json"));
  g_assert_false (loom_remote_location_wants (location, "2024061713/x.json"));
  g_assert_false (loom_remote_location_wants (location, "2024061711/x.ts"));
  g_autofree char *text =
    loom_remote_location_dup_text (location->uri, location->suffix, location->first_hour, location->last_hour);
  g_assert_cmpstr (text, ==, "s3://bucket/a#b/c#suffix=.json&hours=2024061710-2024061712");
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_remote_location_new ("s3://", &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_null (loom_remote_location_new ("s3://b#hours=1-2", &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
}

/* Locations are refused if aws, rclone or ssh could take them for an option, or for a file to be uploaded. */
static void
test_refused (void)
{
  static const char *const bad[] = {
    "s3://bucket/file:///etc/passwd",
    "s3://bucket/FILE://x",
    "s3://bucket/fileb:///etc/passwd",
    "s3://bucket/http://host/x",
    "S3://bucket/https://host/x#suffix=.json",
    "s3://-b/x",
    "s3://:local,x=y:/etc",
    "s3://a b/x",
    "s3://a,b=c:d/x",
    "sftp://-oProxyCommand=x/y",
    "sftp://%2DoProxyCommand=x/y",
    "sftp://me@-oProxyCommand=x/y",
    "sftp://-l@host/y",
    "sftp://%zz/y",
    "sftp://[-oProxyCommand=x]/y",
    "sftp://me@%5B-oProxyCommand=x]/y",
  };
  static const char *const good[] = {
    "s3://bucket/x/file://y", "s3://bucket/-x",      "s3://my-bucket.x_y/:local:/etc", "s3://b/a,b=c:d",
    "sftp://me@host-a/-y",    "smb://host:445/a@-b", "sftp://me@[fe80::1]:22/y"
  };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (loom_remote_location_new (bad[i], &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
  }
  for (guint i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autoptr (LoomRemoteLocation) location = loom_remote_location_new (good[i], NULL);
    g_assert_cmpstr (location->uri, ==, good[i]);
  }
  g_assert_true (loom_remote_location_is_same ("s3://b/x/", "S3://b/x#suffix=.json"));
  g_assert_false (loom_remote_location_is_same ("s3://b/x", "s3://b/x/y"));
}

static void
test_fetch (void)
{
  put ("there/a.json", "one");
  put ("there/d/b.json", "two");
  put ("there/.hidden", "none");
  put ("beside.json", "none");
  g_autofree char *link = g_build_filename (folder, "there", "link.json", NULL);
  g_assert_cmpint (symlink ("../beside.json", link), ==, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRemoteListing) listing = list ("");
  g_assert_cmpuint (listing->files->len, ==, 2);
  g_assert_cmpuint (listing->n_bytes, ==, 6);
  g_assert_cmpuint (listing->left->len, ==, 2); /* the symbolic link, and the reason why it is skipped */
  g_assert_cmpuint (loom_remote_folder_count_missing (listing), ==, 6);
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  g_autofree char *cache = loom_remote_folder_fetch (listing, NULL, progress, &error);
  g_assert_no_error (error);
  g_autofree char *first = content (cache, "a.json"), *second = content (cache, "d/b.json");
  g_assert_cmpstr (first, ==, "one");
  g_assert_cmpstr (second, ==, "two");
  g_assert_cmpuint (loom_progress_get_done (progress), ==, 6);

  put ("there/d/b.json", "changed");
  g_autoptr (LoomRemoteListing) again = list ("");
  g_assert_cmpuint (loom_remote_folder_count_missing (again), ==, 7);
  g_autoptr (LoomProgress) less = loom_progress_new (NULL);
  g_autofree char *same = loom_remote_folder_fetch (again, NULL, less, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (same, ==, cache);
  g_assert_cmpuint (loom_progress_get_done (less), ==, 7);
  g_autofree char *changed = content (cache, "d/b.json");
  g_assert_cmpstr (changed, ==, "changed");

  put ("there/a.json", "new"); /* changes the file, but not its length */
  g_autoptr (LoomRemoteListing) newer = list ("");
  g_assert_cmpuint (loom_remote_folder_count_missing (newer), ==, 3);
}

static void
test_narrow (void)
{
  put ("there/x.txt", "text");
  g_autoptr (LoomRemoteListing) listing = list ("#suffix=.txt");
  g_assert_cmpuint (listing->files->len, ==, 1);
  g_assert_cmpuint (listing->n_bytes, ==, 4);
}

/* If a folder has more files than the maximum, any of them may be fetched, because the order of its entries is
 * undefined. */
static void
test_too_many (void)
{
  for (guint i = 0; i < 9; i++) {
    g_autofree char *name = g_strdup_printf ("there/many/%u/%u.json", i / 3, i);
    put (name, "text");
  }
  g_setenv ("LOOM_LIMIT_FILES", "2", TRUE);
  g_autoptr (LoomRemoteListing) listing = list ("/many#suffix=.json");
  g_unsetenv ("LOOM_LIMIT_FILES");
  guint n_told = 0;
  for (guint i = 1; i < listing->left->len; i += 2)
    n_told += strstr (g_ptr_array_index (listing->left, i), "more than 2 files") != NULL;
  g_assert_cmpuint (listing->files->len + listing->others->len, ==, 2);
  g_assert_cmpuint (n_told, ==, 1);
}

static void
test_single (void)
{
  put ("there/x.json", "text");
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRemoteListing) listing = list ("/x.json");
  g_assert_true (listing->is_single);
  g_autofree char *cache = loom_remote_folder_fetch (listing, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *text = content (cache, "x.json");
  g_assert_cmpstr (text, ==, "text");
}

static void
test_cancelled (void)
{
  put ("there/y.json", "text");
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomRemoteListing) listing = list ("");
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_remote_folder_fetch (listing, NULL, progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (loom_remote_folder_count_missing (listing), >, 0);
  g_clear_error (&error);
  g_assert_null (loom_remote_folder_list ("file:///", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_nothing_there (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_strconcat ("file://", folder, "/nothing", NULL);
  g_assert_null (loom_remote_folder_list (uri, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, uri));
}

int
main (int argc, char **argv)
{
  folder = g_dir_make_tmp ("loom-test-XXXXXX", NULL);
  g_autofree char *cache = g_build_filename (folder, "cache", NULL), *clean = g_strdup_printf ("rm -r '%s'", folder);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remote/location", test_location);
  g_test_add_func ("/remote/refused", test_refused);
  g_test_add_func ("/remote/fetch", test_fetch);
  g_test_add_func ("/remote/narrow", test_narrow);
  g_test_add_func ("/remote/too-many", test_too_many);
  g_test_add_func ("/remote/single", test_single);
  g_test_add_func ("/remote/cancelled", test_cancelled);
  g_test_add_func ("/remote/nothing-there", test_nothing_there);
  int status = g_test_run ();
  g_spawn_command_line_sync (clean, NULL, NULL, NULL, NULL);
  g_free (folder);
  return status;
}
