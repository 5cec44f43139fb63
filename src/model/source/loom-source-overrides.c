/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-overrides.h"

#include "loom-regex.h"

#include <glib/gi18n.h>
#include <string.h>

#define RANK_GROUP "rank"
#define NODE_GROUP "node"

struct _LoomSourceOverrides {
  GHashTable *by_path; /* canonical path of a source → LoomSourceEdit *, which owns the path */
  char *pattern;       /* regular expression of loom_source_overrides_set_pattern(); NULL: none */
};

/* Returns a key that is equal for all spellings of a file's path. Owned by the caller. */
static char *
dup_key (const char *path)
{
  return strstr (path, "://") != NULL ? g_strdup (path) : g_canonicalize_filename (path, NULL);
}

static void
edit_free (gpointer data)
{
  LoomSourceEdit *edit = data;
  g_free (edit->path);
  g_free (edit->name);
  g_free (edit->node);
  g_free (edit);
}

static gboolean
says_something (const LoomSourceEdit *edit)
{
  return edit->name != NULL || edit->node != NULL || edit->has_rank || edit->removed || edit->muted || edit->solo;
}

static gboolean
same_place (const LoomSourceEdit *a, const LoomSourceEdit *b)
{
  return a->removed == b->removed && a->has_rank == b->has_rank && (!a->has_rank || a->rank == b->rank) &&
         g_strcmp0 (a->node, b->node) == 0;
}

static gboolean
same (const LoomSourceEdit *a, const LoomSourceEdit *b)
{
  return same_place (a, b) && a->muted == b->muted && a->solo == b->solo && g_strcmp0 (a->name, b->name) == 0;
}

LoomSourceOverrides *
loom_source_overrides_new (void)
{
  LoomSourceOverrides *edits = g_new0 (LoomSourceOverrides, 1);
  edits->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, edit_free);
  return edits;
}

LoomSourceOverrides *
loom_source_overrides_copy (const LoomSourceOverrides *edits)
{
  LoomSourceOverrides *copy = loom_source_overrides_new ();
  GHashTableIter iter;
  gpointer value;
  copy->pattern = g_strdup (edits->pattern);
  g_hash_table_iter_init (&iter, edits->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const LoomSourceEdit *edit = value;
    LoomSourceEdit *other = loom_source_overrides_change (copy, edit->path);
    char *path = other->path;
    *other = *edit;
    other->path = path;
    other->name = g_strdup (edit->name);
    other->node = g_strdup (edit->node);
  }
  return copy;
}

void
loom_source_overrides_free (LoomSourceOverrides *edits)
{
  if (edits == NULL)
    return;
  g_hash_table_unref (edits->by_path);
  g_free (edits->pattern);
  g_free (edits);
}

static gint
compare_edits (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(LoomSourceEdit *const *) a)->path, (*(LoomSourceEdit *const *) b)->path);
}

GPtrArray *
loom_source_overrides_list (const LoomSourceOverrides *edits)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer edit;
  g_hash_table_iter_init (&iter, edits->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &edit))
    if (says_something (edit))
      g_ptr_array_add (list, edit);
  g_ptr_array_sort (list, compare_edits);
  return list;
}

gboolean
loom_source_overrides_is_empty (const LoomSourceOverrides *edits)
{
  g_autoptr (GPtrArray) list = loom_source_overrides_list (edits);
  return list->len == 0 && edits->pattern == NULL;
}

/* Returns TRUE if each entry of `a` equals the entry of `b` for the same path. `equal` compares two entries. If `b` has
 * no such entry, the entry of `a` is compared with an entry without changes. */
static gboolean
is_within (const LoomSourceOverrides *a, const LoomSourceOverrides *b,
           gboolean (*equal) (const LoomSourceEdit *a, const LoomSourceEdit *b))
{
  static const LoomSourceEdit nothing;
  GHashTableIter iter;
  gpointer edit;
  g_hash_table_iter_init (&iter, a->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &edit)) {
    const LoomSourceEdit *other = g_hash_table_lookup (b->by_path, ((LoomSourceEdit *) edit)->path);
    if (!equal (edit, other != NULL ? other : &nothing))
      return FALSE;
  }
  return TRUE;
}

gboolean
loom_source_overrides_equal (const LoomSourceOverrides *a, const LoomSourceOverrides *b)
{
  return g_strcmp0 (a->pattern, b->pattern) == 0 && is_within (a, b, same) && is_within (b, a, same);
}

gboolean
loom_source_overrides_read_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b)
{
  return g_strcmp0 (a->pattern, b->pattern) == 0 && is_within (a, b, same_place) && is_within (b, a, same_place);
}

static gboolean
same_name (const LoomSourceEdit *a, const LoomSourceEdit *b)
{
  return g_strcmp0 (a->name, b->name) == 0;
}

gboolean
loom_source_overrides_name_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b)
{
  g_autoptr (LoomSourceOverrides) none = loom_source_overrides_new ();
  a = a != NULL ? a : none;
  b = b != NULL ? b : none;
  return is_within (a, b, same_name) && is_within (b, a, same_name);
}

const LoomSourceEdit *
loom_source_overrides_find (const LoomSourceOverrides *edits, const char *path)
{
  if (g_hash_table_size (edits->by_path) == 0)
    return NULL;
  g_autofree char *key = dup_key (path);
  return g_hash_table_lookup (edits->by_path, key);
}

const char *
loom_source_overrides_get_name (const LoomSourceOverrides *edits, const char *path)
{
  const LoomSourceEdit *edit = edits != NULL ? loom_source_overrides_find (edits, path) : NULL;
  return edit != NULL ? edit->name : NULL;
}

gboolean
loom_source_overrides_says_node (const LoomSourceOverrides *edits, const char *path)
{
  if (edits == NULL || loom_source_overrides_get_pattern (edits) != NULL)
    return edits != NULL;
  const LoomSourceEdit *edit = loom_source_overrides_find (edits, path);
  return edit != NULL && edit->node != NULL;
}

LoomSourceEdit *
loom_source_overrides_change (LoomSourceOverrides *edits, const char *path)
{
  g_autofree char *key = dup_key (path);
  LoomSourceEdit *edit = g_hash_table_lookup (edits->by_path, key);
  if (edit != NULL)
    return edit;
  edit = g_new0 (LoomSourceEdit, 1);
  edit->path = g_steal_pointer (&key);
  g_hash_table_insert (edits->by_path, edit->path, edit);
  return edit;
}

void
loom_source_overrides_clear_solo (LoomSourceOverrides *edits)
{
  GHashTableIter iter;
  gpointer edit;
  g_hash_table_iter_init (&iter, edits->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &edit))
    ((LoomSourceEdit *) edit)->solo = FALSE;
}

static gboolean
is_solo (gpointer path, gpointer edit, gpointer user_data)
{
  return ((const LoomSourceEdit *) edit)->solo;
}

static gboolean
is_solo_or_muted (gpointer path, gpointer edit, gpointer user_data)
{
  return ((const LoomSourceEdit *) edit)->solo || ((const LoomSourceEdit *) edit)->muted;
}

gboolean
loom_source_overrides_shows (const LoomSourceOverrides *edits, const char *path)
{
  const LoomSourceEdit *edit = loom_source_overrides_find (edits, path);
  return !(edit != NULL && edit->muted) &&
         ((edit != NULL && edit->solo) || g_hash_table_find (edits->by_path, is_solo, NULL) == NULL);
}

gboolean
loom_source_overrides_hides_any (const LoomSourceOverrides *edits)
{
  return g_hash_table_find (edits->by_path, is_solo_or_muted, NULL) != NULL;
}

/* --- node and rank of a source from a pattern --------------------------------------------------------------------- */

void
loom_source_overrides_set_pattern (LoomSourceOverrides *edits, const char *pattern)
{
  char *copy = pattern != NULL && *pattern != '\0' ? g_strdup (pattern) : NULL;
  g_free (edits->pattern);
  edits->pattern = copy;
}

const char *
loom_source_overrides_get_pattern (const LoomSourceOverrides *edits)
{
  return edits->pattern;
}

GRegex *
loom_source_overrides_pattern_new (const char *pattern, GError **error)
{
  GRegex *regex = loom_regex_new (pattern, 0, error);
  if (regex == NULL)
    return NULL;
  if (g_regex_get_string_number (regex, RANK_GROUP) >= 0 || g_regex_get_string_number (regex, NODE_GROUP) >= 0)
    return regex;
  g_regex_unref (regex);
  g_set_error_literal (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE,
                       _ ("the pattern contains neither (?<rank>…) nor (?<node>…)"));
  return NULL;
}

void
loom_source_overrides_place_clear (LoomSourcePlace *place)
{
  g_clear_pointer (&place->node, g_free);
}

static void
take_rank (LoomSourcePlace *place, const char *digits)
{
  char *end;
  if (digits == NULL || !g_ascii_isdigit (digits[0]))
    return;
  gint64 rank = g_ascii_strtoll (digits, &end, 10);
  if (*end != '\0' || rank < 0 || rank >= G_MAXINT)
    return;
  place->has_rank = TRUE;
  place->rank = (gint) rank;
}

gboolean
loom_source_overrides_pattern_match (const GRegex *pattern, const char *path, LoomSourcePlace *place)
{
  g_autoptr (GMatchInfo) match = NULL;
  *place = (LoomSourcePlace) { .rank = -1 };
  if (!g_utf8_validate (path, -1, NULL) || !g_regex_match (pattern, path, 0, &match))
    return FALSE;
  g_autofree char *rank = g_match_info_fetch_named (match, RANK_GROUP),
                  *node = g_match_info_fetch_named (match, NODE_GROUP);
  take_rank (place, rank);
  place->has_node = node != NULL && *node != '\0';
  place->node = place->has_node ? g_steal_pointer (&node) : NULL;
  return place->has_rank || place->has_node;
}

struct _LoomSourcePlacer {
  LoomSourceOverrides *edits;
  GRegex *pattern; /* the compiled pattern of `edits`; NULL: none, or it is invalid */
};

LoomSourcePlacer *
loom_source_overrides_placer_new (const LoomSourceOverrides *edits)
{
  LoomSourcePlacer *placer = g_new0 (LoomSourcePlacer, 1);
  placer->edits = loom_source_overrides_copy (edits);
  placer->pattern = edits->pattern != NULL ? loom_source_overrides_pattern_new (edits->pattern, NULL) : NULL;
  return placer;
}

void
loom_source_overrides_placer_free (LoomSourcePlacer *placer)
{
  if (placer == NULL)
    return;
  loom_source_overrides_free (placer->edits);
  g_clear_pointer (&placer->pattern, g_regex_unref);
  g_free (placer);
}

gboolean
loom_source_overrides_placer_find (const LoomSourcePlacer *placer, const char *path, LoomSourcePlace *place)
{
  const LoomSourceEdit *edit = loom_source_overrides_find (placer->edits, path);
  *place = (LoomSourcePlace) { .rank = -1 };
  if (placer->pattern != NULL)
    loom_source_overrides_pattern_match (placer->pattern, path, place);
  if (edit != NULL && edit->has_rank) {
    place->has_rank = TRUE;
    place->rank = edit->rank;
  }
  if (edit != NULL && edit->node != NULL) {
    loom_source_overrides_place_clear (place);
    place->has_node = TRUE;
    place->node = g_strdup (edit->node);
  }
  return place->has_rank || place->has_node;
}
