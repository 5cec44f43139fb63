/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-actions.h"

#include "loom-source-commands.h"
#include "loom-source-dialog.h"

#include <glib/gi18n.h>

#define DATA "loom-document" /* each action stores the document as object data with this key */

static LoomDocument *
document_of (GSimpleAction *action)
{
  return g_object_get_data (G_OBJECT (action), DATA);
}

static void
solo_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_source_commands_set_solo (document_of (action), paths[0] != NULL ? paths : NULL);
}

static void
mute_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  LoomDocument *document = document_of (action);
  loom_source_commands_set_muted (document, paths, !loom_source_commands_are_muted (document, paths));
}

static void
describe_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_source_dialog_present (GTK_WINDOW (gtk_widget_get_root (widget)), document_of (action), paths);
}

static void
reload_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_document_reload_sources (document_of (action), paths);
}

static void
remove_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_source_commands_remove (document_of (action), paths);
}

static void
read_trace_activated (GSimpleAction *action, GVariant *parameter, gpointer widget)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_source_commands_read_traces (document_of (action), paths);
}

static const struct {
  const char *name;
  void (*activated) (GSimpleAction *action, GVariant *parameter, gpointer widget);
} actions[] = {
  { "solo", solo_activated },     { "mute", mute_activated },     { "describe", describe_activated },
  { "reload", reload_activated }, { "remove", remove_activated }, { "read-trace", read_trace_activated },
};

void
loom_source_actions_add (GtkWidget *widget, LoomDocument *document)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++) {
    g_autoptr (GSimpleAction) action = g_simple_action_new (actions[i].name, G_VARIANT_TYPE_BYTESTRING_ARRAY);
    g_object_set_data (G_OBJECT (action), DATA, document);
    g_signal_connect (action, "activate", G_CALLBACK (actions[i].activated), widget);
    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  }
  gtk_widget_insert_action_group (widget, "source", G_ACTION_GROUP (group));
}

static void
append (GMenu *menu, const char *label, const char *action, const char *const *paths)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, action, g_variant_new_bytestring_array (paths, -1));
  g_menu_append_item (menu, item);
}

GMenuModel *
loom_source_actions_new_menu (LoomSourceItem *item, gboolean is_solo)
{
  static const char *const none[] = { NULL };
  const char *const *paths = loom_source_item_get_paths (item);
  g_autoptr (GMenu) shown = g_menu_new (), read = g_menu_new ();
  GMenu *menu = g_menu_new ();
  append (shown, is_solo ? _ ("Show _All") : _ ("Show _Only This"), "source.solo", is_solo ? none : paths);
  append (shown, item->muted ? _ ("Sho_w") : _ ("_Hide"), "source.mute", paths);
  append (shown, _ ("_Edit…"), "source.describe", paths);
  if (item->can_read_trace)
    append (read, _ ("Read Full _Trace"), "source.read-trace", paths);
  append (read, _ ("Re_load"), "source.reload", paths);
  append (read, _ ("_Remove"), "source.remove", paths);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (shown));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (read));
  return G_MENU_MODEL (menu);
}
