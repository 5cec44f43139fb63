/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-name-dialog.h"

#include "loom-form-dialog.h"
#include "loom-query.h"

#include <glib/gi18n.h>

#define MARGIN_PX 18

typedef struct {
  LoomSavedQueries *saved;
  char *sql;        /* query to save; NULL if the dialog renames a saved query */
  GtkWidget *owner; /* widget that is passed to `done`; NULL if the dialog renames a saved query */
  LoomQueryNameDialogFunc done;
  GtkWindow *dialog;
  AdwPreferencesGroup *group;
  AdwEntryRow *row;
  GtkButton *apply;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;
  g_object_unref (question->saved);
  g_clear_object (&question->owner);
  g_free (question->sql);
  g_free (question);
}

static char *
dup_name (const Question *question)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (question->row))));
}

/* Called while the user types the name. If another query has this name, shows a text: when saving, that the other query
 * will be replaced; when renaming, that the name cannot be used. Enables the button if the name can be used. */
static void
typed (Question *question)
{
  g_autofree char *name = dup_name (question);
  gboolean is_taken = loom_saved_queries_find (question->saved, name) != NULL, renames = question->sql == NULL;
  gboolean is_own = g_strcmp0 (name, loom_saved_queries_get_chosen (question->saved)) == 0;
  gboolean is_refused = renames && is_taken && !is_own;
  gtk_widget_set_sensitive (GTK_WIDGET (question->apply), name[0] != '\0' && !is_refused);
  loom_form_dialog_mark (question->row, is_refused);
  adw_preferences_group_set_description (question->group, is_refused ? _ ("Another query has this name.")
                                                          : is_taken && !renames
                                                            ? _ ("The existing query with this name will be replaced.")
                                                            : _ ("The query is saved in the session."));
}

/* Saves or renames the query. If this fails, shows the reason and keeps the dialog open. */
static void
apply_clicked (Question *question)
{
  g_autofree char *name = dup_name (question),
                  *why = g_strdup_printf (
                    _ ("The query was not saved: a session can contain at most %u queries of at most %u KiB each."),
                    LOOM_SAVED_QUERIES_MOST, (guint) LOOM_QUERY_TEXT_BYTES / 1024);
  if (question->sql != NULL ? !loom_saved_queries_save (question->saved, name, question->sql)
                            : !loom_saved_queries_rename (question->saved, name)) {
    adw_preferences_group_set_description (question->group, why);
    return;
  }
  if (question->done != NULL)
    question->done (question->owner);
  gtk_window_close (question->dialog);
}

static GtkWindow *
ask (GtkWindow *parent, const char *title, const char *label, const char *name, Question *question)
{
  GtkWidget *group = adw_preferences_group_new ();
  gtk_widget_set_margin_start (group, MARGIN_PX);
  gtk_widget_set_margin_end (group, MARGIN_PX);
  gtk_widget_set_margin_top (group, MARGIN_PX);
  gtk_widget_set_margin_bottom (group, MARGIN_PX);
  question->group = ADW_PREFERENCES_GROUP (group);
  question->row = loom_form_dialog_add_entry (question->group, _ ("Name"), name);
  question->dialog = loom_form_dialog_new (parent, title, group, label, &question->apply);
  g_object_set_data_full (G_OBJECT (question->dialog), "loom-question", question, question_free);
  g_signal_connect_swapped (question->row, "changed", G_CALLBACK (typed), question);
  g_signal_connect_swapped (question->apply, "clicked", G_CALLBACK (apply_clicked), question);
  typed (question);
  gtk_window_present (question->dialog);
  gtk_widget_grab_focus (GTK_WIDGET (question->row));
  return question->dialog;
}

GtkWindow *
loom_query_name_dialog_save (GtkWidget *owner, LoomSavedQueries *saved, const char *name, const char *sql,
                             LoomQueryNameDialogFunc done)
{
  Question *question = g_new0 (Question, 1);
  question->owner = g_object_ref (owner);
  question->done = done;
  question->saved = g_object_ref (saved);
  question->sql = g_strdup (sql);
  return ask (GTK_WINDOW (gtk_widget_get_root (owner)), _ ("Save Query"), _ ("_Save"), name, question);
}

GtkWindow *
loom_query_name_dialog_rename (GtkWindow *parent, LoomSavedQueries *saved)
{
  Question *question = g_new0 (Question, 1);
  question->saved = g_object_ref (saved);
  return ask (parent, _ ("Rename Query"), _ ("_Rename"), loom_saved_queries_get_chosen (saved), question);
}
