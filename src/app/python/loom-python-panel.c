/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-panel.h"

#include "loom-bounded-text.h"
#include "loom-callers-list.h"
#include "loom-ellipsize.h"
#include "loom-function-table.h"
#include "loom-icicle-view.h"
#include "loom-python-profile-chooser.h"
#include "loom-sentence.h"
#include "loom-time.h"

#include <glib/gi18n.h>

#define HEADLINE_LETTERS 80 /* maximum length of the name of a function in the headline, in letters */

struct _LoomPythonPanel {
  AdwBin parent;
  GtkLabel *summary, *headline;
  GtkSearchEntry *filter;
  GtkToggleButton *as_table, *as_tree;
  GtkWidget *page, *copy, *forms;
  LoomPythonProfileChooser *chooser;
  GtkStack *stack;
  AdwStatusPage *nothing;
  LoomFunctionTable *table;
  GtkWidget *calls; /* box with the lists `callers` and `callees` of the chosen function */
  LoomCallersList *callers, *callees;
  LoomIcicleView *tree;
  GtkScrollbar *tree_bar;
  GtkLabel *tree_note;
  LoomPythonProfiles *profiles; /* profiles of the run; NULL before loom_python_panel_set_profiles() */
};

G_DEFINE_FINAL_TYPE (LoomPythonPanel, loom_python_panel, ADW_TYPE_BIN)

/* --- showing the result ------------------------------------------------------------------------------------------- */

static void
show_page (LoomPythonPanel *self)
{
  gboolean any = self->profiles != NULL && loom_python_profiles_get_reason (self->profiles) == NULL,
           tree = gtk_toggle_button_get_active (self->as_tree);
  gtk_stack_set_visible_child_name (self->stack, !any ? "nothing" : tree ? "tree" : "table");
  gtk_widget_set_visible (self->copy, any);
  gtk_widget_set_visible (self->forms, any);
  gtk_widget_set_visible (GTK_WIDGET (self->chooser),
                          self->profiles != NULL && loom_python_profiles_get_all (self->profiles)->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->filter), any);
  gtk_widget_set_sensitive (GTK_WIDGET (self->filter), !tree);
}

/* Returns a sentence about the function with the longest self time; NULL if two profiles are compared or no function
 * has a self time. Owned by the caller. */
static char *
dup_headline (LoomPythonFunctionTable *table)
{
  const LoomPythonFunctionRow *most = NULL;
  double sum_ns = 0;
  for (guint i = 0; table != NULL && table->baseline == NULL && i < table->rows->len; i++) {
    const LoomPythonFunctionRow *row = loom_python_function_table_get_row (table, i);
    sum_ns += (double) row->own_ns;
    if (most == NULL || row->own_ns > most->own_ns)
      most = row;
  }
  if (most == NULL || most->own_ns <= 0)
    return NULL;
  g_autofree char *name = loom_ellipsize_middle (most->name, HEADLINE_LETTERS),
                  *time = loom_time_format_duration (most->own_ns);
  return g_strdup_printf (/* Translators: a function, its self time, and its share of the time of the profile */
                          _ ("%s takes most time itself: %s, %.0f %% of the profile."), name, time,
                          100 * (double) most->own_ns / sum_ns);
}

static void
show_headline (LoomPythonPanel *self)
{
  g_autofree char *headline = dup_headline (loom_python_profiles_get_table (self->profiles));
  loom_bounded_text_set_label (self->headline, headline != NULL ? headline : "");
  gtk_widget_set_visible (GTK_WIDGET (self->headline), headline != NULL);
}

static char *
tree_words (LoomCallTree *tree)
{
  GString *text = g_string_new (NULL);
  if (loom_call_tree_is_estimate (tree))
    g_string_append (
      text, _ ("Estimated: the profile has no call stacks, so a function’s time is divided among its callers."));
  else if (loom_call_tree_is_chronological (tree))
    g_string_append (text, _ ("The samples are shown in chronological order."));
  else
    g_string_append (text, _ ("The samples are not shown in chronological order."));
  if (tree->is_cut)
    loom_sentence_append (
      text,
      _ (
        "Truncated: calls deeper than 4,096 levels, and calls for which more than 200,000 boxes would be needed, appear only in the table."));
  return g_string_free (text, FALSE);
}

/* Shows the callers and callees of a function. If `function` is G_MAXUINT32, hides both lists, so that the table of
 * functions gets their space. */
static void
show_calls (LoomPythonPanel *self, guint32 function)
{
  LoomPythonFunctionTable *table = loom_python_profiles_get_table (self->profiles);
  LoomPythonProfile *profile = table != NULL ? table->profile : NULL;
  loom_callers_list_show (self->callers, profile, function);
  loom_callers_list_show (self->callees, profile, function);
  loom_icicle_view_set_function (self->tree, function);
  gtk_widget_set_visible (self->calls, function != G_MAXUINT32);
}

static void
show_answer (LoomPythonPanel *self)
{
  LoomCallTree *tree = loom_python_profiles_get_tree (self->profiles);
  const char *reason = loom_python_profiles_get_reason (self->profiles);
  g_autofree char *note = tree != NULL ? tree_words (tree) : g_strdup ("");
  loom_function_table_set_table (self->table, loom_python_profiles_get_table (self->profiles));
  loom_icicle_view_set_tree (self->tree, tree);
  show_calls (self, G_MAXUINT32);
  show_headline (self);
  loom_bounded_text_set_label (self->summary, loom_python_profiles_get_summary (self->profiles));
  adw_status_page_set_title (self->nothing, reason != NULL ? reason : "");
  adw_status_page_set_description (self->nothing, loom_python_profiles_get_advice (self->profiles));
  loom_bounded_text_set_label (self->tree_note, note);
  show_page (self);
}

static void
chosen_changed (LoomPythonPanel *self)
{
  gtk_widget_set_visible (self->page, loom_python_profiles_get_page (self->profiles) != NULL);
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
row_chosen (LoomPythonPanel *self, guint function)
{
  show_calls (self, function);
}

static void
call_chosen (LoomPythonPanel *self, guint function)
{
  show_calls (self, function);
  loom_function_table_choose (self->table, function);
}

static void
filter_changed (LoomPythonPanel *self)
{
  loom_function_table_set_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
page_clicked (LoomPythonPanel *self)
{
  const char *page = loom_python_profiles_get_page (self->profiles);
  g_autofree char *uri = page != NULL ? g_filename_to_uri (page, NULL, NULL) : NULL;
  if (uri != NULL)
    gtk_show_uri (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), uri, GDK_CURRENT_TIME);
}

static void
copy_clicked (LoomPythonPanel *self)
{
  g_autofree char *text = loom_function_table_dup_text (self->table);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomPythonPanel *self = LOOM_PYTHON_PANEL (object);
  g_clear_object (&self->profiles);
  G_OBJECT_CLASS (loom_python_panel_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, headline);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, filter);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, as_table);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, as_tree);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, page);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, copy);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, forms);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, chooser);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, nothing);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, table);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, calls);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, callers);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, callees);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonPanel, tree_note);
}

static void
loom_python_panel_class_init (LoomPythonPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_PYTHON_PROFILE_CHOOSER);
  g_type_ensure (LOOM_TYPE_FUNCTION_TABLE);
  g_type_ensure (LOOM_TYPE_ICICLE_VIEW);
  g_type_ensure (LOOM_TYPE_CALLERS_LIST);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-python-panel.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, call_chosen);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, page_clicked);
  gtk_widget_class_bind_template_callback (widget_class, row_chosen);
  gtk_widget_class_bind_template_callback (widget_class, show_page);
}

static void
loom_python_panel_init (LoomPythonPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_callers_list_set_callees (self->callees);
  gtk_scrollbar_set_adjustment (self->tree_bar, loom_icicle_view_get_adjustment (self->tree));
  show_page (self);
}

void
loom_python_panel_set_profiles (LoomPythonPanel *self, LoomPythonProfiles *profiles, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_PYTHON_PANEL (self) && self->profiles == NULL);
  self->profiles = g_object_ref (profiles);
  loom_icicle_view_set_scene (self->tree, scene);
  loom_python_profile_chooser_set_profiles (self->chooser, self->profiles);
  g_signal_connect_object (profiles, "chosen-changed", G_CALLBACK (chosen_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (profiles, "answered", G_CALLBACK (show_answer), self, G_CONNECT_SWAPPED);
  chosen_changed (self);
  show_answer (self);
}
