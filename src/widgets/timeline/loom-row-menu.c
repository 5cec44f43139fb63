/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-menu.h"

#include "loom-counter-actions.h"
#include "loom-ellipsize.h"
#include "loom-popover-util.h"
#include "loom-select-same-name.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

#define MAX_NAME_CHARS 40

static const LoomTimelineRow *
find (LoomTimelineState *state, const char *key)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  guint row = loom_row_list_find (outline, key);
  return row != G_MAXUINT ? loom_row_list_get_row (outline, row) : NULL;
}

static void
fold_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomTimelineRow *row = find (state, key);
  if (row != NULL)
    loom_row_list_set_folded (loom_timeline_state_get_row_list (state), key, !row->folded);
  loom_timeline_state_rows_changed (state);
}

static void
pin_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomTimelineRow *row = find (state, key);
  if (row != NULL)
    loom_row_list_set_pinned (loom_timeline_state_get_row_list (state), key, !row->pinned);
  loom_timeline_state_rows_changed (state);
}

static void
hide_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  loom_row_list_set_hidden (loom_timeline_state_get_row_list (state), g_variant_get_string (parameter, NULL), TRUE);
  loom_timeline_state_rows_changed (state);
}

static void
overlay_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  const char *key = g_variant_get_string (parameter, NULL);
  const LoomTimelineRow *row = find (state, key);
  if (row != NULL)
    loom_row_list_set_overlay (loom_timeline_state_get_row_list (state), key, !row->overlay);
  loom_timeline_state_rows_changed (state);
}

static void
show_all_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  loom_row_list_show_all_hidden (loom_timeline_state_get_row_list (state));
  loom_timeline_state_rows_changed (state);
}

static void
same_name_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  LoomSpanId span;
  gboolean all_tracks;
  g_variant_get (parameter, "(uub)", &span.trace, &span.span, &all_tracks);
  loom_select_same_name_select (state, span, all_tracks);
}

static const GActionEntry actions[] = {
  { "fold", fold_activated, "s" },    { "pin", pin_activated, "s" },
  { "hide", hide_activated, "s" },    { "overlay", overlay_activated, "s" },
  { "show-all", show_all_activated }, { "same-name", same_name_activated, "(uub)" },
};

void
loom_row_menu_install (GtkWidget *widget, LoomTimelineState *state)
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

/* Returns the clicked span, else the selected span if it is in this row. */
static LoomSpanId
span_on (LoomTimelineState *state, const LoomTimelineRow *row)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  LoomSpanId spans[] = { loom_timeline_state_get_pointer (state)->span, loom_timeline_state_get_lead (state) };
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    guint at, strip;
    if (!loom_timeline_span_id_is_none (spans[i]) && loom_row_list_find_span (outline, spans[i], &at, &strip) &&
        loom_row_list_get_row (outline, at) == row)
      return spans[i];
  }
  return LOOM_SPAN_ID_NONE;
}

static void
append_same_name (GMenu *menu, LoomTimelineState *state, LoomSpanId span)
{
  const char *const labels[] = { _ ("On This _Track"), _ ("In _All Tracks") };
  g_autoptr (GMenu) section = g_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (labels[i], NULL);
    g_menu_item_set_action_and_target (item, "row.same-name", "(uub)", span.trace, span.span, (gboolean) i);
    g_menu_append_item (section, item);
  }
  g_autofree char *name = loom_ellipsize_middle (loom_timeline_description_name (state, span), MAX_NAME_CHARS);
  g_autofree char *title = g_strdup_printf (_ ("Select all “%s”"), name);
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

static GMenuModel *
menu_for (LoomTimelineState *state, const LoomTimelineRow *row)
{
  GMenu *menu = g_menu_new ();
  if (row->foldable)
    append (menu, row->folded ? _ ("_Unfold") : _ ("_Fold"), "row.fold", row->key);
  if (row->kind == LOOM_ROW_COUNTER)
    append (menu, row->overlay ? _ ("Stop Drawing _over Spans") : _ ("Draw _over Spans"), "row.overlay", row->key);
  append (menu, row->pinned ? _ ("Un_pin") : _ ("_Pin to Top"), "row.pin", row->key);
  append (menu, _ ("_Hide"), "row.hide", row->key);
  guint n_hidden = loom_row_list_get_n_hidden (loom_timeline_state_get_row_list (state));
  if (n_hidden > 0) {
    g_autofree char *label =
      g_strdup_printf (ngettext ("Show %u Hidden Row", "Show %u Hidden Rows", n_hidden), n_hidden);
    g_menu_append (menu, label, "row.show-all");
  }
  if (row->kind == LOOM_ROW_COUNTER)
    loom_counter_actions_append (menu, row);
  LoomSpanId span = span_on (state, row);
  if (!loom_timeline_span_id_is_none (span))
    append_same_name (menu, state, span);
  return G_MENU_MODEL (menu);
}

void
loom_row_menu_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y)
{
  const LoomTimelineRow *row = find (state, key);
  if (row == NULL)
    return;
  if (row->kind == LOOM_ROW_COUNTER)
    loom_timeline_state_set_counter (state, key);
  g_autoptr (GMenuModel) menu = menu_for (state, row);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  loom_popover_util_show (popover, widget, x, y);
}
