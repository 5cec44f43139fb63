/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-config-editor.h"

#include "loom-adaptive-paned.h"
#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-file-dialogs.h"
#include "loom-profiler-config-effect.h"
#include "loom-text-file-io.h"
#include "loom-toasts.h"
#include "loom-unsaved-changes-dialog.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomProfilerConfigEditor {
  AdwWindow parent;
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  GtkPaned *paned;
  LoomProfilerConfigForm *form;
  LoomProfilerConfigOutput *text;
  GtkWidget *opened_box;           /* box with notes about the file that was opened */
  GtkBox *opened, *notes, *effect; /* boxes with one label per line of text */
  LoomProfilerConfig *base;        /* the file that was opened; NULL if no file was opened */
  char *path;                      /* path of the file `base`, or of the file that is being read */
  GCancellable *busy;              /* cancels reading a file; NULL if no file is being read */
  /* Results of earlier calls of print(). `saved`: result when a file was opened or saved last; if print() now returns
   * another text, there are unsaved changes. `saving`: result when the current save began. */
  char *saved, *saving;
  LoomUnsavedChanges changes;
};

G_DEFINE_FINAL_TYPE (LoomProfilerConfigEditor, loom_profiler_config_editor, ADW_TYPE_WINDOW)

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void
clear_lines (GtkBox *box)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL;)
    gtk_box_remove (box, child);
}

static GtkWidget *
new_words (const char *text)
{
  GtkWidget *words = loom_bounded_text_new_label (text);
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (words), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_label_set_selectable (GTK_LABEL (words), TRUE);
  gtk_widget_set_hexpand (words, TRUE);
  return words;
}

static void
add_line (GtkBox *box, LoomProfilerNoteSeverity severity, const char *text)
{
  static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                       "dialog-error-symbolic" };
  static const char *const styles[] = { "dim-label", "warning", "error" };
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9), *icon = gtk_image_new_from_icon_name (icons[severity]);
  const char *spoken[] = { _ ("Hint"), _ ("Warning"), _ ("Error") };
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, styles[severity]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken[severity], -1);
  loom_bounded_text_set_tip (icon, spoken[severity]);
  gtk_box_append (GTK_BOX (line), icon);
  gtk_box_append (GTK_BOX (line), new_words (text));
  gtk_box_append (box, line);
}

static void
add_notes (GtkBox *box, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomProfilerConfigNote *note = notes->pdata[i];
    g_autofree char *text = note->where[0] != '\0'
                              ? g_strdup_printf (
                                  /* Translators: either the name and the value of a setting, or a setting and what
                                   * is wrong with it */
                                  C_ ("fact", "%s: %s"), note->where, note->message)
                              : g_strdup (note->message);
    add_line (box, note->severity, text);
  }
}

static void
add_fact (GtkBox *box, const char *name, const char *value)
{
  g_autofree char *text = g_strdup_printf (C_ ("fact", "%s: %s"), name, value);
  gtk_box_append (box, new_words (text));
}

/* --- notes and effect --------------------------------------------------------------------------------------------- */

static void
show_effect (LoomProfilerConfigEditor *self, const LoomProfilerConfigEffect *effect)
{
  g_autofree char *ms = g_strdup_printf ("%" G_GINT64_FORMAT, effect->interval_ms);
  g_autofree char *interval = effect->system ? g_strdup_printf (
                                                 /* Translators: %s is the interval at which system metrics are sampled,
                                                  * in milliseconds: "every 500 ms" */
                                                 _ ("every %s ms"), ms)
                                             : g_strdup (C_ ("profiler", "off"));
  clear_lines (self->effect);
  add_fact (self->effect, _ ("System metrics"), interval);
  if (!effect->framework) {
    g_autofree char *off = g_strdup_printf (
      /* Translators: %s is a reason such as "DisableProfiler is set"; “off” means that no metrics are recorded */
      _ ("off: %s"), effect->reason);
    add_fact (self->effect, _ ("Framework metrics"), off);
    return;
  }
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++) {
    g_autofree char *means = loom_profiler_config_effect_describe_metric (&effect->metrics[i]);
    add_fact (self->effect, loom_profiler_config_metric_to_key ((LoomProfilerMetric) i), means);
  }
}

/* Shows the configuration file that the plan would produce: the warnings about the file, and its effect on the
 * profiler in the training container. */
static void
show_written (LoomProfilerConfigEditor *self, const LoomProfilerPlan *plan)
{
  g_autofree char *text = loom_profiler_plan_write_print (plan, LOOM_PROFILER_PLAN_KIND_CONTAINER, self->base, NULL);
  g_autoptr (LoomProfilerConfig) config = text != NULL ? loom_profiler_config_parse (text, strlen (text), NULL) : NULL;
  if (config == NULL)
    return;
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  add_notes (self->notes, config->notes);
  add_notes (self->notes, effect->notes);
  show_effect (self, effect);
}

static void
show (LoomProfilerConfigEditor *self)
{
  LoomProfilerPlan plan;
  loom_profiler_config_form_get_plan (self->form, &plan);
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (&plan);
  gboolean refused = loom_profiler_config_notes_have_error (notes);
  loom_profiler_config_form_show_notes (self->form, notes);
  clear_lines (self->notes);
  add_notes (self->notes, notes);
  g_autofree char *why = loom_profiler_config_output_show (self->text, &plan, self->base, refused);
  if (why != NULL)
    add_line (self->notes, LOOM_NOTE_ERROR, why);
  clear_lines (self->effect);
  if (refused)
    gtk_box_append (self->effect, new_words (_ ("Before saving, fix the values that the SDK rejects.")));
  else
    show_written (self, &plan);
  gtk_widget_set_visible (GTK_WIDGET (self->notes), gtk_widget_get_first_child (GTK_WIDGET (self->notes)) != NULL);
  loom_profiler_plan_clear (&plan);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
show_opened (LoomProfilerConfigEditor *self)
{
  clear_lines (self->opened);
  gtk_widget_set_visible (self->opened_box, self->base != NULL);
  if (self->base == NULL)
    return;
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (self->base);
  add_notes (self->opened, self->base->notes);
  add_notes (self->opened, effect->notes);
  if (gtk_widget_get_first_child (GTK_WIDGET (self->opened)) == NULL)
    gtk_box_append (self->opened, new_words (_ ("No warnings.")));
}

/* Returns a text that depends on all fields of the form. It is compared with an earlier text to detect unsaved
 * changes. */
static char *
print (LoomProfilerConfigEditor *self)
{
  LoomProfilerPlan plan;
  loom_profiler_config_form_get_plan (self->form, &plan);
  g_autofree char *container =
    loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_CONTAINER, self->base, NULL);
  g_autofree char *request = loom_profiler_plan_write_print (&plan, LOOM_PROFILER_PLAN_KIND_REQUEST, self->base, NULL);
  loom_profiler_plan_clear (&plan);
  return g_strconcat (container != NULL ? container : "", "\n", request, NULL);
}

gboolean
loom_profiler_config_editor_is_changed (LoomProfilerConfigEditor *self)
{
  g_autofree char *now = print (self);
  return !g_str_equal (now, self->saved);
}

static void
take (LoomProfilerConfigEditor *self, const LoomProfilerPlan *plan, LoomProfilerConfig *base)
{
  g_clear_pointer (&self->base, loom_profiler_config_free);
  self->base = base;
  g_autofree char *name = base != NULL ? g_filename_display_basename (self->path) : g_strdup ("");
  adw_window_title_set_subtitle (self->title, name);
  loom_profiler_config_output_set_path (self->text, base != NULL ? self->path : NULL);
  if (base != NULL)
    loom_profiler_config_output_set_kind (self->text, base->layer == LOOM_PROFILER_CONFIG_CONTAINER
                                                        ? LOOM_PROFILER_PLAN_KIND_CONTAINER
                                                        : LOOM_PROFILER_PLAN_KIND_REQUEST);
  loom_profiler_config_form_set_plan (self->form, plan);
  g_free (self->saved);
  self->saved = print (self);
  show_opened (self);
  show (self);
}

/* Called when the user has changed the form, and once when all rows of the form have been made. */
static void
form_changed (LoomProfilerConfigEditor *self)
{
  if (self->saved == NULL)
    self->saved = print (self);
  show (self);
}

void
loom_profiler_config_editor_set_plan (LoomProfilerConfigEditor *self, const LoomProfilerPlan *plan)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_EDITOR (self) && plan != NULL);
  take (self, plan, NULL);
}

static void
was_read (gpointer owner, gpointer result, const GError *read_error, gpointer input)
{
  LoomProfilerConfigEditor *self = owner;
  g_autofree char *text = result;
  g_autoptr (GError) error = read_error != NULL ? g_error_copy (read_error) : NULL;
  LoomProfilerConfig *config = text != NULL ? loom_profiler_config_parse (text, strlen (text), &error) : NULL;
  if (config == NULL) {
    loom_toasts_show_error (self->toasts, error, _ ("Open another file."));
    return;
  }
  LoomProfilerPlan plan;
  loom_profiler_plan_read (&plan, config);
  take (self, &plan, config);
  loom_profiler_plan_clear (&plan);
}

void
loom_profiler_config_editor_open (LoomProfilerConfigEditor *self, const char *path)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_EDITOR (self) && path != NULL);
  if (self->busy != NULL)
    return;
  g_free (self->path);
  self->path = g_strdup (path);
  loom_text_file_io_read (&self->busy, path, was_read, self);
}

/* --- unsaved changes ----------------------------------------------------------------------------------------- */

static void
open_now (gpointer self, const char *path, gboolean as_new)
{
  static const LoomProfilerPlan nothing = { 0 };
  if (path != NULL)
    loom_profiler_config_editor_open (self, path);
  else
    loom_profiler_config_editor_set_plan (self, &nothing);
}

static void
begun_to_save (LoomProfilerConfigEditor *self)
{
  loom_unsaved_changes_stay (&self->changes);
  g_free (self->saving);
  self->saving = print (self);
}

static void
was_saved (LoomProfilerConfigEditor *self)
{
  g_free (self->saved);
  self->saved = g_steal_pointer (&self->saving);
  if (self->saved == NULL)
    self->saved = print (self);
  loom_unsaved_changes_saved (&self->changes);
}

static gboolean
can_save (gpointer self)
{
  return loom_profiler_config_output_has_text (LOOM_PROFILER_CONFIG_EDITOR (self)->text);
}

static gboolean
save_first (gpointer self)
{
  loom_profiler_config_output_save (LOOM_PROFILER_CONFIG_EDITOR (self)->text);
  return TRUE;
}

static gboolean
close_request (GtkWindow *window)
{
  return loom_unsaved_changes_close (&LOOM_PROFILER_CONFIG_EDITOR (window)->changes);
}

static void
file_chosen (GFile **files, guint n_files, gpointer editor)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL && LOOM_PROFILER_CONFIG_EDITOR (editor)->form != NULL)
    loom_unsaved_changes_open (&LOOM_PROFILER_CONFIG_EDITOR (editor)->changes, path, FALSE);
}

static void
open_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_file_dialogs_open (GTK_WINDOW (widget), LOOM_FILE_DIALOG_JSON, _ ("Open Configuration"), NULL, file_chosen,
                          widget);
}

static void
new_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_unsaved_changes_open (&LOOM_PROFILER_CONFIG_EDITOR (widget)->changes, NULL, FALSE);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  loom_worker_cancel (&LOOM_PROFILER_CONFIG_EDITOR (object)->busy);
  G_OBJECT_CLASS (loom_profiler_config_editor_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomProfilerConfigEditor *self = LOOM_PROFILER_CONFIG_EDITOR (object);
  g_clear_pointer (&self->base, loom_profiler_config_free);
  loom_unsaved_changes_clear (&self->changes);
  g_free (self->path);
  g_free (self->saved);
  g_free (self->saving);
  G_OBJECT_CLASS (loom_profiler_config_editor_parent_class)->finalize (object);
}

static void
loom_profiler_config_editor_class_init (LoomProfilerConfigEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  g_type_ensure (LOOM_TYPE_PROFILER_CONFIG_FORM);
  g_type_ensure (LOOM_TYPE_PROFILER_CONFIG_OUTPUT);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
  gtk_widget_class_install_action (widget_class, "config.open", NULL, open_activated);
  gtk_widget_class_install_action (widget_class, "config.new", NULL, new_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, GDK_CONTROL_MASK, "config.open", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-profiler-config-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, effect);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, form);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, notes);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, opened);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, opened_box);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, text);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, title);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigEditor, toasts);
  gtk_widget_class_bind_template_callback (widget_class, begun_to_save);
  gtk_widget_class_bind_template_callback (widget_class, form_changed);
  gtk_widget_class_bind_template_callback (widget_class, loom_profiler_config_output_copy);
  gtk_widget_class_bind_template_callback (widget_class, loom_profiler_config_output_save);
  gtk_widget_class_bind_template_callback (widget_class, show);
  gtk_widget_class_bind_template_callback (widget_class, was_saved);
}

static void
loom_profiler_config_editor_init (LoomProfilerConfigEditor *self)
{
  static const LoomUnsavedChangesKind kind = {
    .is_changed = (gboolean (*) (gpointer)) loom_profiler_config_editor_is_changed,
    .can_save = can_save,
    .save = save_first,
    .open = open_now,
  };
  loom_unsaved_changes_dialog_init (&self->changes, &kind, GTK_WINDOW (self));
  gtk_widget_init_template (GTK_WIDGET (self));
}

LoomProfilerConfigEditor *
loom_profiler_config_editor_new (GtkWindow *parent)
{
  LoomProfilerConfigEditor *self = g_object_new (LOOM_TYPE_PROFILER_CONFIG_EDITOR, "transient-for", parent,
                                                 "application", gtk_window_get_application (parent), NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 1040, 720);
  loom_adaptive_paned_follow (self->paned, GTK_WINDOW (self));
  return self;
}
