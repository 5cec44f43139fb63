/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds files whose content another file also contains, so that only one of them is loaded. The interface is described
 * in loom-duplicate-files.h.
 */
#include "loom-duplicate-files.h"

#include "loom-archive-path.h"
#include "loom-stream-reader.h"

#include <glib/gi18n.h>
#include <string.h>

#define COMPARE_BYTES (256u * 1024)
#define TWIN_BYTES (32u * 1024)
#define PERFETTO_NAME "perfetto_trace.json"

/* Reads the next COMPARE_BYTES bytes, or fewer at the end of the file. Returns their number; G_MAXSIZE if reading
 * fails. */
static gsize
read_block (LoomStreamReader *reader, char *bytes)
{
  gsize filled = 0;
  gssize n = 1;
  while (filled < COMPARE_BYTES &&
         (n = loom_stream_reader_read (reader, bytes + filled, COMPARE_BYTES - filled, NULL)) > 0)
    filled += (gsize) n;
  return n < 0 ? G_MAXSIZE : filled;
}

/* Result of comparing the contents of two files, which may be compressed. */
typedef enum {
  DIFFERENT,
  SECOND_IN_FIRST, /* the second file is equal to the first file or to its beginning, or cannot be read */
  FIRST_IN_SECOND,
} Comparison;

/* Compares block by block. A file that is damaged or cannot be opened counts as the beginning of the other one. */
static Comparison
compare_contents (const LoomFoundFile *a, const LoomFoundFile *b)
{
  g_autoptr (LoomStreamReader) first = loom_stream_reader_new_from (a->path, a->origin, NULL, NULL),
                               second = loom_stream_reader_new_from (b->path, b->origin, NULL, NULL);
  if (first == NULL || second == NULL)
    return second == NULL ? SECOND_IN_FIRST : FIRST_IN_SECOND;
  g_autofree char *first_bytes = g_malloc (COMPARE_BYTES), *second_bytes = g_malloc (COMPARE_BYTES);
  gsize n, n_second;
  do {
    n = read_block (first, first_bytes);
    n_second = read_block (second, second_bytes);
    if (n == G_MAXSIZE || n_second == G_MAXSIZE)
      return n_second == G_MAXSIZE ? SECOND_IN_FIRST : FIRST_IN_SECOND;
    if (memcmp (first_bytes, second_bytes, MIN (n, n_second)) != 0)
      return DIFFERENT;
  } while (n == n_second && n > 0);
  return n_second <= n ? SECOND_IN_FIRST : FIRST_IN_SECOND;
}

/* Returns TRUE if the whole content of `open`, a copy made before the writer closed the file, is the beginning of
 * `closed`. */
static gboolean
is_beginning_of (const LoomFoundFile *open, const LoomFoundFile *closed)
{
  g_autoptr (LoomStreamReader) first = loom_stream_reader_new_from (open->path, open->origin, NULL, NULL),
                               second = loom_stream_reader_new_from (closed->path, closed->origin, NULL, NULL);
  if (first == NULL || second == NULL)
    return FALSE;
  g_autofree char *first_bytes = g_malloc (COMPARE_BYTES), *second_bytes = g_malloc (COMPARE_BYTES);
  gsize n = COMPARE_BYTES, n_closed;
  for (guint64 done = 0; n == COMPARE_BYTES; done += n) {
    n = read_block (first, first_bytes);
    n_closed = read_block (second, second_bytes);
    if (n == G_MAXSIZE || n_closed == G_MAXSIZE)
      return FALSE;
    if (n < COMPARE_BYTES)
      while (n > 0 && strchr (", \r\n\t", first_bytes[n - 1]) != NULL)
        n--;
    if (n_closed < n || memcmp (first_bytes, second_bytes, n) != 0 || (done + n < 3 && n < COMPARE_BYTES))
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if two files may have the same content, according to their names: names and lengths are equal (smdebug
 * uses one folder per hour, so several folders may contain the same name), or `file` is the compressed form of
 * `before`. */
static gboolean
are_copies_by_name (const LoomFoundFile *before, const LoomFoundFile *file)
{
  g_autofree char *before_base = g_path_get_basename (before->path), *base = g_path_get_basename (file->path);
  g_autofree char *packed = g_strconcat (before_base, ".gz", NULL);
  return (strcmp (base, before_base) == 0 && file->n_bytes == before->n_bytes) || strcmp (base, packed) == 0;
}

void
loom_duplicate_files_drop_copies (GPtrArray *files, LoomRun *notes)
{
  for (guint i = 1; i < files->len;) {
    LoomFoundFile *before = g_ptr_array_index (files, i - 1), *file = g_ptr_array_index (files, i);
    Comparison comparison = are_copies_by_name (before, file) ? compare_contents (before, file) : DIFFERENT;
    if (comparison == DIFFERENT) {
      i++;
      continue;
    }
    gboolean drops_first = comparison == FIRST_IN_SECOND;
    g_autofree char *shown = loom_archive_path_dup_shown (drops_first ? file->path : before->path);
    g_autofree char *reason = g_strdup_printf (_ ("the same as “%s”, which is loaded"), shown);
    loom_run_add_precious (notes, drops_first ? before->path : file->path, reason, FALSE);
    g_ptr_array_remove_index (files, drops_first ? i - 1 : i);
  }
}

void
loom_duplicate_files_drop_beginnings (GPtrArray *files, LoomRun *notes)
{
  for (guint i = files->len; i-- > 1;) {
    LoomFoundFile *open = g_ptr_array_index (files, i);
    for (guint j = 0; g_str_has_suffix (open->path, ".tmp") && j < i; j++) {
      const LoomFoundFile *closed = g_ptr_array_index (files, j);
      if (g_str_has_suffix (closed->path, ".tmp") || !is_beginning_of (open, closed))
        continue;
      g_autofree char *shown = loom_archive_path_dup_shown (closed->path);
      g_autofree char *reason = g_strdup_printf (_ ("the beginning of “%s”, which is loaded"), shown);
      loom_run_add_precious (notes, open->path, reason, FALSE);
      g_ptr_array_remove_index (files, i);
      break;
    }
  }
}

/* Returns the path of the XSpace file in the folder of the file <host>.trace.json.gz at `path`; NULL: there is none.
 * The profiler makes the JSON file from the XSpace file, and writes at most a million of the events into it. */
static const char *
find_xspace (GHashTable *files, const char *path)
{
  const char *end = g_strrstr (path, ".trace.json");
  g_autofree char *stem = end != NULL ? g_strndup (path, (gsize) (end - path)) : NULL;
  g_autofree char *space = stem != NULL ? g_strconcat (stem, ".xplane.pb", NULL) : NULL;
  const LoomFoundFile *found = space != NULL ? g_hash_table_lookup (files, space) : NULL;
  return found != NULL ? found->path : NULL;
}

/* Returns TRUE if the file at `path` is in `folder`, and is one whose contents JAX also writes to
 * perfetto_trace.json.gz. */
static gboolean
is_jax_trace (const char *path, const char *folder)
{
  g_autofree char *base = g_path_get_basename (path), *other = g_path_get_dirname (path);
  return strcmp (other, folder) == 0 && !g_str_has_prefix (base, PERFETTO_NAME) &&
         (g_str_has_suffix (base, ".trace.json") || g_str_has_suffix (base, ".trace.json.gz") ||
          g_str_has_suffix (base, ".xplane.pb"));
}

/* Returns TRUE if the contents of two files are equal in their first TWIN_BYTES bytes or, if one file is shorter or
 * damaged, up to the end of that file. This suffices to recognise two files of one recording, because different
 * recordings differ in their first times. Also returns TRUE if a file cannot be read. */
static gboolean
begin_alike (const LoomFoundFile *a, const LoomFoundFile *b)
{
  g_autoptr (LoomStreamReader) first = loom_stream_reader_new_from (a->path, a->origin, NULL, NULL),
                               second = loom_stream_reader_new_from (b->path, b->origin, NULL, NULL);
  if (first == NULL || second == NULL)
    return TRUE;
  g_autofree char *first_bytes = g_malloc (COMPARE_BYTES), *second_bytes = g_malloc (COMPARE_BYTES);
  gsize n_first = read_block (first, first_bytes), n_second = read_block (second, second_bytes), n = 0;
  if (n_first == G_MAXSIZE || n_second == G_MAXSIZE)
    return TRUE;
  while (n < MIN (n_first, n_second) && n < TWIN_BYTES && first_bytes[n] == second_bytes[n])
    n++;
  return n == MIN (MIN (n_first, n_second), TWIN_BYTES);
}

/* `twin` and `file` are at the same path, except that one of them is compressed and has the suffix ".gz"; `packed`
 * TRUE: `file` is the compressed one. Returns TRUE if both contain the same recording. For files with the names of
 * PyTorch's profiler, this is assumed, because the profiler writes only one of the two files. For all other files, the
 * beginnings of both are compared. */
static gboolean
are_twins (const LoomFoundFile *twin, const LoomFoundFile *file, gboolean packed)
{
  return g_str_has_suffix (file->path, packed ? ".pt.trace.json.gz" : ".pt.trace.json") || begin_alike (twin, file);
}

/* Returns the path of the newer file if a file exists both plain and compressed, and `file` is the older of the two. If
 * both have the same time, the compressed one counts as the older. NULL: `file` is not the older one, or the two do not
 * contain the same recording. */
static const char *
find_twin (GHashTable *files, const LoomFoundFile *file)
{
  gboolean packed = g_str_has_suffix (file->path, ".gz");
  g_autofree char *twin_path =
    packed ? g_strndup (file->path, strlen (file->path) - 3) : g_strconcat (file->path, ".gz", NULL);
  const LoomFoundFile *twin = g_hash_table_lookup (files, twin_path);
  gboolean older =
    twin != NULL && (twin->modified_s > file->modified_s || (twin->modified_s == file->modified_s && packed));
  return older && are_twins (twin, file, packed) ? twin->path : NULL;
}

const char *
loom_duplicate_files_find_repeated (GHashTable *files, const LoomFoundFile *file)
{
  g_autofree char *base = g_path_get_basename (file->path), *folder = g_path_get_dirname (file->path);
  GHashTableIter iter;
  gpointer key;
  if (g_str_has_prefix (base, PERFETTO_NAME)) {
    g_hash_table_iter_init (&iter, files);
    while (g_hash_table_iter_next (&iter, &key, NULL))
      if (is_jax_trace (key, folder))
        return key;
  }
  const char *space = find_xspace (files, file->path);
  return space != NULL ? space : find_twin (files, file);
}
