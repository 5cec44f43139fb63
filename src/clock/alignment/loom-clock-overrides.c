/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-clock-overrides.h"

#include <string.h>

static void
clear_offset (gpointer data)
{
  g_free (((LoomClockOffset *) data)->path);
}

static void
clear_pick (gpointer data)
{
  LoomClockPick *pick = data;
  g_free (pick->kept);
  g_free (pick->moved);
}

LoomClockOverrides *
loom_clock_overrides_new (void)
{
  LoomClockOverrides *edits = g_new0 (LoomClockOverrides, 1);
  edits->offsets = g_array_new (FALSE, FALSE, sizeof (LoomClockOffset));
  edits->picks = g_array_new (FALSE, FALSE, sizeof (LoomClockPick));
  g_array_set_clear_func (edits->offsets, clear_offset);
  g_array_set_clear_func (edits->picks, clear_pick);
  return edits;
}

LoomClockOverrides *
loom_clock_overrides_copy (const LoomClockOverrides *edits)
{
  LoomClockOverrides *copy = loom_clock_overrides_new ();
  loom_clock_overrides_add (copy, edits);
  return copy;
}

void
loom_clock_overrides_free (LoomClockOverrides *edits)
{
  if (edits == NULL)
    return;
  g_array_unref (edits->offsets);
  g_array_unref (edits->picks);
  g_free (edits);
}

static const LoomClockOffset *
offset_at (const LoomClockOverrides *edits, guint i)
{
  return &g_array_index (edits->offsets, LoomClockOffset, i);
}

static const LoomClockPick *
pick_at (const LoomClockOverrides *edits, guint i)
{
  return &g_array_index (edits->picks, LoomClockPick, i);
}

static gboolean
same_pick (const LoomClockPick *a, const LoomClockPick *b)
{
  return a->kept_ns == b->kept_ns && a->moved_ns == b->moved_ns && strcmp (a->kept, b->kept) == 0 &&
         strcmp (a->moved, b->moved) == 0;
}

gboolean
loom_clock_overrides_equal (const LoomClockOverrides *a, const LoomClockOverrides *b)
{
  if (a->mode != b->mode || a->offsets->len != b->offsets->len || a->picks->len != b->picks->len)
    return FALSE;
  for (guint i = 0; i < a->offsets->len; i++)
    if (loom_clock_overrides_get_offset (b, offset_at (a, i)->path) != offset_at (a, i)->offset_ns)
      return FALSE;
  for (guint i = 0; i < a->picks->len; i++)
    if (!same_pick (pick_at (a, i), pick_at (b, i)))
      return FALSE;
  return TRUE;
}

gboolean
loom_clock_overrides_is_empty (const LoomClockOverrides *edits)
{
  return edits->mode == LOOM_ALIGN_AUTO && edits->offsets->len == 0 && edits->picks->len == 0;
}

void
loom_clock_overrides_set_offset (LoomClockOverrides *edits, const char *path, gint64 offset_ns)
{
  LoomClockOffset fresh = { g_strdup (path), offset_ns };
  for (guint i = 0; i < edits->offsets->len; i++) {
    if (strcmp (offset_at (edits, i)->path, fresh.path) != 0)
      continue;
    g_array_remove_index (edits->offsets, i);
    break;
  }
  if (offset_ns != 0)
    g_array_append_val (edits->offsets, fresh);
  else
    clear_offset (&fresh);
}

gint64
loom_clock_overrides_get_offset (const LoomClockOverrides *edits, const char *path)
{
  for (guint i = 0; i < edits->offsets->len; i++)
    if (strcmp (offset_at (edits, i)->path, path) == 0)
      return offset_at (edits, i)->offset_ns;
  return 0;
}

void
loom_clock_overrides_add_pick (LoomClockOverrides *edits, const char *kept, gint64 kept_ns, const char *moved,
                               gint64 moved_ns)
{
  LoomClockPick pick = { g_strdup (kept), g_strdup (moved), kept_ns, moved_ns };
  g_array_append_val (edits->picks, pick);
}

void
loom_clock_overrides_add (LoomClockOverrides *edits, const LoomClockOverrides *other)
{
  edits->mode = other->mode;
  for (guint i = 0; i < other->offsets->len; i++)
    loom_clock_overrides_set_offset (edits, offset_at (other, i)->path, offset_at (other, i)->offset_ns);
  for (guint i = 0; i < other->picks->len; i++) {
    const LoomClockPick *pick = pick_at (other, i);
    loom_clock_overrides_add_pick (edits, pick->kept, pick->kept_ns, pick->moved, pick->moved_ns);
  }
}

/* --- applying overrides to a run ---------------------------------------------------------------------------------- */

/* Returns a key that is equal for all spellings of a file's path. For a remote location (s3://…), returns the
 * location. Owned by the caller. */
static char *
key_of (const char *path)
{
  return strstr (path, "://") != NULL ? g_strdup (path) : g_canonicalize_filename (path, NULL);
}

/* Returns a table. Key: result of key_of() for the path of a source; value: index of the first source with this path,
 * plus 1. */
static GHashTable *
index_sources (const LoomRun *run)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = loom_run_get_n_sources (run); i > 0; i--)
    g_hash_table_replace (index, key_of (loom_run_get_source (run, i - 1)->path), GUINT_TO_POINTER (i));
  return index;
}

/* Returns the index of the first source with the path `path` in any spelling; G_MAXUINT if no source has this path.
 * `index`: result of index_sources(). */
static guint
find_source (GHashTable *index, const char *path)
{
  g_autofree char *key = key_of (path);
  return GPOINTER_TO_UINT (g_hash_table_lookup (index, key)) - 1;
}

void
loom_clock_overrides_resolve (const LoomClockOverrides *edits, const LoomRun *run, GArray *offsets, GArray *picks)
{
  if (edits->offsets->len == 0 && edits->picks->len == 0)
    return;
  g_autoptr (GHashTable) index = index_sources (run);
  for (guint i = 0; i < edits->offsets->len; i++) {
    LoomUserOffset offset = { find_source (index, offset_at (edits, i)->path), offset_at (edits, i)->offset_ns };
    if (offset.source != G_MAXUINT)
      g_array_append_val (offsets, offset);
  }
  for (guint i = 0; i < edits->picks->len; i++) {
    const LoomClockPick *from = pick_at (edits, i);
    LoomUserPick pick = { find_source (index, from->kept), find_source (index, from->moved), from->kept_ns,
                          from->moved_ns };
    if (pick.kept_source != G_MAXUINT && pick.moved_source != G_MAXUINT)
      g_array_append_val (picks, pick);
  }
}

LoomAlignment *
loom_clock_overrides_apply (const LoomClockOverrides *edits, const LoomAlignment *alignment, const LoomRun *run)
{
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (LoomUserOffset));
  g_autoptr (GArray) picks = g_array_new (FALSE, FALSE, sizeof (LoomUserPick));
  loom_clock_overrides_resolve (edits, run, offsets, picks);
  LoomAlignOptions options = { .mode = edits->mode == LOOM_ALIGN_AUTO ? loom_alignment_get_made_mode (alignment)
                                                                      : edits->mode,
                               .offsets = (const LoomUserOffset *) (gpointer) offsets->data,
                               .n_offsets = offsets->len,
                               .picks = (const LoomUserPick *) (gpointer) picks->data,
                               .n_picks = picks->len };
  return loom_alignment_new_changed (alignment, run, &options);
}
