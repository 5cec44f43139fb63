/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages are a little Markdown: "# title", "## heading", "- item", paragraphs, and within them **strong** and `typed`.
 * Each block becomes a label, so that a screen reader walks through them and text can be selected.
 */
#include "loom-help.h"

#include <glib/gi18n.h>

#define FOLDER "/io/github/traceloom/Traceloom/help"
#define GUIDE_WIDTH_PX 860
#define GUIDE_HEIGHT_PX 640
#define TEXT_WIDTH_PX 640

const char *const *
loom_help_get_pages (void)
{
  static const char *const pages[] = { "opening", "timeline", "clocks", "panels", "rules", "exporting", "command-line", "keys", NULL };
  return pages;
}

char *
loom_help_dup_page (const char *name)
{
  const char *const *languages = g_get_language_names (); /* ends with C */
  for (guint i = 0; languages[i] != NULL; i++) {
    g_autofree char *path = g_strdup_printf (FOLDER "/%s/%s.md", languages[i], name);
    g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (bytes != NULL)
      return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  }
  return NULL;
}

/* Pango markup of a line. */
static char *
dup_markup (const char *line)
{
  g_autofree char *escaped = g_markup_escape_text (line, -1);
  g_autoptr (GRegex) strong = g_regex_new ("\\*\\*(.+?)\\*\\*", 0, 0, NULL), typed = g_regex_new ("`(.+?)`", 0, 0, NULL);
  g_autofree char *bold = g_regex_replace (strong, escaped, -1, 0, "<b>\\1</b>", 0, NULL);
  return g_regex_replace (typed, bold, -1, 0, "<tt>\\1</tt>", 0, NULL);
}

static GtkWidget *
new_text (const char *line, const char *style)
{
  g_autofree char *markup = dup_markup (line);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
new_item (const char *line)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9), *dot = gtk_label_new ("•");
  gtk_widget_set_valign (dot, GTK_ALIGN_START);
  gtk_widget_set_margin_start (box, 6);
  gtk_box_append (GTK_BOX (box), dot);
  gtk_box_append (GTK_BOX (box), new_text (line, NULL));
  return box;
}

static GtkWidget *
new_block (const char *line)
{
  if (g_str_has_prefix (line, "# "))
    return new_text (line + 2, "title-1");
  if (g_str_has_prefix (line, "## ")) {
    GtkWidget *heading = new_text (line + 3, "title-4");
    gtk_widget_set_margin_top (heading, 12);
    return heading;
  }
  return g_str_has_prefix (line, "- ") ? new_item (line + 2) : new_text (line, NULL);
}

static GtkWidget *
new_page (const char *text)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *clamp = adw_clamp_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      gtk_box_append (GTK_BOX (box), new_block (lines[i]));
  g_object_set (box, "margin-top", 24, "margin-bottom", 24, "margin-start", 18, "margin-end", 18, NULL);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), TEXT_WIDTH_PX);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  return scrolled;
}

static void
add_pages (GtkStack *stack)
{
  const char *const *names = loom_help_get_pages ();
  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *text = loom_help_dup_page (names[i]);
    if (text == NULL || !g_str_has_prefix (text, "# "))
      continue;
    g_autofree char *title = g_strndup (text + 2, strcspn (text + 2, "\n"));
    gtk_stack_add_titled (stack, new_page (text), names[i], title);
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

static gboolean
close_by_key (GtkWidget *window, GVariant *args, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static GtkWindow *
new_window (void)
{
  GtkWidget *window = adw_window_new (), *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkStack *stack = GTK_STACK (gtk_stack_new ());
  GtkWidget *content = new_content (stack);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  add_pages (stack);
  gtk_box_append (GTK_BOX (whole), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (whole), content);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (close_by_key, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  adw_window_set_content (ADW_WINDOW (window), whole);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Help"));
  gtk_window_set_default_size (GTK_WINDOW (window), GUIDE_WIDTH_PX, GUIDE_HEIGHT_PX);
  return GTK_WINDOW (window);
}

/* GTK gives the keyboard to the first text when the window comes, and selects it; the list of pages is a better place. */
static void
focus_pages (GtkWindow *window)
{
  GtkWidget *focused = gtk_window_get_focus (window);
  if (GTK_IS_LABEL (focused))
    gtk_label_select_region (GTK_LABEL (focused), 0, 0);
  GtkWidget *content = gtk_widget_get_last_child (adw_window_get_content (ADW_WINDOW (window)));
  gtk_widget_child_focus (gtk_widget_get_first_child (content), GTK_DIR_TAB_FORWARD);
}

void
loom_help_present (GtkWindow *parent)
{
  static GtkWindow *shown;
  if (shown == NULL) {
    shown = new_window ();
    g_object_add_weak_pointer (G_OBJECT (shown), (gpointer *) &shown);
    gtk_window_set_destroy_with_parent (shown, TRUE);
  }
  gtk_window_set_transient_for (shown, parent != shown ? parent : gtk_window_get_transient_for (shown));
  gtk_window_present (shown);
  focus_pages (shown);
}
