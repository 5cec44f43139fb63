/* SPDX-License-Identifier: Apache-2.0
 *
 * Links the items of the tree with the user's changes to their rows. Looking up the long key of each item whenever rows
 * are laid out would be slow, because a run of 10,000 ranks has 80,000 items.
 */
#include "loom-row-list-private.h"

static void
unlink_all (const LoomRowTree *tree)
{
  for (guint i = 0; i < tree->items->len; i++)
    ((LoomRowTreeItem *) g_ptr_array_index (tree->items, i))->state = NULL;
}

static void
link_all (const LoomRowList *outline)
{
  GHashTableIter iter;
  gpointer key, state;
  g_hash_table_iter_init (&iter, outline->state.rows);
  while (g_hash_table_iter_next (&iter, &key, &state)) {
    LoomRowTreeItem *item = loom_row_list_find_item (outline, key);
    if (item != NULL)
      item->state = state;
  }
}

void
loom_row_list_link_states (LoomRowList *outline)
{
  const LoomRowListState *state = &outline->state;
  guint n_items = outline->tree->items->len;
  gboolean replaced = outline->linked_epoch != state->epoch;
  if (replaced)
    unlink_all (outline->tree);
  if (replaced || outline->linked_serial != state->serial || outline->linked_tree != outline->tree_serial ||
      outline->linked_items != n_items)
    link_all (outline);
  outline->linked_epoch = state->epoch;
  outline->linked_serial = state->serial;
  outline->linked_tree = outline->tree_serial;
  outline->linked_items = n_items;
}
