/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups the files that one importer reads together into one trace. The interface is described in loom-load-groups.h.
 */
#include "loom-load-groups.h"

#include "loom-duplicate-files.h"
#include "loom-importer.h"
#include "loom-load-candidates.h"
#include "loom-merged-file.h"
#include "loom-natural-collate.h"
#include "loom-python-profile-path.h"
#include "loom-regex.h"

#include <glib/gi18n.h>
#include <string.h>

/* Returns a key that is equal for all files of one writer of Python profiles; such a writer makes one file per interval
 * of steps. Returns NULL if the path states no interval. The key contains the node, because smdebug in summer 2020
 * wrote the files of all nodes to one folder. Owned by the caller. */
static char *
profile_key (const char *path, LoomFileFormat kind)
{
  LoomPythonProfilePath parsed;
  loom_python_profile_path_parse (path, &parsed);
  char *key = parsed.has_interval ? g_strdup_printf ("%s\n%s\n%s\n%d", loom_sniff_format_to_string (kind),
                                                     parsed.folder, parsed.node != NULL ? parsed.node : "", parsed.rank)
                                  : NULL;
  loom_python_profile_path_clear (&parsed);
  return key;
}

/* Returns a key that is equal for all files that are read together as one LoomLoadUnit; NULL: the file is a unit of its
 * own. Owned by the caller. */
static char *
unit_key (const LoomFoundFile *file, LoomFileFormat kind)
{
  g_autofree char *base = g_path_get_basename (file->path), *folder = g_path_get_dirname (file->path);
  g_autofree char *node = NULL;
  const char *suffix;
  gint64 time_us;
  if (kind == LOOM_FILE_FORMAT_SMDEBUG && loom_sniff_smdebug_parse_name (base, &time_us, &node, &suffix)) {
    /* a closed file is in pevents/<hour>; a file that is still being written is in the folder that contains pevents */
    char *above = time_us == G_MAXINT64 ? g_build_filename (folder, "pevents", NULL) : g_path_get_dirname (folder);
    g_autofree char *freed = above;
    return g_strconcat ("smdebug\n", above, "\n", node, "\n", suffix, NULL);
  }
  if (kind == LOOM_FILE_FORMAT_SMDEBUG_SYSTEM) {
    g_autofree char *hour = g_path_get_basename (folder), *above = g_path_get_dirname (folder);
    gboolean in_hour = strlen (hour) == 10 && strspn (hour, "0123456789") == 10;
    const char *dot = strchr (base, '.');
    return g_strconcat ("system\n", in_hour ? above : folder, "\n", dot != NULL ? dot : "", NULL);
  }
  if (kind == LOOM_FILE_FORMAT_CPROFILE || kind == LOOM_FILE_FORMAT_PYINSTRUMENT)
    return profile_key (file->path, kind);
  if (kind == LOOM_FILE_FORMAT_COMPOSER) {
    static gsize kept;
    const GRegex *regex = loom_regex_get (&kept, "^ep[0-9]+-ba[0-9]+-rank([0-9]+)\\.json", 0);
    g_autoptr (GMatchInfo) match = NULL;
    if (!g_regex_match (regex, base, 0, &match))
      return NULL;
    g_autofree char *rank = g_match_info_fetch (match, 1);
    return g_strconcat ("composer\n", folder, "\n", rank, NULL);
  }
  return NULL;
}

static void
unit_free (gpointer data)
{
  LoomLoadUnit *unit = data;
  g_ptr_array_unref (unit->files);
  g_ptr_array_unref (unit->failed);
  g_clear_pointer (&unit->trace, loom_trace_unref);
  g_clear_error (&unit->error);
  g_clear_pointer (&unit->duplicates, g_ptr_array_unref);
  g_free (unit);
}

static LoomLoadUnit *
unit_new (const LoomSniff *sniff, guint order)
{
  LoomLoadUnit *unit = g_new0 (LoomLoadUnit, 1);
  unit->kind = sniff->kind;
  unit->lines = sniff->lines;
  unit->files = g_ptr_array_new ();
  unit->failed = g_ptr_array_new_with_free_func (g_free);
  unit->order = order;
  return unit;
}

static LoomLoadUnit *
add_to_unit (GPtrArray *units, GHashTable *by_key, LoomFoundFile *file, const LoomSniff *sniff)
{
  g_autofree char *key = unit_key (file, sniff->kind);
  LoomLoadUnit *unit = key != NULL ? g_hash_table_lookup (by_key, key) : NULL;
  if (unit == NULL || unit->files->len >= LOOM_REF_MAX_SOURCES || unit->lines != sniff->lines) {
    unit = unit_new (sniff, units->len);
    g_ptr_array_add (units, unit);
    if (key != NULL)
      g_hash_table_insert (by_key, g_steal_pointer (&key), unit);
  }
  g_ptr_array_add (unit->files, file);
  unit->n_bytes += file->n_bytes;
  return unit;
}

/* Compares two files of one smdebug writer by the time in their names. Their folders may sort in another order. */
static gint
compare_names (gconstpointer a, gconstpointer b)
{
  const LoomFoundFile *const *first = a, *const *second = b;
  g_autofree char *first_base = g_path_get_basename ((*first)->path),
                  *second_base = g_path_get_basename ((*second)->path);
  gint64 first_us = 0, second_us = 0;
  g_autofree char *first_node = NULL, *second_node = NULL;
  const char *suffix;
  if (loom_sniff_smdebug_parse_name (first_base, &first_us, &first_node, &suffix) &&
      loom_sniff_smdebug_parse_name (second_base, &second_us, &second_node, &suffix) && first_us != second_us)
    return first_us < second_us ? -1 : 1;
  gint order = loom_natural_collate_compare (first_base, second_base);
  return order != 0 ? order : loom_natural_collate_compare ((*first)->path, (*second)->path);
}

/* Returns TRUE if the name of a file ends like the names of traces. An unreadable file with another name, found in a
 * folder, is not a failure, because such a file need not be a trace. */
static gboolean
is_named_like_trace (const char *path)
{
  static const char *const endings[] = { ".json", ".json.gz", ".trace", ".trace.gz", ".tmp" };
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_readable (const GPtrArray *candidates)
{
  gboolean any = FALSE;
  for (guint i = 0; i < candidates->len && !any; i++)
    any = ((const LoomCandidate *) g_ptr_array_index (candidates, i))->sniff.kind != LOOM_FILE_FORMAT_NONE;
  return any;
}

/* Returns TRUE if a file that is not a readable trace counts as a failure; FALSE if it is only skipped. `is_company`:
 * TRUE if other files can be read. If no other file can be read, files of other programs (LoomSniff.elsewhere) count as
 * failures, too, because the user then probably wanted to open them. */
static gboolean
is_missed (const LoomFoundFile *file, const LoomSniff *sniff, gboolean is_company)
{
  return file->given || sniff->lost || (sniff->elsewhere && !is_company) ||
         (!sniff->silent && is_named_like_trace (file->path));
}

/* Returns the paths (char *, borrowed) of the .metadata files among the candidates. Owned by the caller. */
static GPtrArray *
list_metadata (const GPtrArray *candidates)
{
  GPtrArray *paths = g_ptr_array_new ();
  for (guint i = 0; i < candidates->len; i++) {
    char *path = ((const LoomCandidate *) g_ptr_array_index (candidates, i))->file->path;
    if (g_str_has_suffix (path, ".metadata"))
      g_ptr_array_add (paths, path);
  }
  return paths;
}

/* Returns the set of the canonical paths of the .metadata files whose names give the start of a loaded trace. Such
 * files are not loaded themselves, but are not reported as skipped. */
static GHashTable *
list_anchors (const GPtrArray *candidates, LoomProgress *progress)
{
  GHashTable *anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) metadata = list_metadata (candidates);
  g_autoptr (LoomStepFolders) steps = loom_importer_step_folders_new (metadata, FALSE);
  for (guint i = 0; metadata->len > 0 && i < candidates->len && !loom_progress_is_cancelled (progress); i++) {
    const LoomCandidate *candidate = g_ptr_array_index (candidates, i);
    char *path = candidate->sniff.kind == LOOM_FILE_FORMAT_TENSORFLOW
                   ? loom_importer_tensorflow_dup_metadata (candidate->file->path, steps)
                   : NULL;
    if (path != NULL)
      g_hash_table_add (anchors, path);
  }
  return anchors;
}

static gboolean
is_anchor (GHashTable *anchors, const char *path)
{
  g_autofree char *canonical = g_hash_table_size (anchors) > 0 ? g_canonicalize_filename (path, NULL) : NULL;
  return canonical != NULL && g_hash_table_contains (anchors, canonical);
}

/* Adds a file that was not recognised to the ignored files, unless it is a .metadata file in `anchors`, whose name gave
 * the start of a trace. `is_company`: other files can be read (see is_missed()). */
static void
ignore (const LoomCandidate *candidate, GHashTable *anchors, gboolean is_company, LoomRun *run)
{
  const LoomFoundFile *file = candidate->file;
  const LoomSniff *sniff = &candidate->sniff;
  if (sniff->precious)
    loom_run_add_precious (run, file->path, sniff->reason, is_missed (file, sniff, is_company));
  else if (!is_anchor (anchors, file->path))
    loom_run_add_ignored (run, file->path, sniff->reason, is_missed (file, sniff, is_company));
}

/* Returns a table of the candidates with a known format: path → LoomFoundFile, both borrowed. Other files, such as
 * empty ones, cannot be duplicates of a trace. Owned by the caller. */
static GHashTable *
list_files (const GPtrArray *candidates)
{
  GHashTable *files = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < candidates->len; i++) {
    const LoomCandidate *candidate = g_ptr_array_index (candidates, i);
    if (candidate->sniff.kind != LOOM_FILE_FORMAT_NONE)
      g_hash_table_insert (files, candidate->file->path, candidate->file);
  }
  return files;
}

/* --- duplicates --------------------------------------------------------------------------------------------------- */

typedef struct {
  /* path → LoomFoundFile: the files that may contain the trace of another file (list_files()) */
  GHashTable *files;
  GHashTable *unit_of;      /* path → LoomLoadUnit *: the unit that reads the file */
  GHashTable *duplicate_of; /* path → path of the file that should contain the same trace */
  GPtrArray *waiting;       /* LoomCandidate *: the files that are keys of `duplicate_of` */
} Duplicates;

/* Returns TRUE if another file should contain the same trace as the candidate. In this case records the two files in
 * `duplicates`. The candidate is then read only if the other file does not give a complete trace. */
static gboolean
wait_for_duplicate (Duplicates *duplicates, LoomCandidate *candidate)
{
  LoomFoundFile *file = candidate->file;
  g_autofree char *key = unit_key (file, candidate->sniff.kind); /* A duplicate in the same unit is not recorded,
                                                                  * because settle_files() drops such copies. */
  gboolean may_wait = candidate->sniff.kind != LOOM_FILE_FORMAT_NONE && !file->given && key == NULL;
  const char *duplicate = may_wait ? loom_duplicate_files_find_repeated (duplicates->files, file) : NULL;
  gboolean is_perfetto = candidate->sniff.kind == LOOM_FILE_FORMAT_PERFETTO;
  if (may_wait && duplicate == NULL && (is_perfetto || candidate->sniff.kind == LOOM_FILE_FORMAT_TRACELOOM))
    duplicate = loom_merged_file_find_source (duplicates->files, file, is_perfetto);
  if (duplicate == NULL)
    return FALSE;
  g_hash_table_insert (duplicates->duplicate_of, file->path, (gpointer) duplicate);
  g_ptr_array_add (duplicates->waiting, candidate);
  return TRUE;
}

/* Returns the unit of the file of which the file at `path` is a duplicate, directly or through further duplicates. */
static LoomLoadUnit *
find_leader (const Duplicates *duplicates, const char *path)
{
  LoomLoadUnit *leader = NULL;
  for (guint i = 0; leader == NULL && path != NULL && i <= duplicates->waiting->len; i++) {
    path = g_hash_table_lookup (duplicates->duplicate_of, path);
    leader = path != NULL ? g_hash_table_lookup (duplicates->unit_of, path) : NULL;
  }
  return leader;
}

static void
settle_duplicates (Duplicates *duplicates, GPtrArray *units, GHashTable *by_key)
{
  for (guint i = 0; i < duplicates->waiting->len; i++) {
    LoomCandidate *candidate = g_ptr_array_index (duplicates->waiting, i);
    LoomLoadUnit *leader = find_leader (duplicates, candidate->file->path);
    if (leader == NULL) {
      add_to_unit (units, by_key, candidate->file, &candidate->sniff);
      continue;
    }
    LoomLoadUnit *duplicate = unit_new (&candidate->sniff, leader->order);
    g_ptr_array_add (duplicate->files, candidate->file);
    duplicate->n_bytes = candidate->file->n_bytes;
    if (leader->duplicates == NULL)
      leader->duplicates = g_ptr_array_new_with_free_func (unit_free);
    g_ptr_array_add (leader->duplicates, duplicate);
  }
}

static void
duplicates_init (Duplicates *duplicates, const GPtrArray *candidates)
{
  duplicates->files = list_files (candidates);
  duplicates->unit_of = g_hash_table_new (g_str_hash, g_str_equal);
  duplicates->duplicate_of = g_hash_table_new (g_str_hash, g_str_equal);
  duplicates->waiting = g_ptr_array_new ();
}

static void
duplicates_clear (Duplicates *duplicates)
{
  g_hash_table_unref (duplicates->files);
  g_hash_table_unref (duplicates->unit_of);
  g_hash_table_unref (duplicates->duplicate_of);
  g_ptr_array_unref (duplicates->waiting);
}

/* Sorts the files of a unit, and drops copies. */
static void
settle_files (LoomLoadUnit *unit, LoomRun *run)
{
  g_ptr_array_sort (unit->files, compare_names);
  if (unit->kind != LOOM_FILE_FORMAT_CPROFILE &&
      /* files of these formats are not checked for copies by name: files with equal names are profiles of different
       * intervals */
      unit->kind != LOOM_FILE_FORMAT_PYINSTRUMENT)
    loom_duplicate_files_drop_copies (unit->files, run);
  if (unit->kind == LOOM_FILE_FORMAT_SMDEBUG)
    loom_duplicate_files_drop_beginnings (unit->files, run);
}

GPtrArray *
loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress)
{
  Duplicates duplicates;
  gboolean is_company = has_readable (candidates);
  GPtrArray *units = g_ptr_array_new_with_free_func (unit_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) anchors = list_anchors (candidates, progress);
  duplicates_init (&duplicates, candidates);
  for (guint i = 0; i < candidates->len && !loom_progress_is_cancelled (progress); i++) {
    LoomCandidate *candidate = g_ptr_array_index (candidates, i);
    if (wait_for_duplicate (&duplicates, candidate))
      continue;
    if (candidate->sniff.kind == LOOM_FILE_FORMAT_NONE)
      ignore (candidate, anchors, is_company, run);
    else
      g_hash_table_insert (duplicates.unit_of, candidate->file->path,
                           add_to_unit (units, by_key, candidate->file, &candidate->sniff));
  }
  settle_duplicates (&duplicates, units, by_key);
  duplicates_clear (&duplicates);
  for (guint i = 0; i < units->len; i++)
    settle_files (g_ptr_array_index (units, i), run);
  return units;
}
