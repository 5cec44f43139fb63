/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shortcuts-window.h"

#include "loom-commands.h"
#include "loom-idle-queue.h"

#include <glib/gi18n.h>
#include <string.h>

#define LINES_OF_PAGE 17 /* maximum number of lines in a column of the shortcuts window */
/* while a shortcuts window is being built, its main window stores the progress (Making) as object data with this key */
#define MAKING "loom-shortcuts-making"

/* Translates the names of keys that GTK shows untranslated, for example "Page_Up". */
static void
spell_keys (GtkWidget *widget)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
  if (g_str_equal (text, "Page_Up"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Up"));
  else if (g_str_equal (text, "Page_Down"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Down"));
  else if (g_str_has_prefix (text, "Shift") && g_str_has_suffix (text, "L") && strlen (text) <= strlen ("Shift") + 4)
    /* shows "Shift" instead of GTK's "Shift L", because either Shift key works */
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Shift"));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    spell_keys (child);
}

/* --- making one section per turn of the main loop, because there are some hundred lines --------------------------- */

typedef struct {
  LoomIdleQueue turns;
  /* main window over which the shortcuts window is shown; owns this struct as object data */
  GtkApplicationWindow *window;
  GtkShortcutsWindow *help;
  GtkBuildable *section; /* a section that is complete but not yet added to the shortcuts window; owned */
  guint next;            /* index of the next section's line in loom_commands_get_shortcuts() */
} Making;

static void
making_free (gpointer user_data)
{
  Making *making = user_data;
  loom_idle_queue_stop (&making->turns);
  g_clear_object (&making->section);
  if (making->help != NULL)
    gtk_window_destroy (GTK_WINDOW (making->help));
  g_free (making);
}

/* Stops building the shortcuts window, either because it is complete or because `window` is destroyed. */
static void
end (GtkApplicationWindow *window)
{
  g_signal_handlers_disconnect_by_func (window, end, NULL);
  g_object_set_data (G_OBJECT (window), MAKING, NULL);
}

/* Adds a section, group or shortcut to its parent. GTK 4.8 has no other method for this;
 * gtk_shortcuts_section_add_group() needs GTK 4.14. */
static void
add_child (GtkBuildable *parent, gpointer child)
{
  GTK_BUILDABLE_GET_IFACE (parent)->add_child (parent, NULL, child, NULL);
}

static GObject *
new_shortcut (const LoomShortcut *line)
{
  const char *title = g_dpgettext2 (NULL, "shortcuts", line->title);
  if (line->kind == LOOM_SHORTCUT_GESTURE) {
    g_autoptr (GIcon) icon = g_themed_icon_new ("input-mouse-symbolic");
    return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "shortcut-type", GTK_SHORTCUT_GESTURE, "title", title, "subtitle",
                         g_dpgettext2 (NULL, "shortcuts", line->value), "icon", icon, NULL);
  }
  g_autofree char *keys = loom_commands_dup_shortcut_keys (line);
  return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "title", title, "accelerator", keys, NULL);
}

/* Makes a section with all its groups. The section begins at the line `next` of loom_commands_get_shortcuts(). */
static void
make_section (Making *making)
{
  guint n;
  const LoomShortcut *lines = loom_commands_get_shortcuts (&n), *line = &lines[making->next++];
  GtkBuildable *group = NULL;
  making->section =
    g_object_ref_sink (g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name", line->value, "title",
                                     g_dpgettext2 (NULL, "shortcuts", line->title), "max-height", LINES_OF_PAGE, NULL));
  for (; making->next < n && lines[making->next].kind != LOOM_SHORTCUT_SECTION; making->next++) {
    line = &lines[making->next];
    if (line->kind == LOOM_SHORTCUT_GROUP) {
      group = g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", g_dpgettext2 (NULL, "shortcuts", line->title), NULL);
      add_child (making->section, group);
    } else {
      add_child (group, new_shortcut (line));
    }
  }
}

static void
add_section (Making *making)
{
  add_child (GTK_BUILDABLE (making->help), making->section);
  g_clear_object (&making->section);
}

static void
show (Making *making)
{
  GtkApplicationWindow *window = making->window;
  GtkShortcutsWindow *help = g_steal_pointer (&making->help);
  spell_keys (GTK_WIDGET (help));                         /* also translates the names of keys in the search results */
  gtk_application_window_set_help_overlay (window, help); /* from now on, GTK's own action shows the shortcuts window */
  gtk_window_present (GTK_WINDOW (help));
  end (window);
}

static gboolean
advance (gpointer user_data)
{
  Making *making = user_data;
  guint n;
  loom_commands_get_shortcuts (&n);
  if (making->section != NULL)
    add_section (making);
  else if (making->next < n)
    make_section (making);
  else {
    show (making);
    return G_SOURCE_REMOVE;
  }
  return G_SOURCE_CONTINUE;
}

static void
begin (GtkApplicationWindow *window)
{
  Making *making = g_new0 (Making, 1);
  loom_idle_queue_init (&making->turns, advance, making);
  making->window = window;
  making->help = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE, NULL);
  g_object_set_data_full (G_OBJECT (window), MAKING, making, making_free);
  g_signal_connect (window, "destroy", G_CALLBACK (end), NULL);
  loom_idle_queue_begin (&making->turns);
}

void
loom_shortcuts_window_present (GtkApplicationWindow *window)
{
  g_return_if_fail (GTK_IS_APPLICATION_WINDOW (window));
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (window);
  if (help != NULL)
    gtk_window_present (GTK_WINDOW (help));
  else if (g_object_get_data (G_OBJECT (window), MAKING) == NULL)
    begin (window);
}
