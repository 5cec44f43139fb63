/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-source-commands.h: changes the user's edits of the sources (names, muting, ranks and so on) of a
 * document.
 */
#include "loom-source-commands.h"

#include <glib/gi18n.h>

static LoomSourceOverrides *
copy_edits (LoomDocument *document)
{
  return loom_source_overrides_copy (loom_document_get_source_edits (document));
}

void
loom_source_commands_set_solo (LoomDocument *document, const char *const *paths)
{
  LoomSourceOverrides *edits = copy_edits (document);
  loom_source_overrides_clear_solo (edits);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    loom_source_overrides_change (edits, paths[i])->solo = TRUE;
  loom_document_edit_sources (document, edits, _ ("Show Only Some Sources"), TRUE);
}

void
loom_source_commands_set_muted (LoomDocument *document, const char *const *paths, gboolean muted)
{
  LoomSourceOverrides *edits = copy_edits (document);
  for (guint i = 0; paths[i] != NULL; i++)
    loom_source_overrides_change (edits, paths[i])->muted = muted;
  loom_document_edit_sources (document, edits, muted ? _ ("Hide Sources") : _ ("Show Sources"), FALSE);
}

gboolean
loom_source_commands_are_muted (LoomDocument *document, const char *const *paths)
{
  for (guint i = 0; paths[i] != NULL; i++) {
    const LoomSourceEdit *edit = loom_source_overrides_find (loom_document_get_source_edits (document), paths[i]);
    if (edit == NULL || !edit->muted)
      return FALSE;
  }
  return paths[0] != NULL;
}

/* Copies the user's edits of the sources (names, muting and so on), calls `change` for the edit of each source in
 * the copy, and returns the copy. */
static LoomSourceOverrides *
change_all (LoomDocument *document, void (*change) (LoomSourceEdit *edit))
{
  LoomSourceOverrides *edits = copy_edits (document);
  g_autoptr (GPtrArray) list = loom_source_overrides_list (edits);
  for (guint i = 0; i < list->len; i++)
    change (list->pdata[i]);
  return edits;
}

static void
show (LoomSourceEdit *edit)
{
  edit->muted = edit->solo = FALSE;
}

void
loom_source_commands_show_all (LoomDocument *document)
{
  loom_document_edit_sources (document, change_all (document, show), _ ("Show All Sources"), FALSE);
}

void
loom_source_commands_remove (LoomDocument *document, const char *const *paths)
{
  LoomSourceOverrides *edits = copy_edits (document);
  for (guint i = 0; paths[i] != NULL; i++) {
    LoomSourceEdit *edit = loom_source_overrides_change (edits, paths[i]);
    edit->removed = TRUE;
    edit->solo = FALSE;
  }
  loom_document_edit_sources (document, edits, _ ("Remove Sources"), FALSE);
}

guint
loom_source_commands_count_removed (LoomDocument *document)
{
  g_autoptr (GPtrArray) list = loom_source_overrides_list (loom_document_get_source_edits (document));
  guint n = 0;
  for (guint i = 0; i < list->len; i++)
    n += ((const LoomSourceEdit *) list->pdata[i])->removed;
  return n;
}

static void
bring_back (LoomSourceEdit *edit)
{
  edit->removed = FALSE;
}

void
loom_source_commands_bring_back (LoomDocument *document)
{
  loom_document_edit_sources (document, change_all (document, bring_back), _ ("Restore Sources"), FALSE);
}

/* If `trace` was read from an index file and one of its sources is in `paths`, appends the paths of all traces from
 * which the index file was made. All of these traces must be read, because an index file is replaced only as a
 * whole. */
static void
append_indexed (GPtrArray *traces, const LoomTrace *trace, const char *const *paths)
{
  gboolean is_wanted = FALSE;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    is_wanted |= g_strv_contains (paths, loom_trace_get_source (trace, i)->path);
  for (guint i = 0; is_wanted && i < loom_trace_get_n_sources (trace); i++)
    if (loom_trace_get_source (trace, i)->is_indexed_here)
      g_ptr_array_add (traces, loom_trace_get_source (trace, i)->indexed_path);
}

void
loom_source_commands_read_traces (LoomDocument *document, const char *const *paths)
{
  LoomRun *run = loom_document_get_run (document);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  for (guint i = 0; run != NULL && i < loom_run_get_n_traces (run); i++)
    append_indexed (traces, loom_run_get_trace (run, i), paths);
  g_ptr_array_add (traces, NULL);
  if (traces->len > 1)
    loom_document_add (document, (const char *const *) traces->pdata);
}

static void
replace (char **text, const char *with)
{
  char *copy = with != NULL && *with != '\0' ? g_strdup (with) : NULL;
  g_free (*text);
  *text = copy;
}

void
loom_source_commands_describe (LoomDocument *document, const char *const *paths, LoomSourceMembers which,
                               const char *name, gint rank, const char *node)
{
  LoomSourceOverrides *edits = copy_edits (document);
  for (guint i = 0; paths[i] != NULL; i++) {
    LoomSourceEdit *edit = loom_source_overrides_change (edits, paths[i]);
    if (which & LOOM_SOURCE_NAME)
      replace (&edit->name, name);
    if (which & LOOM_SOURCE_NODE)
      replace (&edit->node, node);
    if (which & LOOM_SOURCE_RANK) {
      edit->has_rank = rank >= 0;
      edit->rank = MAX (rank, 0);
    }
  }
  loom_document_edit_sources (document, edits, _ ("Edit Sources"), FALSE);
}

void
loom_source_commands_set_pattern (LoomDocument *document, const char *pattern)
{
  LoomSourceOverrides *edits = copy_edits (document);
  loom_source_overrides_set_pattern (edits, pattern);
  loom_document_edit_sources (document, edits, _ ("Assign Ranks and Nodes by Pattern"), FALSE);
}

GStrv
loom_source_commands_dup_shown (LoomDocument *document)
{
  const LoomSourceOverrides *edits = loom_document_get_source_edits (document);
  LoomRun *run = loom_document_get_run (document);
  if (run == NULL || !loom_source_overrides_hides_any (edits))
    return NULL;
  g_autoptr (GStrvBuilder) shown = g_strv_builder_new ();
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_source_overrides_shows (edits, loom_run_get_source (run, i)->path))
      g_strv_builder_add (shown, loom_run_get_source (run, i)->path);
  return g_strv_builder_end (shown);
}
