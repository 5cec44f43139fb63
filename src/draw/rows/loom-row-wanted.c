/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which items of the tree have rows. An item has a row if it is not hidden, it passes the filters, and its
 * source is shown.
 */
#include "loom-row-list-private.h"

#include <string.h>

/* Returns the text that the filter searches: item->detail. If the label of the item or of its parent is shortened on
 * the screen, the displayed labels of both are added. */
static char *
dup_searched (const LoomRowTreeItem *item)
{
  const LoomRowTreeItem *parent = item->parent;
  gboolean is_short = item->whole_label != NULL || (parent != NULL && parent->whole_label != NULL);
  if (!is_short || item->detail == NULL)
    return g_strdup (item->detail != NULL ? item->detail : "");
  return g_strjoin ("\n", item->detail, item->label, parent != NULL ? parent->label : NULL, NULL);
}

gboolean
loom_row_list_is_like (LoomRowTreeItem *item, const char *folded)
{
  /* the case-folded text is cached, because it is needed for every letter that the user types in the filter */
  if (item->folded_detail == NULL) {
    g_autofree char *text = dup_searched (item);
    item->folded_detail = g_str_is_ascii (text) ? g_ascii_strdown (text, -1) : g_utf8_casefold (text, -1);
  }
  return strstr (item->folded_detail, folded) != NULL;
}

static gboolean
matches_sources (const LoomRowList *outline, const LoomRowTreeItem *item)
{
  for (guint i = 0; i < item->tracks->len; i++) {
    const LoomSource *source = loom_row_tree_source (outline->tree, g_array_index (item->tracks, LoomTrackId, i));
    if (g_hash_table_contains (outline->sources, source->path))
      return TRUE;
  }
  return item->is_of_detail;
}

gboolean
loom_row_list_is_hidden (const LoomRowTreeItem *item)
{
  if (item->is_represented)
    return TRUE;
  return item->state != NULL && item->state->hidden >= 0 ? item->state->hidden : item->hidden;
}

gboolean
loom_row_list_is_shut_out (const LoomRowList *outline, const LoomRowTreeItem *item)
{
  gboolean filters = outline->filter != NULL || outline->only != NULL;
  return loom_row_list_is_hidden (item) && !(filters && (item->state == NULL || item->state->hidden < 0));
}

/* Returns TRUE if rows are excluded only by their initial state: there is no filter, all sources are shown, the user
 * has hidden no rows, and no rank is represented by another rank. */
static gboolean
shows_all (const LoomRowList *outline)
{
  return outline->filter == NULL && outline->only == NULL && outline->sources == NULL && !outline->state.may_hide &&
         !outline->state.may_represent;
}

gboolean
loom_row_list_is_wanted (const LoomRowList *outline, LoomRowTreeItem *item)
{
  if (loom_row_list_is_shut_out (outline, item))
    return FALSE;
  if (item->kind == LOOM_ROW_GROUP) {
    if (item->has_rows && shows_all (outline))
      return TRUE;
    for (guint i = 0; i < item->children->len; i++)
      if (loom_row_list_is_wanted (outline, g_ptr_array_index (item->children, i)))
        return TRUE;
    return FALSE;
  }
  if (item->is_of_detail && (item->details == NULL || item->details->len == 0))
    return FALSE;
  if (outline->filter != NULL && !loom_row_list_is_like (item, outline->filter))
    return FALSE;
  if (outline->only != NULL && !g_hash_table_contains (outline->only, item))
    return FALSE;
  return outline->sources == NULL || matches_sources (outline, item);
}
