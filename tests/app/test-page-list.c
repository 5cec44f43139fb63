/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the list of pages of the analysis: pages without data are below a row that shows and hides them, with the reason
 * for each; a few of them stay in their groups.
 */
#include "groups.h"
#include "panels.h"

#include "loom-page-row.h"
#include "loom-pages-fold-row.h"

#include <string.h>

static GtkListBox *
list_of (LoomWindow *window)
{
  return GTK_LIST_BOX (
    gtk_widget_get_template_child (GTK_WIDGET (panels_analysis (window)), LOOM_TYPE_ANALYSIS_VIEW, "list"));
}

static LoomPagesFoldRow *
fold_of (LoomWindow *window)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (list_of (window), i)) != NULL; i++)
    if (LOOM_IS_PAGES_FOLD_ROW (row))
      return LOOM_PAGES_FOLD_ROW (row);
  g_assert_not_reached ();
}

typedef struct {
  guint n_shown, n_lacking, n_lacking_shown; /* number of visible rows, of pages without data, and of visible ones */
} Rows;

/* Asserts that pages without data come last if the row that shows and hides them is visible. */
static Rows
count_rows (LoomWindow *window)
{
  GtkListBoxRow *row;
  Rows rows = { 0 };
  gboolean folds = gtk_widget_get_visible (GTK_WIDGET (fold_of (window))), is_below = FALSE;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (list_of (window), i)) != NULL; i++) {
    gboolean shown = gtk_widget_get_visible (GTK_WIDGET (row)) && gtk_widget_get_child_visible (GTK_WIDGET (row)),
             lacks = LOOM_IS_PAGE_ROW (row) && loom_page_row_has_reason (LOOM_PAGE_ROW (row));
    is_below |= LOOM_IS_PAGES_FOLD_ROW (row);
    g_assert_true (!folds || !LOOM_IS_PAGE_ROW (row) || lacks == is_below);
    rows.n_shown += shown;
    rows.n_lacking += lacks;
    rows.n_lacking_shown += lacks && shown;
  }
  return rows;
}

static gboolean
has_lacks (gpointer window)
{
  return count_rows (window).n_lacking > 0;
}

static const char *
page_of (LoomWindow *window)
{
  return loom_analysis_view_get_page (panels_analysis (window));
}

/* A file with only a few spans lacks data for many pages. Their rows are hidden until the user activates the row that
 * counts them, which can be reached with the keyboard and is never selected itself. */
static void
test_folds (void)
{
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomWindow *window = fixture_window ();
  fixture_open (window, file);
  panels_turn (window, "overview");
  g_assert_true (fixture_wait (has_lacks, window));
  LoomPagesFoldRow *fold = fold_of (window);
  Rows rows = count_rows (window);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (fold)));
  g_assert_cmpuint (rows.n_lacking, >=, 10);
  g_assert_cmpuint (rows.n_lacking_shown, ==, 0);
  fixture_frames (window);
  gtk_widget_grab_focus (GTK_WIDGET (fold));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fold)));
  gtk_widget_activate (GTK_WIDGET (fold)); /* as Enter and a click do */
  g_assert_true (loom_pages_fold_row_is_expanded (fold));
  g_assert_cmpuint (count_rows (window).n_lacking_shown, ==, rows.n_lacking);
  g_assert_cmpstr (page_of (window), ==, "overview");
  gtk_widget_activate (GTK_WIDGET (fold));
  g_assert_cmpuint (count_rows (window).n_lacking_shown, ==, 0);
  fixture_close (window);
}

/* A page without data that is opened by its name, for example from the command palette, has a visible row. */
static void
test_opened (void)
{
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomWindow *window = fixture_window ();
  fixture_open (window, file);
  panels_turn (window, "overview");
  g_assert_true (fixture_wait (has_lacks, window));
  panels_turn (window, "hang");
  g_assert_cmpstr (page_of (window), ==, "hang");
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (list_of (window));
  g_assert_true (loom_page_row_has_reason (LOOM_PAGE_ROW (selected)));
  g_assert_true (gtk_widget_get_child_visible (GTK_WIDGET (selected)));
  fixture_close (window);
}

/* The sample run lacks data for one page, which stays in its group. */
static void
test_few (void)
{
  LoomWindow *window = panels_open_sample ();
  panels_turn (window, "overview");
  g_assert_true (fixture_wait (has_lacks, window));
  Rows rows = count_rows (window);
  g_assert_cmpuint (rows.n_lacking, ==, 1);
  g_assert_cmpuint (rows.n_lacking_shown, ==, 1);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (fold_of (window))));
  fixture_close (window);
}

/* If the focus is on the row of a page while another run is opened, the page stays selected. */
static void
test_reopened (void)
{
  LoomWindow *window = panels_open_sample ();
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  panels_turn (window, "efficiency");
  fixture_frames (window);
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (list_of (window))));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (gtk_list_box_get_selected_row (list_of (window)))));
  fixture_open (window, file);
  fixture_frames (window);
  g_assert_cmpstr (page_of (window), ==, "efficiency");
  fixture_close (window);
}

void
groups_add_page_list (void)
{
  g_test_add_func ("/app/page-list/folds", test_folds);
  g_test_add_func ("/app/page-list/opened", test_opened);
  g_test_add_func ("/app/page-list/few", test_few);
  g_test_add_func ("/app/page-list/reopened", test_reopened);
}
