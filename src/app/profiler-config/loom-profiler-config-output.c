/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-config-output.h"

#include "loom-bounded-text.h"
#include "loom-drop-down-a11y-workaround.h"
#include "loom-file-dialogs.h"
#include "loom-sentence.h"
#include "loom-text-file-io.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _LoomProfilerConfigOutput {
  GtkBox parent;
  GtkDropDown *kind;
  GtkTextBuffer *text;
  GtkLabel *problem; /* label with the reason why saving failed */
  /* path that the file dialog suggests; NULL if it suggests a name that depends on the kind of output */
  char *path;
  gboolean has_text;
};

G_DEFINE_FINAL_TYPE (LoomProfilerConfigOutput, loom_profiler_config_output, GTK_TYPE_BOX)

enum { PROP_HAS_TEXT = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { KIND_CHANGED, SAVING, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Suggested file names, in the order of LoomProfilerPlanKind and of the list in the template. */
static const char *const file_names[] = { "profiler-request.json", "profilerconfig.json", "profiler_config.py",
                                          "profiler_schedule.py", "profiler_schedule.py" };

LoomProfilerPlanKind
loom_profiler_config_output_get_kind (LoomProfilerConfigOutput *self)
{
  return (LoomProfilerPlanKind) gtk_drop_down_get_selected (self->kind);
}

void
loom_profiler_config_output_set_kind (LoomProfilerConfigOutput *self, LoomProfilerPlanKind kind)
{
  gtk_drop_down_set_selected (self->kind, kind);
}

char *
loom_profiler_config_output_dup (LoomProfilerConfigOutput *self)
{
  GtkTextIter begin, end;
  gtk_text_buffer_get_bounds (self->text, &begin, &end);
  return gtk_text_buffer_get_text (self->text, &begin, &end, FALSE);
}

char *
loom_profiler_config_output_show (LoomProfilerConfigOutput *self, const LoomProfilerPlan *plan,
                                  const LoomProfilerConfig *base, gboolean refused)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
    refused ? NULL : loom_profiler_plan_write_print (plan, loom_profiler_config_output_get_kind (self), base, &error);
  self->has_text = text != NULL;
  gtk_text_buffer_set_text (self->text, text != NULL ? text : "", -1);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HAS_TEXT]);
  return error != NULL ? g_strdup (error->message) : NULL;
}

void
loom_profiler_config_output_set_path (LoomProfilerConfigOutput *self, const char *path)
{
  g_free (self->path);
  self->path = g_strdup (path);
}

/* --- copying and saving ------------------------------------------------------------------------------------------- */

void
loom_profiler_config_output_copy (LoomProfilerConfigOutput *self)
{
  g_autofree char *text = loom_profiler_config_output_dup (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
was_written (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomProfilerConfigOutput) self = owner;
  if (self->text == NULL) /* the window was closed while the file dialog was open or the file was written */
    return;
  if (error == NULL) {
    g_signal_emit (self, signals[SAVED], 0);
    return;
  }
  g_autofree char *text = loom_sentence_dup_advised (error->message, _ ("Choose another location and save again."));
  loom_bounded_text_set_label (self->problem, text);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
}

static void
place_chosen (GFile **files, guint n_files, gpointer user_data)
{
  LoomProfilerConfigOutput *self = user_data;
  g_autofree char *path = g_file_get_path (files[0]);
  if (path == NULL || self->text == NULL)
    return;
  g_autofree char *text = loom_profiler_config_output_dup (self);
  loom_text_file_io_write (path, text, LOOM_INPUT_FILES_FIXED, was_written, g_object_ref (self));
}

gboolean
loom_profiler_config_output_has_text (LoomProfilerConfigOutput *self)
{
  return self->has_text;
}

void
loom_profiler_config_output_save (LoomProfilerConfigOutput *self)
{
  if (!self->has_text)
    return;
  g_signal_emit (self, signals[SAVING], 0);
  LoomProfilerPlanKind kind = loom_profiler_config_output_get_kind (self);
  gboolean is_json = kind == LOOM_PROFILER_PLAN_KIND_REQUEST || kind == LOOM_PROFILER_PLAN_KIND_CONTAINER;
  g_autofree char *folder = self->path != NULL ? g_path_get_dirname (self->path) : NULL;
  g_autofree char *file =
    self->path != NULL && is_json ? g_path_get_basename (self->path) : g_strdup (file_names[kind]);
  loom_file_dialogs_save (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save Configuration"), file, folder,
                          place_chosen, self);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
kind_selected (LoomProfilerConfigOutput *self)
{
  if (!gtk_widget_in_destruction (GTK_WIDGET (self)))
    g_signal_emit (self, signals[KIND_CHANGED], 0);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, LOOM_PROFILER_CONFIG_OUTPUT (object)->has_text);
}

static void
finalize (GObject *object)
{
  g_free (LOOM_PROFILER_CONFIG_OUTPUT (object)->path);
  G_OBJECT_CLASS (loom_profiler_config_output_parent_class)->finalize (object);
}

static void
loom_profiler_config_output_class_init (LoomProfilerConfigOutputClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_HAS_TEXT] =
    g_param_spec_boolean ("has-text", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  signals[KIND_CHANGED] = g_signal_new ("kind-changed", LOOM_TYPE_PROFILER_CONFIG_OUTPUT, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVING] =
    g_signal_new ("saving", LOOM_TYPE_PROFILER_CONFIG_OUTPUT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVED] =
    g_signal_new ("saved", LOOM_TYPE_PROFILER_CONFIG_OUTPUT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-profiler-config-output.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigOutput, kind);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigOutput, problem);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigOutput, text);
  gtk_widget_class_bind_template_callback (widget_class, kind_selected);
}

static void
loom_profiler_config_output_init (LoomProfilerConfigOutput *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_drop_down_a11y_workaround_set (self->kind, _ ("Output Format"));
}
