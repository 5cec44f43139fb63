/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-menu.h"

#include <glib/gi18n.h>

static const LoomOutlineRow *
find (LoomViewState *state, const char *key)
{
  LoomOutline *outline = loom_view_state_get_outline (state);
  guint row = loom_outline_find (outline, key);
  return row != G_MAXUINT ? loom_outline_get_row (outline, row) : NULL;
}

static void
fold_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomOutlineRow *row = find (state, key);
  if (row != NULL)
    loom_outline_set_folded (loom_view_state_get_outline (state), key, !row->folded);
  loom_view_state_rows_changed (state);
}

static void
pin_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomOutlineRow *row = find (state, key);
  if (row != NULL)
    loom_outline_set_pinned (loom_view_state_get_outline (state), key, !row->pinned);
  loom_view_state_rows_changed (state);
}

static void
hide_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  loom_outline_set_hidden (loom_view_state_get_outline (state), g_variant_get_string (parameter, NULL), TRUE);
  loom_view_state_rows_changed (state);
}

static void
overlay_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomOutlineRow *row = find (state, key);
  if (row != NULL)
    loom_outline_set_overlay (loom_view_state_get_outline (state), key, !row->overlay);
  loom_view_state_rows_changed (state);
}

static void
show_all_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  loom_outline_show_all_hidden (loom_view_state_get_outline (state));
  loom_view_state_rows_changed (state);
}

static const GActionEntry actions[] = {
  { "fold", fold_activated, "s" },       { "pin", pin_activated, "s" },      { "hide", hide_activated, "s" },
  { "overlay", overlay_activated, "s" }, { "show-all", show_all_activated },
};

void
loom_row_menu_install (GtkWidget *widget, LoomViewState *state)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), state);
  gtk_widget_insert_action_group (widget, "row", G_ACTION_GROUP (group));
}

static void
append (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, action, "s", key);
  g_menu_append_item (menu, item);
}

static GMenuModel *
menu_for (LoomViewState *state, const LoomOutlineRow *row)
{
  GMenu *menu = g_menu_new ();
  if (row->foldable)
    append (menu, row->folded ? _ ("_Unfold") : _ ("_Fold"), "row.fold", row->key);
  if (row->kind == LOOM_ROW_COUNTER)
    append (menu, row->overlay ? _ ("Stop Drawing _over Spans") : _ ("Draw _over Spans"), "row.overlay", row->key);
  append (menu, row->pinned ? _ ("Un_pin") : _ ("_Pin to Top"), "row.pin", row->key);
  append (menu, _ ("_Hide"), "row.hide", row->key);
  guint n_hidden = loom_outline_get_n_hidden (loom_view_state_get_outline (state));
  if (n_hidden > 0) {
    g_autofree char *label =
      g_strdup_printf (ngettext ("Show %u Hidden Row", "Show %u Hidden Rows", n_hidden), n_hidden);
    g_menu_append (menu, label, "row.show-all");
  }
  return G_MENU_MODEL (menu);
}

static gboolean
unparent_later (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* The action still has to run when the popover closes. */
static void
popover_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (popover), g_object_unref);
}

void
loom_row_menu_popup (GtkWidget *widget, LoomViewState *state, const char *key, double x, double y)
{
  const LoomOutlineRow *row = find (state, key);
  if (row == NULL)
    return;
  g_autoptr (GMenuModel) menu = menu_for (state, row);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (popover_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}
