/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises a merged file that Traceloom wrote into the folder of the files from which it was made. The interface is
 * described in loom-merged-file.h.
 */
#include "loom-merged-file.h"

#include "loom-json-slice.h"
#include "loom-stream-reader.h"

#include <string.h>

/* Maximum length in bytes of the beginning of a merged file that is read to find the list of sources in it. The list of
 * 10,000 sources takes about 4 MB. */
#define MOST_BYTES (16u * 1024 * 1024)
#define BLOCK_BYTES (64u * 1024)
/* Maximum length in bytes of a path in the list of sources. A list with a longer path is rejected, because
 * find_source() takes quadratic time. File systems do not allow longer paths anyway. */
#define MOST_PATH_BYTES 4096
#define LIST_END "\"processes\":["
#define PERFETTO_MARK "traceloom: merged"
#define SIZE_KEY ",\"bytes\":"

/* Returns the beginning of a merged file, up to the end of its list of sources; NULL: the list is too long, the file
 * cannot be read, or it is a Perfetto trace (`is_perfetto`) that Traceloom did not write. */
static GString *
read_head (const LoomFoundFile *file, gboolean is_perfetto)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (file->path, file->origin, NULL, NULL);
  g_autoptr (GString) head = g_string_new (NULL);
  gsize searched = 0;
  while (reader != NULL && head->len < MOST_BYTES) {
    gsize before = head->len;
    g_string_set_size (head, before + BLOCK_BYTES);
    gssize n = loom_stream_reader_read (reader, head->str + before, BLOCK_BYTES, NULL);
    g_string_set_size (head, before + (gsize) MAX (n, 0));
    if (n <= 0)
      return NULL;
    for (char *at = head->str + before; at < head->str + head->len; at++)
      *at = *at != '\0' ? *at : ' '; /* NUL bytes, as in a Perfetto trace, would end the search for the list */
    if (before == 0 && is_perfetto && g_strstr_len (head->str, (gssize) head->len, PERFETTO_MARK) == NULL)
      return NULL;
    const char *end = g_strstr_len (head->str + searched, (gssize) (head->len - searched), LIST_END);
    if (end != NULL) {
      g_string_truncate (head, (gsize) (end - head->str));
      return g_steal_pointer (&head);
    }
    searched = head->len - MIN (head->len, strlen (LIST_END));
  }
  return NULL;
}

/* Reads the size in bytes that a merged file may state after the path of a source. `at`: the end of the path. Returns 0
 * if no size is stated; files of older versions state none. */
static guint64
read_size (const char *at)
{
  return g_str_has_prefix (at, SIZE_KEY) ? g_ascii_strtoull (at + strlen (SIZE_KEY), NULL, 10) : 0;
}

/* `path` is the path that a merged file states for one of its sources. Searches in `folder` and below for a file whose
 * path relative to `folder` is the end of `path`. Returns the path of this file; NULL: there is none. A file whose size
 * is not `n_bytes` does not count, because it belongs to another run: profilers write files with the same names in each
 * run. `n_bytes` 0: unknown. */
static const char *
find_source (GHashTable *files, const char *folder, const char *path, guint64 n_bytes)
{
  for (const char *end = path + strlen (path); end-- > path;) {
    if (end > path && end[-1] != G_DIR_SEPARATOR)
      continue;
    g_autofree char *own = g_build_filename (folder, end, NULL);
    const LoomFoundFile *found = g_hash_table_lookup (files, own);
    if (found != NULL && (n_bytes == 0 || found->n_bytes == n_bytes))
      return found->path;
  }
  return NULL;
}

const char *
loom_merged_file_find_source (GHashTable *files, const LoomFoundFile *file, gboolean is_perfetto)
{
  g_autofree char *folder = g_path_get_dirname (file->path);
  g_autoptr (GString) head = read_head (file, is_perfetto);
  const char *source = NULL, *at = head != NULL ? head->str : NULL;
  while (at != NULL && (at = strstr (at, "\"path\":")) != NULL) {
    const char *literal = at += strlen ("\"path\":");
    if (!loom_json_slice_skip_value (&at, head->str + head->len) || at - literal > MOST_PATH_BYTES)
      return NULL;
    g_autofree char *path = loom_json_slice_dup_decoded ((LoomJsonSlice) { literal, (gsize) (at - literal) });
    source = find_source (files, folder, path, read_size (at));
    if (source == NULL || strcmp (source, file->path) == 0)
      return NULL;
  }
  return source;
}
