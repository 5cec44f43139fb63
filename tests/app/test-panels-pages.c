/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the analysis: each has figures of the sample run and says what a run lacks; names of all controls.
 */
#include "panels.h"

#include <string.h>

/* Every page has figures, and says nothing is missing. */
static void
test_pages (void)
{
  LoomWindow *window = panels_open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  g_assert_cmpuint (n, >=, 5);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = panels_show (window, pages[i].id);
    g_test_message ("%s: %s", pages[i].id, loom_analysis_panel_get_summary (panel));
    g_assert_cmpuint (loom_page_content_get_n_blocks (panels_sheet (panel)), >, 1);
    g_assert_false (panels_lack_something (panel));
    g_assert_nonnull (strstr (loom_analysis_panel_get_summary (panel), " s from +"));
  }
  fixture_close (window);
}

/* The sample has 12 steps per rank; the seventh of each is an outlier. */
static void
test_steps (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomChart *chart = loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step")));
  g_assert_cmpuint (chart->lines.lines->len, ==, 4);
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, 48);
  for (guint i = 0; i < 48; i++)
    g_assert_cmpint (g_array_index (chart->lines.points, LoomChartPoint, i).flagged, ==, i % 12 == 6);
  LoomResultTable *table = loom_table_view_get_table (LOOM_TABLE_VIEW (panels_widget (panel, "Outlier steps")));
  g_assert_cmpuint (loom_result_table_get_n_rows (table), ==, 4);
  for (guint row = 0; row < 4; row++)
    g_assert_cmpfloat (loom_result_table_get_number (table, row, 0), ==, 6);
  fixture_close (window);
}

/* --- runs that lack something ---------------------------------------------------------------------------------------- */

static void
test_missing (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "trace.json",
                  "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5}]}");
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  fixture_open (window, path);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = panels_show (window, pages[i].id);
    g_assert_true (panels_lack_something (panel));
  }
  panels_set_scope (window, LOOM_RANGE_SCOPE_LOOP);
  g_assert_true (panels_lack_something (panels_show (window, "utilization")));
  fixture_close (window);
}

/* --- names ----------------------------------------------------------------------------------------------------------- */

static gboolean
has_text_below (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0')
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text_below (child))
      return TRUE;
  return FALSE;
}

/* Whatever takes the focus says what it is: by its text, its tooltip, or as a chart by its title. */
static void
check_names (GtkWidget *widget)
{
  if (gtk_widget_get_mapped (widget) &&
      (GTK_IS_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || LOOM_IS_CHART_VIEW (widget))) {
    gboolean named = has_text_below (widget) || gtk_widget_get_tooltip_text (widget) != NULL;
    if (LOOM_IS_CHART_VIEW (widget))
      named = loom_chart_view_get_chart (LOOM_CHART_VIEW (widget))->title[0] != '\0';
    if (!named)
      g_error ("a %s has no name", G_OBJECT_TYPE_NAME (widget));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_names (child);
}

static void
test_names (void)
{
  LoomWindow *window = panels_open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++) {
    panels_show (window, pages[i].id);
    check_names (gtk_widget_get_parent (GTK_WIDGET (panels_stack (window))));
  }
  fixture_close (window);
}

/* A window closed in the middle of the work goes in peace. */
static void
test_close_at_work (void)
{
  LoomWindow *window = panels_open_sample ();
  gtk_stack_set_visible_child_name (panels_stack (window), "overview");
  fixture_spin (1);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/pages", test_pages);
  g_test_add_func ("/analysis/steps", test_steps);
  g_test_add_func ("/analysis/missing", test_missing);
  g_test_add_func ("/analysis/names", test_names);
  g_test_add_func ("/analysis/close-at-work", test_close_at_work);
  return fixture_run ();
}
