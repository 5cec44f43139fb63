/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-menu.h"

#include "loom-counter-actions.h"
#include "loom-popovers.h"
#include "loom-same-name.h"
#include "loom-shorten.h"
#include "loom-words.h"

#include <glib/gi18n.h>

#define MAX_NAME_CHARS 40

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

static void
same_name_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  LoomSpanId span;
  gboolean all_tracks;
  g_variant_get (parameter, "(uub)", &span.trace, &span.span, &all_tracks);
  loom_same_name_select (state, span, all_tracks);
}

static const GActionEntry actions[] = {
  { "fold", fold_activated, "s" },       { "pin", pin_activated, "s" },      { "hide", hide_activated, "s" },
  { "overlay", overlay_activated, "s" }, { "show-all", show_all_activated },
  { "same-name", same_name_activated, "(uub)" },
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

/* The span that was clicked, else the selected one where the row is its. */
static LoomSpanId
span_on (LoomViewState *state, const LoomOutlineRow *row)
{
  LoomOutline *outline = loom_view_state_get_outline (state);
  LoomSpanId spans[] = { loom_view_state_get_pointer_span (state), loom_view_state_get_lead (state) };
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    guint at, strip;
    if (!loom_span_id_is_none (spans[i]) && loom_outline_find_span (outline, spans[i], &at, &strip) &&
        loom_outline_get_row (outline, at) == row)
      return spans[i];
  }
  return LOOM_SPAN_ID_NONE;
}

static void
append_same_name (GMenu *menu, LoomViewState *state, LoomSpanId span)
{
  const char *const labels[] = { _ ("On This _Track"), _ ("In _All Tracks") };
  g_autoptr (GMenu) section = g_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (labels[i], NULL);
    g_menu_item_set_action_and_target (item, "row.same-name", "(uub)", span.trace, span.span, (gboolean) i);
    g_menu_append_item (section, item);
  }
  g_autofree char *name = loom_shorten_middle (loom_words_name (state, span), MAX_NAME_CHARS);
  g_autofree char *title = g_strdup_printf (_ ("Select all “%s”"), name);
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
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
  if (row->kind == LOOM_ROW_COUNTER)
    loom_counter_actions_append (menu, row);
  LoomSpanId span = span_on (state, row);
  if (!loom_span_id_is_none (span))
    append_same_name (menu, state, span);
  return G_MENU_MODEL (menu);
}

void
loom_row_menu_popup (GtkWidget *widget, LoomViewState *state, const char *key, double x, double y)
{
  const LoomOutlineRow *row = find (state, key);
  if (row == NULL)
    return;
  if (row->kind == LOOM_ROW_COUNTER)
    loom_view_state_set_counter (state, key);
  g_autoptr (GMenuModel) menu = menu_for (state, row);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  loom_popover_show (popover, widget, x, y);
}
