/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-help-window.h"

#include "loom-dialog-size.h"
#include "loom-help-page.h"
#include "loom-help-topic.h"
#include "loom-lazy-page.h"
#include "loom-page-index.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

#define FOLDER "/io/github/traceloom/Traceloom/help"
#define GUIDE_WIDTH_PX 860
#define GUIDE_HEIGHT_PX 640

const char *const *
loom_help_window_get_pages (void)
{
  static const char *const pages[] = { /* pages about tasks */
                                       "slow-step", "late-rank", "data-loader", "compare-runs", "align-clocks", "ranks",
                                       "write-rule", "ask-sql", "scripts",
                                       /* reference pages */
                                       "opening", "timeline", "panels", "clocks", "indexes", "rules", "queries",
                                       "exporting", "command-line", "keys", NULL
  };
  return pages;
}

char *
loom_help_window_dup_page (const char *name)
{
  const char *const *languages = g_get_language_names (); /* the last language is "C", in which every page exists */
  for (guint i = 0; languages[i] != NULL; i++) {
    g_autofree char *path = g_strdup_printf (FOLDER "/%s/%s.md", languages[i], name);
    g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (bytes != NULL)
      return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  }
  return NULL;
}

static GtkWidget *
make_page (gpointer window, gconstpointer name)
{
  g_autofree char *text = loom_help_window_dup_page (name);
  return loom_help_page_new (text);
}

static void
add_pages (GtkStack *stack)
{
  const char *const *names = loom_help_window_get_pages ();
  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *text = loom_help_window_dup_page (names[i]);
    if (text == NULL || !g_str_has_prefix (text, "# "))
      continue;
    g_autofree char *title = g_strndup (text + 2, strcspn (text + 2, "\n"));
    gtk_stack_add_titled (stack, loom_lazy_page_new (make_page, NULL, names[i]), names[i], title);
  }
}

static GtkWidget *
new_content (GtkStack *stack)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *sidebar = gtk_stack_sidebar_new ();
  gtk_stack_sidebar_set_stack (GTK_STACK_SIDEBAR (sidebar), stack);
  gtk_accessible_update_property (GTK_ACCESSIBLE (sidebar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Pages"), -1);
  gtk_widget_set_hexpand (GTK_WIDGET (stack), TRUE);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (content), sidebar);
  gtk_box_append (GTK_BOX (content), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (stack));
  return content;
}

static void
show_page (GSimpleAction *action, GVariant *name, gpointer stack)
{
  gtk_stack_set_visible_child_name (stack, g_variant_get_string (name, NULL));
}

/* Adds the action that shows another page of `stack`. Links in the pages activate this action. The stack owns it. */
static void
add_links (GtkStack *stack)
{
  const GActionEntry entry = { .name = "show-page", .activate = show_page, .parameter_type = "s" };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (actions), &entry, 1, stack);
  gtk_widget_insert_action_group (GTK_WIDGET (stack), "help", G_ACTION_GROUP (actions));
}

static gboolean
close_by_key (GtkWidget *window, GVariant *args, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static GtkWindow *
new_window (void)
{
  GtkWidget *window = loom_window_measure_workaround_window_new (), *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkStack *stack = GTK_STACK (gtk_stack_new ());
  GtkWidget *content = new_content (stack);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  add_pages (stack);
  add_links (stack);
  gtk_box_append (GTK_BOX (whole), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (whole), content);
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (close_by_key, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  adw_window_set_content (ADW_WINDOW (window), whole);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Help"));
  loom_dialog_size_set (GTK_WINDOW (window), GUIDE_WIDTH_PX, GUIDE_HEIGHT_PX);
  return GTK_WINDOW (window);
}

/* Returns the stack of pages, which is the last widget of the content. */
static GtkStack *
get_stack (GtkWindow *window)
{
  GtkWidget *content = gtk_widget_get_last_child (adw_window_get_content (ADW_WINDOW (window)));
  return GTK_STACK (gtk_widget_get_last_child (content));
}

/* Moves the focus to the selected row of the list of pages. Otherwise, GTK would focus the first label and select its
 * text. The focus is removed first: if it were in the list, GTK would move it to the next row and select that page. */
static void
focus_pages (GtkWindow *window)
{
  GtkWidget *focused = gtk_window_get_focus (window);
  if (GTK_IS_LABEL (focused))
    gtk_label_select_region (GTK_LABEL (focused), 0, 0);
  gtk_window_set_focus (window, NULL);
  gtk_widget_child_focus (gtk_widget_get_first_child (gtk_widget_get_parent (GTK_WIDGET (get_stack (window)))),
                          GTK_DIR_TAB_FORWARD);
}

/* Shows the page about `place`. If the page lists the pages of a run, scrolls to the item with the title of `place`. */
static void
show_place (GtkStack *stack, const char *place)
{
  const char *name = loom_help_topic_find (place);
  const LoomPageIndex *index = loom_page_index_find (place);
  if (name == NULL)
    return;
  gtk_stack_set_visible_child_name (stack, name);
  if (index != NULL)
    loom_help_page_show_item (loom_lazy_page_get (LOOM_LAZY_PAGE (gtk_stack_get_visible_child (stack))),
                              _ (index->title));
}

void
loom_help_window_present (GtkWindow *parent, const char *place)
{
  static GtkWindow *shown;
  if (shown == NULL) {
    shown = new_window ();
    g_object_add_weak_pointer (G_OBJECT (shown), (gpointer *) &shown);
    gtk_window_set_destroy_with_parent (shown, TRUE);
  }
  show_place (get_stack (shown), place);
  gtk_window_set_transient_for (shown, parent != shown ? parent : gtk_window_get_transient_for (shown));
  if (parent != shown) /* above a modal dialog, only another modal window gets input */
    gtk_window_set_modal (shown, parent != NULL && gtk_window_get_modal (parent));
  gtk_window_present (shown);
  focus_pages (shown);
}
