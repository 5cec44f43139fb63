/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rules-button.h"

#include "loom-archive-path.h"
#include "loom-bounded-text.h"
#include "loom-file-dialogs.h"
#include "loom-recent-runs.h"

#include <glib/gi18n.h>

#define MAX_RECENT 5

struct _LoomRulesButton {
  GtkWidget parent;
  GtkMenuButton *button;
  GtkWidget *page;     /* contents of the popover; rebuilt each time it opens */
  LoomRunRules *rules; /* rule files of the run; NULL before loom_rules_button_set_rules() */
};

G_DEFINE_FINAL_TYPE (LoomRulesButton, loom_rules_button, GTK_TYPE_WIDGET)

static void fill (LoomRulesButton *self);

/* --- files -------------------------------------------------------------------------------------------------------- */

static const char *const *
files_of (LoomRulesButton *self)
{
  static const char *const none[] = { NULL };
  return self->rules != NULL ? loom_run_rules_get_files (self->rules) : none;
}

static void
show_label (LoomRulesButton *self)
{
  guint n = g_strv_length ((char **) files_of (self));
  g_autofree char *label =
    n > 0 ? g_strdup_printf (ngettext ("Rules · %u file", "Rules · %u files", n), n) : g_strdup (_ ("Rules"));
  gtk_menu_button_set_label (self->button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void
loom_rules_button_set_rules (LoomRulesButton *self, LoomRunRules *rules)
{
  g_return_if_fail (LOOM_IS_RULES_BUTTON (self) && self->rules == NULL);
  self->rules = g_object_ref (rules);
  g_signal_connect_object (rules, "notify::files", G_CALLBACK (show_label), self, G_CONNECT_SWAPPED);
  show_label (self);
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
add (LoomRulesButton *self, const char *path)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  loom_recent_runs_add_rules (full);
  loom_run_rules_add_file (self->rules, full);
}

static void
chosen (GFile **files, guint n_files, gpointer button)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL)
    add (button, path);
}

static void
add_clicked (LoomRulesButton *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  gtk_menu_button_popdown (self->button);
  loom_file_dialogs_open (GTK_WINDOW (root), LOOM_FILE_DIALOG_JSON, _ ("Add Rules"), NULL, chosen, self);
}

static const char *
path_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "path");
}

static void
recent_clicked (LoomRulesButton *self, GtkWidget *clicked)
{
  gtk_menu_button_popdown (self->button);
  add (self, path_of (clicked));
}

static void
remove_clicked (LoomRulesButton *self, GtkWidget *clicked)
{
  g_autofree char *path = g_strdup (path_of (clicked));
  loom_run_rules_remove_file (self->rules, path);
  fill (self);
}

static void
edit_clicked (LoomRulesButton *self)
{
  gtk_menu_button_popdown (self->button);
}

/* --- contents of the popover -------------------------------------------------------------------------------------- */

static void
add_title (LoomRulesButton *self, const char *text)
{
  GtkWidget *label = loom_bounded_text_new_label (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (GTK_BOX (self->page), label);
}

static GtkWidget *
new_icon_button (LoomRulesButton *self, const char *icon, const char *words, const char *path, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  loom_bounded_text_set_tip (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_add_css_class (button, "flat");
  g_object_set_data_full (G_OBJECT (button), "path", g_strdup (path), g_free);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

static GtkWidget *
new_name (const char *path)
{
  g_autofree char *name = g_filename_display_basename (path), *place = loom_archive_path_dup_place (path);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = loom_bounded_text_new_label (name),
            *below = loom_bounded_text_new_label (place);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (below), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (below), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (below), 32);
  gtk_widget_add_css_class (below, "dim-label");
  gtk_widget_add_css_class (below, "caption");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (words), title);
  gtk_box_append (GTK_BOX (words), below);
  return words;
}

static void
add_file (LoomRulesButton *self, const char *path)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *edit =
    new_icon_button (self, "document-edit-symbolic", _ ("Edit this file"), path, G_CALLBACK (edit_clicked));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (edit), "^ay", path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (edit), "win.edit-rules-of");
  gtk_box_append (GTK_BOX (line), new_name (path));
  gtk_box_append (GTK_BOX (line), edit);
  gtk_box_append (GTK_BOX (line), new_icon_button (self, "list-remove-symbolic", _ ("Stop using this file"), path,
                                                   G_CALLBACK (remove_clicked)));
  gtk_box_append (GTK_BOX (self->page), line);
}

static void
add_recent (LoomRulesButton *self)
{
  g_autoptr (GPtrArray) recent = loom_recent_runs_list_rules (MAX_RECENT);
  gboolean has_title = FALSE;
  for (guint i = 0; i < recent->len; i++) {
    g_autofree char *path = g_filename_from_uri (((LoomRecentRuns *) recent->pdata[i])->uri, NULL, NULL);
    if (path == NULL || g_strv_contains (files_of (self), path))
      continue;
    GtkWidget *button = gtk_button_new ();
    gtk_button_set_child (GTK_BUTTON (button), new_name (path));
    gtk_widget_add_css_class (button, "flat");
    g_object_set_data_full (G_OBJECT (button), "path", g_strdup (path), g_free);
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (recent_clicked), self);
    if (!has_title)
      add_title (self, _ ("Recent"));
    has_title = TRUE;
    gtk_box_append (GTK_BOX (self->page), button);
  }
}

static void
fill (LoomRulesButton *self)
{
  GtkWidget *child, *add = gtk_button_new_with_mnemonic (_ ("_Add Rule File…")),
                    *edit = gtk_button_new_with_mnemonic (_ ("_Edit Rules…"));
  while ((child = gtk_widget_get_first_child (self->page)) != NULL)
    gtk_box_remove (GTK_BOX (self->page), child);
  const char *const *files = files_of (self);
  if (files[0] != NULL)
    add_title (self, _ ("Rule Files of This Run"));
  for (guint i = 0; files[i] != NULL; i++)
    add_file (self, files[i]);
  add_recent (self);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (edit), "win.edit-rules");
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (add_clicked), self);
  g_signal_connect_swapped (edit, "clicked", G_CALLBACK (edit_clicked), self);
  gtk_box_append (GTK_BOX (self->page), add);
  gtk_box_append (GTK_BOX (self->page), edit);
}

static void
opened (LoomRulesButton *self, GParamSpec *pspec, GtkWidget *popover)
{
  if (gtk_widget_get_visible (popover))
    fill (self);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomRulesButton *self = LOOM_RULES_BUTTON (object);
  if (self->rules != NULL)
    g_signal_handlers_disconnect_by_data (self->rules, self);
  if (self->button != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->button));
  self->button = NULL;
  g_clear_object (&self->rules);
  G_OBJECT_CLASS (loom_rules_button_parent_class)->dispose (object);
}

static void
loom_rules_button_class_init (LoomRulesButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-rules-button.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRulesButton, button);
  gtk_widget_class_bind_template_child (widget_class, LoomRulesButton, page);
  gtk_widget_class_bind_template_callback (widget_class, opened);
}

static void
loom_rules_button_init (LoomRulesButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  show_label (self);
}
