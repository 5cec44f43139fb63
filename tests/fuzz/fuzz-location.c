/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes remote locations (first line of the input) and known.json, the list of files fetched to the cache (the rest).
 * A location is read, or refused with a message that contains its text; a location that is written can be read again
 * with the same result. No path in known.json leads out of the cache folder.
 */
#include "fuzz.h"

#include "loom-error.h"
#include "loom-remote-private.h"

#include <glib/gstdio.h>
#include <string.h>

#define MOST_LINE_BYTES 200
#define MOST_JSON_DEPTH 512

static void
check_again (const LoomRemoteLocation *location)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
    loom_remote_location_dup_text (location->uri, location->suffix, location->first_hour, location->last_hour);
  g_autoptr (LoomRemoteLocation) again = loom_remote_location_new (text, &error);
  if ((location->suffix != NULL && strpbrk (location->suffix, "#&=") != NULL) ||
      strstr (location->uri, "#suffix=") != NULL || strstr (location->uri, "#hours=") != NULL)
    return; /* the text of such a location cannot be parsed again, because its suffix or key contains the
             * separators of options */
  fuzz_check (again != NULL, "%s", error->message);
  fuzz_check (strcmp (again->uri, location->uri) == 0, "“%s” is “%s” again", location->uri, again->uri);
  fuzz_check (g_strcmp0 (again->suffix, location->suffix) == 0 || location->suffix[0] == '\0', "suffix “%s”",
              again->suffix);
  fuzz_check (g_strcmp0 (again->first_hour, location->first_hour) == 0 &&
                g_strcmp0 (again->last_hour, location->last_hour) == 0,
              "hours of “%s”", text);
  fuzz_check (again->is_s3 == location->is_s3 && g_strcmp0 (again->bucket, location->bucket) == 0 &&
                g_strcmp0 (again->key, location->key) == 0,
              "“%s”", text);
}

/* Ignores leaks of json-glib for invalid texts, see fuzz-session.c. */
static LoomRemoteCache *
open_cache (const LoomRemoteLocation *location, const char *memory, gsize length)
{
  gboolean may_leak =
    !fuzz_is_json (memory, length, MOST_JSON_DEPTH) || g_strstr_len (memory, (gssize) length, "\\u") != NULL;
  if (may_leak)
    fuzz_leaks_are_known (TRUE);
  LoomRemoteCache *cache = loom_remote_cache_open (location);
  if (may_leak)
    fuzz_leaks_are_known (FALSE);
  return cache;
}

static char *
put_cached (const LoomRemoteLocation *location, const char *name, const void *bytes, gsize size)
{
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, location->uri, -1);
  g_autofree char *path = g_build_filename ("cache", "traceloom", "remote", key, name, NULL);
  return fuzz_put (path, bytes, size);
}

/* If the remote listing is empty, all fetched files are removed from the cache, and no other files. */
static void
check_memory (const LoomRemoteLocation *location, const char *memory, gsize length)
{
  g_autoptr (GError) error = NULL;
  fuzz_clear_folder ();
  g_autofree char *cache_home = g_build_filename (fuzz_folder (), "cache", NULL);
  g_setenv ("XDG_CACHE_HOME", cache_home, TRUE);
  g_free (put_cached (location, "known.json", memory, length));
  g_free (put_cached (location, "files/a.json", "[]", 2));
  g_autofree char *beside = put_cached (location, "beside", "[]", 2), *outside = fuzz_put ("outside", "[]", 2);
  LoomRemoteListing listing = { .files = g_ptr_array_new (), .others = g_ptr_array_new () };
  LoomRemoteCache *cache = open_cache (location, memory, length);
  loom_remote_cache_tidy (cache, &listing);
  fuzz_check (g_file_test (beside, G_FILE_TEST_EXISTS), "a file beside the folder of the files was removed");
  fuzz_check (g_file_test (outside, G_FILE_TEST_EXISTS), "a file outside the cache was removed");
  gboolean saved = loom_remote_cache_save (cache, &error);
  fuzz_check (saved, "%s", error->message);
  loom_remote_cache_free (cache);
  g_ptr_array_unref (listing.files);
  g_ptr_array_unref (listing.others);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const guint8 *end = size > 0 ? memchr (data, '\n', size) : NULL;
  gsize n_line = end != NULL ? (gsize) (end - data) : size;
  if (n_line > MOST_LINE_BYTES || memchr (data, '\0', n_line) != NULL)
    return 0;
  g_autofree char *line = g_strndup ((const char *) data, n_line);
  g_autoptr (GError) error = NULL;
  if (!g_utf8_validate (line, -1, NULL) || !loom_remote_location_is_remote (line))
    return 0;
  g_autoptr (LoomRemoteLocation) location = loom_remote_location_new (line, &error);
  fuzz_check ((location != NULL) == (error == NULL), "neither read nor refused");
  if (location == NULL) {
    fuzz_check (error->domain == LOOM_ERROR && strstr (error->message, "://") != NULL, "%s", error->message);
    return 0;
  }
  check_again (location);
  if (end != NULL)
    check_memory (location, (const char *) end + 1, size - n_line - 1);
  return 0;
}
