/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-next-profile-dialog.h"

#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-help-key.h"
#include "loom-next-profile.h"
#include "loom-profiler-config-output.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

struct _LoomNextProfileDialog {
  AdwWindow parent;
  AdwActionRow *first_row, *length_row;
  GtkSpinButton *first, *length;
  LoomProfilerConfigOutput *text;
  GtkLabel *words;
  LoomProfilerPlanRange range;
};

G_DEFINE_FINAL_TYPE (LoomNextProfileDialog, loom_next_profile_dialog, ADW_TYPE_WINDOW)

enum { EDIT, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- output and notes --------------------------------------------------------------------------------------------- */

static void
add_words (GString *words, const char *text)
{
  g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", text);
}

static void
show (LoomNextProfileDialog *self)
{
  const LoomProfilerPlan plan = { .range = self->range };
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (&plan);
  if (!self->range.has_start_step)
    add_words (
      words,
      _ (
        "No numbered steps overlap this range, so the range is given in seconds. The start time is that of this run; change it for the next run."));
  for (guint i = 0; i < notes->len; i++)
    add_words (words, ((const LoomProfilerConfigNote *) notes->pdata[i])->message);
  g_autofree char *why =
    loom_profiler_config_output_show (self->text, &plan, NULL, loom_profiler_config_notes_have_error (notes));
  if (why != NULL)
    add_words (words, why);
  loom_bounded_text_set_label (self->words, words->str);
  gtk_widget_set_visible (GTK_WIDGET (self->words), words->len > 0);
}

static void
range_edited (LoomNextProfileDialog *self)
{
  gint64 first = (gint64) gtk_spin_button_get_value (self->first);
  if (self->range.has_start_step) {
    self->range.start_step = first;
    self->range.n_steps = (gint64) gtk_spin_button_get_value (self->length);
  } else {
    self->range.start_s = first;
    self->range.duration_s = gtk_spin_button_get_value (self->length);
  }
  show (self);
}

/* Called when the user wants to change settings that this dialog does not show. Emits "edit" with the range, so that
 * the owner of the dialog opens the editor of profiler configurations. */
static void
edit_clicked (LoomNextProfileDialog *self)
{
  g_signal_emit (self, signals[EDIT], 0, &self->range);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- making the dialog -------------------------------------------------------------------------------------------- */

static void
set_number (AdwActionRow *row, GtkSpinButton *spin, const char *title, guint digits, double least, double value)
{
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_spin_button_configure (spin, gtk_adjustment_new (value, least, 1e11, 1, 10, 0), 1, digits);
}

static void
set_range (LoomNextProfileDialog *self, LoomProfilerPlanRange range)
{
  if (range.has_start_step) {
    set_number (self->first_row, self->first, _ ("First step"), 0, 0, (double) range.start_step);
    set_number (self->length_row, self->length, _ ("Number of steps"), 0, 1, (double) range.n_steps);
  } else {
    set_number (self->first_row, self->first, _ ("Start time (Unix seconds)"), 0, 0, (double) range.start_s);
    set_number (self->length_row, self->length, _ ("Number of seconds"), 3, 0.001, range.duration_s);
  }
  self->range = range; /* keep the exact range, because a spin button rounds the value to the digits that it displays */
  show (self);
}

static void
loom_next_profile_dialog_class_init (LoomNextProfileDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  g_type_ensure (LOOM_TYPE_PROFILER_CONFIG_OUTPUT);
  signals[EDIT] = g_signal_new ("edit", LOOM_TYPE_NEXT_PROFILE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-next-profile-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, first);
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, first_row);
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, length);
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, length_row);
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, text);
  gtk_widget_class_bind_template_child (widget_class, LoomNextProfileDialog, words);
  gtk_widget_class_bind_template_callback (widget_class, edit_clicked);
  gtk_widget_class_bind_template_callback (widget_class, loom_profiler_config_output_copy);
  gtk_widget_class_bind_template_callback (widget_class, loom_profiler_config_output_save);
  gtk_widget_class_bind_template_callback (widget_class, range_edited);
  gtk_widget_class_bind_template_callback (widget_class, show);
}

static void
loom_next_profile_dialog_init (LoomNextProfileDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

LoomNextProfileDialog *
loom_next_profile_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range)
{
  LoomNextProfileDialog *self = g_object_new (LOOM_TYPE_NEXT_PROFILE_DIALOG, "transient-for", parent, NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 640, 660);
  loom_help_key_add (GTK_WINDOW (self));
  set_range (self, loom_next_profile_range (steps, range));
  return self;
}
