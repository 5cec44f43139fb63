/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-editor.h"

#include "loom-adaptive-paned.h"
#include "loom-dialog-size.h"
#include "loom-file-dialogs.h"
#include "loom-json-editor.h"
#include "loom-rule-files.h"
#include "loom-text-file-io.h"
#include "loom-toasts.h"
#include "loom-unsaved-changes-dialog.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>
#include <string.h>

/* Returns the contents of a new file. The file contains two texts that the user will replace; these are translated.
 * Owned by the caller. */
static char *
dup_first_rule (void)
{
  return g_strdup_printf (
    "{ \"traceloom-rules\": 1,\n"
    "  \"rules\": [\n"
    "    { \"name\": \"MyRule\",\n"
    "      \"about\": \"%s\",\n"
    "      \"of\": \"spans\",\n"
    "      \"where\": { \"name\": \".\" },\n"
    "      \"per\": \"rank\",\n"
    "      \"window\": \"step\",\n"
    "      \"statistic\": \"share\",\n"
    "      \"above\": \"90 %%\",\n"
    "      \"sentence\": \"%s\" } ] }\n",
    _ ("Describe what to do when this rule fires."),
    _ ("{who} was busy for up to {value} of a step; {count} of {windows} steps were above {limit}"));
}

struct _LoomRuleEditor {
  AdwWindow parent;
  AdwWindowTitle *title;
  GMenu *examples;
  GtkWidget *save;
  GtkPaned *paned;
  LoomJsonEditor *text;
  LoomRulePreview *preview;
  AdwToastOverlay *toasts;
  char *path;            /* path of the rule file; NULL for a new file that has not been saved */
  LoomInputFiles *input; /* registration of the file at `path`, which prevents an export from replacing the file */
  char *saved;           /* the text when the file was opened, saved or created last; used to detect unsaved changes */
  char *under_way;       /* path of the file that is being read or written */
  gboolean as_new;
  GCancellable *reading;
  gboolean busy; /* TRUE while a file is being read or written */
  LoomUnsavedChanges changes;
};

G_DEFINE_FINAL_TYPE (LoomRuleEditor, loom_rule_editor, ADW_TYPE_WINDOW)

enum { SHOWS, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- title and messages ------------------------------------------------------------------------------------------- */

gboolean
loom_rule_editor_is_changed (LoomRuleEditor *self)
{
  g_autofree char *text = loom_json_editor_dup_text (self->text);
  return !g_str_equal (text, self->saved);
}

static void
show_title (LoomRuleEditor *self)
{
  g_autofree char *name = self->path != NULL ? g_filename_display_basename (self->path) : g_strdup (_ ("New rules"));
  g_autofree char *shown = loom_rule_editor_is_changed (self) ? g_strdup_printf ("• %s", name) : g_strdup (name);
  adw_window_title_set_subtitle (self->title, shown);
}

/* Checks the text for errors. This is fast enough for the main thread: checking half a megabyte takes a few
 * milliseconds, and a rule file has a few kilobytes. */
static void
check (LoomRuleEditor *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = loom_json_editor_dup_text (self->text);
  guint line = 0;
  g_autoptr (GPtrArray) rules = loom_custom_rules_check (text, strlen (text), &line, &error);
  if (rules != NULL) {
    guint n = rules->len;
    g_autofree char *good = g_strdup_printf (ngettext ("%u rule, no errors", "%u rules, no errors", n), n);
    loom_json_editor_show_good (self->text, good);
  } else {
    loom_json_editor_show_problem (self->text, line, error->message);
  }
  loom_rule_preview_set_rules (self->preview, rules);
  show_title (self);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
set_busy (LoomRuleEditor *self, gboolean busy)
{
  self->busy = busy;
  /* the editor stays sensitive while it is busy: if it were insensitive, it would lose the focus */
  gtk_text_view_set_editable (loom_json_editor_get_view (self->text), !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.new", !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.open", !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.save", !busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.save-as", !busy);
}

/* Marks the editor as busy while the file is read or written; the text cannot be edited during this time. */
static void
begin (LoomRuleEditor *self, const char *path)
{
  set_busy (self, TRUE);
  g_free (self->under_way);
  self->under_way = g_strdup (path);
}

static void
set_path (LoomRuleEditor *self, const char *path)
{
  g_clear_pointer (&self->input, loom_input_files_free);
  g_free (self->path);
  self->path = g_strdup (path);
  self->input = path != NULL ? loom_input_files_new_of_kind (path, LOOM_INPUT_FILES_RULES) : NULL;
}

static void
take (LoomRuleEditor *self, const char *text, const char *path)
{
  g_free (self->saved);
  self->saved = g_strdup (text);
  set_path (self, path);
  loom_json_editor_set_text (self->text, text);
  check (self);
}

static void
take_first_rule (LoomRuleEditor *self)
{
  g_autofree char *text = dup_first_rule ();
  take (self, text, NULL);
}

static void
was_read (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomRuleEditor *self = owner;
  g_autofree char *text = result;
  set_busy (self, FALSE);
  if (text != NULL)
    take (self, text, self->as_new ? NULL : self->under_way);
  else
    loom_toasts_show_error (self->toasts, error, _ ("Open another file."));
}

static void
read_now (LoomRuleEditor *self, const char *path, gboolean as_new)
{
  begin (self, path);
  self->as_new = as_new;
  loom_text_file_io_read (&self->reading, path, was_read, self);
}

static void
open_now (gpointer self, const char *path, gboolean as_new)
{
  if (path != NULL)
    read_now (self, path, as_new);
  else
    take_first_rule (self);
}

static void
now_in_file (LoomRuleEditor *self)
{
  g_free (self->saved);
  self->saved = loom_json_editor_dup_text (self->text);
  set_path (self, self->under_way);
  show_title (self);
  g_signal_emit (self, signals[SAVED], 0, self->path);
  loom_unsaved_changes_saved (&self->changes);
}

static void
was_written (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomRuleEditor) self = owner;
  if (self->text == NULL) /* the editor was closed while the file was written */
    return;
  set_busy (self, FALSE);
  if (error == NULL) {
    now_in_file (self);
    return;
  }
  loom_unsaved_changes_stay (&self->changes);
  loom_toasts_show_error (self->toasts, error, _ ("Choose another location and save again."));
}

void
loom_rule_editor_save (LoomRuleEditor *self, const char *path)
{
  g_return_if_fail (LOOM_IS_RULE_EDITOR (self) && path != NULL && !self->busy);
  g_autofree char *text = loom_json_editor_dup_text (self->text);
  begin (self, path);
  loom_text_file_io_write (path, text, LOOM_INPUT_FILES_RULES, was_written, g_object_ref (self));
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
place_chosen_to_save (GFile **files, guint n_files, gpointer editor)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL && !LOOM_RULE_EDITOR (editor)->busy && LOOM_RULE_EDITOR (editor)->text != NULL)
    loom_rule_editor_save (editor, path);
}

/* Shows a file dialog for saving the rules. For a new file, suggests the folder from which rules are loaded
 * automatically. */
static void
choose_place (LoomRuleEditor *self)
{
  g_autofree char *folder = self->path != NULL ? g_path_get_dirname (self->path) : loom_rule_files_dup_folder ();
  g_autofree char *file = self->path != NULL ? g_path_get_basename (self->path) : g_strdup ("rules.json");
  g_mkdir_with_parents (folder, 0700);
  loom_file_dialogs_save (GTK_WINDOW (self), _ ("Save Rules"), file, folder, place_chosen_to_save, self);
}

/* Shows a file dialog for saving the rules. Afterwards, neither opens another file nor closes the window, even if the
 * user had begun to do so and has not answered the question about unsaved changes. */
static void
save_as_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_unsaved_changes_stay (&LOOM_RULE_EDITOR (widget)->changes);
  choose_place (LOOM_RULE_EDITOR (widget));
}

static void
save_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomRuleEditor *self = LOOM_RULE_EDITOR (widget);
  loom_unsaved_changes_stay (&self->changes);
  if (self->path != NULL)
    loom_rule_editor_save (self, self->path);
  else
    choose_place (self);
}

static gboolean
save_first (gpointer editor)
{
  return gtk_widget_activate_action (editor, "rules.save", NULL);
}

static void
want (LoomRuleEditor *self, const char *path, gboolean as_new)
{
  if (!self->busy)
    loom_unsaved_changes_open (&self->changes, path, as_new);
}

void
loom_rule_editor_open (LoomRuleEditor *self, const char *path)
{
  g_return_if_fail (LOOM_IS_RULE_EDITOR (self) && path != NULL);
  want (self, path, FALSE);
}

void
loom_rule_editor_start_from (LoomRuleEditor *self, const char *path)
{
  want (self, path, TRUE);
}

static void
file_chosen_to_open (GFile **files, guint n_files, gpointer editor)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL)
    loom_rule_editor_open (editor, path);
}

static void
open_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_file_dialogs_open (GTK_WINDOW (widget), LOOM_FILE_DIALOG_JSON, _ ("Open Rules"), NULL, file_chosen_to_open,
                          widget);
}

static void
new_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *path = g_variant_get_string (parameter, NULL);
  loom_rule_editor_start_from (LOOM_RULE_EDITOR (widget), path[0] != '\0' ? path : NULL);
}

static gboolean
close_request (GtkWindow *window)
{
  return loom_unsaved_changes_close (&LOOM_RULE_EDITOR (window)->changes);
}

/* --- menus, widget class and public functions --------------------------------------------------------------------- */

/* Returns the title of a rule file that comes with the program; for other files, returns the file name. */
static const char *
title_of (const char *file)
{
  static const struct {
    const char *file, *title;
  } titles[] = {
    { "communication.json", N_ ("Communication share") }, { "data-loading.json", N_ ("Data waits") },
    { "idle-gpu.json", N_ ("Idle GPU between kernels") }, { "launch-bound.json", N_ ("Launch-bound steps") },
    { "memory-growth.json", N_ ("Memory growth") },       { "slow-rank.json", N_ ("Slow rank") },
  };
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (file, titles[i].file))
      return _ (titles[i].title);
  return file;
}

static void
add_examples (LoomRuleEditor *self)
{
  g_auto (GStrv) paths = loom_rule_files_list_examples ();
  for (guint i = 0; paths[i] != NULL; i++) {
    g_autofree char *file = g_path_get_basename (paths[i]);
    g_autoptr (GMenuItem) item = g_menu_item_new (title_of (file), NULL);
    g_menu_item_set_action_and_target (item, "rules.new", "s", paths[i]);
    g_menu_append_item (self->examples, item);
  }
}

/* Sets an accessible name for the arrow of a split button, because GTK sets none. */
static void
name_arrow (GtkWidget *split)
{
  for (GtkWidget *child = gtk_widget_get_first_child (split); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("More ways to save"),
                                      -1);
}

static void
shows (LoomRuleEditor *self)
{
  g_signal_emit (self, signals[SHOWS], 0);
}

static void
dispose (GObject *object)
{
  loom_worker_cancel (&LOOM_RULE_EDITOR (object)->reading);
  G_OBJECT_CLASS (loom_rule_editor_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomRuleEditor *self = LOOM_RULE_EDITOR (object);
  loom_unsaved_changes_clear (&self->changes);
  g_clear_pointer (&self->input, loom_input_files_free);
  g_free (self->path);
  g_free (self->saved);
  g_free (self->under_way);
  G_OBJECT_CLASS (loom_rule_editor_parent_class)->finalize (object);
}

static void
loom_rule_editor_class_init (LoomRuleEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  g_type_ensure (LOOM_TYPE_JSON_EDITOR);
  g_type_ensure (LOOM_TYPE_RULE_PREVIEW);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
  signals[SHOWS] =
    g_signal_new ("shows", LOOM_TYPE_RULE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVED] = g_signal_new ("saved", LOOM_TYPE_RULE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_STRING);
  gtk_widget_class_install_action (widget_class, "rules.new", "s", new_activated);
  gtk_widget_class_install_action (widget_class, "rules.open", NULL, open_activated);
  gtk_widget_class_install_action (widget_class, "rules.save", NULL, save_activated);
  gtk_widget_class_install_action (widget_class, "rules.save-as", NULL, save_as_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, GDK_CONTROL_MASK, "rules.open", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK, "rules.save", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "rules.save-as",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-rule-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, examples);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, preview);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, save);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, text);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, title);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleEditor, toasts);
  gtk_widget_class_bind_template_callback (widget_class, check);
  gtk_widget_class_bind_template_callback (widget_class, shows);
}

static void
loom_rule_editor_init (LoomRuleEditor *self)
{
  static const LoomUnsavedChangesKind kind = { .is_changed = (gboolean (*) (gpointer)) loom_rule_editor_is_changed,
                                               .save = save_first,
                                               .open = open_now };
  loom_unsaved_changes_dialog_init (&self->changes, &kind, GTK_WINDOW (self));
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (loom_json_editor_get_view (self->text)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Rules"), -1);
  add_examples (self);
  name_arrow (self->save);
}

LoomRuleEditor *
loom_rule_editor_new (GtkWindow *parent, LoomRunState *run, LoomRenderContext *scene)
{
  LoomRuleEditor *self = g_object_new (LOOM_TYPE_RULE_EDITOR, "transient-for", parent, "application",
                                       gtk_window_get_application (parent), NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 1040, 640);
  loom_adaptive_paned_follow (self->paned, GTK_WINDOW (self));
  loom_rule_editor_set_run (self, run, scene);
  take_first_rule (self);
  return self;
}

void
loom_rule_editor_set_run (LoomRuleEditor *self, LoomRunState *run, LoomRenderContext *scene)
{
  loom_rule_preview_set_run (self->preview, run, scene);
}

LoomRulePreview *
loom_rule_editor_get_preview (LoomRuleEditor *self)
{
  return self->preview;
}

gboolean
loom_rule_editor_is_busy (LoomRuleEditor *self)
{
  return self->busy;
}
