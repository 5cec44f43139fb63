/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the ranks that another rank represents because both do the same work. Such ranks have no row; the representing
 * rank shows their number.
 */
#include "loom-row-list-private.h"

/* Returns TRUE if neither the rank nor its node is hidden, and one of the files of the rank is shown. Such a rank has a
 * row unless another rank represents it. Must be called before is_represented is set for the rank. */
static gboolean
is_shown (const LoomRowList *outline, LoomRowTreeItem *item)
{
  for (const LoomRowTreeItem *at = item->parent; at != NULL; at = at->parent)
    if (loom_row_list_is_shut_out (outline, at))
      return FALSE;
  return loom_row_list_is_wanted (outline, item);
}

/* Returns TRUE if a rank has a row, so that it can represent other ranks. If a rank without a row represented other
 * ranks, none of these ranks would be visible. */
static gboolean
can_represent (const LoomRowList *outline, LoomRowTreeItem *item)
{
  return loom_row_list_is_rank (item) && (item->state == NULL || item->state->alike < 0) && is_shown (outline, item);
}

/* Returns a map from each rank that can represent others to its LoomRowTreeItem; if a rank has several items, to the
 * first one. NULL if no rank of the run is represented. Owned by the caller; the items are borrowed. */
static GHashTable *
index_ranks (const LoomRowList *outline)
{
  gboolean any = FALSE;
  for (guint i = 0; i < outline->tree->items->len && !any; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    any = item->state != NULL && item->state->alike >= 0;
  }
  if (!any)
    return NULL;
  GHashTable *ranks = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < outline->tree->items->len; i++) {
    LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (can_represent (outline, item) && !g_hash_table_contains (ranks, GINT_TO_POINTER (item->rank)))
      g_hash_table_insert (ranks, GINT_TO_POINTER (item->rank), item);
  }
  return ranks;
}

void
loom_row_list_find_alike (LoomRowList *outline)
{
  if (!outline->state.may_represent && !outline->was_representing)
    return;
  outline->was_representing = outline->state.may_represent;
  for (guint i = 0; i < outline->tree->items->len; i++) {
    LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    item->n_alike = 0;
    item->is_represented = FALSE;
  }
  g_autoptr (GHashTable) ranks = index_ranks (outline);
  /* set of ranks that have been counted; needed because a rank with several files has several items */
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  for (guint i = 0; ranks != NULL && i < outline->tree->items->len; i++) {
    LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->state == NULL || item->state->alike < 0 || !loom_row_list_is_rank (item))
      continue;
    LoomRowTreeItem *other = g_hash_table_lookup (ranks, GINT_TO_POINTER (item->state->alike));
    if (other == NULL)
      continue;
    /* counts a rank only if it would have a row of its own: it is not hidden, and one of its files is shown */
    if (is_shown (outline, item) && g_hash_table_add (counted, GINT_TO_POINTER (item->rank)))
      other->n_alike++;
    item->is_represented = TRUE;
  }
}

void
loom_row_list_fold_alike (LoomRowList *outline, const gint *ranks, const gint *representatives, guint n)
{
  g_return_if_fail (outline != NULL && (n == 0 || (ranks != NULL && representatives != NULL)));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (places, GINT_TO_POINTER (ranks[i]), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, GINT_TO_POINTER (item->rank)));
    gint alike = place > 0 ? representatives[place - 1] : -1;
    if (loom_row_list_is_rank (item) && (item->state != NULL ? item->state->alike : -1) != alike)
      loom_row_state_get (&outline->state, item->key)->alike = alike;
    outline->state.may_represent |= alike >= 0;
  }
  loom_row_list_lay_out (outline);
}

void
loom_row_list_show_alike (LoomRowList *outline, const char *key)
{
  g_return_if_fail (outline != NULL && key != NULL);
  const LoomRowTreeItem *own = loom_row_list_find_item (outline, key);
  for (guint i = 0; own != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->state != NULL && item->state->alike >= 0 && item->state->alike == own->rank)
      loom_row_state_get (&outline->state, item->key)->alike = -1;
  }
  loom_row_list_lay_out (outline);
}

guint
loom_row_list_get_n_alike (const LoomRowList *outline)
{
  guint n = 0;
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++)
    n += ((const LoomRowTreeItem *) g_ptr_array_index (outline->tree->items, i))->n_alike;
  return n;
}
