/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions for a run that is shown from an index file, which is small and contains only sums of a trace. The actions
 * read the events of a rank in the visible range from the trace, and open these events in a tab. If the trace is on
 * another machine, the user enters a command that reads the trace there. With such a command, the events can also be
 * shown in the rows of the timeline instead of a tab.
 */
#include "loom-form-dialog.h"
#include "loom-indexed-trace.h"
#include "loom-range-task.h"
#include "loom-settings.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

typedef struct {
  LoomWindow *self; /* a reference, because reading may take longer than the dialog is open */
  LoomDocument *document;
  gint rank;
  LoomRange range;
  gboolean in_rows;  /* TRUE if the rows of the timeline show the events; FALSE if the events are opened in a tab */
  GtkWindow *window; /* dialog in which the user enters the command; NULL if the dialog is not open */
  AdwEntryRow *command;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;
  g_object_unref (question->self);
  g_object_unref (question->document);
  g_free (question);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
tell_failure (LoomWindow *self, gint rank, const GError *error)
{
  g_autofree char *title = g_strdup_printf (_ ("The events of rank %d could not be read."), rank);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    loom_window_show_toast (self, _ ("Reading was canceled"), NULL);
  else
    loom_window_show_load_error (self, GTK_MESSAGE_ERROR, title, error->message, FALSE);
}

static void
events_read (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = owner;
  g_autofree char *path = result;
  const char *paths[] = { path, NULL };
  if (!loom_window_end_saving (self))
    return;
  if (path != NULL)
    loom_tab_open_paths (loom_window_add_tab (self, TRUE), paths, FALSE);
  else
    tell_failure (self, loom_range_task_get_rank (input), error);
}

/* If a tab of any window already shows the file `path`, which contains the events of a range, selects this tab and
 * returns TRUE, because reading the events again would replace the file. Otherwise returns FALSE. */
static gboolean
show_open_tab (LoomApplication *application, const char *path)
{
  for (GList *next = gtk_application_get_windows (GTK_APPLICATION (application)); next != NULL; next = next->next) {
    LoomWindow *window = LOOM_IS_WINDOW (next->data) ? next->data : NULL;
    for (guint i = 0; window != NULL && i < loom_window_get_n_tabs (window); i++) {
      LoomDocument *document = loom_tab_get_document (loom_window_get_nth_tab (window, i));
      if (!g_strv_contains (loom_document_get_paths (document), path))
        continue;
      adw_tab_view_set_selected_page (window->tab_view, adw_tab_view_get_nth_page (window->tab_view, (int) i));
      gtk_window_present (GTK_WINDOW (window));
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
is_open (const Question *question)
{
  g_autofree char *path = loom_range_task_dup_path (question->document, question->rank, question->range);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (question->self));
  return path != NULL && application != NULL && show_open_tab (LOOM_APPLICATION (application), path);
}

/* Starts reading the events. Returns FALSE if the window is already reading or saving a file. */
static gboolean
read_events (const Question *question, LoomServeClient *client)
{
  LoomWindow *self = question->self;
  g_autofree char *label = g_strdup_printf (_ ("Events of rank %d"), question->rank);
  if (self->saving != NULL || loom_document_get_timeline (question->document) == NULL)
    return FALSE;
  loom_window_begin_reading (self, label);
  loom_range_task_run (question->document, question->rank, question->range, client, self->saving, events_read,
                       g_object_ref (self));
  return TRUE;
}

/* --- dialog that asks for the command ----------------------------------------------------------------------------- */

static void
apply_clicked (Question *question)
{
  g_autoptr (GError) error = NULL;
  const char *command = gtk_editable_get_text (GTK_EDITABLE (question->command));
  g_autoptr (LoomServeClient) client = loom_serve_client_new (command, &error);
  loom_form_dialog_mark (question->command, client == NULL);
  if (client == NULL) {
    g_autofree char *why = g_markup_escape_text (error->message, -1);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (question->command), why);
    return;
  }
  loom_settings_set_string (LOOM_SETTING_SERVE_COMMAND, command);
  if (question->self->run != NULL && question->self->document == question->document)
    loom_range_details_set_through (loom_run_state_get_details (question->self->run), client);
  if (question->in_rows || read_events (question, client))
    gtk_window_close (question->window);
}

static GtkWidget *
new_page (Question *question)
{
  GtkWidget *page = adw_preferences_page_new (), *group = adw_preferences_group_new ();
  g_autofree char *
    command = loom_settings_dup_string (LOOM_SETTING_SERVE_COMMAND),
   *about = g_markup_escape_text (
     /* Translators: HOST and FOLDER are placeholders that the user replaces. */
     _ (
       "The trace is on another machine. Enter a command that reads this range there; nothing else is copied. Example: ssh HOST traceloom-cli serve --stdio FOLDER"),
     -1);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), about);
  question->command = loom_form_dialog_add_entry (ADW_PREFERENCES_GROUP (group), _ ("Command"), command);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  return page;
}

/* Shows the dialog in which the user enters the command. Takes ownership of `question`. */
static void
ask_command (Question *question)
{
  GtkButton *apply;
  g_autofree char *title = g_strdup_printf (_ ("Read Events of Rank %d"), question->rank);
  question->window =
    loom_form_dialog_new (GTK_WINDOW (question->self), title, new_page (question), _ ("_Read"), &apply);
  g_object_set_data_full (G_OBJECT (question->window), "loom-question", question, question_free);
  g_signal_connect_swapped (apply, "clicked", G_CALLBACK (apply_clicked), question);
  gtk_window_present (question->window);
  gtk_widget_grab_focus (GTK_WIDGET (question->command));
}

/* --- action that reads the events elsewhere ----------------------------------------------------------------------- */

/* Makes a Question about the rank and the visible range. Returns NULL if no index file of the rank is open. */
static Question *
new_question (LoomWindow *self, gint rank)
{
  const LoomViewport *view = self->state != NULL ? loom_timeline_state_get_viewport (self->state) : NULL;
  LoomRun *run = self->document != NULL ? loom_document_get_run (self->document) : NULL;
  if (view == NULL || run == NULL || !loom_indexed_trace_has_rank (run, rank))
    return NULL;
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->document = g_object_ref (self->document);
  question->rank = rank;
  question->range = (LoomRange) { view->begin_ns, view->end_ns };
  return question;
}

static void
read_elsewhere_activated (LoomWindow *self, GVariant *rank)
{
  Question *question = new_question (self, g_variant_get_int32 (rank));
  if (question == NULL)
    return;
  question->in_rows = TRUE;
  ask_command (question);
}

static void
read_range_activated (LoomWindow *self, GVariant *rank)
{
  Question *question = new_question (self, g_variant_get_int32 (rank));
  if (question == NULL)
    return;
  if (!is_open (question) && !loom_range_task_is_here (self->document, question->rank)) {
    ask_command (question);
    return;
  }
  if (!is_open (question))
    read_events (question, NULL);
  question_free (question);
}

void
loom_window_add_range_actions (LoomWindow *self)
{
  static const LoomWindowAction actions[] = { { "read-range", G_CALLBACK (read_range_activated), "i" },
                                              { "read-elsewhere", G_CALLBACK (read_elsewhere_activated), "i" } };
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}
