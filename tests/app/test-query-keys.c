/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the keys of the page “Query” with a simulated keyboard: the command that shows the page, the list of proposals,
 * and Escape.
 */
#include "groups.h"
#include "hands-run.h"
#include "loom-json-editor.h"
#include "loom-query-panel.h"

#include <gtksourceview/gtksource.h>

#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"

static GtkWidget *
panel (void)
{
  return loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (the_window ())));
}

static LoomQueryState *
query (void)
{
  return loom_run_state_get_query (loom_window_get_run_state (the_window ()));
}

static gboolean
is_focused (gpointer unused)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (the_window ()));
  return GTK_SOURCE_IS_VIEW (focus);
}

static gboolean
is_running (gpointer wanted)
{
  return loom_query_state_is_running (query ()) == GPOINTER_TO_INT (wanted);
}

static void
open_page (void)
{
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_5);
  g_assert_true (fixture_wait (is_focused, NULL));
  g_assert_true (LOOM_IS_QUERY_PANEL (panel ()));
}

static void
close_page (void)
{
  loom_query_state_cancel (query ());
  loom_run_state_set_page (loom_window_get_run_state (the_window ()), "selection");
  gtk_widget_grab_focus (GTK_WIDGET (view ()));
  fixture_frames (the_window ());
}

/* The command that shows the page moves the focus to the editor. If the command is repeated while the page is shown,
 * the editor still has the focus. */
static void
test_command (void)
{
  open_page ();
  for (guint i = 0; i < 3; i++) {
    hands_type (GDK_KEY_Control_L, GDK_KEY_5);
    fixture_frames (the_window ());
    g_assert_true (is_focused (NULL));
  }
  close_page ();
}

/* Escape cancels a query that runs; the page says so, and that the rows are older. */
static void
test_escape (void)
{
  open_page ();
  GtkWidget *status = GTK_WIDGET (gtk_widget_get_template_child (panel (), LOOM_TYPE_QUERY_PANEL, "status"));
  loom_query_state_set_text (query (), "SELECT 42 AS mine");
  loom_query_state_run (query ());
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (FALSE)));
  fixture_frames (the_window ());
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (status)), ==, "");
  loom_query_state_set_text (query (), ENDLESS);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (status)), ==, "The rows are those of the previous query.");
  hands_type (GDK_KEY_Control_L, GDK_KEY_Return);
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (TRUE)));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (FALSE)));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (status)), ==,
                   "The query was cancelled. The rows are those of the previous query.");
  close_page ();
}

static LoomJsonEditor *
editor (void)
{
  return LOOM_JSON_EDITOR (fixture_find_type (panel (), LOOM_TYPE_JSON_EDITOR));
}

/* Returns TRUE if the visibility of the list of proposals is `wanted`. The list is the popover of the editor's view. */
static gboolean
is_list_visible (gpointer wanted)
{
  gboolean is_visible = FALSE;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (loom_json_editor_get_view (editor ())));
       child != NULL; child = gtk_widget_get_next_sibling (child))
    is_visible |= GTK_IS_POPOVER (child) && gtk_widget_get_mapped (child);
  return is_visible == GPOINTER_TO_INT (wanted);
}

static void
type_text (const char *text)
{
  for (const char *letter = text; *letter != '\0'; letter++)
    hands_type (0, *letter == '\n' ? GDK_KEY_Return : *letter == ' ' ? GDK_KEY_space : (guint) *letter);
}

/* Types text until the list of proposals is visible, and then a key. */
static void
type_and_choose (const char *text, guint keyval)
{
  type_text (text);
  g_assert_true (fixture_wait (is_list_visible, GINT_TO_POINTER (TRUE)));
  fixture_frames (the_window ());
  hands_type (0, keyval);
  g_assert_true (fixture_wait (is_list_visible, GINT_TO_POINTER (FALSE)));
}

static void
check_text (const char *expected)
{
  fixture_frames (the_window ());
  g_autofree char *text = loom_json_editor_dup_text (editor ());
  g_assert_cmpstr (text, ==, expected);
}

/* Enter and Tab insert the first proposal, Escape closes the list, and Enter then begins a line. So does Enter after a
 * complete name or a keyword, for which there is no list. */
static void
test_proposals (void)
{
  open_page ();
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (editor ())), "", -1);
  type_and_choose ("select dur", GDK_KEY_Return);
  check_text ("select duration");
  type_and_choose (" from ins", GDK_KEY_Tab);
  check_text ("select duration from instant");
  type_and_choose (" inst", GDK_KEY_Escape);
  type_text ("\nfrom span\norder by name desc\n");
  check_text ("select duration from instant inst\nfrom span\norder by name desc\n");
  close_page ();
}

static const GPtrArray *
get_kinds (void)
{
  return loom_query_state_get_values (query (),
                                      "SELECT DISTINCT kind FROM span WHERE kind IS NOT NULL ORDER BY 1 LIMIT 20000");
}

static gboolean
has_kinds (gpointer unused)
{
  return get_kinds () != NULL;
}

/* After FROM only tables are proposed; after a quote, only the values of the compared column. Inserting a value also
 * inserts the quote after it. */
static void
test_proposed_values (void)
{
  open_page ();
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (editor ())), "", -1);
  type_and_choose ("select kind from st", GDK_KEY_Tab);
  check_text ("select kind from step");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (editor ())), "", -1);
  type_text ("select kind from span where kind in ('x', '");
  g_assert_true (fixture_wait (has_kinds, NULL));
  const char *first = g_ptr_array_index (get_kinds (), 0), letter[] = { first[0], '\0' };
  type_and_choose (letter, GDK_KEY_Return);
  type_text (")");
  g_autofree char *expected = g_strdup_printf ("select kind from span where kind in ('x', '%s')", first);
  check_text (expected);
  close_page ();
}

/* Ctrl+Enter runs the query as it is typed, also while the list of proposals is visible, and closes the list. */
static void
test_run_with_proposals (void)
{
  open_page ();
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (loom_json_editor_get_view (editor ())), "", -1);
  type_text ("select 7 as dur");
  g_assert_true (fixture_wait (is_list_visible, GINT_TO_POINTER (TRUE)));
  hands_type (GDK_KEY_Control_L, GDK_KEY_Return);
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (FALSE)));
  g_assert_true (fixture_wait (is_list_visible, GINT_TO_POINTER (FALSE)));
  check_text ("select 7 as dur");
  g_assert_cmpstr (loom_query_state_get_text (query ()), ==, "select 7 as dur");
  g_assert_cmpstr (loom_result_table_get_column (loom_query_state_get_answer (query ())->table, 0)->title, ==, "dur");
  close_page ();
}

/* Escape that closes the list of proposals does not cancel a query that runs; the next Escape does. */
static void
test_escape_with_proposals (void)
{
  open_page ();
  loom_query_state_set_text (query (), ENDLESS "\n");
  loom_query_state_run (query ());
  hands_type (GDK_KEY_Control_L, GDK_KEY_End);
  type_and_choose ("dur", GDK_KEY_Escape);
  g_assert_true (is_running (GINT_TO_POINTER (TRUE)));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (FALSE)));
  close_page ();
}

/* After a query was cancelled with its button, which then disappears, the editor has the focus. */
static void
test_cancel_button (void)
{
  open_page ();
  GtkWidget *button = GTK_WIDGET (gtk_widget_get_template_child (panel (), LOOM_TYPE_QUERY_PANEL, "cancel"));
  loom_query_state_set_text (query (), ENDLESS);
  loom_query_state_run (query ());
  fixture_frames (the_window ());
  g_assert_true (gtk_widget_grab_focus (button));
  g_assert_true (gtk_widget_activate (button));
  g_assert_true (fixture_wait (is_running, GINT_TO_POINTER (FALSE)));
  g_assert_true (fixture_wait (is_focused, NULL));
  close_page ();
}

void
groups_add_query_keys (void)
{
  g_test_add_func ("/app/query-keys/command", test_command);
  g_test_add_func ("/app/query-keys/escape", test_escape);
  g_test_add_func ("/app/query-keys/cancel-button", test_cancel_button);
  g_test_add_func ("/app/query-keys/proposals", test_proposals);
  g_test_add_func ("/app/query-keys/proposed-values", test_proposed_values);
  g_test_add_func ("/app/query-keys/run-with-proposals", test_run_with_proposals);
  g_test_add_func ("/app/query-keys/escape-with-proposals", test_escape_with_proposals);
}
