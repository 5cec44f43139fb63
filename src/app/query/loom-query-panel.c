/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-panel.h"

#include "loom-bounded-text.h"
#include "loom-ellipsize.h"
#include "loom-json-editor.h"
#include "loom-locale-number.h"
#include "loom-query-completion.h"
#include "loom-query-library.h"
#include "loom-query-places.h"
#include "loom-query-result.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

/* Characters of a title in the menu. */
#define LONGEST_LABEL 60

struct _LoomQueryPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkWidget *library, *run, *cancel, *show;
  GtkSpinner *spinner;
  GtkLabel *status;
  GMenu *queries;
  LoomJsonEditor *editor;
  LoomQueryResult *result;
  LoomRunState *run_state;
  LoomQueryState *query; /* the run's, borrowed */
  GPtrArray *named;      /* LoomNamedQuery, in the menu */
};

G_DEFINE_FINAL_TYPE (LoomQueryPanel, loom_query_panel, GTK_TYPE_WIDGET)

/* --- status ---------------------------------------------------------------------------------------------------------- */

/* The table shows how many rows it has. */
static char *
dup_count (const LoomQueryAnswer *answer)
{
  g_autofree char *count = loom_locale_number_group (answer->table->n_rows);
  return answer->is_cut ? g_strdup_printf (_ ("Only the first %s rows are shown."), count) : g_strdup ("");
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
  const LoomQueryAnswer *answer = loom_query_state_get_answer (self->query);
  gboolean running = loom_query_state_is_running (self->query);
  g_autofree char *text = running ? g_strdup (_ ("Running…")) : answer != NULL ? dup_count (answer) : g_strdup ("");
  loom_bounded_text_set_label (self->status, text);
  gtk_spinner_set_spinning (self->spinner, running);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), running);
  gtk_widget_set_visible (self->cancel, running);
  gtk_widget_set_visible (self->run, !running);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.add-lane", can_add_lane (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "query.show", loom_query_state_has_places (self->query));
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

/* --- text of the query --------------------------------------------------------------------------------------------- */

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
    loom_json_editor_set_text (self->editor, loom_query_state_get_text (self->query));
  loom_json_editor_show_good (self->editor, ""); /* a problem was that of another text */
}

static void
add_names (LoomQueryPanel *self)
{
  g_autoptr (GtkSourceCompletionProvider) names = loom_query_completion_new (self->query);
  gtk_source_completion_add_provider (
    gtk_source_view_get_completion (GTK_SOURCE_VIEW (loom_json_editor_get_view (self->editor))), names);
}

/* Names are collected when the user begins to type, so that they are there when a quote is typed. */
static void
typed (LoomQueryPanel *self)
{
  edited (self);
  loom_query_state_get_names (self->query);
}

/* Completes names of tables, functions and columns. */
static void
add_completion (LoomQueryPanel *self)
{
  GtkSourceCompletion *completion =
    gtk_source_view_get_completion (GTK_SOURCE_VIEW (loom_json_editor_get_view (self->editor)));
  g_autoptr (GtkSourceCompletionWords) words = gtk_source_completion_words_new (NULL);
  g_autoptr (GtkTextBuffer) names = gtk_text_buffer_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint t = 0; t < LOOM_N_QUERY_TABLES_AND_FUNCTIONS; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    g_string_append_printf (text, "%s\n", table->name);
    for (guint i = 0; i < table->n_columns; i++)
      g_string_append_printf (text, "%s\n", table->columns[i].name);
  }
  gtk_text_buffer_set_text (names, text->str, -1);
  g_object_set (words, "minimum-word-size", 2, NULL);
  gtk_source_completion_words_register (words, names);
  gtk_source_completion_add_provider (completion, GTK_SOURCE_COMPLETION_PROVIDER (words));
  /* the provider only watches the buffer */
  g_object_set_data_full (G_OBJECT (self->editor), "loom-query-names", g_steal_pointer (&names), g_object_unref);
}

/* --- actions --------------------------------------------------------------------------------------------------------- */

static void
run_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  edited (self);
  loom_query_state_run (self->query);
}

static void
cancel_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  loom_query_state_cancel (LOOM_QUERY_PANEL (widget)->query);
}

static void
take_query (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  for (guint i = 0; i < self->named->len; i++) {
    const LoomNamedQuery *named = self->named->pdata[i];
    if (!g_str_equal (named->name, g_variant_get_string (parameter, NULL)))
      continue;
    loom_query_state_set_text (self->query, named->sql);
    loom_query_state_run (self->query);
    return;
  }
}

static void
show_rows (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  g_autoptr (GArray) rows = loom_query_result_list_rows (self->result);
  loom_query_places_show (self->run_state, rows);
}

/* The lane has the text that is in the editor now. It is on another page, which is shown. */
static void
add_lane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  edited (self);
  if (loom_query_lanes_add (loom_run_state_get_lanes (self->run_state), NULL, loom_query_state_get_text (self->query)))
    loom_run_state_show_timeline (self->run_state);
}

/* --- the menu -------------------------------------------------------------------------------------------------------- */

/* Appends a query. An underscore in its title is not a mnemonic. */
static void
append_query (GMenu *menu, const LoomNamedQuery *named)
{
  g_auto (GStrv) parts = g_strsplit (named->shipped ? _ (named->title) : named->title, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts), *shown = loom_ellipsize_middle (label, LONGEST_LABEL);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);
  g_menu_item_set_action_and_target (item, "query.take", "s", named->name);
  g_menu_append_item (menu, item);
}

static void
fill_menu (LoomQueryPanel *self)
{
  g_autoptr (GMenu) shipped = g_menu_new (), own = g_menu_new ();
  self->named = loom_query_library_list (NULL);
  for (guint i = 0; i < self->named->len; i++) {
    const LoomNamedQuery *named = self->named->pdata[i];
    append_query (named->shipped ? shipped : own, named);
  }
  g_menu_append_section (self->queries, NULL, G_MENU_MODEL (shipped));
  if (g_menu_model_get_n_items (G_MENU_MODEL (own)) > 0)
    g_menu_append_section (self->queries, _ ("Your Own"), G_MENU_MODEL (own));
}

/* --- the widget ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->named, g_ptr_array_unref);
  g_clear_object (&self->run_state);
  G_OBJECT_CLASS (loom_query_panel_parent_class)->dispose (object);
}

/* The user can type when the page is shown. A stack gives the focus to the first widget of a page, the menu of queries, or
 * to nothing; a focus in the header or in the rows stays. */
static gboolean
focus_editor (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LoomQueryPanel *self = LOOM_QUERY_PANEL (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  if (gtk_widget_get_mapped (widget) &&
      (focus == NULL || focus == self->library || gtk_widget_is_ancestor (focus, self->library)))
    gtk_widget_grab_focus (GTK_WIDGET (loom_json_editor_get_view (self->editor)));
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
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, queries);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, result);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, run);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, show);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomQueryPanel, status);
  gtk_widget_class_bind_template_callback (widget_class, typed);
  gtk_widget_class_install_action (widget_class, "query.run", NULL, run_query);
  gtk_widget_class_install_action (widget_class, "query.cancel", NULL, cancel_query);
  gtk_widget_class_install_action (widget_class, "query.show", NULL, show_rows);
  gtk_widget_class_install_action (widget_class, "query.add-lane", NULL, add_lane);
  gtk_widget_class_install_action (widget_class, "query.take", "s", take_query);
}

static void
loom_query_panel_init (LoomQueryPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (loom_json_editor_get_view (self->editor)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Query in SQL"), -1);
  add_completion (self);
  fill_menu (self);
}

GtkWidget *
loom_query_panel_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomQueryPanel *self = g_object_new (LOOM_TYPE_QUERY_PANEL, NULL);
  self->run_state = g_object_ref (run);
  self->query = loom_run_state_get_query (run);
  loom_query_result_set_run (self->result, run, scene);
  g_signal_connect_object (self->query, "notify::text", G_CALLBACK (text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::running", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::problem", G_CALLBACK (problem_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->query, "notify::answer", G_CALLBACK (show_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_run_state_get_lanes (run), "changed", G_CALLBACK (show_status), self,
                           G_CONNECT_SWAPPED);
  add_names (self);
  text_changed (self);
  problem_changed (self);
  show_status (self);
  return GTK_WIDGET (self);
}
