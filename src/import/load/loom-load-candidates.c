/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the formats of the files to load, on several threads. The members of an archive are examined while the
 * archive is being listed, so that compressed data is unpacked only once for both purposes.
 */
#include "loom-load-candidates.h"

#include "loom-archive-path.h"
#include "loom-index-file.h"
#include "loom-natural-collate.h"
#include "loom-parallel.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LoomFileDiscovery *found;
  LoomCandidate **candidates;
  LoomProgress *progress;
} Look;

typedef struct {
  /* LoomCandidate pointers: the files that may be loaded; while an archive is listed, NULL replaces each dropped
   * member */
  GPtrArray *all;
  const char *const *suffixes;
  LoomRun *notes;
  LoomProgress *progress;
  const LoomFoundFile *archive; /* the archive that is being listed */
  GHashTable *names;            /* name → index in `all`, for the members of the current archive that have been
                                 * listed */
} Search;

static void
candidate_free (gpointer data)
{
  LoomCandidate *candidate = data;
  if (candidate == NULL)
    return;
  loom_file_discovery_free_file (candidate->file);
  loom_sniff_clear (&candidate->sniff);
  g_free (candidate);
}

/* Returns TRUE for a stored result of an analysis, that is, for a member that is in an archive of indexes
 * (LOOM_INDEX_FILE_RUN_SUFFIX) but outside of its folder of indexes. Such a member is not read, because results are
 * computed from the indexes. */
static gboolean
is_result (const char *archive, const char *name)
{
  return g_str_has_suffix (archive, LOOM_INDEX_FILE_RUN_SUFFIX) && !g_str_has_prefix (name, LOOM_INDEX_FILE_FOLDER);
}

static gboolean
wants_member (const char *name, gpointer user_data)
{
  const Search *search = user_data;
  if (is_result (search->archive->path, name))
    return FALSE;
  if (loom_file_discovery_matches (name, search->suffixes))
    return TRUE;
  g_autofree char *path = loom_archive_path_dup_member (search->archive->path, name);
  loom_run_add_ignored (search->notes, path, _ ("skipped, because its name does not have the chosen suffix"), FALSE);
  return FALSE;
}

static void
on_skipped (const char *name, const char *reason, gboolean failed, gpointer user_data)
{
  const Search *search = user_data;
  g_autofree char *path =
    name != NULL ? loom_archive_path_dup_member (search->archive->path, name) : g_strdup (search->archive->path);
  loom_run_add_precious (search->notes, path, reason, failed);
}

/* Drops the earlier member of the archive that has the same name: unpacking the archive would overwrite it. */
static void
drop_former (Search *search, const char *name)
{
  gpointer index;
  if (!g_hash_table_lookup_extended (search->names, name, NULL, &index))
    return;
  LoomCandidate *former = g_steal_pointer (&g_ptr_array_index (search->all, GPOINTER_TO_UINT (index)));
  loom_run_add_ignored (search->notes, former->file->path,
                        _ ("occurs more than once in the archive; only the last one with this name is read"), FALSE);
  candidate_free (former);
}

/* Removes the NULL elements of `all`, from the index `begin` on. */
static void
close_gaps (GPtrArray *all, guint begin)
{
  guint n_kept = begin;
  for (guint i = begin; i < all->len; i++) {
    gpointer candidate = g_steal_pointer (&g_ptr_array_index (all, i));
    if (candidate != NULL)
      g_ptr_array_index (all, n_kept++) = candidate;
  }
  g_ptr_array_set_size (all, (gint) n_kept);
}

static void
on_found (const char *name, LoomSourceLocation *origin, gint64 modified_s, gpointer user_data)
{
  Search *search = user_data;
  drop_former (search, name);
  g_autofree char *path = loom_archive_path_dup_member (search->archive->path, name);
  LoomCandidate *candidate = g_new0 (LoomCandidate, 1);
  candidate->file = loom_file_discovery_new_file (path, origin->n_bytes, modified_s, loom_source_location_ref (origin));
  loom_sniff (path, origin, origin->n_bytes, &candidate->sniff);
  g_hash_table_insert (search->names, g_strdup (name), GUINT_TO_POINTER (search->all->len));
  g_ptr_array_add (search->all, candidate);
}

/* Replaces an archive in the list of files by its members; adds the reasons for skipped members to search->notes. */
static void
look_into (Search *search, LoomFoundFile *file, const LoomSniff *sniff)
{
  static const LoomArchiveHandler handler = { wants_member, on_found, on_skipped };
  guint n_before = search->all->len, n_notes = loom_run_get_n_ignored (search->notes);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  search->archive = file;
  search->names = names;
  loom_progress_set_label (search->progress, file->path);
  loom_archive_list (file->origin != NULL ? file->origin->path : file->path, sniff->archive, sniff->gzip, &handler,
                     search, loom_progress_get_cancellable (search->progress));
  close_gaps (search->all, n_before);
  for (guint i = n_before; i < search->all->len; i++) {
    LoomCandidate *candidate = g_ptr_array_index (search->all, i);
    candidate->file->n_bytes = candidate->file->origin->n_bytes;
  }
  if (search->all->len == n_before && loom_run_get_n_ignored (search->notes) == n_notes)
    loom_run_add_ignored (search->notes, file->path, _ ("an archive without files in it"), file->given);
  search->archive = NULL;
  search->names = NULL;
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const LoomCandidate *const *first = a, *const *second = b;
  return loom_natural_collate_compare ((*first)->file->path, (*second)->file->path);
}

/* Recognises the format of a file. If the file was renamed since it was found, uses its new name. */
static void
sniff (guint item, guint worker, gpointer user_data)
{
  const Look *look = user_data;
  LoomCandidate *candidate = look->candidates[item];
  LoomFoundFile *file = candidate->file;
  loom_sniff (file->path, file->origin, file->n_bytes, &candidate->sniff);
  if (!loom_file_discovery_follow (look->found, &file, 1, loom_progress_get_cancellable (look->progress)))
    return;
  loom_sniff_clear (&candidate->sniff);
  loom_sniff (file->path, file->origin, file->n_bytes, &candidate->sniff);
}

/* Recognises the formats of all files that were found. Does not open archives. */
static GPtrArray *
look_at_files (LoomFileDiscovery *found, guint n_threads, LoomProgress *progress)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (candidate_free);
  for (guint i = 0; i < found->files->len; i++) {
    LoomCandidate *candidate = g_new0 (LoomCandidate, 1);
    candidate->file = g_ptr_array_index (found->files, i);
    g_ptr_array_add (candidates, candidate);
  }
  g_ptr_array_set_free_func (found->files, NULL);
  g_ptr_array_set_size (found->files, 0);
  Look look = { found, (LoomCandidate **) candidates->pdata, progress };
  loom_parallel_for (candidates->len, n_threads, sniff, &look, progress);
  return candidates;
}

GPtrArray *
loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads, LoomRun *notes,
                          LoomProgress *progress)
{
  Search search = {
    .all = g_ptr_array_new_with_free_func (candidate_free), .suffixes = suffixes, .notes = notes, .progress = progress
  };
  g_autoptr (GPtrArray) files = look_at_files (found, n_threads, progress);
  for (guint i = 0; i < files->len; i++) {
    LoomCandidate *candidate = g_ptr_array_index (files, i);
    if (candidate->sniff.archive != LOOM_ARCHIVE_NONE)
      look_into (&search, candidate->file, &candidate->sniff);
    else
      g_ptr_array_add (search.all, g_steal_pointer (&g_ptr_array_index (files, i)));
  }
  g_ptr_array_sort (search.all, compare_candidates);
  return search.all;
}

GPtrArray *
loom_load_candidates_list_members (const GPtrArray *candidates)
{
  GPtrArray *paths = g_ptr_array_new ();
  for (guint i = 0; i < candidates->len; i++) {
    const LoomCandidate *candidate = g_ptr_array_index (candidates, i);
    if (candidate->file->origin != NULL)
      g_ptr_array_add (paths, candidate->file->path);
  }
  return paths;
}

GHashTable *
loom_load_candidates_list_configs (const GPtrArray *candidates)
{
  GHashTable *configs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < candidates->len; i++) {
    LoomFoundFile *file = ((LoomCandidate *) g_ptr_array_index (candidates, i))->file;
    if (file->origin != NULL && g_str_has_suffix (file->path, "/profilerconfig.json"))
      g_hash_table_insert (configs, g_canonicalize_filename (file->path, NULL), file);
  }
  return configs;
}

GPtrArray *
loom_load_candidates_list_files (const GPtrArray *candidates)
{
  GPtrArray *files = g_ptr_array_sized_new (candidates->len);
  for (guint i = 0; i < candidates->len; i++)
    g_ptr_array_add (files, ((LoomCandidate *) g_ptr_array_index (candidates, i))->file);
  return files;
}
