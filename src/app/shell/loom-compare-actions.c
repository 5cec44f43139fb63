/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the run of the selected tab with the run of another tab.
 */
#include "loom-compare-window.h"
#include "loom-deferred-present.h"
#include "loom-form-dialog.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static gboolean
shows_run (LoomTab *tab)
{
  LoomTimeline *timeline = loom_document_get_timeline (loom_tab_get_document (tab));
  LoomRange extent;
  return timeline != NULL && loom_timeline_get_extent (timeline, &extent);
}

/* All tabs that have a run, except the selected tab; the caller owns the array. */
static GPtrArray *
list_others (LoomWindow *self)
{
  GPtrArray *others = g_ptr_array_new ();
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++) {
    LoomTab *tab = loom_window_get_nth_tab (self, i);
    if (tab != self->tab && shows_run (tab))
      g_ptr_array_add (others, tab);
  }
  return others;
}

static void
compare (LoomWindow *self, LoomTab *other)
{
  g_autofree char *name = loom_window_dup_name_of (self, self->tab),
                  *other_name = loom_window_dup_name_of (self, other);
  loom_deferred_present_present (
    GTK_WINDOW (loom_compare_window_new (GTK_WINDOW (self), loom_document_get_timeline (self->document), name,
                                         loom_document_get_timeline (loom_tab_get_document (other)), other_name)));
}

typedef struct {
  LoomWindow *window; /* borrowed: the dialog is destroyed with its window */
  GtkWindow *dialog;
  GPtrArray *tabs; /* LoomTab *, each with a reference */
  AdwComboRow *row;
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;
  g_ptr_array_unref (choice->tabs);
  g_free (choice);
}

static void
chosen (Choice *choice)
{
  LoomTab *tab = choice->tabs->pdata[adw_combo_row_get_selected (choice->row)];
  if (choice->window->tab != NULL && choice->window->tab != tab && shows_run (choice->window->tab) && shows_run (tab))
    compare (choice->window, tab);
  gtk_window_close (choice->dialog);
}

static void
ask (LoomWindow *self, GPtrArray *others)
{
  Choice *choice = g_new0 (Choice, 1);
  GtkWidget *group = adw_preferences_group_new (), *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkButton *apply;
  choice->window = self;
  choice->row = ADW_COMBO_ROW (row);
  choice->tabs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < others->len; i++) {
    g_ptr_array_add (choice->tabs, g_object_ref (others->pdata[i]));
    gtk_string_list_take (names, loom_window_dup_name_of (self, others->pdata[i]));
  }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("With the run"));
  adw_combo_row_set_model (choice->row, G_LIST_MODEL (names));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  gtk_widget_set_margin_start (group, 18);
  gtk_widget_set_margin_end (group, 18);
  gtk_widget_set_margin_top (group, 18);
  gtk_widget_set_margin_bottom (group, 18);
  choice->dialog = loom_form_dialog_new (GTK_WINDOW (self), _ ("Compare Runs"), group, _ ("_Compare"), &apply);
  g_object_set_data_full (G_OBJECT (choice->dialog), "loom-choice", choice, choice_free);
  g_signal_connect_swapped (apply, "clicked", G_CALLBACK (chosen), choice);
  gtk_window_present (choice->dialog);
}

static void
compare_activated (LoomWindow *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  if (others->len == 1)
    compare (self, others->pdata[0]);
  else if (others->len > 1)
    ask (self, others);
}

static const LoomWindowAction actions[] = {
  { "compare", G_CALLBACK (compare_activated) },
};

void
loom_window_add_compare_action (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

void
loom_window_update_compare_action (LoomWindow *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  loom_window_enable_action (self, "compare", shows_run (self->tab) && others->len > 0);
}
