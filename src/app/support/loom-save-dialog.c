/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog to save a file in one of several formats. The user chooses the format in a list, or by the ending of the
 * typed name.
 */
#include "loom-file-dialogs.h"

#include "loom-alert-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#define CHOICE_ID "what"

typedef struct {
  GtkFileChooserNative *native; /* a reference, because GTK does not hold one while the dialog is open */
  GtkWindow *parent;
  const LoomSaveFormat *formats;
  guint n_formats;
  gboolean has_choice;
  /* `path`: the path that the user chose. `choice`: id of the answer that the user chose. Both are NULL until the
   * user has answered. */
  char *path, *choice;
  LoomSavePlace chosen;
  gpointer user_data;
} Question;

static void
question_free (Question *question)
{
  g_object_unref (question->native);
  g_object_unref (question->user_data);
  g_object_unref (question->parent);
  g_free (question->path);
  g_free (question->choice);
  g_free (question);
}

/* --- the path that is written ------------------------------------------------------------------------------------- */

static gboolean
ends_like (const char *path, const char *ending)
{
  gsize length = strlen (path), of_ending = strlen (ending);
  return length > of_ending && g_ascii_strcasecmp (path + length - of_ending, ending) == 0;
}

char *
loom_file_dialogs_dup_path (const char *path, const LoomSaveFormat *formats, guint n_formats, guint format)
{
  g_return_val_if_fail (format < n_formats, g_strdup (path));
  for (guint i = 0; i < n_formats; i++) {
    if (!ends_like (path, formats[i].ending))
      continue;
    if (i > 0 || format == 0)
      return g_strdup (path);
    g_autofree char *stem = g_strndup (path, strlen (path) - strlen (formats[0].ending));
    return g_strconcat (stem, formats[format].ending, NULL);
  }
  return g_strconcat (path, formats[format].ending, NULL);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void
finish (Question *question)
{
  question->chosen (question->path, question->choice, question->user_data);
  question_free (question);
}

static void
replace_answered (LoomAlertDialog *dialog, const char *response, Question *question)
{
  if (g_str_equal (response, "replace"))
    finish (question);
  else
    question_free (question);
}

/* Asks the user before a file is replaced. This is needed if an ending was added to the typed name: the dialog of the
 * system has asked only about the typed name. */
static void
ask_replace (Question *question)
{
  g_autofree char *base = g_path_get_basename (question->path), *name = g_filename_display_name (base);
  g_autofree char *heading = g_strdup_printf (_ ("Replace “%s”?"), name);
  LoomAlertDialog *dialog = loom_alert_dialog_new (
    question->parent, heading, _ ("A file with this name already exists. Replacing it will overwrite its contents."));
  loom_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "replace", _ ("_Replace"), NULL);
  loom_alert_dialog_set_response_appearance (dialog, "replace", ADW_RESPONSE_DESTRUCTIVE);
  loom_alert_dialog_set_default_response (dialog, "cancel");
  loom_alert_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (replace_answered), question);
  loom_alert_dialog_present (dialog, question->parent);
}

static void
tell_remote (Question *question)
{
  LoomAlertDialog *dialog = loom_alert_dialog_new (question->parent, _ ("Remote Location"),
                                                   _ ("Choose a local folder and copy the file from there."));
  loom_alert_dialog_add_response (dialog, "close", _ ("_Close"));
  loom_alert_dialog_present (dialog, question->parent);
}

static guint
format_of (Question *question)
{
  GtkFileFilter *filter = gtk_file_chooser_get_filter (GTK_FILE_CHOOSER (question->native));
  for (guint i = 0; filter != NULL && i < question->n_formats; i++)
    if (g_strcmp0 (gtk_file_filter_get_name (filter), _ (question->formats[i].title)) == 0)
      return i;
  return 0;
}

static void
answered (GtkNativeDialog *native, int response, Question *question)
{
  g_autoptr (GFile) file =
    response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native)) : NULL;
  g_autofree char *typed = file != NULL ? g_file_get_path (file) : NULL;
  if (typed != NULL) {
    question->path = loom_file_dialogs_dup_path (typed, question->formats, question->n_formats, format_of (question));
    if (question->has_choice)
      question->choice = g_strdup (gtk_file_chooser_get_choice (GTK_FILE_CHOOSER (native), CHOICE_ID));
  }
  gtk_native_dialog_destroy (native);
  if (file != NULL && typed == NULL)
    tell_remote (question);
  if (typed == NULL)
    question_free (question);
  else if (!g_str_equal (typed, question->path) && g_file_test (question->path, G_FILE_TEST_EXISTS))
    ask_replace (question);
  else
    finish (question);
}

/* --- making and showing the dialog -------------------------------------------------------------------------------- */

static void
add_formats (GtkFileChooser *chooser, const LoomSaveQuestion *asked)
{
  for (guint i = 0; i < asked->n_formats; i++) {
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
    gtk_file_filter_set_name (filter, _ (asked->formats[i].title));
    gtk_file_filter_add_suffix (filter, asked->formats[i].ending + 1);
    gtk_file_chooser_add_filter (chooser, filter);
    if (i == 0)
      gtk_file_chooser_set_filter (chooser, filter);
  }
}

static void
set_place (GtkFileChooser *chooser, const LoomSaveQuestion *asked)
{
  g_autofree char *name = g_strconcat (asked->stem, asked->formats[0].ending, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  if (asked->folder == NULL)
    return;
  g_autoptr (GFile) folder = g_file_new_for_path (asked->folder);
  gtk_file_chooser_set_current_folder (chooser, folder, NULL);
}

void
loom_file_dialogs_save_as (GtkWindow *parent, const LoomSaveQuestion *asked, LoomSavePlace chosen, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);
  question->native =
    gtk_file_chooser_native_new (asked->title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
  question->parent = g_object_ref (parent);
  question->formats = asked->formats;
  question->n_formats = asked->n_formats;
  question->has_choice = asked->choice != NULL;
  question->chosen = chosen;
  question->user_data = g_object_ref (user_data);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (question->native);
  add_formats (chooser, asked);
  set_place (chooser, asked);
  if (asked->choice != NULL) {
    gtk_file_chooser_add_choice (chooser, CHOICE_ID, asked->choice->label, (const char **) asked->choice->ids,
                                 (const char **) asked->choice->labels);
    gtk_file_chooser_set_choice (chooser, CHOICE_ID, asked->choice->ids[0]);
  }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (question->native), TRUE);
  g_signal_connect (question->native, "response", G_CALLBACK (answered), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (question->native));
}
