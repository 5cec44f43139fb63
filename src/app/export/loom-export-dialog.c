/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-dialog.h"

#include "loom-combo-row-workaround.h"
#include "loom-dialog-size.h"
#include "loom-export-task.h"
#include "loom-file-dialogs.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

struct _LoomExportDialog {
  AdwWindow parent;
  GtkWidget *save;
  AdwComboRow *range;
  GtkWidget *steps_row;
  GtkAdjustment *first_step;
  GtkAdjustment *last_step;
  AdwComboRow *layout;
  GtkEditable *name;
  GtkSwitch *compress;
  gboolean named;    /* a person typed the name; else it follows the layout */
  gboolean agreeing; /* the program adapts the name to the switch, or the switch to the name */

  GArray *ranges; /* LoomExportRange, in the order of the combo row */
  char *run_name;
  char *folder;
  LoomRange visible, selected;
  gboolean propose_selected;
  LoomSteps *steps;
};

G_DEFINE_FINAL_TYPE (LoomExportDialog, loom_export_dialog, ADW_TYPE_WINDOW)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void check (LoomExportDialog *self);

static LoomExportRange
range_of (LoomExportDialog *self)
{
  guint at = adw_combo_row_get_selected (self->range);
  return at < self->ranges->len ? g_array_index (self->ranges, LoomExportRange, at) : LOOM_EXPORT_ALL;
}

/* --- the name and the switch ------------------------------------------------------------------------------------- */

static void
set_name (LoomExportDialog *self, const char *name)
{
  self->agreeing = TRUE;
  gtk_editable_set_text (self->name, name);
  gtk_editable_set_position (self->name, -1);
  self->agreeing = FALSE;
}

static void
propose_name (LoomExportDialog *self)
{
  LoomExportLayout layout = (LoomExportLayout) adw_combo_row_get_selected (self->layout);
  if (self->named)
    return;
  g_autofree char *name = loom_export_task_dup_name (self->run_name, layout, gtk_switch_get_active (self->compress));
  set_name (self, name);
}

/* Sets the switch by the name's ending. A name without an ending will get the ending that the switch stands for, so
 * it leaves the switch unchanged. */
static void
follow_name (LoomExportDialog *self)
{
  g_autofree char *whole =
    loom_export_task_dup_path (gtk_editable_get_text (self->name), gtk_switch_get_active (self->compress));
  self->agreeing = TRUE;
  gtk_switch_set_active (self->compress, loom_export_task_is_compressed (whole));
  self->agreeing = FALSE;
}

static void
name_changed (LoomExportDialog *self)
{
  check (self);
  if (self->agreeing)
    return;
  self->named = TRUE;
  follow_name (self);
}

static void
compress_changed (LoomExportDialog *self)
{
  if (self->agreeing)
    return;
  g_autofree char *name =
    loom_export_task_dup_compressed (gtk_editable_get_text (self->name), gtk_switch_get_active (self->compress));
  set_name (self, name);
}

/* --- the layout ------------------------------------------------------------------------------------------------- */

static void
show_layout (LoomExportDialog *self)
{
  static const char *const words[] = {
    N_ ("Processes and threads as they are, ranks in order"),
    N_ ("Phases as processes, as its merged timeline"),
    N_ ("Rank files one after another, as its merged trace"),
  };
  guint at = adw_combo_row_get_selected (self->layout);
  if (at < G_N_ELEMENTS (words))
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->layout), _ (words[at]));
  propose_name (self);
}

static char *
words_for_range (LoomExportDialog *self, LoomExportRange range)
{
  if (range == LOOM_EXPORT_VISIBLE)
    return loom_time_format_duration (loom_time_sub (self->visible.end_ns, self->visible.begin_ns));
  if (range == LOOM_EXPORT_SELECTED)
    return loom_time_format_duration (loom_time_sub (self->selected.end_ns, self->selected.begin_ns));
  return g_strdup (range == LOOM_EXPORT_ALL ? _ ("The whole run") : "");
}

static void
show_range (LoomExportDialog *self)
{
  LoomExportRange range = range_of (self);
  g_autofree char *words = words_for_range (self, range);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->range), words);
  gtk_widget_set_visible (self->steps_row, range == LOOM_EXPORT_STEPS);
}

static gboolean
range_of_steps (LoomExportDialog *self, LoomRange *range)
{
  gint64 first = (gint64) gtk_adjustment_get_value (self->first_step);
  gint64 last = (gint64) gtk_adjustment_get_value (self->last_step);
  return first <= last && loom_steps_range_inclusive (self->steps, first, last, range);
}

gboolean
loom_export_dialog_get_options (LoomExportDialog *self, LoomExportOptions *options, char **problem)
{
  *options = (LoomExportOptions) LOOM_EXPORT_OPTIONS_INIT;
  options->layout = (LoomExportLayout) adw_combo_row_get_selected (self->layout);
  LoomExportRange range = range_of (self);
  options->has_range = range != LOOM_EXPORT_ALL;
  if (range == LOOM_EXPORT_VISIBLE)
    options->range = self->visible;
  else if (range == LOOM_EXPORT_SELECTED)
    options->range = self->selected;
  else if (range == LOOM_EXPORT_STEPS && !range_of_steps (self, &options->range)) {
    *problem = g_strdup (_ ("There are no such steps."));
    return FALSE;
  }
  return TRUE;
}

static void
check (LoomExportDialog *self)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  gboolean good = loom_export_dialog_get_options (self, &options, &problem);
  gtk_widget_set_sensitive (self->save, good && *gtk_editable_get_text (self->name) != '\0');
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->steps_row), good ? _ ("Both included") : problem);
}

static void place_chosen (GFile **files, guint n_files, gpointer user_data);

static void
ask_place (LoomExportDialog *self, const char *name, const char *folder)
{
  loom_file_dialogs_save (GTK_WINDOW (self), _ ("Save Merged Timeline"), name, folder, place_chosen, self);
}

/* The file chooser asked about replacing the name as typed. If the name with its ending added exists as well, the
 * chooser is opened again with that name. A name typed in the chooser counts as typed in this dialog. */
static void
place_chosen (GFile **files, guint n_files, gpointer user_data)
{
  LoomExportDialog *self = user_data;
  g_autofree char *given = g_file_get_path (files[0]);
  if (given == NULL)
    return;
  g_autofree char *path = loom_export_task_dup_path (given, gtk_switch_get_active (self->compress));
  if (!g_str_equal (path, given) && g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *name = g_filename_display_name (base);
    g_autofree char *folder = g_path_get_dirname (path);
    ask_place (self, name, folder);
    return;
  }
  gtk_switch_set_active (self->compress, loom_export_task_is_compressed (path));
  g_signal_emit (self, signals[CHOSEN], 0, path);
  gtk_window_close (GTK_WINDOW (self));
}

static void
save_clicked (LoomExportDialog *self)
{
  g_autofree char *name =
    loom_export_task_dup_path (gtk_editable_get_text (self->name), gtk_switch_get_active (self->compress));
  ask_place (self, name, self->folder);
}

static gboolean
escape_pressed (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
finalize (GObject *object)
{
  LoomExportDialog *self = LOOM_EXPORT_DIALOG (object);
  g_array_unref (self->ranges);
  g_free (self->run_name);
  g_free (self->folder);
  g_clear_pointer (&self->steps, loom_steps_unref);
  G_OBJECT_CLASS (loom_export_dialog_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, save);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, range);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, steps_row);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, first_step);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, last_step);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, layout);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, name);
  gtk_widget_class_bind_template_child (widget_class, LoomExportDialog, compress);
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
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_pressed, NULL);
  bind_children (widget_class);
}

static void
loom_export_dialog_init (LoomExportDialog *self)
{
  self->ranges = g_array_new (FALSE, FALSE, sizeof (LoomExportRange));
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_combo_row_workaround_set (self->range);
  loom_combo_row_workaround_set (self->layout);
}

static void
add_range (LoomExportDialog *self, GtkStringList *list, LoomExportRange range, const char *words)
{
  g_array_append_val (self->ranges, range);
  gtk_string_list_append (list, words);
}

static void
fill_ranges (LoomExportDialog *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  gint64 first, last;
  gboolean selected = self->selected.end_ns > self->selected.begin_ns;
  if (selected && self->propose_selected)
    add_range (self, list, LOOM_EXPORT_SELECTED, _ ("The selection"));
  add_range (self, list, LOOM_EXPORT_ALL, _ ("Everything"));
  add_range (self, list, LOOM_EXPORT_VISIBLE, _ ("What is visible"));
  if (selected && !self->propose_selected)
    add_range (self, list, LOOM_EXPORT_SELECTED, _ ("The selection"));
  if (self->steps != NULL && loom_steps_get_numbers (self->steps, &first, &last)) {
    add_range (self, list, LOOM_EXPORT_STEPS, _ ("Steps"));
    gtk_adjustment_configure (self->first_step, first, first, last, 1, 10, 0);
    gtk_adjustment_configure (self->last_step, last, first, last, 1, 10, 0);
  }
  adw_combo_row_set_model (self->range, G_LIST_MODEL (list));
}

LoomExportDialog *
loom_export_dialog_new (GtkWindow *parent, const LoomExportContext *context)
{
  LoomExportDialog *self = g_object_new (LOOM_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 540, -1);
  self->run_name = g_strdup (context->run_name);
  self->folder = g_strdup (context->folder);
  self->visible = context->visible;
  self->selected = context->selected;
  self->propose_selected = context->propose_selected;
  self->steps = context->steps != NULL ? loom_steps_ref (context->steps) : NULL;
  fill_ranges (self);
  show_layout (self);
  show_range (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->save);
  return self;
}

void
loom_export_dialog_set_range (LoomExportDialog *self, LoomExportRange range)
{
  for (guint i = 0; i < self->ranges->len; i++)
    if (g_array_index (self->ranges, LoomExportRange, i) == range)
      adw_combo_row_set_selected (self->range, i);
}

void
loom_export_dialog_set_steps (LoomExportDialog *self, gint64 first, gint64 last)
{
  gtk_adjustment_set_value (self->first_step, (double) first);
  gtk_adjustment_set_value (self->last_step, (double) last);
}

void
loom_export_dialog_set_layout (LoomExportDialog *self, LoomExportLayout layout)
{
  adw_combo_row_set_selected (self->layout, (guint) layout);
}

GtkEditable *
loom_export_dialog_get_name (LoomExportDialog *self)
{
  return self->name;
}

GtkSwitch *
loom_export_dialog_get_compress (LoomExportDialog *self)
{
  return self->compress;
}

void
loom_export_dialog_choose (LoomExportDialog *self, GFile *file)
{
  place_chosen (&file, 1, self);
}
