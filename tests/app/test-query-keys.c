/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the keys of the page “Query” with a simulated keyboard: the command that shows the page, and
 * Escape.
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

/* The command that shows the page moves the focus to the editor, from the header of the page, too, and leaves it there. */
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

void
groups_add_query_keys (void)
{
  g_test_add_func ("/app/query-keys/command", test_command);
  g_test_add_func ("/app/query-keys/escape", test_escape);
}
