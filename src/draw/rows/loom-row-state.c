/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the user's changes to each row, converts them to GVariants and back, and caches the GVariants.
 */
#include "loom-row-state.h"

#include <string.h>

static const LoomRowState untouched = { .folded = -1, .hidden = -1, .position = -1, .alike = -1 };

static void
row_state_free (gpointer data)
{
  LoomRowState *row = data;
  g_clear_pointer (&row->guests, g_ptr_array_unref);
  g_clear_pointer (&row->saved, g_variant_unref);
  g_free (row);
}

void
loom_row_state_init (LoomRowListState *state)
{
  state->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, row_state_free);
  state->pinned = g_ptr_array_new_with_free_func (g_free);
}

void
loom_row_state_clear (LoomRowListState *state)
{
  g_hash_table_unref (state->rows);
  g_ptr_array_unref (state->pinned);
  g_clear_pointer (&state->order, g_array_unref);
  g_clear_pointer (&state->saved, g_variant_unref);
}

const LoomRowState *
loom_row_state_peek (const LoomRowListState *state, const char *key)
{
  return g_hash_table_lookup (state->rows, key);
}

LoomRowState *
loom_row_state_get (LoomRowListState *state, const char *key)
{
  LoomRowState *row = g_hash_table_lookup (state->rows, key);
  g_clear_pointer (&state->saved, g_variant_unref);
  if (row == NULL) {
    row = g_memdup2 (&untouched, sizeof untouched);
    g_hash_table_insert (state->rows, g_strdup (key), row);
    g_clear_pointer (&state->order, g_array_unref);
    state->serial++;
  }
  g_clear_pointer (&row->saved, g_variant_unref);
  return row;
}

void
loom_row_state_set_pinned (LoomRowListState *state, const char *key, gboolean pinned)
{
  LoomRowState *row = loom_row_state_get (state, key);
  guint at;
  if (row->pinned == pinned)
    return;
  row->pinned = pinned;
  /* Drops the cached value of each pinned row: loom_row_state_get() frees it. A pinned row is saved with its position
   * among the pinned rows, and the positions change when a row is pinned or unpinned. */
  for (guint i = 0; i < state->pinned->len; i++)
    loom_row_state_get (state, g_ptr_array_index (state->pinned, i));
  if (pinned)
    g_ptr_array_add (state->pinned, g_strdup (key));
  else if (g_ptr_array_find_with_equal_func (state->pinned, key, g_str_equal, &at))
    g_ptr_array_remove_index (state->pinned, at);
}

gboolean
loom_row_state_has_guest (const LoomRowListState *state, const char *key, const char *guest)
{
  const LoomRowState *row = loom_row_state_peek (state, key);
  return row != NULL && row->guests != NULL && g_ptr_array_find_with_equal_func (row->guests, guest, g_str_equal, NULL);
}

gboolean
loom_row_state_set_guest (LoomRowListState *state, const char *key, const char *guest, gboolean laid)
{
  LoomRowState *row = loom_row_state_get (state, key);
  guint at;
  if (loom_row_state_has_guest (state, key, guest) == laid)
    return TRUE;
  if (row->guests == NULL)
    row->guests = g_ptr_array_new_with_free_func (g_free);
  if (laid && row->guests->len >= LOOM_PLOT_MAX_GUESTS)
    return FALSE;
  if (laid)
    g_ptr_array_add (row->guests, g_strdup (guest));
  else if (g_ptr_array_find_with_equal_func (row->guests, guest, g_str_equal, &at))
    g_ptr_array_remove_index (row->guests, at);
  return TRUE;
}

static guint
pin_position (const LoomRowListState *state, const char *key)
{
  guint at = 0;
  g_ptr_array_find_with_equal_func (state->pinned, key, g_str_equal, &at);
  return at;
}

/* Saves the settings of a counter that differ from the default. */
static void
save_mode (GVariantBuilder *builder, const LoomRowState *row)
{
  if (row->mode.quantity != LOOM_QUANTITY_VALUE)
    g_variant_builder_add (builder, "{sv}", "quantity",
                           g_variant_new_string (loom_counter_mode_get_word (row->mode.quantity)));
  if (row->mode.stacked)
    g_variant_builder_add (builder, "{sv}", "stacked", g_variant_new_boolean (TRUE));
  if (row->mode.logarithmic)
    g_variant_builder_add (builder, "{sv}", "logarithmic", g_variant_new_boolean (TRUE));
  if (row->guests != NULL && row->guests->len > 0)
    g_variant_builder_add (builder, "{sv}", "with",
                           g_variant_new_strv ((const char *const *) row->guests->pdata, row->guests->len));
}

static GVariant *
save_row (const LoomRowListState *state, const char *key, const LoomRowState *row)
{
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (row->folded >= 0)
    g_variant_builder_add (&builder, "{sv}", "folded", g_variant_new_boolean (row->folded));
  if (row->pinned)
    g_variant_builder_add (&builder, "{sv}", "pinned", g_variant_new_int32 ((gint) pin_position (state, key)));
  if (row->hidden >= 0)
    g_variant_builder_add (&builder, "{sv}", "hidden", g_variant_new_boolean (row->hidden));
  if (row->overlay)
    g_variant_builder_add (&builder, "{sv}", "overlay", g_variant_new_boolean (TRUE));
  save_mode (&builder, row);
  if (row->position >= 0)
    g_variant_builder_add (&builder, "{sv}", "position", g_variant_new_int32 (row->position));
  if (row->alike >= 0)
    g_variant_builder_add (&builder, "{sv}", "alike", g_variant_new_int32 (row->alike));
  if (row->height_px > 0)
    g_variant_builder_add (&builder, "{sv}", "height", g_variant_new_double (row->height_px));
  return g_variant_builder_end (&builder);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (((const LoomRowStateKey *) a)->key, ((const LoomRowStateKey *) b)->key);
}

static const GArray *
get_order (LoomRowListState *state)
{
  if (state->order != NULL)
    return state->order;
  state->order = g_array_sized_new (FALSE, FALSE, sizeof (LoomRowStateKey), g_hash_table_size (state->rows));
  GHashTableIter iter;
  gpointer key, row;
  g_hash_table_iter_init (&iter, state->rows);
  while (g_hash_table_iter_next (&iter, &key, &row)) {
    LoomRowStateKey entry = { key, row };
    g_array_append_val (state->order, entry);
  }
  g_array_sort (state->order, compare_keys);
  return state->order;
}

/* If the row has changed, converts it to the GVariant with which it is saved, and caches this GVariant. */
static void
update_saved (const LoomRowListState *state, const char *key, LoomRowState *row)
{
  if (row->saved != NULL)
    return;
  GVariant *changes = save_row (state, key, row);
  row->is_blank = g_variant_n_children (changes) == 0;
  row->saved = g_variant_ref_sink (g_variant_new_dict_entry (g_variant_new_string (key), changes));
}

static GVariant *
save_rows (LoomRowListState *state)
{
  GVariantBuilder builder;
  const GArray *order = get_order (state);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sa{sv}}"));
  for (guint i = 0; i < order->len; i++) {
    const LoomRowStateKey *entry = &g_array_index (order, LoomRowStateKey, i);
    update_saved (state, entry->key, entry->row);
    if (!entry->row->is_blank)
      g_variant_builder_add_value (&builder, entry->row->saved);
  }
  return g_variant_builder_end (&builder);
}

/* Returns all changes as one GVariant. The result is cached, because several callers need it after every change. The
 * value of each row is cached too, so that only changed rows are converted again. */
GVariant *
loom_row_state_save (LoomRowListState *state)
{
  if (state->saved == NULL)
    state->saved = g_variant_ref_sink (save_rows (state));
  return g_variant_ref (state->saved);
}

static int
compare_pins (gconstpointer a, gconstpointer b, gpointer data)
{
  gint x = GPOINTER_TO_INT (g_hash_table_lookup (data, *(char *const *) a));
  gint y = GPOINTER_TO_INT (g_hash_table_lookup (data, *(char *const *) b));
  return x < y ? -1 : x > y;
}

static void
restore_mode (LoomRowListState *state, const char *key, GVariant *saved)
{
  gboolean flag;
  const char *word;
  g_autofree const char **guests = NULL;
  LoomRowState *row = loom_row_state_get (state, key);
  if (g_variant_lookup (saved, "quantity", "&s", &word))
    row->mode.quantity = loom_counter_mode_from_word (word);
  if (g_variant_lookup (saved, "stacked", "b", &flag))
    row->mode.stacked = flag;
  if (g_variant_lookup (saved, "logarithmic", "b", &flag))
    row->mode.logarithmic = flag;
  if (g_variant_lookup (saved, "with", "^a&s", &guests))
    for (guint i = 0; guests[i] != NULL; i++)
      loom_row_state_set_guest (state, key, guests[i], TRUE);
}

static void
restore_row (LoomRowListState *state, const char *key, GVariant *saved, GHashTable *pins)
{
  gboolean flag;
  gint32 number;
  LoomRowState *row = loom_row_state_get (state, key);
  if (g_variant_lookup (saved, "folded", "b", &flag))
    row->folded = (gint8) flag;
  if (g_variant_lookup (saved, "hidden", "b", &flag))
    row->hidden = (gint8) flag;
  state->may_hide |= row->hidden == 1;
  if (g_variant_lookup (saved, "overlay", "b", &flag))
    row->overlay = flag;
  restore_mode (state, key, saved);
  if (g_variant_lookup (saved, "position", "i", &number))
    row->position = MAX (number, -1);
  if (g_variant_lookup (saved, "alike", "i", &number))
    row->alike = MAX (number, -1);
  state->may_represent |= row->alike >= 0;
  if (g_variant_lookup (saved, "height", "d", &row->height_px) && !(row->height_px > 0 && row->height_px < 10000))
    row->height_px = 0;
  if (g_variant_lookup (saved, "pinned", "i", &number)) {
    loom_row_state_set_pinned (state, key, TRUE);
    g_hash_table_insert (pins, g_strdup (key), GINT_TO_POINTER (number));
  }
}

void
loom_row_state_restore (LoomRowListState *state, GVariant *saved)
{
  g_clear_pointer (&state->saved, g_variant_unref);
  g_clear_pointer (&state->order, g_array_unref);
  g_hash_table_remove_all (state->rows);
  state->epoch++;
  state->may_hide = state->may_represent = FALSE;
  g_ptr_array_set_size (state->pinned, 0);
  g_autoptr (GHashTable) pins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GVariantIter iter;
  const char *key;
  GVariant *row;
  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_loop (&iter, "{&s@a{sv}}", &key, &row))
    restore_row (state, key, row, pins);
  g_ptr_array_sort_with_data (state->pinned, compare_pins, pins);
}
