/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-file-dialogs.h"

#include "loom-recent-runs.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GtkFileChooserNative *native; /* a reference, because GTK does not hold one while the dialog is open */
  LoomFileDialogDone chosen;
  gpointer user_data;
} Question;

static void
question_free (Question *question)
{
  g_object_unref (question->native);
  g_object_unref (question->user_data);
  g_free (question);
}

static GPtrArray *
files_of (GtkFileChooser *chooser)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GListModel) model = gtk_file_chooser_get_files (chooser);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    g_ptr_array_add (files, g_list_model_get_item (model, i));
  return files;
}

static void
answered (GtkNativeDialog *native, int response, Question *question)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GPtrArray) files = files_of (GTK_FILE_CHOOSER (native));
    if (files->len > 0)
      question->chosen ((GFile **) files->pdata, files->len, question->user_data);
  }
  gtk_native_dialog_destroy (native);
  question_free (question);
}

static void
ask (GtkFileChooserNative *native, LoomFileDialogDone chosen, gpointer user_data)
{
  Question *question = g_new (Question, 1);
  *question = (Question) { native, chosen, g_object_ref (user_data) };
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_signal_connect (native, "response", G_CALLBACK (answered), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

static void
add_filters (GtkFileChooser *chooser)
{
  static const char *const suffixes[] = { "json",   "gz",         "trace",     "tmp",           "prof",
                                          "pstats", "pyisession", "traceloom", "zip",           "tar",
                                          "tgz",    "zst",        "xz",        "bz2",           "sqlite",
                                          "db",     "pb",         "pftrace",   "perfetto-trace" };
  g_autoptr (GtkFileFilter) traces = gtk_file_filter_new ();
  gtk_file_filter_set_name (traces, _ ("Traces"));
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (traces, suffixes[i]);
  gtk_file_chooser_add_filter (chooser, traces);
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, all);
}

static void
add_filter (GtkFileChooser *chooser, const char *title, const char *suffix)
{
  g_autoptr (GtkFileFilter) own = gtk_file_filter_new (), all = gtk_file_filter_new ();
  gtk_file_filter_set_name (own, title);
  gtk_file_filter_add_suffix (own, suffix);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, own);
  gtk_file_chooser_add_filter (chooser, all);
}

/* Sets the first folder of the dialog. If `wanted` is not NULL, sets `wanted`. If `wanted` is NULL and files were
 * opened before, sets nothing; GTK then shows the list of recent files. If `wanted` is NULL and no file was ever
 * opened, this list would be empty; then sets the current folder, because users who start the program in a terminal are
 * usually in the folder of their traces. */
static void
begin_somewhere (GtkFileChooser *chooser, const char *wanted)
{
  g_autoptr (GPtrArray) recent = loom_recent_runs_list (1);
  g_autofree char *here = g_get_current_dir ();
  g_autoptr (GFile) folder = g_file_new_for_path (wanted != NULL            ? wanted
                                                  : strcmp (here, "/") == 0 ? g_get_home_dir ()
                                                                            : here);
  if (wanted != NULL || recent->len == 0)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
}

void
loom_file_dialogs_open (GtkWindow *parent, LoomFileDialog what, const char *title, const char *folder,
                        LoomFileDialogDone chosen, gpointer user_data)
{
  gboolean folders = what == LOOM_FILE_DIALOG_FOLDERS;
  GtkFileChooserNative *native = gtk_file_chooser_native_new (
    title, parent, folders ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (native), folders || what == LOOM_FILE_DIALOG_FILES);
  if (what == LOOM_FILE_DIALOG_JSON)
    add_filter (GTK_FILE_CHOOSER (native), _ ("JSON"), "json");
  else if (what == LOOM_FILE_DIALOG_SQL)
    add_filter (GTK_FILE_CHOOSER (native), _ ("Query (SQL)"), "sql");
  else if (!folders)
    add_filters (GTK_FILE_CHOOSER (native));
  begin_somewhere (GTK_FILE_CHOOSER (native), folder);
  ask (native, chosen, user_data);
}

void
loom_file_dialogs_save (GtkWindow *parent, const char *title, const char *name, const char *folder,
                        LoomFileDialogDone chosen, gpointer user_data)
{
  GtkFileChooserNative *native =
    gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), name);
  if (folder != NULL) {
    g_autoptr (GFile) file = g_file_new_for_path (folder);
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (native), file, NULL);
  }
  ask (native, chosen, user_data);
}
