/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-menu.h"

#include "loom-counter-actions.h"
#include "loom-indexed-trace.h"
#include "loom-popover-util.h"
#include "loom-span-menu.h"

#include <glib/gi18n.h>

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
show_alike_activated (GSimpleAction *action, GVariant *parameter, gpointer state)
{
  loom_row_list_show_alike (loom_timeline_state_get_row_list (state), g_variant_get_string (parameter, NULL));
  loom_timeline_state_rows_changed (state);
}

static const GActionEntry actions[] = {
  { "fold", fold_activated, "s" },    { "pin", pin_activated, "s" },
  { "hide", hide_activated, "s" },    { "overlay", overlay_activated, "s" },
  { "show-all", show_all_activated }, { "show-alike", show_alike_activated, "s" },
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

/* Appends an item that reads the events of a rank in the visible range from the trace of the rank. Does nothing if the
 * rank was not loaded from an index. */
static void
append_read_range (GMenu *menu, LoomTimelineState *state, const LoomTimelineRow *row)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  if (!loom_indexed_trace_has_rank (loom_timeline_get_run (timeline), row->rank))
    return;
  g_autofree char *label = g_strdup_printf (_ ("Read Eve_nts of Rank %d in This Range"), row->rank);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, "win.read-range", "i", row->rank);
  g_menu_append_item (menu, item);
}

/* Appends an item that reads the whole trace of a rank in place of its index. Does nothing if the rank was not loaded
 * from an index, or if this machine cannot read the trace. */
static void
append_read_trace (GMenu *menu, LoomTimelineState *state, const LoomTimelineRow *row)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  g_autofree const char **paths =
    row->rank >= 0 ? loom_indexed_trace_list_paths (loom_timeline_get_run (timeline), row->rank) : NULL;
  if (paths == NULL)
    return;
  g_autofree char *label = g_strdup_printf (_ ("Read Full Trace of Ran_k %d"), row->rank);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, "source.read-trace", g_variant_new_bytestring_array (paths, -1));
  g_menu_append_item (menu, item);
}

static GMenuModel *
menu_for (LoomTimelineState *state, const LoomTimelineRow *row, LoomSpanId span)
{
  GMenu *whole = g_menu_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  if (!loom_timeline_span_id_is_none (span))
    loom_span_menu_append (whole, state, span);
  if (row->foldable)
    append (menu, row->folded ? _ ("_Expand") : _ ("Collaps_e"), "row.fold", row->key);
  if (row->kind == LOOM_ROW_COUNTER)
    append (menu, row->overlay ? _ ("Remove _Overlay") : _ ("_Overlay on Spans"), "row.overlay", row->key);
  if (row->late != NULL)
    append (menu, _ ("Show Stra_gglers"), "win.show-page", "stragglers");
  append_read_range (menu, state, row);
  append_read_trace (menu, state, row);
  append (menu, row->pinned ? _ ("Un_pin") : _ ("_Pin to Top"), "row.pin", row->key);
  append (menu, _ ("_Hide"), "row.hide", row->key);
  if (row->n_alike > 0) {
    g_autofree char *label =
      g_strdup_printf (ngettext ("Show %u Si_milar Rank", "Show %u Si_milar Ranks", row->n_alike), row->n_alike);
    append (menu, label, "row.show-alike", row->key);
  }
  guint n_hidden = loom_row_list_get_n_hidden (loom_timeline_state_get_row_list (state));
  if (n_hidden > 0) {
    g_autofree char *label =
      g_strdup_printf (ngettext ("Show %u Hidden Row", "Show %u Hidden Rows", n_hidden), n_hidden);
    g_menu_append (menu, label, "row.show-all");
  }
  if (row->kind == LOOM_ROW_COUNTER)
    loom_counter_actions_append (menu, row);
  g_menu_append_section (whole, NULL, G_MENU_MODEL (menu));
  return G_MENU_MODEL (whole);
}

void
loom_row_menu_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, LoomSpanId span, double x, double y)
{
  const LoomTimelineRow *row = find (state, key);
  if (row == NULL)
    return;
  if (row->kind == LOOM_ROW_COUNTER)
    loom_timeline_state_set_counter (state, key);
  g_autoptr (GMenuModel) menu = menu_for (state, row, span);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  loom_popover_util_show (popover, widget, x, y);
}
