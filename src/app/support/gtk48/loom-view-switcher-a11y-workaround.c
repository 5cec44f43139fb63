/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-switcher-a11y-workaround.h"

#define KEYS "loom-tab-keys"

/* Returns the first visible button in a search that begins with `button` itself. The search goes backward if `back` is
 * TRUE, otherwise forward. Returns NULL if it finds no visible button. */
static GtkWidget *
find_button (GtkWidget *button, gboolean back)
{
  while (button != NULL && !gtk_widget_get_visible (button))
    button = back ? gtk_widget_get_prev_sibling (button) : gtk_widget_get_next_sibling (button);
  return button;
}

/* Moves the focus to the button after the focused button or, if `back` is TRUE, to the button before it. */
static gboolean
move_between (GtkWidget *switcher, gboolean back)
{
  GtkWidget *focus = gtk_widget_get_focus_child (switcher);
  GtkWidget *next = focus == NULL ? NULL
                    : back        ? gtk_widget_get_prev_sibling (focus)
                                  : gtk_widget_get_next_sibling (focus);
  next = find_button (next, back);
  return next != NULL && gtk_widget_grab_focus (next);
}

/* Called when Tab is pressed in a view switcher. Tab must leave the switcher, as it leaves other lists of tabs. So
 * this function moves the focus to the last button, or to the first button if `back` is TRUE (Shift+Tab); then GTK
 * moves the focus out of the switcher. */
static gboolean
leave (GtkWidget *switcher, gboolean back)
{
  GtkWidget *end = back ? gtk_widget_get_first_child (switcher) : gtk_widget_get_last_child (switcher);
  end = find_button (end, !back);
  if (end != NULL)
    gtk_widget_grab_focus (end);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
key_pressed (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType modifiers, GtkWidget *switcher)
{
  gboolean mirrored = gtk_widget_get_direction (switcher) == GTK_TEXT_DIR_RTL;
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval) {
  case GDK_KEY_Tab: return leave (switcher, (modifiers & GDK_SHIFT_MASK) != 0);
  case GDK_KEY_ISO_Left_Tab: return leave (switcher, TRUE);
  case GDK_KEY_Left: return move_between (switcher, !mirrored);
  case GDK_KEY_Right: return move_between (switcher, mirrored);
  default: return GDK_EVENT_PROPAGATE;
  }
}

static void
add_keys (GtkWidget *switcher)
{
  if (g_object_get_data (G_OBJECT (switcher), KEYS) != NULL)
    return;
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), switcher);
  gtk_widget_add_controller (switcher, keys);
  g_object_set_data (G_OBJECT (switcher), KEYS, keys);
}

void
loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name)
{
  if (ADW_IS_VIEW_SWITCHER (widget)) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    add_keys (widget);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    loom_view_switcher_a11y_workaround_set (child, name);
}
