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
  GtkWidget parent;
  GtkWidget *box;
  GtkDropDown *kind;
  GtkTextView *view;
  GtkLabel *problem; /* of saving */
  char *path;        /* NULL */
  gboolean has_text;
};

G_DEFINE_FINAL_TYPE (LoomProfilerConfigOutput, loom_profiler_config_output, GTK_TYPE_WIDGET)

enum { PROP_HAS_TEXT = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { KIND_CHANGED, SAVING, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* In the order of LoomProfilerPlanKind. */
static const struct {
  const char *title, *file;
} kinds[] = {
  { N_ ("SageMaker request (JSON)"), "profiler-request.json" },
  { N_ ("SageMaker profilerconfig.json"), "profilerconfig.json" },
  { N_ ("Python for the SageMaker SDK"), "profiler_config.py" },
  { N_ ("PyTorch profiler schedule"), "profiler_schedule.py" },
  { N_ ("Composer profiler schedule"), "profiler_schedule.py" },
};

LoomProfilerPlanKind
loom_profiler_config_output_get_kind (LoomProfilerConfigOutput *self)
{
  return (LoomProfilerPlanKind) gtk_drop_down_get_selected (self->kind);
}

void
loom_profiler_config_output_set_kind (LoomProfilerConfigOutput *self, LoomProfilerPlanKind kind)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_OUTPUT (self));
  gtk_drop_down_set_selected (self->kind, kind);
}

char *
loom_profiler_config_output_dup (LoomProfilerConfigOutput *self)
{
  GtkTextIter begin, end;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  return gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
}

char *
loom_profiler_config_output_show (LoomProfilerConfigOutput *self, const LoomProfilerPlan *plan,
                                  const LoomProfilerConfig *base, gboolean refused)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text =
    refused ? NULL : loom_profiler_plan_write_print (plan, loom_profiler_config_output_get_kind (self), base, &error);
  self->has_text = text != NULL;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->view), text != NULL ? text : "", -1);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HAS_TEXT]);
  return error != NULL ? g_strdup (error->message) : NULL;
}

void
loom_profiler_config_output_set_path (LoomProfilerConfigOutput *self, const char *path)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_OUTPUT (self));
  g_free (self->path);
  self->path = g_strdup (path);
}

/* --- copying and saving ---------------------------------------------------------------------------------------------- */

static void
copy_clicked (LoomProfilerConfigOutput *self)
{
  g_autofree char *text = loom_profiler_config_output_dup (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
was_written (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomProfilerConfigOutput) self = owner;
  if (self->box == NULL)
    return;
  if (error == NULL) {
    g_signal_emit (self, signals[SAVED], 0);
    return;
  }
  g_autofree char *text = loom_sentence_dup_advised (error->message, _ ("Choose another place and save again."));
  loom_bounded_text_set_label (self->problem, text);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
}

static void
place_chosen (GFile **files, guint n_files, gpointer user_data)
{
  LoomProfilerConfigOutput *self = user_data;
  g_autofree char *path = g_file_get_path (files[0]);
  if (path == NULL || self->box == NULL)
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
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_OUTPUT (self));
  if (!self->has_text)
    return;
  g_signal_emit (self, signals[SAVING], 0);
  LoomProfilerPlanKind kind = loom_profiler_config_output_get_kind (self);
  gboolean is_json = kind == LOOM_PROFILER_PLAN_KIND_REQUEST || kind == LOOM_PROFILER_PLAN_KIND_CONTAINER;
  g_autofree char *folder = self->path != NULL ? g_path_get_dirname (self->path) : NULL;
  g_autofree char *file =
    self->path != NULL && is_json ? g_path_get_basename (self->path) : g_strdup (kinds[kind].file);
  loom_file_dialogs_save (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save configuration"), file, folder,
                          place_chosen, self);
}

static GtkWidget *
new_button (LoomProfilerConfigOutput *self, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  g_object_bind_property (self, "has-text", button, "sensitive", G_BINDING_SYNC_CREATE);
  return button;
}

GtkWidget *
loom_profiler_config_output_new_copy_button (LoomProfilerConfigOutput *self)
{
  return new_button (self, _ ("_Copy"), G_CALLBACK (copy_clicked));
}

GtkWidget *
loom_profiler_config_output_new_save_button (LoomProfilerConfigOutput *self)
{
  GtkWidget *button = new_button (self, _ ("_Save…"), G_CALLBACK (loom_profiler_config_output_save));
  gtk_widget_add_css_class (button, "suggested-action");
  return button;
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
kind_selected (LoomProfilerConfigOutput *self)
{
  g_signal_emit (self, signals[KIND_CHANGED], 0);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, LOOM_PROFILER_CONFIG_OUTPUT (object)->has_text);
}

static void
dispose (GObject *object)
{
  LoomProfilerConfigOutput *self = LOOM_PROFILER_CONFIG_OUTPUT (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->path, g_free);
  G_OBJECT_CLASS (loom_profiler_config_output_parent_class)->dispose (object);
}

static void
loom_profiler_config_output_class_init (LoomProfilerConfigOutputClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
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
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_kind (LoomProfilerConfigOutput *self)
{
  GtkWidget *group = adw_preferences_group_new (), *row = adw_action_row_new ();
  const char *titles[G_N_ELEMENTS (kinds) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    titles[i] = _ (kinds[i].title);
  self->kind = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (titles));
  gtk_widget_set_valign (GTK_WIDGET (self->kind), GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Write"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), GTK_WIDGET (self->kind));
  loom_drop_down_a11y_workaround_set (self->kind, _ ("Write"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (self->kind, "notify::selected", G_CALLBACK (kind_selected), self);
  return group;
}

static GtkWidget *
new_view (LoomProfilerConfigOutput *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *view = gtk_text_view_new ();
  self->view = GTK_TEXT_VIEW (view);
  gtk_text_view_set_editable (self->view, FALSE);
  gtk_text_view_set_monospace (self->view, TRUE);
  gtk_text_view_set_accepts_tab (self->view, FALSE);
  gtk_text_view_set_wrap_mode (self->view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (self->view, 12);
  gtk_text_view_set_right_margin (self->view, 12);
  gtk_text_view_set_top_margin (self->view, 9);
  gtk_text_view_set_bottom_margin (self->view, 9);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Configuration"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 120);
  gtk_widget_add_css_class (scrolled, "card");
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static void
loom_profiler_config_output_init (LoomProfilerConfigOutput *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  self->problem = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->problem, TRUE);
  gtk_label_set_xalign (self->problem, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->problem), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  gtk_box_append (GTK_BOX (self->box), new_kind (self));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->problem));
  gtk_box_append (GTK_BOX (self->box), new_view (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
loom_profiler_config_output_new (void)
{
  return g_object_new (LOOM_TYPE_PROFILER_CONFIG_OUTPUT, NULL);
}
