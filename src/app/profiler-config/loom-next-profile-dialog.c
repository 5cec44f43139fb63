/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-next-profile-dialog.h"

#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-profiler-config-output.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

struct _LoomNextProfileDialog {
  AdwWindow parent;
  GtkSpinButton *first, *length;
  LoomProfilerConfigOutput *text;
  GtkLabel *words;
  LoomProfilerPlanRange range;
};

G_DEFINE_FINAL_TYPE (LoomNextProfileDialog, loom_next_profile_dialog, ADW_TYPE_WINDOW)

enum { EDIT, N_SIGNALS };
static guint signals[N_SIGNALS];

LoomProfilerPlanRange
loom_next_profile_dialog_range (LoomSteps *steps, LoomRange range)
{
  guint n = 0;
  const LoomStep *all = steps != NULL ? loom_steps_get_reference (steps, &n) : NULL;
  gint64 first = -1, last = -1;
  for (guint i = 0; i < n; i++) {
    if (all[i].number < 0 || all[i].end_ns <= range.begin_ns || all[i].begin_ns >= range.end_ns)
      continue;
    first = first < 0 ? all[i].number : MIN (first, all[i].number);
    last = MAX (last, all[i].number);
  }
  if (first >= 0)
    return (LoomProfilerPlanRange) {
      .has_start_step = TRUE, .has_n_steps = TRUE, .start_step = first, .n_steps = last - first + 1
    };
  return (LoomProfilerPlanRange) {
    .has_start_s = TRUE,
    .has_duration = TRUE,
    .start_s = range.begin_ns / LOOM_NS_PER_S,
    .duration_s = (double) MAX (loom_time_sub (range.end_ns, range.begin_ns), LOOM_NS_PER_MS) / LOOM_NS_PER_S
  };
}

/* --- the text -------------------------------------------------------------------------------------------------------- */

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
        "No numbered steps touch the range, so these are its seconds; the start is that of this run and has to be set for the next one."));
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

char *
loom_next_profile_dialog_dup_text (LoomNextProfileDialog *self)
{
  return loom_profiler_config_output_dup (self->text);
}

/* What else can be set, in the editor. */
static void
edit_clicked (LoomNextProfileDialog *self)
{
  g_signal_emit (self, signals[EDIT], 0, &self->range);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- the window ------------------------------------------------------------------------------------------------------ */

static GtkSpinButton *
add_number (AdwPreferencesGroup *group, const char *title, double least, guint digits)
{
  GtkWidget *row = adw_action_row_new (), *spin = gtk_spin_button_new_with_range (least, 1e11, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), spin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_preferences_group_add (group, row);
  return GTK_SPIN_BUTTON (spin);
}

static GtkWidget *
new_form (LoomNextProfileDialog *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  gboolean steps = self->range.has_start_step;
  self->first = add_number (group, steps ? _ ("First step") : _ ("Start, in seconds since 1970"), 0, 0);
  self->length = add_number (group, steps ? _ ("Number of steps") : _ ("Seconds"), steps ? 1 : 0.001, steps ? 0 : 3);
  return GTK_WIDGET (group);
}

static GtkWidget *
new_page (LoomNextProfileDialog *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *words = gtk_label_new (NULL);
  self->words = GTK_LABEL (words);
  gtk_label_set_wrap (self->words, TRUE);
  gtk_label_set_xalign (self->words, 0);
  gtk_widget_add_css_class (words, "dim-label");
  gtk_widget_set_margin_start (page, 18);
  gtk_widget_set_margin_end (page, 18);
  gtk_widget_set_margin_top (page, 12);
  gtk_widget_set_margin_bottom (page, 18);
  gtk_box_append (GTK_BOX (page), new_form (self));
  gtk_box_append (GTK_BOX (page), words);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->text));
  return page;
}

static void
build (LoomNextProfileDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *bar = adw_header_bar_new ();
  GtkWidget *edit = gtk_button_new_with_mnemonic (_ ("_More…"));
  self->text = LOOM_PROFILER_CONFIG_OUTPUT (loom_profiler_config_output_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->text), TRUE);
  gtk_widget_set_tooltip_text (edit, _ ("Everything that can be set"));
  g_signal_connect_swapped (edit, "clicked", G_CALLBACK (edit_clicked), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), loom_profiler_config_output_new_copy_button (self->text));
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), edit);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), loom_profiler_config_output_new_save_button (self->text));
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), new_page (self));
  adw_window_set_content (ADW_WINDOW (self), box);
}

static void
loom_next_profile_dialog_class_init (LoomNextProfileDialogClass *klass)
{
  loom_window_measure_workaround_install (GTK_WIDGET_CLASS (klass));
  signals[EDIT] = g_signal_new ("edit", LOOM_TYPE_NEXT_PROFILE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
loom_next_profile_dialog_init (LoomNextProfileDialog *self)
{
}

LoomNextProfileDialog *
loom_next_profile_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range)
{
  LoomNextProfileDialog *self = g_object_new (LOOM_TYPE_NEXT_PROFILE_DIALOG, "transient-for", parent, "modal", TRUE,
                                              "title", _ ("Profile This Range Next Time"), NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 640, 660);
  self->range = loom_next_profile_dialog_range (steps, range);
  build (self);
  gtk_spin_button_set_value (self->first,
                             (double) (self->range.has_start_step ? self->range.start_step : self->range.start_s));
  gtk_spin_button_set_value (self->length,
                             self->range.has_start_step ? (double) self->range.n_steps : self->range.duration_s);
  g_signal_connect_swapped (self->first, "value-changed", G_CALLBACK (range_edited), self);
  g_signal_connect_swapped (self->length, "value-changed", G_CALLBACK (range_edited), self);
  g_signal_connect_swapped (self->text, "kind-changed", G_CALLBACK (show), self);
  show (self);
  return self;
}

void
loom_next_profile_dialog_set_kind (LoomNextProfileDialog *self, LoomProfilerPlanKind kind)
{
  g_return_if_fail (LOOM_IS_NEXT_PROFILE_DIALOG (self));
  loom_profiler_config_output_set_kind (self->text, kind);
}

const char *
loom_next_profile_dialog_get_words (LoomNextProfileDialog *self)
{
  return gtk_label_get_text (self->words);
}
