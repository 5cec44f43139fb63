/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-dialog.h"

#include "loom-combo-row-workaround.h"
#include "loom-dialog-size.h"
#include "loom-file-dialogs.h"
#include "loom-help-key.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

/* Index of the item “database” in the combo row “Layout”; the items before it are the values of LoomExportLayout. */
#define DATABASE (LOOM_TRACE_EXPORT_PERFETTO + 1)

struct _LoomExportDialog {
  AdwWindow parent;
  GtkWidget *save;
  AdwComboRow *range;
  GtkWidget *steps_row, *times_row;
  GtkEditable *from, *to;
  GtkWidget *files_row;
  GtkEditable *endings;
  GtkAdjustment *first_step;
  GtkAdjustment *last_step;
  AdwComboRow *layout;
  GtkEditable *name;
  GtkWidget *compress_row;
  GtkSwitch *compress;
  gboolean is_filled; /* FALSE while the program fills the rows; the handlers of the rows then do nothing */

  LoomExportChoice *choice;
  /* for each item of the combo row of ranges, the range that it selects */
  LoomExportRange ranges[LOOM_N_EXPORT_RANGES];
  char *folder;
};

G_DEFINE_FINAL_TYPE (LoomExportDialog, loom_export_dialog, ADW_TYPE_WINDOW)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Shows the file name and the compression that result from the user's choices. Changes the text of the entry only if
 * the name differs, because setting a text moves the cursor. */
static void
show_name (LoomExportDialog *self)
{
  self->is_filled = FALSE;
  if (!g_str_equal (gtk_editable_get_text (self->name), self->choice->name)) {
    gtk_editable_set_text (self->name, self->choice->name);
    gtk_editable_set_position (self->name, -1);
  }
  gtk_switch_set_active (self->compress, self->choice->compress);
  self->is_filled = TRUE;
}

static void
check (LoomExportDialog *self)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  if (!self->is_filled)
    return;
  self->choice->first_step = (gint64) gtk_adjustment_get_value (self->first_step);
  self->choice->last_step = (gint64) gtk_adjustment_get_value (self->last_step);
  loom_export_choice_set_times (self->choice, gtk_editable_get_text (self->from), gtk_editable_get_text (self->to));
  loom_export_choice_set_endings (self->choice, gtk_editable_get_text (self->endings));
  gboolean good = loom_export_choice_get_options (self->choice, &options, &problem),
           no_file = self->choice->sources != NULL && self->choice->n_sources == 0;
  g_autofree char *files = no_file ? g_strdup (problem) : loom_export_choice_dup_source_words (self->choice);
  g_autofree char *markup = problem != NULL ? g_markup_escape_text (problem, -1) : NULL;
  const char *times = good || no_file ? _ ("Time since the start of the run") : markup;
  gtk_widget_set_sensitive (self->save, good && *self->choice->name != '\0');
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->steps_row),
                               good || no_file ? _ ("The first and the last step are included") : markup);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->times_row), times);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->files_row), files);
}

static void
name_changed (LoomExportDialog *self)
{
  if (!self->is_filled)
    return;
  loom_export_choice_set_name (self->choice, gtk_editable_get_text (self->name));
  show_name (self);
  check (self);
}

static void
compress_changed (LoomExportDialog *self)
{
  if (!self->is_filled)
    return;
  loom_export_choice_set_compress (self->choice, gtk_switch_get_active (self->compress));
  show_name (self);
}

/* Enables or disables the rows whose choices do not apply to the export of a database. */
static void
set_parts_sensitive (LoomExportDialog *self, gboolean sensitive)
{
  GtkWidget *const rows[] = { GTK_WIDGET (self->range), self->steps_row, self->times_row, self->files_row,
                              self->compress_row };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_set_sensitive (rows[i], sensitive);
}

static void show_range (LoomExportDialog *self);

static void
show_layout (LoomExportDialog *self)
{
  static const char *const words[] = {
    N_ ("Original processes and threads, sorted by rank"),
    N_ ("One process per phase, like SageMaker’s merged timeline"),
    N_ ("Rank files concatenated, like Composer’s merged trace"),
    N_ ("Like “By Rank”, but as a binary trace for Perfetto"),
    N_ ("Tables of the whole run, for notebooks and SQL"),
  };
  guint at = adw_combo_row_get_selected (self->layout);
  if (!self->is_filled || at >= G_N_ELEMENTS (words))
    return;
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->layout), _ (words[at]));
  if (at == DATABASE)
    loom_export_choice_set_database (self->choice);
  else
    loom_export_choice_set_layout (self->choice, (LoomExportLayout) at);
  show_name (self);
  show_range (self);
  set_parts_sensitive (self, at != DATABASE);
}

static void
show_range (LoomExportDialog *self)
{
  guint at = adw_combo_row_get_selected (self->range);
  if (!self->is_filled || at >= G_N_ELEMENTS (self->ranges))
    return;
  self->choice->range = self->ranges[at];
  g_autofree char *words = loom_export_choice_dup_range_words (self->choice);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->range), words);
  gtk_widget_set_visible (self->steps_row, self->choice->range == LOOM_EXPORT_STEPS);
  gtk_widget_set_visible (self->times_row, self->choice->range == LOOM_EXPORT_TIMES);
  check (self);
}

static void place_chosen (GFile **files, guint n_files, gpointer user_data);

static void
ask_place (LoomExportDialog *self, const char *name, const char *folder)
{
  loom_file_dialogs_save (GTK_WINDOW (self), _ ("Export Merged Timeline"), name, folder, place_chosen, self);
}

/* Called when the user has chosen a file name. The program may add an ending to this name. The file chooser asks before
 * it replaces a file, but it has asked only about the typed name. So if a file with the complete name exists, the file
 * chooser is opened again with the complete name. */
static void
place_chosen (GFile **files, guint n_files, gpointer user_data)
{
  LoomExportDialog *self = user_data;
  g_autofree char *given = g_file_get_path (files[0]);
  if (given == NULL)
    return;
  g_autofree char *path = loom_export_choice_dup_target (self->choice, given);
  if (!g_str_equal (path, given) && g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *name = g_filename_display_name (base);
    g_autofree char *folder = g_path_get_dirname (path);
    ask_place (self, name, folder);
    return;
  }
  if (!self->choice->is_database)
    gtk_switch_set_active (self->compress, loom_export_choice_is_compressed (path));
  g_signal_emit (self, signals[CHOSEN], 0, path);
  gtk_window_close (GTK_WINDOW (self));
}

static void
save_clicked (LoomExportDialog *self)
{
  g_autofree char *name = loom_export_choice_dup_target (self->choice, self->choice->name);
  ask_place (self, name, self->folder);
}

static void
finalize (GObject *object)
{
  LoomExportDialog *self = LOOM_EXPORT_DIALOG (object);
  g_clear_pointer (&self->choice, loom_export_choice_free);
  g_free (self->folder);
  G_OBJECT_CLASS (loom_export_dialog_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, save);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, range);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, steps_row);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, times_row);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, from);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, to);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, files_row);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, endings);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, first_step);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, last_step);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, layout);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, name);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, compress);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, compress_row);
  gtk_widget_class_bind_template_callback (widget_class, check);
  gtk_widget_class_bind_template_callback (widget_class, compress_changed);
  gtk_widget_class_bind_template_callback (widget_class, name_changed);
  gtk_widget_class_bind_template_callback (widget_class, save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, show_layout);
  gtk_widget_class_bind_template_callback (widget_class, show_range);
}

static void
loom_export_dialog_class_init (LoomExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHOSEN] = g_signal_new ("chosen", LOOM_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-export-dialog.ui");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  bind_children (widget_class);
}

static void
loom_export_dialog_init (LoomExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_combo_row_workaround_set (self->range);
  loom_combo_row_workaround_set (self->layout);
}

static void
fill_ranges (LoomExportDialog *self)
{
  static const char *const titles[LOOM_N_EXPORT_RANGES] = {
    [LOOM_EXPORT_ALL] = N_ ("Whole Run"),      [LOOM_EXPORT_VISIBLE] = N_ ("Visible Range"),
    [LOOM_EXPORT_SELECTED] = N_ ("Selection"), [LOOM_EXPORT_STEPS] = N_ ("Steps"),
    [LOOM_EXPORT_TIMES] = N_ ("Times"),
  };
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint n = loom_export_choice_list_ranges (self->choice, self->ranges);
  gint64 first = self->choice->first_step, last = self->choice->last_step;
  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, _ (titles[self->ranges[i]]));
  if (self->choice->steps != NULL) {
    gtk_adjustment_configure (self->first_step, first, first, last, 1, 10, 0);
    gtk_adjustment_configure (self->last_step, last, first, last, 1, 10, 0);
  }
  gtk_editable_set_text (self->from, self->choice->from);
  gtk_editable_set_text (self->to, self->choice->to);
  adw_combo_row_set_model (self->range, G_LIST_MODEL (list));
}

LoomExportDialog *
loom_export_dialog_new (GtkWindow *parent, LoomExportChoice *choice, const char *folder)
{
  LoomExportDialog *self = g_object_new (LOOM_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 580, -1);
  loom_help_key_add (GTK_WINDOW (self));
  self->choice = choice;
  self->folder = g_strdup (folder);
  fill_ranges (self);
  self->is_filled = TRUE;
  show_layout (self);
  show_range (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->save);
  return self;
}

const LoomExportChoice *
loom_export_dialog_get_choice (LoomExportDialog *self)
{
  return self->choice;
}

void
loom_export_dialog_choose (LoomExportDialog *self, GFile *file)
{
  place_chosen (&file, 1, self);
}
