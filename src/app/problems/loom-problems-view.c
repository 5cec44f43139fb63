/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problems-view.h"

#include "loom-bounded-text.h"
#include "loom-ellipsize.h"
#include "loom-locale-number.h"
#include "loom-narrow-table.h"
#include "loom-problem-columns.h"
#include "loom-rtl-column-workaround.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomProblemsView {
  GtkWidget parent;
  GtkWidget *box;
  GtkWidget *bar;
  GtkSearchEntry *words;
  GtkToggleButton *severities[LOOM_SEVERITY_ERROR + 1];
  GtkWidget *only; /* bar with the note that only problems of some files are shown */
  GtkLabel *only_label;
  GtkButton *show_all;
  GtkStack *pages;
  GtkScrolledWindow *scrolled;
  GtkColumnView *table;
  GtkWidget *details;
  GtkImage *icon;
  GtkLabel *message;
  GtkLabel *place;
  GtkLabel *excerpt;
  GtkButton *copy;

  LoomProblemList *list;
  LoomTableModel *model;
  GtkSingleSelection *selection;
  char **paths; /* paths of the files whose problems are shown; NULL if the problems of all files are shown */
  LoomProblemItem *chosen; /* the selected problem, whose details are shown */
};

G_DEFINE_FINAL_TYPE (LoomProblemsView, loom_problems_view, GTK_TYPE_WIDGET)

/* --- details ---------------------------------------------------------------------------------------------------- */

/* Shows the text of the file around the problem's offset. The part from the offset on is bold. */
static void
show_excerpt (LoomProblemsView *self)
{
  gsize at = 0;
  const char *excerpt = self->chosen != NULL ? loom_problem_item_get_excerpt (self->chosen, &at) : NULL;
  gboolean any = excerpt != NULL && *excerpt != '\0';
  gtk_widget_set_visible (GTK_WIDGET (self->excerpt), any);
  if (!any)
    return;
  g_autofree char *before = g_markup_escape_text (excerpt, (gssize) at);
  g_autofree char *after = loom_ellipsize_markup (excerpt + at);
  gboolean ends = excerpt[at] == '\0';
  g_autofree char *markup = g_strdup_printf ("<span alpha=\"70%%\">%s</span><b>%s</b>%s%s%s", before, after,
                                             ends ? " <i>" : "", ends ? _ ("(end of file)") : "", ends ? "</i>" : "");
  gtk_label_set_markup (self->excerpt, markup);
}

static void
show_details (LoomProblemsView *self)
{
  if (self->chosen != NULL)
    g_signal_handlers_disconnect_by_data (self->chosen, self);
  g_set_object (&self->chosen, gtk_single_selection_get_selected_item (self->selection));
  gtk_widget_set_visible (self->details, self->chosen != NULL);
  if (self->chosen == NULL)
    return;
  const LoomProblemFacts *facts = loom_problem_item_get_facts (self->chosen);
  const char *classes[] = { loom_problem_columns_severity_get_class (facts->severity), NULL };
  g_autofree char *place = loom_problem_item_dup_place (self->chosen);
  gtk_image_set_from_icon_name (self->icon, loom_problem_columns_severity_get_icon (facts->severity));
  gtk_widget_set_css_classes (GTK_WIDGET (self->icon), classes);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  loom_problem_item_severity_get_word (facts->severity), -1);
  loom_bounded_text_set_label (self->message, facts->message);
  loom_bounded_text_set_label (self->place, place);
  g_signal_connect_swapped (self->chosen, "notify::excerpt", G_CALLBACK (show_excerpt), self);
  loom_problem_item_load_excerpt (self->chosen);
  show_excerpt (self);
}

/* --- showing the list of problems ------------------------------------------------------------------------------- */

static void
show_page (LoomProblemsView *self)
{
  gboolean any = loom_problem_list_get_n (self->list) > 0;
  gboolean match = g_list_model_get_n_items (G_LIST_MODEL (self->model)) > 0;
  gtk_stack_set_visible_child_name (self->pages, match ? "list" : any ? "no-match" : "none");
  gtk_widget_set_visible (self->bar, any);
}

static void
show_counts (LoomProblemsView *self)
{
  for (LoomSeverity severity = LOOM_SEVERITY_INFO; severity <= LOOM_SEVERITY_ERROR; severity++) {
    guint n = loom_problem_list_count (self->list, severity, (const char *const *) self->paths);
    g_autofree char *number = loom_locale_number_group (n);
    g_autofree char *text =
      severity == LOOM_SEVERITY_ERROR     ? g_strdup_printf (ngettext ("%s error", "%s errors", n), number)
      : severity == LOOM_SEVERITY_WARNING ? g_strdup_printf (ngettext ("%s warning", "%s warnings", n), number)
                                          : g_strdup_printf (ngettext ("%s note", "%s notes", n), number);
    gtk_button_set_label (GTK_BUTTON (self->severities[severity]), text);
    gtk_widget_set_sensitive (GTK_WIDGET (self->severities[severity]), n > 0);
  }
}

static void
show_only (LoomProblemsView *self)
{
  guint n = self->paths != NULL ? g_strv_length (self->paths) : 0;
  gtk_widget_set_visible (self->only, n > 0);
  if (n == 0)
    return;
  g_autofree char *base = g_path_get_basename (self->paths[0]), *name = g_filename_display_name (base);
  g_autofree char *text =
    n == 1 ? g_strdup_printf (_ ("Only problems of “%s”"), name)
           : g_strdup_printf (ngettext ("Only problems of %u file", "Only problems of %u files", n), n);
  loom_bounded_text_set_label (self->only_label, text);
}

static void
filter (LoomProblemsView *self)
{
  guint severities = 0;
  for (LoomSeverity severity = LOOM_SEVERITY_INFO; severity <= LOOM_SEVERITY_ERROR; severity++)
    if (gtk_toggle_button_get_active (self->severities[severity]))
      severities |= 1u << severity;
  loom_table_model_take_filter (
    self->model, loom_problem_list_new_filter (severities, gtk_editable_get_text (GTK_EDITABLE (self->words)),
                                               (const char *const *) self->paths));
}

static void
show_all_files (LoomProblemsView *self)
{
  g_clear_pointer (&self->paths, g_strfreev);
  filter (self);
  show_only (self);
  show_counts (self);
}

/* --- copies ----------------------------------------------------------------------------------------------------- */

void
loom_problems_view_copy_row (LoomProblemsView *self)
{
  if (self->chosen == NULL)
    return;
  g_autofree char *text = loom_problem_item_dup_text (self->chosen);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
all_written (gpointer clipboard, gpointer text, const GError *error, gpointer copy)
{
  gdk_clipboard_set_text (clipboard, text);
  g_free (text);
}

void
loom_problems_view_copy_all (LoomProblemsView *self)
{
  loom_problem_list_write (self->model, all_written, gtk_widget_get_clipboard (GTK_WIDGET (self)));
}

static gboolean
copy_pressed (GtkWidget *table, GVariant *arguments, gpointer view)
{
  loom_problems_view_copy_row (view);
  return GDK_EVENT_STOP;
}

/* --- widget class and public functions -------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomProblemsView *self = LOOM_PROBLEMS_VIEW (object);
  if (self->chosen != NULL)
    g_signal_handlers_disconnect_by_data (self->chosen, self);
  g_clear_object (&self->chosen);
  /* disconnect the handlers first: removing columns changes the sort order, and then the handlers would be called */
  if (self->model != NULL) {
    g_signal_handlers_disconnect_by_data (self->model, self);
    g_signal_handlers_disconnect_by_data (self->selection, self);
  }
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_pointer (&self->list, loom_problem_list_unref);
  g_clear_pointer (&self->paths, g_strfreev);
  G_OBJECT_CLASS (loom_problems_view_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, box);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, words);
  gtk_widget_class_bind_template_child_full (widget_class, "errors", FALSE,
                                             G_STRUCT_OFFSET (LoomProblemsView, severities[LOOM_SEVERITY_ERROR]));
  gtk_widget_class_bind_template_child_full (widget_class, "warnings", FALSE,
                                             G_STRUCT_OFFSET (LoomProblemsView, severities[LOOM_SEVERITY_WARNING]));
  gtk_widget_class_bind_template_child_full (widget_class, "notes", FALSE,
                                             G_STRUCT_OFFSET (LoomProblemsView, severities[LOOM_SEVERITY_INFO]));
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, only);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, only_label);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, show_all);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, pages);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, table);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, details);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, icon);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, message);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, place);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, excerpt);
  gtk_widget_class_bind_template_child (widget_class, LoomProblemsView, copy);
}

static void
loom_problems_view_class_init (LoomProblemsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-problems-view.ui");
  bind_children (widget_class);
}

static void
add_copy_key (LoomProblemsView *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_c, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (copy_pressed, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->table), keys);
}

static void
loom_problems_view_init (LoomProblemsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_problem_columns_add (self->table);
  add_copy_key (self);
  g_signal_connect_swapped (self->words, "search-changed", G_CALLBACK (filter), self);
  for (LoomSeverity severity = LOOM_SEVERITY_INFO; severity <= LOOM_SEVERITY_ERROR; severity++)
    g_signal_connect_swapped (self->severities[severity], "toggled", G_CALLBACK (filter), self);
  g_signal_connect_swapped (self->show_all, "clicked", G_CALLBACK (show_all_files), self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (loom_problems_view_copy_row), self);
}

static void
fit_columns (gpointer view)
{
  LoomProblemsView *self = view;
  loom_problem_columns_fit (self->table, loom_problem_list_has_offsets (self->list),
                            loom_narrow_table_is (self->scrolled));
}

GtkWidget *
loom_problems_view_new (LoomRun *run, const LoomSourceOverrides *names, const char *const *paths)
{
  LoomProblemsView *self = g_object_new (LOOM_TYPE_PROBLEMS_VIEW, NULL);
  self->list = loom_problem_list_new (run, names);
  self->model = loom_problem_list_new_model (self->list, gtk_column_view_get_sorter (self->table));
  self->paths = g_strdupv ((char **) paths);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (show_page), self, G_CONNECT_SWAPPED);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (show_details), self,
                           G_CONNECT_SWAPPED);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  loom_rtl_column_workaround_keep (self->table);
  fit_columns (self);
  loom_narrow_table_watch (self->scrolled, fit_columns, self);
  filter (self);
  show_page (self);
  show_only (self);
  show_counts (self);
  show_details (self);
  return GTK_WIDGET (self);
}

gboolean
loom_problems_view_has_any (LoomProblemsView *self)
{
  return loom_problem_list_get_n (self->list) > 0;
}

void
loom_problems_view_start (LoomProblemsView *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) > 0)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->table)), "list.scroll-to-item", "u", 0);
  gtk_widget_child_focus (GTK_WIDGET (self->table), GTK_DIR_TAB_FORWARD);
}

void
loom_problems_view_search (LoomProblemsView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->words));
}

const char *
loom_problems_view_get_page (LoomProblemsView *self)
{
  return gtk_stack_get_visible_child_name (self->pages);
}
