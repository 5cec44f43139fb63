/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the parsing of listings of S3 buckets. The first line of the input is “aws” or “rclone”, a blank and a
 * location; the rest is the output of that command. A listing is read, or refused with a message that names the
 * location. None of its paths leads out of the cache folder, and small files are fetched completely. No command is run:
 * loom_subprocess_run() is replaced by a fake.
 */
#include "fuzz.h"

#include "loom-error.h"
#include "loom-remote-folder.h"
#include "loom-subprocess.h"

#include <glib/gstdio.h>
#include <string.h>

#define CONTENT "[ {} ]"
#define N_CONTENT (sizeof CONTENT - 1)
#define MOST_FETCHED 6 /* maximum number of fetched files, because each needs several system calls */
#define MOST_JSON_DEPTH 512

static const char *said;
static gsize n_said;

gboolean
loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data, GCancellable *cancellable,
                     GError **error)
{
  gboolean lists = FALSE;
  for (guint i = 1; argv[i] != NULL; i++)
    lists |= strcmp (argv[i], "list-objects-v2") == 0 || strcmp (argv[i], "lsjson") == 0;
  if (!lists)
    return sink (CONTENT, 1, user_data, error) && sink (&CONTENT[1], N_CONTENT - 1, user_data, error);
  return sink (said, n_said / 2, user_data, error) && sink (said + n_said / 2, n_said - n_said / 2, user_data, error);
}

/* Creates a folder with an executable file `tool` and puts the folder in PATH; the file is found there, but never
 * run. */
static void
offer (const char *tool)
{
  g_autofree char *folder = g_build_filename (fuzz_folder (), tool, NULL), *name = g_build_filename (tool, tool, NULL);
  g_autofree char *path = fuzz_put (name, "", 0), *cache = g_build_filename (fuzz_folder (), "cache", NULL);
  g_chmod (path, 0700);
  g_setenv ("PATH", folder, TRUE);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
}

static gboolean
is_inside (const char *name)
{
  g_autofree char *path = g_strconcat ("/top/", name, NULL), *plain = g_canonicalize_filename (path, "/");
  return g_str_has_prefix (plain, "/top/") && strcmp (plain, path) == 0 && g_utf8_validate (name, -1, NULL) &&
         strpbrk (name, "\n\r\t") == NULL;
}

static void
check_files (const LoomRemoteListing *listing, const GPtrArray *files, gboolean wanted, GHashTable *names)
{
  for (guint i = 0; i < files->len; i++) {
    const LoomRemoteFile *file = g_ptr_array_index (files, i);
    fuzz_check (is_inside (file->name), "“%s”", file->name);
    fuzz_check (loom_remote_location_wants (listing->location, file->name) == wanted, "“%s”", file->name);
    fuzz_check (g_hash_table_add (names, file->name), "“%s” twice", file->name);
    fuzz_check (!wanted || listing->n_bytes >= file->n_bytes, "all are fewer bytes than “%s”", file->name);
  }
}

static gboolean
is_left (const LoomRemoteListing *listing, const char *name)
{
  for (guint i = 0; i < listing->left->len; i += 2)
    if (strcmp (listing->left->pdata[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
check_fetched (LoomRemoteListing *listing)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = loom_remote_folder_fetch (listing, NULL, NULL, &error);
  fuzz_check ((folder != NULL) == (error == NULL), "neither fetched nor refused");
  for (guint i = 0; folder != NULL && i < listing->files->len; i++) {
    const LoomRemoteFile *file = g_ptr_array_index (listing->files, i);
    g_autofree char *path = g_build_filename (folder, file->name, NULL), *text = NULL;
    if (is_left (listing, file->name))
      continue;
    fuzz_check (g_file_get_contents (path, &text, NULL, NULL) && strcmp (text, CONTENT) == 0, "“%s” is “%s”",
                file->name, text);
    fuzz_check (file->n_bytes == N_CONTENT, "“%s” is whole", file->name);
  }
  fuzz_check (folder == NULL || listing->left->len > 0 || loom_remote_folder_count_missing (listing) == 0,
              "something is missing still");
}

/* Ignores leaks of json-glib for invalid texts, see fuzz-session.c. */
static LoomRemoteListing *
list (const char *location, GError **error)
{
  gboolean may_leak =
    !fuzz_is_json (said, n_said, MOST_JSON_DEPTH) || g_strstr_len (said, (gssize) n_said, "\\u") != NULL;
  if (may_leak)
    fuzz_leaks_are_known (TRUE);
  LoomRemoteListing *listing = loom_remote_folder_list (location, NULL, error);
  if (may_leak)
    fuzz_leaks_are_known (FALSE);
  return listing;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const guint8 *end = size > 0 ? memchr (data, '\n', size) : NULL;
  if (end == NULL || end - data > 200)
    return 0;
  g_autofree char *line = g_strndup ((const char *) data, (gsize) (end - data));
  const char *tool = g_str_has_prefix (line, "rclone ") ? "rclone" : "aws";
  if (!g_str_has_prefix (line, tool) || g_ascii_strncasecmp (line + strlen (tool), " s3://", 6) != 0 ||
      !g_utf8_validate (line, -1, NULL))
    return 0;
  const char *location = line + strlen (tool) + 1;
  said = (const char *) end + 1;
  n_said = size - (gsize) (end + 1 - data);
  fuzz_clear_folder ();
  offer (tool);
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRemoteListing) listing = list (location, &error);
  fuzz_check ((listing != NULL) == (error == NULL), "neither listed nor refused");
  fuzz_check (error == NULL || (g_utf8_validate (error->message, -1, NULL) && strstr (error->message, "://") != NULL),
              "%s", error->message);
  if (listing == NULL)
    return 0;
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  check_files (listing, listing->files, TRUE, names);
  check_files (listing, listing->others, FALSE, names);
  fuzz_check (!listing->is_single || listing->files->len + listing->others->len <= 1, "a file alone is %u",
              listing->files->len);
  if (listing->files->len <= MOST_FETCHED)
    check_fetched (listing);
  return 0;
}
