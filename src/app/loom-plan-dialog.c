/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-plan-dialog.h"

#include "loom-choosers.h"
#include "loom-named-choice.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomPlanDialog {
  AdwWindow parent;
  GtkDropDown *kind;
  GtkSpinButton *first, *length;
  GtkTextView *text;
  GtkLabel *words;
  GtkWidget *copy, *save;
  LoomConfigRange range;
};

G_DEFINE_FINAL_TYPE (LoomPlanDialog, loom_plan_dialog, ADW_TYPE_WINDOW)

/* In the order of LoomConfigKind. */
static const struct { const char *title, *file; } kinds[] = {
  { N_ ("SageMaker request (JSON)"), "profiler-request.json" },
  { N_ ("SageMaker profilerconfig.json"), "profilerconfig.json" },
  { N_ ("Python for the SageMaker SDK"), "profiler_config.py" },
  { N_ ("PyTorch profiler schedule"), "profiler_schedule.py" },
  { N_ ("Composer profiler schedule"), "profiler_schedule.py" },
};

LoomConfigRange
loom_plan_range (LoomSteps *steps, LoomRange range)
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
    return (LoomConfigRange) { .has_start_step = TRUE, .has_n_steps = TRUE, .start_step = first, .n_steps = last - first + 1 };
  return (LoomConfigRange) { .has_start_s = TRUE, .has_duration = TRUE, .start_s = range.begin_ns / LOOM_NS_PER_S,
                             .duration_s = (double) MAX (range.end_ns - range.begin_ns, LOOM_NS_PER_MS) / LOOM_NS_PER_S };
}

/* --- the text -------------------------------------------------------------------------------------------------------- */

static void
add_words (GString *words, const char *text)
{
  g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", text);
}

/* Owned; NULL with the reason in `words`. */
static char *
print (LoomPlanDialog *self, GString *words)
{
  LoomConfigPlan plan = { .range = self->range };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = loom_config_plan_check (&plan);
  gboolean refused = FALSE;
  for (guint i = 0; i < notes->len; i++) {
    const LoomConfigNote *note = notes->pdata[i];
    add_words (words, note->message);
    refused |= note->severity == LOOM_NOTE_ERROR;
  }
  if (refused)
    return NULL;
  char *text = loom_config_plan_print (&plan, (LoomConfigKind) gtk_drop_down_get_selected (self->kind), NULL, &error);
  if (error != NULL)
    add_words (words, error->message);
  return text;
}

static void
show (LoomPlanDialog *self)
{
  g_autoptr (GString) words = g_string_new (NULL);
  if (!self->range.has_start_step)
    add_words (words, _ ("No numbered steps touch the range, so these are its seconds; the start is that of this run and has to be set for the next one."));
  g_autofree char *text = print (self, words);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), text != NULL ? text : "", -1);
  gtk_label_set_text (self->words, words->str);
  gtk_widget_set_visible (GTK_WIDGET (self->words), words->len > 0);
  gtk_widget_set_sensitive (self->copy, text != NULL);
  gtk_widget_set_sensitive (self->save, text != NULL);
}

static void
range_edited (LoomPlanDialog *self)
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

/* --- what a person does ---------------------------------------------------------------------------------------------- */

char *
loom_plan_dialog_dup_text (LoomPlanDialog *self)
{
  GtkTextIter begin, end;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  return gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
}

static void
copy_clicked (LoomPlanDialog *self)
{
  g_autofree char *text = loom_plan_dialog_dup_text (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
file_chosen (GFile **files, guint n_files, gpointer dialog)
{
  LoomPlanDialog *self = dialog;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = loom_plan_dialog_dup_text (self);
  if (g_file_replace_contents (files[0], text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error))
    return;
  gtk_label_set_text (self->words, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->words), TRUE);
}

static void
save_clicked (LoomPlanDialog *self)
{
  loom_choose_save (GTK_WINDOW (self), _ ("Save configuration"), kinds[gtk_drop_down_get_selected (self->kind)].file, NULL, file_chosen, self);
}

/* --- the window ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
new_button (LoomPlanDialog *self, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

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
new_form (LoomPlanDialog *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  GtkWidget *row = adw_action_row_new ();
  const char *titles[G_N_ELEMENTS (kinds) + 1] = { NULL };
  gboolean steps = self->range.has_start_step;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    titles[i] = _ (kinds[i].title);
  self->kind = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (titles));
  gtk_widget_set_valign (GTK_WIDGET (self->kind), GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Write"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), GTK_WIDGET (self->kind));
  loom_named_choice_set (self->kind, _ ("Write"));
  adw_preferences_group_add (group, row);
  self->first = add_number (group, steps ? _ ("First step") : _ ("Start, in seconds since 1970"), 0, 0);
  self->length = add_number (group, steps ? _ ("Number of steps") : _ ("Seconds"), steps ? 1 : 0.001, steps ? 0 : 3);
  return GTK_WIDGET (group);
}

static GtkWidget *
new_preview (LoomPlanDialog *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *text = gtk_text_view_new ();
  self->text = GTK_TEXT_VIEW (text);
  gtk_text_view_set_editable (self->text, FALSE);
  gtk_text_view_set_monospace (self->text, TRUE);
  gtk_text_view_set_wrap_mode (self->text, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (self->text, 12);
  gtk_text_view_set_right_margin (self->text, 12);
  gtk_text_view_set_top_margin (self->text, 9);
  gtk_text_view_set_bottom_margin (self->text, 9);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Configuration"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), text);
  gtk_widget_add_css_class (scrolled, "card");
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
new_page (LoomPlanDialog *self)
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
  gtk_box_append (GTK_BOX (page), new_preview (self));
  return page;
}

static void
build (LoomPlanDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *bar = adw_header_bar_new ();
  self->copy = new_button (self, _ ("_Copy"), G_CALLBACK (copy_clicked));
  self->save = new_button (self, _ ("_Save…"), G_CALLBACK (save_clicked));
  gtk_widget_add_css_class (self->save, "suggested-action");
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->copy);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->save);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), new_page (self));
  adw_window_set_content (ADW_WINDOW (self), box);
}

static void
loom_plan_dialog_class_init (LoomPlanDialogClass *klass)
{
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
loom_plan_dialog_init (LoomPlanDialog *self)
{
}

LoomPlanDialog *
loom_plan_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range)
{
  LoomPlanDialog *self = g_object_new (LOOM_TYPE_PLAN_DIALOG, "transient-for", parent, "modal", TRUE, "title", _ ("Profile This Range Next Time"),
                                       "default-width", 560, "default-height", 620, NULL);
  self->range = loom_plan_range (steps, range);
  build (self);
  gtk_spin_button_set_value (self->first, (double) (self->range.has_start_step ? self->range.start_step : self->range.start_s));
  gtk_spin_button_set_value (self->length, self->range.has_start_step ? (double) self->range.n_steps : self->range.duration_s);
  g_signal_connect_swapped (self->first, "value-changed", G_CALLBACK (range_edited), self);
  g_signal_connect_swapped (self->length, "value-changed", G_CALLBACK (range_edited), self);
  g_signal_connect_swapped (self->kind, "notify::selected", G_CALLBACK (show), self);
  show (self);
  return self;
}

void
loom_plan_dialog_set_kind (LoomPlanDialog *self, LoomConfigKind kind)
{
  g_return_if_fail (LOOM_IS_PLAN_DIALOG (self));
  gtk_drop_down_set_selected (self->kind, kind);
}

const char *
loom_plan_dialog_get_words (LoomPlanDialog *self)
{
  return gtk_label_get_text (self->words);
}
