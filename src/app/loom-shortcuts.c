/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shortcuts.h"

#include <glib/gi18n.h>
#include <string.h>

#define RESOURCE "/io/github/traceloom/Traceloom/loom-shortcuts.ui"

/* GTK shows the names of some keys as its code has them. */
static void
spell_keys (GtkWidget *widget)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
  if (g_str_equal (text, "Page_Up"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Up"));
  else if (g_str_equal (text, "Page_Down"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Down"));
  else if (g_str_has_prefix (text, "Shift") && g_str_has_suffix (text, "L") && strlen (text) <= strlen ("Shift") + 4)
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Shift")); /* either one; GTK knows the left one by name */
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    spell_keys (child);
}

void
loom_shortcuts_present (GtkApplicationWindow *window)
{
  g_return_if_fail (GTK_IS_APPLICATION_WINDOW (window));
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (window);
  if (help == NULL) {
    g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (RESOURCE);
    help = GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
    spell_keys (GTK_WIDGET (help));
    gtk_application_window_set_help_overlay (window, help); /* from now on the action is GTK's own */
  }
  gtk_window_present (GTK_WINDOW (help));
}
