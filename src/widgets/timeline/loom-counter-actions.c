/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counter-actions.h"

#include "loom-counter-chooser.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWidget *widget; /* borrowed, because the widget owns the action group, which owns this struct */
  LoomTimelineState *state;
  GSimpleActionGroup *group;
  LoomPlaceOfRow place_of;
} Actions;

static const LoomTimelineRow *
find_row (Actions *self)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  const char *key = loom_timeline_state_get_counter (self->state);
  guint row = key != NULL ? loom_row_list_find (outline, key) : G_MAXUINT;
  return row != G_MAXUINT ? loom_row_list_get_row (outline, row) : NULL;
}

static GSimpleAction *
action_of (Actions *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->group), name));
}

/* Enables the actions if there is a current counter (loom_timeline_state_get_counter()), and sets their states to the
 * settings of this counter. */
static void
update (Actions *self)
{
  static const char *const names[] = { "quantity", "stacked", "logarithmic", "lay-over" };
  const LoomTimelineRow *row = find_row (self);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (action_of (self, names[i]), row != NULL);
  if (row == NULL)
    return;
  LoomCounterMode mode = row->parts->mode;
  g_simple_action_set_state (action_of (self, "quantity"),
                             g_variant_new_string (loom_counter_mode_get_word (mode.quantity)));
  g_simple_action_set_state (action_of (self, "stacked"), g_variant_new_boolean (mode.stacked));
  g_simple_action_set_state (action_of (self, "logarithmic"), g_variant_new_boolean (mode.logarithmic));
  g_simple_action_set_enabled (action_of (self, "logarithmic"), !mode.stacked);
}

static void
set_mode (Actions *self, LoomCounterMode mode)
{
  const LoomTimelineRow *row = find_row (self);
  if (row == NULL)
    return;
  g_autofree char *key = g_strdup (row->key);
  loom_row_list_set_plot_mode (loom_timeline_state_get_row_list (self->state), key, mode);
  loom_timeline_state_rows_changed (self->state);
}

static LoomCounterMode
mode_of (Actions *self)
{
  const LoomTimelineRow *row = find_row (self);
  return row != NULL ? row->parts->mode : (LoomCounterMode) { LOOM_QUANTITY_VALUE, FALSE, FALSE };
}

static void
quantity_changed (GSimpleAction *action, GVariant *word, gpointer self)
{
  LoomCounterMode mode = mode_of (self);
  mode.quantity = loom_counter_mode_from_word (g_variant_get_string (word, NULL));
  set_mode (self, mode);
}

static void
stacked_changed (GSimpleAction *action, GVariant *value, gpointer self)
{
  LoomCounterMode mode = mode_of (self);
  mode.stacked = g_variant_get_boolean (value);
  set_mode (self, mode);
}

static void
logarithmic_changed (GSimpleAction *action, GVariant *value, gpointer self)
{
  LoomCounterMode mode = mode_of (self);
  mode.logarithmic = g_variant_get_boolean (value);
  set_mode (self, mode);
}

static void
lay_over_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Actions *self = user_data;
  const LoomTimelineRow *row = find_row (self);
  double x = 0, y = 0;
  if (row == NULL)
    return;
  self->place_of (self->widget, loom_row_list_find (loom_timeline_state_get_row_list (self->state), row->key), &x, &y);
  loom_counter_chooser_popup (self->widget, self->state, row->key, x, y);
}

static const GActionEntry actions[] = {
  { "quantity", NULL, "s", "'value'", quantity_changed },
  { "stacked", NULL, NULL, "false", stacked_changed },
  { "logarithmic", NULL, NULL, "false", logarithmic_changed },
  { "lay-over", lay_over_activated },
};

static void
actions_free (gpointer data)
{
  Actions *self = data;
  g_signal_handlers_disconnect_by_data (self->state, self);
  g_object_unref (self->state);
  g_free (self);
}

GActionGroup *
loom_counter_actions_install (GtkWidget *widget, LoomTimelineState *state, LoomPlaceOfRow place_of)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  Actions *self = g_new (Actions, 1);
  *self = (Actions) { widget, g_object_ref (state), group, place_of };
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), self);
  g_object_set_data_full (G_OBJECT (group), "loom-counter-actions", self, actions_free);
  g_signal_connect_swapped (state, "rows-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (state, "counter-changed", G_CALLBACK (update), self);
  gtk_widget_insert_action_group (widget, "counter", G_ACTION_GROUP (group));
  update (self);
  return G_ACTION_GROUP (group);
}

void
loom_counter_actions_append (GMenu *menu, const LoomTimelineRow *row)
{
  g_autoptr (GMenu) quantities = g_menu_new (), looks = g_menu_new ();
  g_menu_append (quantities, _ ("_Values"), "counter.quantity::value");
  g_menu_append (quantities, _ ("_Differences"), "counter.quantity::difference");
  g_menu_append (quantities, _ ("_Rate per Second"), "counter.quantity::rate");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (quantities));
  if (row->n_series > 1)
    g_menu_append (looks, _ ("_Stacked"), "counter.stacked");
  g_menu_append (looks, _ ("_Logarithmic Scale"), "counter.logarithmic");
  g_menu_append (looks, _ ("Overlay Other Co_unters…"), "counter.lay-over");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (looks));
}
