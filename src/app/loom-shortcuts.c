/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shortcuts.h"

#include "loom-turns.h"

#include <glib/gi18n.h>
#include <string.h>

#define RESOURCE "/io/github/traceloom/Traceloom/loom-shortcuts.ui"
#define MAKING "loom-shortcuts-making" /* what a window keeps until its overlay is whole */

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

/* --- a section per turn: GTK makes each of some hundred lines twice, for the section and to be searched ---------------- */

typedef struct {
  LoomTurns turns;
  GtkApplicationWindow *window; /* holds this */
  GtkShortcutsWindow *help;
  GtkBuilder *builder;
  guint n;                      /* pieces done */
} Making;

static const char *const sections[] = { "shortcuts", "window", "pointer" };

static void
making_free (gpointer user_data)
{
  Making *making = user_data;
  loom_turns_stop (&making->turns);
  if (making->help != NULL)
    gtk_window_destroy (GTK_WINDOW (making->help));
  g_object_unref (making->builder);
  g_free (making);
}

/* Whole, or the window goes. */
static void
end (GtkApplicationWindow *window)
{
  g_signal_handlers_disconnect_by_func (window, end, NULL);
  g_object_set_data (G_OBJECT (window), MAKING, NULL);
}

static void
read_section (Making *making, const char *section)
{
  const char *ids[] = { "mouse", section, NULL }; /* what it shows, of which the file knows no owner */
  g_autoptr (GError) error = NULL;
  if (!gtk_builder_add_objects_from_resource (making->builder, RESOURCE, ids, &error))
    g_error ("%s", error->message);
}

/* As the file's window would; there is no other way to say it. */
static void
add_section (Making *making, const char *section)
{
  GtkBuildable *help = GTK_BUILDABLE (making->help);
  GTK_BUILDABLE_GET_IFACE (help)->add_child (help, making->builder, gtk_builder_get_object (making->builder, section), NULL);
}

static void
show (Making *making)
{
  GtkApplicationWindow *window = making->window;
  GtkShortcutsWindow *help = g_steal_pointer (&making->help);
  spell_keys (GTK_WIDGET (help)); /* what is searched too */
  gtk_application_window_set_help_overlay (window, help); /* from now on the action is GTK's own */
  gtk_window_present (GTK_WINDOW (help));
  end (window);
}

static gboolean
advance (gpointer user_data)
{
  Making *making = user_data;
  const char *section = sections[MIN (making->n / 2, G_N_ELEMENTS (sections) - 1)];
  gboolean whole = making->n == 2 * G_N_ELEMENTS (sections);
  if (whole)
    show (making);
  else if (making->n++ % 2 == 0)
    read_section (making, section);
  else
    add_section (making, section);
  return !whole;
}

static void
begin (GtkApplicationWindow *window)
{
  Making *making = g_new0 (Making, 1);
  loom_turns_init (&making->turns, advance, making);
  making->window = window;
  making->builder = gtk_builder_new ();
  making->help = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, NULL);
  g_object_set_data_full (G_OBJECT (window), MAKING, making, making_free);
  g_signal_connect (window, "destroy", G_CALLBACK (end), NULL);
  loom_turns_begin (&making->turns);
}

void
loom_shortcuts_present (GtkApplicationWindow *window)
{
  g_return_if_fail (GTK_IS_APPLICATION_WINDOW (window));
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (window);
  if (help != NULL)
    gtk_window_present (GTK_WINDOW (help));
  else if (g_object_get_data (G_OBJECT (window), MAKING) == NULL)
    begin (window);
}
