/* SPDX-License-Identifier: Apache-2.0
 *
 * The action that compares the run of the selected tab with another run. The other run is open in another tab of any
 * window, or is loaded from a folder.
 */
#include "loom-compare-window.h"
#include "loom-deferred-present.h"
#include "loom-file-dialogs.h"
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

static void
add_runs (GPtrArray *runs, LoomWindow *window, LoomTab *except)
{
  for (guint i = 0; i < loom_window_get_n_tabs (window); i++) {
    LoomTab *tab = loom_window_get_nth_tab (window, i);
    g_autofree char *name = loom_window_dup_name_of (window, tab);
    if (tab != except && shows_run (tab))
      g_ptr_array_add (runs,
                       loom_compare_window_new_run (loom_document_get_timeline (loom_tab_get_document (tab)), name));
  }
}

/* Returns the runs of the tabs in all windows, except the tab `except`. The runs of this window come first. */
static GPtrArray *
list_but (LoomWindow *self, LoomTab *except)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_compare_window_free_run);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  add_runs (runs, self, except);
  for (GList *item = application != NULL ? gtk_application_get_windows (application) : NULL; item != NULL;
       item = item->next)
    if (LOOM_IS_WINDOW (item->data) && item->data != (gpointer) self)
      add_runs (runs, item->data, except);
  return runs;
}

static GPtrArray *
list_runs (GtkWindow *parent)
{
  return LOOM_IS_WINDOW (parent) ? list_but (LOOM_WINDOW (parent), NULL)
                                 : g_ptr_array_new_with_free_func ((GDestroyNotify) loom_compare_window_free_run);
}

/* Returns TRUE if the run is in a tab of this window that is left of the selected tab. */
static gboolean
is_left (LoomWindow *self, const LoomCompareRun *run)
{
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++) {
    LoomTab *tab = loom_window_get_nth_tab (self, i);
    if (tab == self->tab)
      return FALSE;
    if (loom_document_get_timeline (loom_tab_get_document (tab)) == run->timeline)
      return TRUE;
  }
  return FALSE;
}

/* Makes and shows a window that compares the run of the selected tab with `other`. If `other` is in a tab left of
 * the selected tab, it is the first run (“Before”), otherwise the second. If `other` is NULL, the run is compared
 * with itself until the user chooses another run. */
static LoomCompareWindow *
compare (LoomWindow *self, const LoomCompareRun *other)
{
  g_autofree char *name = loom_window_dup_name_of (self, self->tab);
  const LoomCompareRun own = { loom_document_get_timeline (self->document), name },
                       *second = other != NULL ? other : &own;
  gboolean other_first = other != NULL && is_left (self, other);
  LoomCompareWindow *window =
    loom_compare_window_new (GTK_WINDOW (self), other_first ? other : &own, other_first ? &own : second, list_runs);
  loom_deferred_present_present (GTK_WINDOW (window));
  return window;
}

typedef struct {
  LoomWindow *window; /* borrowed: the dialog is destroyed with its window */
  GtkWindow *dialog;
  GPtrArray *runs; /* LoomCompareRun *: the runs from which the user chooses */
  AdwComboRow *row;
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;
  g_ptr_array_unref (choice->runs);
  g_free (choice);
}

static void
chosen (Choice *choice)
{
  const LoomCompareRun *other = choice->runs->pdata[adw_combo_row_get_selected (choice->row)];
  if (choice->window->tab != NULL && shows_run (choice->window->tab))
    compare (choice->window, other);
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
  choice->runs = g_ptr_array_ref (others);
  for (guint i = 0; i < others->len; i++)
    gtk_string_list_append (names, ((const LoomCompareRun *) others->pdata[i])->name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Compare With"));
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
folder_chosen (GFile **files, guint n_files, gpointer user_data)
{
  LoomWindow *self = user_data;
  g_autofree char *path = g_file_get_path (files[0]);
  if (self->tab != NULL && shows_run (self->tab) && path != NULL)
    loom_compare_window_open (compare (self, NULL), 1, (const char *const[]) { path, NULL });
}

/* Compares the run of the selected tab with another run. If one other run is open, takes this run. If several are
 * open, the user chooses one of them. If none is open, the user chooses a folder with a run. */
static void
compare_activated (LoomWindow *self)
{
  g_autoptr (GPtrArray) others = list_but (self, self->tab);
  g_autofree char *folder = loom_window_dup_folder (self);
  if (others->len == 0)
    loom_file_dialogs_open (GTK_WINDOW (self), LOOM_FILE_DIALOG_FOLDERS, _ ("Compare with the Run in a Folder"), folder,
                            folder_chosen, self);
  else if (others->len == 1)
    compare (self, others->pdata[0]);
  else
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
  loom_window_enable_action (self, "compare", shows_run (self->tab));
}
