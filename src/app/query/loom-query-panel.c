/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-panel.h"

#include "loom-bounded-text.h"
#include "loom-ellipsize.h"
#include "loom-error.h"
#include "loom-file-dialogs.h"
#include "loom-json-editor.h"
#include "loom-locale-number.h"
#include "loom-query-completion.h"
#include "loom-query-library.h"
#include "loom-query-menu.h"
#include "loom-query-name-dialog.h"
#include "loom-query-places.h"
#include "loom-query-result.h"
#include "loom-query-start.h"
#include "loom-toasts.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

struct _LoomQueryPanel {
  GtkWidget parent;
  GtkWidget *box;
  AdwToastOverlay *toasts;
  GtkWidget *library, *run, *cancel, *show;
  GtkSpinner *spinner;
  GtkLabel *name, *status;
  GMenu *queries;
  LoomJsonEditor *editor;
  LoomQueryResult *result;
  GtkBox *start; /* lists of example queries and of tables; shown until the first query has run */
  LoomRunState *run_state;
  LoomQueryState *query; /* `query` and `saved` are borrowed from the run */
  LoomSavedQueries *saved;
  GPtrArray *named; /* LoomNamedQuery: queries in the menu that were read from files */
};

G_DEFINE_FINAL_TYPE (LoomQueryPanel, loom_query_panel, GTK_TYPE_WIDGET)

/* --- status ------------------------------------------------------------------------------------------------------- */

/* Returns a sentence if the query has more rows than were read. Otherwise returns "", because the table itself shows
 * the number of rows. */
static char *
dup_count (const LoomQueryAnswer *answer)
{
  g_autofree char *count = loom_locale_number_group (answer->table->n_rows);
  return answer->is_cut ? g_strdup_printf (_ ("Only the first %s rows are shown."), count) : g_strdup ("");
}

/* Returns a text about the state of the query and about the shown rows; "" if there is nothing to report. */
static char *
dup_status (LoomQueryPanel *self)
{
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  if (loom_query_state_is_running (self->query))
    return g_strdup (_ ("Running…"));
  g_autofree char *count = answer != NULL ? dup_count (answer) : g_strdup ("");
  const char *parts[] = { loom_query_state_is_cancelled (self->query) ? _ ("The query was cancelled.") : "",
                          loom_query_state_is_answer_old (self->query) ? _ ("The rows are those of the previous query.")
                                                                       : "",
                          count };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i][0] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", parts[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
can_add_lane (LoomQueryPanel *self)
{
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  return answer != NULL && loom_query_answer_is_lane (answer) &&
         loom_query_lanes_get_n (loom_run_state_get_lanes (self->run_state)) < LOOM_QUERY_LANES_MOST;
}

static void
show_status (LoomQueryPanel *self)
{
  gboolean running = loom_query_state_is_running (self->query);
  g_autofree char *text = dup_status (self);
  loom_bounded_text_set_label (self->status, text);
  gtk_spinner_set_spinning (self->spinner, running);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), running);
  gtk_widget_set_visible (self->cancel, running);
  gtk_widget_set_visible (self->run, !running);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.cancel", running);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.add-lane", can_add_lane (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.show", loom_query_state_has_places (self->query));
  gtk_widget_set_visible (self->show, can_add_lane (self) || loom_query_state_has_places (self->query));
}

static void
problem_changed (LoomQueryPanel *self)
{
  const char *problem = loom_query_state_get_problem (self->query);
  if (problem != NULL)
    loom_json_editor_show_problem_at (self->editor, loom_query_state_get_problem_place (self->query), problem);
  else
    loom_json_editor_show_good (self->editor, "");
}

/* --- text of the query -------------------------------------------------------------------------------------------- */

static void
edited (LoomQueryPanel *self)
{
  g_autofree char *text = loom_json_editor_dup_text (self->editor);
  loom_query_state_set_text (self->query, text);
}

static void
text_changed (LoomQueryPanel *self)
{
  g_autofree char *text = loom_json_editor_dup_text (self->editor);
  if (!g_str_equal (text, loom_query_state_get_text (self->query)))
    loom_json_editor_replace_text (self->editor, loom_query_state_get_text (self->query));
  /* remove the error message about the previous text, which may still be shown */
  loom_json_editor_show_good (self->editor, "");
  show_status (self);
}

static GtkSourceCompletion *
get_completion (LoomQueryPanel *self)
{
  return gtk_source_view_get_completion (GTK_SOURCE_VIEW (loom_json_editor_get_view (self->editor)));
}

/* Returns TRUE if the list of proposals is visible. The list is a popover of the editor. Its visibility is checked
 * because GtkSourceCompletion emits no signal when the list is shown. */
static gboolean
is_list_visible (LoomQueryPanel *self)
{
  GtkWidget *view = GTK_WIDGET (loom_json_editor_get_view (self->editor));
  for (GtkWidget *child = gtk_widget_get_first_child (view); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_mapped (child))
      return TRUE;
  return FALSE;
}

/* If Escape closes the list of proposals, stops the key event. Otherwise, GtkSourceView would pass the event on, and
 * Escape would also cancel a running query. */
static gboolean
key_pressed (LoomQueryPanel *self, guint keyval)
{
  if (keyval != GDK_KEY_Escape || !is_list_visible (self))
    return GDK_EVENT_PROPAGATE;
  gtk_source_completion_hide (get_completion (self));
  return GDK_EVENT_STOP;
}

/* Adds completion of names to the editor. The first proposal is selected, so that Tab and Enter insert it. */
static void
add_completion (LoomQueryPanel *self)
{
  g_autoptr (GtkSourceCompletionProvider) names = loom_query_completion_new (self->query);
  g_object_set (get_completion (self), "select-on-show", TRUE, NULL);
  gtk_source_completion_add_provider (get_completion (self), names);
}

/* Called when the user types. Starts collecting the names of the run, so that they are available when the user types
 * a quote. */
static void
typed (LoomQueryPanel *self)
{
  edited (self);
  loom_query_state_get_names (self->query);
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

static void
run_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  gtk_source_completion_hide (get_completion (self)); /* the list of proposals could cover the line with the error */
  edited (self);
  loom_query_state_run (self->query);
}

static void
cancel_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  /* the pressed button disappears; GTK would then move the focus to another button, so move it to the editor */
  gtk_widget_grab_focus (GTK_WIDGET (loom_json_editor_get_view (self->editor)));
  loom_query_state_cancel (self->query);
}

/* Returns the name under which the menu lists the query in the editor. NULL if the menu does not list the query, or if
 * the user has changed the query. Borrowed until the menu changes. */
static const char *
get_listed_name (LoomQueryPanel *self)
{
  const char *text = loom_query_state_get_text (self->query);
  for (guint i = 0; i < loom_saved_queries_get_n (self->saved); i++)
    if (g_str_equal (loom_saved_queries_get_text (self->saved, i), text))
      return loom_saved_queries_get_name (self->saved, i);
  for (guint i = 0; i < self->named->len; i++) {
    const LoomNamedQuery *named = self->named->pdata[i];
    if (g_str_equal (named->sql, text))
      return named->shipped ? _ (named->title) : named->title;
  }
  return NULL;
}

/* Replaces the text by the query `sql`. `saved`: name of the saved query; NULL if `sql` is not a saved query. If the
 * replaced text is not stored anywhere, offers to restore it. */
static void
take (LoomQueryPanel *self, const char *sql, const char *saved)
{
  g_autofree char *copy = g_strdup (sql);
  edited (self); /* the state is updated with a delay, so store the last typed letters in it now */
  if (get_listed_name (self) != NULL)
    loom_query_state_set_stored (self->query);
  gboolean replaces = loom_query_state_take_text (self->query, copy);
  loom_saved_queries_choose (self->saved, saved);
  const LoomToast toast = { .title = _ ("Your query was replaced"),
                            .button = _ ("_Undo"),
                            .action = "query.take-back" };
  if (replaces)
    loom_toasts_show (G_OBJECT (self), "replaced", self->toasts, &toast, NULL);
}

/* Restores the query that was replaced last. */
static void
take_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  loom_query_state_take_back (self->query);
  loom_saved_queries_choose (self->saved, NULL);
  loom_query_panel_focus (self);
}

static void
take_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  for (guint i = 0; i < self->named->len; i++) {
    const LoomNamedQuery *named = self->named->pdata[i];
    if (!g_str_equal (named->name, g_variant_get_string (parameter, NULL)))
      continue;
    take (self, named->sql, NULL);
    loom_query_state_run (self->query);
    return;
  }
}

static void
take_table (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  g_autofree char *sql = g_strdup_printf ("SELECT *\nFROM %s\nLIMIT 100", g_variant_get_string (parameter, NULL));
  take (self, sql, NULL);
  loom_query_state_run (self->query);
}

static void
show_rows (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  g_autoptr (GArray) rows = loom_query_result_list_rows (self->result);
  loom_query_places_show (self->run_state, rows);
}

/* Adds a lane to the timeline and switches to the timeline. The lane shows the result of the query that is in the
 * editor. */
static void
add_lane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  edited (self);
  if (loom_query_lanes_add (loom_run_state_get_lanes (self->run_state), get_listed_name (self),
                            loom_query_state_get_text (self->query)))
    loom_run_state_show_timeline (self->run_state);
}

/* --- saved queries ------------------------------------------------------------------------------------------------ */

/* Reads the queries in the program's folder and in the user's folder. */
static void
list_named (LoomQueryPanel *self)
{
  g_clear_pointer (&self->named, g_ptr_array_unref);
  self->named = loom_query_library_list (NULL);
}

static void
show_saved (LoomQueryPanel *self)
{
  const char *chosen = loom_saved_queries_get_chosen (self->saved);
  loom_query_menu_fill (self->queries, self->saved, self->named);
  loom_bounded_text_set_label (self->name, chosen != NULL ? chosen : "");
  gtk_widget_set_visible (GTK_WIDGET (self->name), chosen != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.rename", chosen != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.delete", chosen != NULL);
}

/* Returns the proposed name for saving the query: the name of the chosen saved query; if no saved query is chosen,
 * the title in the text of the query; "" if there is no title either. Owned by the caller. */
static char *
dup_proposal (LoomQueryPanel *self)
{
  const char *chosen = loom_saved_queries_get_chosen (self->saved);
  char *title = chosen == NULL ? loom_query_library_dup_title (loom_query_state_get_text (self->query)) : NULL;
  return title != NULL ? title : g_strdup (chosen != NULL ? chosen : "");
}

static GtkWindow *
get_window (LoomQueryPanel *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

/* Shows a toast about saving; a new toast replaces the previous one. `text`: Pango markup. */
static void
say_saved (LoomQueryPanel *self, const char *text)
{
  loom_toasts_show (G_OBJECT (self), "saved", self->toasts, &(LoomToast) { .title = text }, NULL);
}

static void
query_saved (GtkWidget *panel)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (panel);
  if (self->run_state == NULL) /* the window was closed while the dialog was open */
    return;
  g_autofree char *name = loom_ellipsize_markup (loom_saved_queries_get_chosen (self->saved)),
                  *text = g_strdup_printf (_ ("Query saved in the session as “%s”"), name);
  say_saved (self, text);
}

static void
save_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  edited (self);
  g_autofree char *proposal = dup_proposal (self);
  loom_query_name_dialog_save (widget, self->saved, proposal, loom_query_state_get_text (self->query), query_saved);
}

static void
rename_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  loom_query_name_dialog_rename (get_window (self), self->saved);
}

/* Deletes the chosen query from the saved queries of the session, but not from the editor. */
static void
delete_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_saved_queries_remove (LOOM_QUERY_PANEL (widget)->saved);
}

static void
take_saved (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  const char *sql = loom_saved_queries_find (self->saved, g_variant_get_string (parameter, NULL));
  if (sql == NULL)
    return;
  take (self, sql, g_variant_get_string (parameter, NULL));
  loom_query_state_run (self->query);
}

static void
say_file_failed (LoomQueryPanel *self, const GError *error)
{
  g_autofree char *words = g_error_matches (error, LOOM_ERROR, LOOM_ERROR_FORMAT)
                             ? g_strdup_printf (_ ("The file is not a query. A query is UTF-8 text of at most %u KiB."),
                                                (guint) LOOM_QUERY_TEXT_BYTES / 1024)
                             : g_strdup (error->message);
  loom_json_editor_show_problem (self->editor, 0, words);
}

static void
file_saved (LoomQueryPanel *self, const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *shown = g_filename_display_name (base),
                  *name = loom_ellipsize_markup (shown), *text = g_strdup_printf (_ ("Query saved as “%s”"), name);
  loom_query_state_set_stored (self->query);
  say_saved (self, text);
}

/* The query of the file is not run automatically, because the file may come from an untrusted source. */
void
loom_query_panel_open_file (LoomQueryPanel *self, const char *path)
{
  g_return_if_fail (LOOM_IS_QUERY_PANEL (self) && path != NULL);
  if (self->run_state == NULL) /* the window was closed while the dialog was open */
    return;
  g_autoptr (GError) error = NULL;
  LoomNamedQuery *named = loom_query_library_read (path, &error);
  if (named == NULL) {
    say_file_failed (self, error);
    return;
  }
  take (self, named->sql, NULL);
  loom_query_library_free_query (named);
}

void
loom_query_panel_save_file (LoomQueryPanel *self, const char *path)
{
  g_return_if_fail (LOOM_IS_QUERY_PANEL (self) && path != NULL);
  if (self->run_state == NULL) /* the window was closed while the dialog was open */
    return;
  g_autoptr (GError) error = NULL;
  edited (self);
  g_autofree char *title = dup_proposal (self);
  if (loom_query_library_write (path, title, loom_query_state_get_text (self->query), &error))
    file_saved (self, path);
  else
    say_file_failed (self, error);
  list_named (self); /* the menu must list the file if it was saved in the folder of the user's own queries */
  show_saved (self);
}

static void
file_chosen (GFile **files, guint n_files, gpointer user_data)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL)
    loom_query_panel_open_file (user_data, path);
}

static void
open_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_file_dialogs_open (get_window (LOOM_QUERY_PANEL (widget)), LOOM_FILE_DIALOG_SQL, _ ("Open Query"), NULL,
                          file_chosen, widget);
}

static void
place_chosen (const char *path, const char *choice, gpointer user_data)
{
  loom_query_panel_save_file (user_data, path);
}

/* Shows a file dialog for saving. It begins in the folder of the user's own queries, because the menu and the
 * command line list the queries of this folder. */
static void
save_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const LoomSaveFormat formats[] = { { N_ ("Query (SQL)"), ".sql" } };
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  g_autofree char *title = dup_proposal (self), *folder = loom_query_library_dup_folder ();
  g_autofree char *stem = g_strdelimit (g_strdup (title[0] != '\0' ? title : C_ ("file name", "query")), "/\\:", '-');
  g_mkdir_with_parents (folder, 0755); /* if the folder cannot be made, the file dialog reports the reason */
  const LoomSaveQuestion question = {
    .title = _ ("Save Query as File"), .stem = stem, .folder = folder, .formats = formats, .n_formats = 1
  };
  loom_file_dialogs_save_as (get_window (self), &question, place_chosen, self);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->named, g_ptr_array_unref);
  g_clear_object (&self->run_state);
  G_OBJECT_CLASS (loom_query_panel_parent_class)->dispose (object);
}

void
loom_query_panel_focus (LoomQueryPanel *self)
{
  g_return_if_fail (LOOM_IS_QUERY_PANEL (self));
  gtk_widget_grab_focus (GTK_WIDGET (loom_json_editor_get_view (self->editor)));
}

/* Moves the focus to the editor when the page is shown, so that the user can type at once. Otherwise, the stack would
 * focus the menu of queries, which is the first widget of the page, or nothing. If the focus is already on another
 * widget of the page, such as the rows, does not move it. */
static gboolean
focus_editor (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  if (gtk_widget_get_mapped (widget) &&
      (focus == NULL || focus == self->library || gtk_widget_is_ancestor (focus, self->library)))
    loom_query_panel_focus (self);
  return G_SOURCE_REMOVE;
}

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (loom_query_panel_parent_class)->map (widget);
  gtk_widget_add_tick_callback (widget, focus_editor, NULL, NULL);
}

static void
loom_query_panel_class_init (LoomQueryPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  g_type_ensure (LOOM_TYPE_JSON_EDITOR);
  g_type_ensure (LOOM_TYPE_QUERY_RESULT);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-query-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, cancel);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, editor);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, library);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, name);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, queries);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, result);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, run);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, show);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, start);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, status);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, toasts);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_bind_template_callback (widget_class, typed);
  gtk_widget_class_install_action (widget_class, "query.run", NULL, run_query);
  gtk_widget_class_install_action (widget_class, "query.cancel", NULL, cancel_query);
  gtk_widget_class_install_action (widget_class, "query.show", NULL, show_rows);
  gtk_widget_class_install_action (widget_class, "query.add-lane", NULL, add_lane);
  gtk_widget_class_install_action (widget_class, "query.take", "s", take_query);
  gtk_widget_class_install_action (widget_class, "query.take-back", NULL, take_back);
  gtk_widget_class_install_action (widget_class, "query.take-saved", "s", take_saved);
  gtk_widget_class_install_action (widget_class, "query.take-table", "s", take_table);
  gtk_widget_class_install_action (widget_class, "query.save", NULL, save_query);
  gtk_widget_class_install_action (widget_class, "query.rename", NULL, rename_query);
  gtk_widget_class_install_action (widget_class, "query.delete", NULL, delete_query);
  gtk_widget_class_install_action (widget_class, "query.open-file", NULL, open_file);
  gtk_widget_class_install_action (widget_class, "query.save-file", NULL, save_file);
}

static void
loom_query_panel_init (LoomQueryPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (loom_json_editor_get_view (self->editor)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Query in SQL"), -1);
}

GtkWidget *
loom_query_panel_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomQueryPanel *self = g_object_new (LOOM_TYPE_QUERY_PANEL, NULL);
  self->run_state = g_object_ref (run);
  self->query = loom_run_state_get_query (run);
  self->saved = loom_run_state_get_saved_queries (run);
  g_signal_connect_object (self->saved, "changed", G_CALLBACK (show_saved), self, G_CONNECT_SWAPPED);
  loom_query_result_set_run (self->result, run, scene);
  g_signal_connect_object (self->query, "notify::text", G_CALLBACK (text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::running", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::problem", G_CALLBACK (problem_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::answer", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_run_state_get_lanes (run), "changed", G_CALLBACK (show_status), self,
                           G_CONNECT_SWAPPED);
  add_completion (self);
  text_changed (self);
  problem_changed (self);
  show_status (self);
  list_named (self);
  loom_query_start_fill (self->start, self->named);
  show_saved (self);
  return GTK_WIDGET (self);
}
