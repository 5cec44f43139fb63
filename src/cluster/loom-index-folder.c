/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-folder.h"

#include <string.h>

#include "loom-index-file.h"

#define HASH_DIGITS 8

struct _LoomIndexFolder {
  char *path;
  /* Two tables of the index files in the folder. Key: a part of a file name; value: GPtrArray of char *, the names
   * of the files whose names contain this part. */
  GHashTable *by_owner;   /* key: BASE-OWNER (loom-index-folder.h); for index files of early versions, BASE-PATH */
  GHashTable *by_content; /* key: BASE-CONTENT */
};

/* --- names -------------------------------------------------------------------------------------------------------- */

static const LoomIndexAboutFile *
get_file (const LoomIndexAbout *about, guint i)
{
  return &g_array_index (about->files, LoomIndexAboutFile, i);
}

/* Returns the part BASE-OWNER of the name of an index file (see loom-index-folder.h). */
static char *
dup_owner (const LoomIndexAbout *about)
{
  g_autofree char *base = g_path_get_basename (get_file (about, 0)->path);
  g_autofree char *place = g_strconcat (about->host, "\n", get_file (about, 0)->path, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, place, -1);
  return g_strdup_printf ("%.200s-%.*s", base, HASH_DIGITS, sum);
}

/* Returns BASE-PATH, which is the name (without extension) that early versions gave to an index file. */
static char *
dup_early (const LoomIndexAbout *about)
{
  g_autofree char *base = g_path_get_basename (get_file (about, 0)->path);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, get_file (about, 0)->path, -1);
  return g_strdup_printf ("%s-%.*s", base, HASH_DIGITS, sum);
}

/* Returns the part CONTENT of the name of an index file. It is a hash of the sizes and digests of the files of the
 * trace. For a file without a digest, such as a member of an archive, its modification time is used instead. */
static char *
dup_content (const LoomIndexAbout *about)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint i = 0; i < about->files->len; i++) {
    const LoomIndexAboutFile *file = get_file (about, i);
    g_autofree char *size = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", file->n_bytes),
                    *time = g_strdup_printf ("%" G_GINT64_FORMAT ".%u\n", file->modified_s, file->modified_us);
    g_checksum_update (sum, (const guchar *) size, -1);
    if (loom_index_about_has_digest (file))
      g_checksum_update (sum, file->digest, sizeof file->digest);
    else
      g_checksum_update (sum, (const guchar *) time, -1);
  }
  return g_strndup (g_checksum_get_string (sum), HASH_DIGITS);
}

char *
loom_index_folder_dup_name (const LoomIndexAbout *about)
{
  g_autofree char *owner = dup_owner (about), *content = dup_content (about);
  return g_strconcat (owner, "-", content, LOOM_INDEX_FILE_SUFFIX, NULL);
}

/* --- tables of the index files in the folder ---------------------------------------------------------------------- */

static void
add_name (GHashTable *table, char *key, const char *name)
{
  GPtrArray *names = g_hash_table_lookup (table, key);
  if (names == NULL) {
    names = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (table, g_strdup (key), names);
  }
  g_ptr_array_add (names, g_strdup (name));
  g_free (key);
}

/* Adds an index file to the tables `by_owner` and `by_content`. Ignores a file whose name does not have the form of the
 * name of an index file. */
static void
add_file (LoomIndexFolder *folder, const char *name)
{
  const gsize hash = 1 + HASH_DIGITS;
  if (!g_str_has_suffix (name, LOOM_INDEX_FILE_SUFFIX))
    return;
  gsize length = strlen (name) - strlen (LOOM_INDEX_FILE_SUFFIX);
  if (length <= hash || name[length - hash] != '-')
    return;
  /* the whole name is also a key, because early versions gave index files the name BASE-PATH */
  add_name (folder->by_owner, g_strndup (name, length), name);
  if (length <= 2 * hash || name[length - 2 * hash] != '-')
    return;
  add_name (folder->by_owner, g_strndup (name, length - hash), name);
  add_name (folder->by_content,
            g_strdup_printf ("%.*s%.*s", (int) (length - 2 * hash), name, (int) hash, name + length - hash), name);
}

LoomIndexFolder *
loom_index_folder_new (const char *path)
{
  LoomIndexFolder *folder = g_new0 (LoomIndexFolder, 1);
  GDir *dir = g_dir_open (path, 0, NULL);
  folder->path = g_strdup (path);
  folder->by_owner = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  folder->by_content = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    add_file (folder, name);
  g_clear_pointer (&dir, g_dir_close);
  return folder;
}

void
loom_index_folder_free (LoomIndexFolder *folder)
{
  if (folder == NULL)
    return;
  g_hash_table_unref (folder->by_owner);
  g_hash_table_unref (folder->by_content);
  g_free (folder->path);
  g_free (folder);
}

gboolean
loom_index_folder_has_contents (const LoomIndexFolder *folder)
{
  return g_hash_table_size (folder->by_content) > 0;
}

static void
add_paths (const LoomIndexFolder *folder, GHashTable *table, const char *key, GPtrArray *paths)
{
  const GPtrArray *names = g_hash_table_lookup (table, key);
  for (guint i = 0; names != NULL && i < names->len; i++)
    g_ptr_array_add (paths, g_build_filename (folder->path, names->pdata[i], NULL));
}

GPtrArray *
loom_index_folder_list_own (const LoomIndexFolder *folder, const LoomIndexAbout *about)
{
  g_autofree char *owner = dup_owner (about), *early = dup_early (about);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  add_paths (folder, folder->by_owner, owner, paths);
  add_paths (folder, folder->by_owner, early, paths);
  return paths;
}

GPtrArray *
loom_index_folder_list_alike (const LoomIndexFolder *folder, const LoomIndexAbout *about)
{
  g_autofree char *owner = dup_owner (about), *content = dup_content (about);
  g_autofree char *key = g_strdup_printf ("%.*s-%s", (int) strlen (owner) - 1 - HASH_DIGITS, owner, content);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  add_paths (folder, folder->by_content, key, paths);
  return paths;
}
