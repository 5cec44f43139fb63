/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-command-palette.h"

#include "loom-commands.h"

#include <glib/gi18n.h>
#include <string.h>

#define WIDTH_PX 480
#define HEIGHT_PX 420
#define SPACING_PX 12

struct _LoomCommandPalette {
  AdwWindow parent;
  LoomTimelineView *timeline; /* borrowed: the window goes with its parent */
  GtkWidget *entry;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (LoomCommandPalette, loom_command_palette, ADW_TYPE_WINDOW)

static const LoomCommand *
command_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "command");
}

/* --- running ---------------------------------------------------------------------------------------------------- */

static void
activate_action (GtkWidget *widget, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  if (g_action_parse_detailed_name (detailed, &name, &target, NULL))
    gtk_widget_activate_action_variant (widget, name, target);
}

static void
press_key (LoomTimelineView *timeline, const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;
  gtk_accelerator_parse (accelerator, &key, &modifiers);
  gtk_widget_grab_focus (GTK_WIDGET (timeline));
  loom_timeline_view_press_key (timeline, key, modifiers);
}

static void
run (LoomCommandPalette *self, GtkListBoxRow *row)
{
  const LoomCommand *command = command_of (row);
  g_autoptr (LoomTimelineView) timeline = g_object_ref (self->timeline);
  gtk_window_destroy (GTK_WINDOW (self));
  if (command->action != NULL)
    activate_action (GTK_WIDGET (timeline), command->action); /* of it, of the window or of the program */
  else
    press_key (timeline, command->keys[0]);
}

/* --- choosing --------------------------------------------------------------------------------------------------- */

static gboolean
is_possible (LoomCommandPalette *self, const LoomCommand *command)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  gboolean enabled = TRUE;
  if (command->action == NULL)
    return gtk_widget_get_mapped (GTK_WIDGET (self->timeline));
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (self));
  const struct {
    const char *prefix;
    GActionGroup *group;
  } groups[] = { { "win.", G_ACTION_GROUP (window) },
                 { "app.", G_ACTION_GROUP (gtk_window_get_application (window)) },
                 { "counter.", loom_timeline_view_get_counter_actions (self->timeline) } };
  g_action_parse_detailed_name (command->action, &name, &target, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (g_str_has_prefix (name, groups[i].prefix))
      return g_action_group_query_action (groups[i].group, name + strlen (groups[i].prefix), &enabled, NULL, NULL, NULL, NULL) && enabled;
  return TRUE;
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer user_data)
{
  LoomCommandPalette *self = user_data;
  return loom_command_matches (command_of (row), gtk_editable_get_text (GTK_EDITABLE (self->entry)));
}

/* The nth row that shows. */
static GtkListBoxRow *
shown_row (LoomCommandPalette *self, int n)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)) && n-- == 0)
      return row;
  return NULL;
}

static void
query_changed (LoomCommandPalette *self)
{
  gtk_list_box_invalidate_filter (self->list);
  gtk_list_box_select_row (self->list, shown_row (self, 0));
}

static void
entry_activated (LoomCommandPalette *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  if (row != NULL && gtk_widget_get_child_visible (GTK_WIDGET (row)))
    run (self, row);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
move_selection (LoomCommandPalette *self, int step)
{
  GtkListBoxRow *row, *selected = gtk_list_box_get_selected_row (self->list);
  int at = 0;
  while ((row = shown_row (self, at)) != NULL && row != selected)
    at++;
  row = shown_row (self, MAX (at + step, 0));
  if (row == NULL)
    return;
  gtk_list_box_select_row (self->list, row);
  gtk_widget_grab_focus (GTK_WIDGET (row)); /* scrolls there */
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

static gboolean
key_pressed (LoomCommandPalette *self, guint keyval)
{
  switch (keyval) {
  case GDK_KEY_Up: move_selection (self, -1); return GDK_EVENT_STOP;
  case GDK_KEY_Down: move_selection (self, 1); return GDK_EVENT_STOP;
  case GDK_KEY_Escape: gtk_window_close (GTK_WINDOW (self)); return GDK_EVENT_STOP;
  default: return GDK_EVENT_PROPAGATE;
  }
}

/* --- building --------------------------------------------------------------------------------------------------- */

static GtkWidget *
new_row (const LoomCommand *command)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX);
  GtkWidget *title = gtk_label_new (_ (command->title));
  const char *key = command->accels[0] != NULL ? command->accels[0] : command->keys[0];
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (box), title);
  if (key != NULL)
    gtk_box_append (GTK_BOX (box), gtk_shortcut_label_new (key));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "command", (gpointer) command);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (command->title), -1);
  return row;
}

static GtkWidget *
new_list (LoomCommandPalette *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "command-list");
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (run), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Commands"), -1);
  return scrolled;
}

static GtkWidget *
new_entry (LoomCommandPalette *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("What to do"), "hexpand", TRUE, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Search commands"), -1);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (query_changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (entry_activated), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->entry, keys);
  return self->entry;
}

static void
loom_command_palette_class_init (LoomCommandPaletteClass *klass)
{
}

static void
loom_command_palette_init (LoomCommandPalette *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), new_entry (self));
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), new_list (self));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Command palette"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH_PX, HEIGHT_PX);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
}

LoomCommandPalette *
loom_command_palette_new (GtkWindow *window, LoomTimelineView *timeline)
{
  LoomCommandPalette *self = g_object_new (LOOM_TYPE_COMMAND_PALETTE, "transient-for", window, NULL);
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  self->timeline = timeline;
  for (guint i = 0; i < n; i++)
    if (is_possible (self, &commands[i]))
      gtk_list_box_append (self->list, new_row (&commands[i]));
  query_changed (self);
  gtk_widget_grab_focus (self->entry);
  return self;
}

GtkEditable *
loom_command_palette_get_entry (LoomCommandPalette *self)
{
  return GTK_EDITABLE (self->entry);
}
