/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache folder of a location. It contains “files”, the folder of the fetched files, and “known.json”. This file
 * lists, for each fetched file, the stamp (LoomRemoteFile.stamp, a text that changes with the content) that the file
 * had at the location when it was fetched. If the stamp at the location differs now, or there is no known.json, the
 * file is fetched again.
 */
#include "loom-remote-private.h"

#include "loom-limits.h"
#include "loom-remote-files.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <time.h>

#define MEMORY "known.json"
#define IN_USE_S 3600 /* fetched files are not deleted if their location was opened within this number of seconds */

struct _LoomRemoteCache {
  char *folder;       /* folder of the location in the cache */
  char *memory;       /* path of the file known.json */
  GHashTable *stamps; /* name of a fetched file → stamp that the file had at the location when it was fetched */
};

/* Reads the record of fetched files (known.json). Checks the names in it like names in a listing, because the program
 * deletes the files with these names when they are no longer listed. */
static void
read_memory (LoomRemoteCache *cache)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  if (!json_parser_load_from_file (parser, cache->memory, NULL))
    return;
  JsonNode *root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  json_object_iter_init (&iter, json_node_get_object (root));
  while (json_object_iter_next (&iter, &name, &node))
    if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING &&
        loom_remote_reason_against (name) == NULL)
      g_hash_table_insert (cache->stamps, g_strdup (name), g_strdup (json_node_get_string (node)));
}

LoomRemoteCache *
loom_remote_cache_open (const LoomRemoteLocation *location)
{
  LoomRemoteCache *cache = g_new0 (LoomRemoteCache, 1);
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, location->uri, -1);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "traceloom", "remote", key, NULL);
  cache->folder = g_build_filename (folder, "files", NULL);
  cache->memory = g_build_filename (folder, MEMORY, NULL);
  cache->stamps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  read_memory (cache);
  return cache;
}

void
loom_remote_cache_free (LoomRemoteCache *cache)
{
  if (cache == NULL)
    return;
  g_free (cache->folder);
  g_free (cache->memory);
  g_hash_table_unref (cache->stamps);
  g_free (cache);
}

const char *
loom_remote_cache_get_folder (const LoomRemoteCache *cache)
{
  return cache->folder;
}

gboolean
loom_remote_cache_has (const LoomRemoteCache *cache, const LoomRemoteFile *file)
{
  GStatBuf status;
  g_autofree char *path = g_build_filename (cache->folder, file->name, NULL);
  return g_strcmp0 (g_hash_table_lookup (cache->stamps, file->name), file->stamp) == 0 &&
         g_lstat (path, &status) == 0 && S_ISREG (status.st_mode) && (guint64) status.st_size == file->n_bytes;
}

void
loom_remote_cache_put (LoomRemoteCache *cache, const LoomRemoteFile *file)
{
  g_hash_table_replace (cache->stamps, g_strdup (file->name), g_strdup (file->stamp));
}

static gboolean
is_gone (gpointer name, gpointer stamp, gpointer user_data)
{
  gpointer *of = user_data;
  if (g_hash_table_contains (of[1], name))
    return FALSE;
  g_autofree char *path = g_build_filename (of[0], name, NULL);
  g_unlink (path);
  return TRUE;
}

void
loom_remote_cache_tidy (LoomRemoteCache *cache, const LoomRemoteListing *listing)
{
  gpointer of[] = { cache->folder, listing->names };
  g_hash_table_foreach_remove (cache->stamps, is_gone, of);
}

gboolean
loom_remote_cache_save (const LoomRemoteCache *cache, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GHashTableIter iter;
  gpointer name, stamp;
  json_builder_begin_object (builder);
  g_hash_table_iter_init (&iter, cache->stamps);
  while (g_hash_table_iter_next (&iter, &name, &stamp)) {
    json_builder_set_member_name (builder, name);
    json_builder_add_string_value (builder, stamp);
  }
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, FALSE);
  return g_file_set_contents (cache->memory, text, -1, error);
}

/* --- room --------------------------------------------------------------------------------------------------------- */

typedef struct {
  char *folder;
  guint64 n_bytes;
  gint64 opened_s;
} Kept;

static void
clear_kept (gpointer data)
{
  g_free (((Kept *) data)->folder);
}

static gint
compare_opened (gconstpointer a, gconstpointer b)
{
  gint64 first = ((const Kept *) a)->opened_s, second = ((const Kept *) b)->opened_s;
  return first < second ? -1 : first > second;
}

/* Returns the time of the last fetch of the location in `folder`, in s since 1970: the modification time of known.json,
 * which each fetch writes. If this file does not exist, because the first fetch was interrupted, returns the
 * modification time of the folder. */
static gint64
find_opened (const char *folder)
{
  GStatBuf status;
  g_autofree char *memory = g_build_filename (folder, MEMORY, NULL);
  return g_stat (memory, &status) == 0 || g_stat (folder, &status) == 0 ? (gint64) status.st_mtime : G_MAXINT64;
}

static GArray *
list_kept (const char *above)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_autoptr (GDir) dir = g_dir_open (above, 0, NULL);
  const char *name;
  g_array_set_clear_func (all, clear_kept);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    Kept kept = { g_build_filename (above, name, NULL), 0, 0 };
    kept.n_bytes = loom_remote_files_measure (kept.folder);
    kept.opened_s = find_opened (kept.folder);
    g_array_append_val (all, kept);
  }
  g_array_sort (all, compare_opened);
  return all;
}

void
loom_remote_cache_make_room (const LoomRemoteCache *cache, guint64 n_bytes)
{
  g_autofree char *own = g_path_get_dirname (cache->folder), *above = g_path_get_dirname (own);
  g_autoptr (GArray) all = list_kept (above);
  guint64 most = loom_limit (LOOM_LIMIT_CACHE_BYTES), total = n_bytes;
  for (guint i = 0; i < all->len; i++)
    total += MIN (g_array_index (all, Kept, i).n_bytes, G_MAXUINT64 - total);
  for (guint i = 0; i < all->len && total > most; i++) {
    const Kept *kept = &g_array_index (all, Kept, i);
    if (strcmp (kept->folder, own) == 0 || kept->opened_s > (gint64) time (NULL) - IN_USE_S)
      continue;
    loom_remote_files_remove (kept->folder);
    total -= kept->n_bytes;
  }
}
