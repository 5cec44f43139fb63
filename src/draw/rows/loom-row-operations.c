/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's operations on rows, such as folding, pinning and moving. Each operation changes the stored state of the
 * row and lays out the rows again.
 */
#include "loom-row-list-private.h"
#include "loom-run-details.h"

#include <string.h>

#define MIN_PLOT_PX 18.0
#define MAX_PLOT_PX 1200.0

void
loom_row_list_set_folded (LoomRowList *outline, const char *key, gboolean folded)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_row_state_get (&outline->state, key)->folded = folded ? 1 : 0;
  loom_row_list_lay_out (outline);
}

void
loom_row_list_fold_all (LoomRowList *outline, gboolean folded)
{
  g_return_if_fail (outline != NULL);
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->kind == LOOM_ROW_GROUP)
      loom_row_state_get (&outline->state, item->key)->folded = folded ? 1 : 0;
  }
  loom_row_list_lay_out (outline);
}

void
loom_row_list_set_pinned (LoomRowList *outline, const char *key, gboolean pinned)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_row_state_set_pinned (&outline->state, key, pinned);
  loom_row_list_lay_out (outline);
}

/* Stores whether the user has hidden or shown a row. If `hidden` equals the initial state of the row, stores −1
 * (unchanged). `item`: the item of the row; NULL: the present timeline has no such row, and the initial state is
 * "shown". */
static void
hide (LoomRowList *outline, const LoomRowTreeItem *item, const char *key, gboolean hidden)
{
  gboolean initially = item != NULL && item->hidden;
  loom_row_state_get (&outline->state, key)->hidden = hidden == initially ? -1 : (gint8) hidden;
  outline->state.may_hide |= hidden;
}

void
loom_row_list_set_hidden (LoomRowList *outline, const char *key, gboolean hidden)
{
  g_return_if_fail (outline != NULL && key != NULL);
  hide (outline, outline->tree != NULL ? g_hash_table_lookup (outline->tree->by_key, key) : NULL, key, hidden);
  loom_row_list_lay_out (outline);
}

void
loom_row_list_show_all_hidden (LoomRowList *outline)
{
  g_return_if_fail (outline != NULL);
  GHashTableIter iter;
  gpointer key, value;
  g_autoptr (GPtrArray) hidden = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, outline->state.rows);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (((const LoomRowState *) value)->hidden == 1)
      g_ptr_array_add (hidden, key);
  for (guint i = 0; i < hidden->len; i++)
    loom_row_state_get (&outline->state, g_ptr_array_index (hidden, i))->hidden = -1;
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->hidden)
      hide (outline, item, item->key, FALSE);
  }
  loom_row_list_lay_out (outline);
}

static guint
count_hidden_by_user (const LoomRowList *outline)
{
  guint n = 0;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, outline->state.rows);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    n += ((const LoomRowState *) value)->hidden == 1;
  return n;
}

guint
loom_row_list_get_n_hidden (const LoomRowList *outline)
{
  guint n = count_hidden_by_user (outline);
  if (outline->tree != NULL && g_hash_table_size (outline->state.rows) == 0)
    return outline->tree->n_hidden;
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    n += item->hidden && !item->is_represented && loom_row_list_is_hidden (item);
  }
  return n;
}

void
loom_row_list_set_row_height (LoomRowList *outline, const char *key, double height_px)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_row_state_get (&outline->state, key)->height_px =
    height_px > 0 ? CLAMP (height_px, MIN_PLOT_PX, MAX_PLOT_PX) : 0;
  loom_row_list_lay_out (outline);
}

gboolean
loom_row_list_move (LoomRowList *outline, const char *key, const char *before)
{
  g_return_val_if_fail (outline != NULL && key != NULL, FALSE);
  LoomRowTreeItem *item = loom_row_list_find_item (outline, key),
                  *next = before != NULL ? loom_row_list_find_item (outline, before) : NULL;
  if (item == NULL || item->parent == NULL || (before != NULL && (next == NULL || next->parent != item->parent)))
    return FALSE;
  g_autoptr (GPtrArray) children = loom_row_list_dup_children (item->parent);
  gint position = 0;
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    if (child == next && item != next)
      loom_row_state_get (&outline->state, key)->position = position++;
    if (child != item || item == next)
      loom_row_state_get (&outline->state, child->key)->position = position++;
  }
  if (next == NULL)
    loom_row_state_get (&outline->state, key)->position = position;
  loom_row_list_lay_out (outline);
  return TRUE;
}

typedef struct {
  GHashTable *places; /* rank → position of the rank in the order that the user chose, plus 1 */
  guint n;
} RankOrder;

static guint
place_of_rank (const RankOrder *order, gint rank)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (order->places, GINT_TO_POINTER (rank)));
  return place > 0 ? place - 1 : order->n;
}

gboolean
loom_row_list_is_rank (const LoomRowTreeItem *item)
{
  return item->rank >= 0 && item->parent != NULL && item->parent->rank < 0 && item->kind == LOOM_ROW_GROUP;
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer data)
{
  guint x = place_of_rank (data, (*(LoomRowTreeItem *const *) a)->rank),
        y = place_of_rank (data, (*(LoomRowTreeItem *const *) b)->rank);
  return x < y ? -1 : x > y;
}

/* Sorts the ranks among the children of a group; children that are not ranks keep their positions. */
static void
order_children (LoomRowList *outline, const LoomRowTreeItem *group, RankOrder *order)
{
  g_autoptr (GPtrArray) children = loom_row_list_dup_children (group), ranks = g_ptr_array_new ();
  guint next = 0;
  for (guint i = 0; i < children->len; i++)
    if (loom_row_list_is_rank (children->pdata[i]))
      g_ptr_array_add (ranks, children->pdata[i]);
  if (ranks->len == 0)
    return;
  g_ptr_array_sort_with_data (ranks, compare_ranks, order);
  for (guint i = 0; i < children->len; i++) {
    const LoomRowTreeItem *child =
      loom_row_list_is_rank (children->pdata[i]) ? ranks->pdata[next++] : children->pdata[i];
    loom_row_state_get (&outline->state, child->key)->position = order->n > 0 ? (gint) i : -1;
  }
}

void
loom_row_list_order_ranks (LoomRowList *outline, const gint *ranks, guint n)
{
  g_return_if_fail (outline != NULL);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  RankOrder order = { places, n };
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (places, GINT_TO_POINTER (ranks[i]), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->children->len > 1)
      order_children (outline, item, &order);
  }
  loom_row_list_lay_out (outline);
}

void
loom_row_list_set_overlay (LoomRowList *outline, const char *key, gboolean overlay)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_row_state_get (&outline->state, key)->overlay = overlay;
  loom_row_list_lay_out (outline);
}

void
loom_row_list_set_plot_mode (LoomRowList *outline, const char *key, LoomCounterMode mode)
{
  g_return_if_fail (outline != NULL && key != NULL && mode.quantity < LOOM_N_QUANTITIES);
  loom_row_state_get (&outline->state, key)->mode = mode;
  loom_row_list_lay_out (outline);
}

gboolean
loom_row_list_set_guest (LoomRowList *outline, const char *key, const char *guest, gboolean laid)
{
  g_return_val_if_fail (outline != NULL && key != NULL && guest != NULL, FALSE);
  gboolean done = strcmp (key, guest) != 0 && loom_row_state_set_guest (&outline->state, key, guest, laid);
  loom_row_list_lay_out (outline);
  return done;
}

gboolean
loom_row_list_has_guest (const LoomRowList *outline, const char *key, const char *guest)
{
  return loom_row_state_has_guest (&outline->state, key, guest);
}

void
loom_row_list_set_filter (LoomRowList *outline, const char *text)
{
  g_return_if_fail (outline != NULL);
  g_clear_pointer (&outline->filter, g_free);
  if (text != NULL && text[0] != '\0') {
    g_free (outline->filter_text);
    outline->filter_text = g_strdup (text);
    outline->filter = g_utf8_casefold (text, -1);
  }
  loom_row_list_lay_out (outline);
}

guint
loom_row_list_count_like (const LoomRowList *outline, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  guint n = 0;
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, i);
    n += item->kind != LOOM_ROW_GROUP && loom_row_list_is_like (item, folded);
  }
  return n;
}

gboolean
loom_row_list_is_filtered (const LoomRowList *outline)
{
  return outline->filter != NULL;
}

const char *
loom_row_list_get_filter (const LoomRowList *outline)
{
  return outline->filter != NULL ? outline->filter_text : "";
}

gboolean
loom_row_list_set_only (LoomRowList *outline, GArray *tracks)
{
  g_return_val_if_fail (outline != NULL && (tracks == NULL || outline->tree != NULL), FALSE);
  if (outline->only == NULL && tracks == NULL)
    return FALSE;
  g_clear_pointer (&outline->only, g_hash_table_unref);
  if (tracks != NULL)
    outline->only = g_hash_table_new (NULL, NULL);
  for (guint i = 0; tracks != NULL && i < tracks->len; i++) {
    LoomTrackId id = g_array_index (tracks, LoomTrackId, i);
    LoomRowTreeItem *item = loom_row_tree_get (outline->tree, id);
    if (item != NULL)
      g_hash_table_add (outline->only, item);
  }
  loom_row_list_lay_out (outline);
  return TRUE;
}

void
loom_row_list_set_sources (LoomRowList *outline, const char *const *paths)
{
  g_return_if_fail (outline != NULL);
  g_clear_pointer (&outline->sources, g_hash_table_unref);
  if (paths != NULL)
    outline->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_hash_table_add (outline->sources, g_strdup (paths[i]));
  loom_row_list_lay_out (outline);
}

gboolean
loom_row_list_leaves_out (const LoomRowList *outline)
{
  g_return_val_if_fail (outline != NULL, FALSE);
  return outline->filter != NULL || outline->only != NULL || outline->sources != NULL ||
         count_hidden_by_user (outline) > 0 || loom_row_list_get_n_alike (outline) > 0;
}

static void
reveal_item (LoomRowList *outline, LoomRowTreeItem *item)
{
  for (LoomRowTreeItem *at = item; at != NULL && at->parent != NULL; at = at->parent) {
    LoomRowState *state = loom_row_state_get (&outline->state, at->key);
    state->alike = -1;
    hide (outline, at, at->key, FALSE);
    if (at != item || item->kind != LOOM_ROW_GROUP)
      state->folded = 0;
  }
  if (outline->filter != NULL && !loom_row_list_is_wanted (outline, item))
    g_clear_pointer (&outline->filter, g_free);
  if (outline->only != NULL && !loom_row_list_is_wanted (outline, item))
    g_clear_pointer (&outline->only, g_hash_table_unref);
  if (outline->sources != NULL && !loom_row_list_is_wanted (outline, item))
    g_clear_pointer (&outline->sources, g_hash_table_unref);
  loom_row_list_lay_out (outline);
}

void
loom_row_list_reveal_track (LoomRowList *outline, LoomTrackId track)
{
  g_return_if_fail (outline != NULL);
  LoomRowTreeItem *item = outline->tree != NULL ? loom_row_tree_get (outline->tree, track) : NULL;
  if (item != NULL)
    reveal_item (outline, item);
}

void
loom_row_list_reveal_span (LoomRowList *outline, LoomSpanId span)
{
  g_return_if_fail (outline != NULL);
  guint row, strip;
  guint32 track, trace_row;
  if (outline->tree == NULL || loom_row_list_find_span (outline, span, &row, &strip))
    return;
  LoomRun *run = loom_timeline_get_run (outline->tree->timeline);
  if (!loom_run_details_has_trace (run, span.trace))
    return;
  loom_trace_locate_span (loom_run_get_trace (run, span.trace), span.span, &track, &trace_row);
  loom_row_list_reveal_track (outline, (LoomTrackId) { span.trace, track });
}

void
loom_row_list_reveal (LoomRowList *outline, const char *key)
{
  g_return_if_fail (outline != NULL && key != NULL);
  LoomRowTreeItem *item = loom_row_list_find_item (outline, key);
  if (item != NULL)
    reveal_item (outline, item);
}

GVariant *
loom_row_list_save (LoomRowList *outline)
{
  return loom_row_state_save (&outline->state);
}

void
loom_row_list_restore (LoomRowList *outline, GVariant *state)
{
  g_return_if_fail (outline != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE ("a{sa{sv}}")));
  loom_row_state_restore (&outline->state, state);
  loom_row_list_lay_out (outline);
}
