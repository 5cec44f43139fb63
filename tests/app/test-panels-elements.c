/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests what users can do with a chart or a table: keyboard, copies, files, and the description for screen readers.
 */
#include "groups.h"
#include "loom-bounded-text.h"
#include "panels.h"

#include <math.h>
#include <string.h>

static void
note_element (LoomChartView *chart, guint element, guint *noted)
{
  *noted = element;
}

static void
test_keyboard (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  GtkWidget *chart = panels_widget (panel, "Duration of each step");
  guint activated = LOOM_CHART_NONE;
  panels_wait_for_layout (chart);
  g_signal_connect (chart, "element-activated", G_CALLBACK (note_element), &activated);
  g_assert_true (gtk_widget_get_focusable (chart));
  loom_chart_view_set_focused (LOOM_CHART_VIEW (chart), LOOM_CHART_NONE);
  g_assert_true (panels_press (chart, GDK_KEY_Right));
  g_assert_cmpuint (loom_chart_view_get_focused (LOOM_CHART_VIEW (chart)), ==, 0);
  g_assert_true (panels_press (chart, GDK_KEY_Right));
  g_assert_true (panels_press (chart, GDK_KEY_Return));
  g_assert_cmpuint (activated, ==, 1);
  g_assert_true (panels_press (chart, GDK_KEY_End));
  g_assert_cmpuint (loom_chart_view_get_focused (LOOM_CHART_VIEW (chart)), ==, 47);
  g_assert_false (panels_press (chart, GDK_KEY_w)); /* W zooms the timeline, so the chart ignores it */
  fixture_close (window);
}

/* Moves the focus with Tab or Shift+Tab from one chart to the next, until it leaves the charts of the page. */
static void
assert_leaves (LoomWindow *window, GtkWidget *chart, GtkDirectionType direction)
{
  g_assert_true (gtk_widget_grab_focus (chart));
  for (guint i = 0; i < 12; i++) {
    GtkWidget *before = gtk_root_get_focus (GTK_ROOT (window));
    g_test_message ("%s, %d", loom_chart_view_get_chart (LOOM_CHART_VIEW (before))->title, direction);
    g_signal_emit_by_name (window, "move-focus", direction); /* Tab emits this signal */
    GtkWidget *now = gtk_root_get_focus (GTK_ROOT (window));
    g_assert_true (now != before);
    if (now == NULL || !LOOM_IS_CHART_VIEW (now))
      return;
  }
  g_assert_not_reached ();
}

static void
test_tab_leaves (void)
{
  static const char *const pages[] = { "overview", "steps", "work" };
  LoomWindow *window = panels_open_sample ();
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    LoomAnalysisPanel *panel = panels_show (window, pages[i]);
    LoomPageContent *sheet = panels_sheet (panel);
    for (guint block = 0; block < sheet->blocks->len; block++) {
      if (loom_page_content_get_block (sheet, block)->kind != LOOM_BLOCK_CHART)
        continue;
      GtkWidget *chart = panels_widget (panel, loom_page_content_get_block (sheet, block)->chart->title);
      panels_wait_for_layout (chart);
      assert_leaves (window, chart, GTK_DIR_TAB_FORWARD);
      assert_leaves (window, chart, GTK_DIR_TAB_BACKWARD);
    }
  }
  fixture_close (window);
}

static gboolean
is_highlighted (gpointer chart)
{
  return loom_chart_view_get_highlighted (chart) != LOOM_CHART_NONE;
}

/* While the pointer is over an element of a page, the range of the element is highlighted on the timeline; while the
 * pointer is over the timeline, the element at that time is highlighted. */
static void
test_hovered (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomChartView *chart = LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step"));
  LoomTimelineState *state = fixture_state (window);
  LoomHoveredPlace *place = loom_timeline_state_get_hovered_place (state);
  LoomNavigationTarget step;
  panels_wait_for_layout (GTK_WIDGET (chart));
  g_assert_true (
    loom_page_content_get_place (panels_sheet (panel), panels_find_block (panel, "Duration of each step"), 4, &step));
  g_signal_emit_by_name (chart, "element-hovered", 4);
  const LoomNavigationTarget *hovered = loom_hovered_place_get_target (place, state);
  g_assert_nonnull (hovered);
  g_assert_cmpint (hovered->range.begin_ns, ==, step.range.begin_ns);
  g_assert_cmpint (hovered->range.end_ns, ==, step.range.end_ns);
  g_signal_emit_by_name (chart, "element-hovered", LOOM_CHART_NONE);
  g_assert_null (loom_hovered_place_get_target (place, NULL));
  loom_timeline_state_set_pointer (state, step.range.begin_ns, G_MAXUINT, step.spans[0]);
  g_assert_true (fixture_wait (is_highlighted, chart));
  g_assert_cmpuint (loom_chart_view_get_highlighted (chart), ==, 4);
  fixture_close (window);
}

static GtkEventController *
named_controller (GtkWidget *widget, const char *name)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) one = g_list_model_get_item (controllers, i);
    if (g_strcmp0 (gtk_event_controller_get_name (one), name) == 0)
      return one; /* borrowed: its widget owns it */
  }
  return NULL;
}

/* The wheel over a table that cannot scroll further scrolls the page. */
static void
test_wheel_over_table (void)
{
  LoomWindow *window = panels_open_sample ();
  GtkWidget *table = panels_widget (panels_show (window, "steps"), "Outlier steps");
  GtkWidget *inner = gtk_widget_get_last_child (table),
            *outer = gtk_widget_get_ancestor (table, GTK_TYPE_SCROLLED_WINDOW);
  GtkEventController *wheel = named_controller (inner, "loom-wheel-pass");
  GtkAdjustment *page = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (outer));
  GtkAdjustment *own = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner));
  gboolean taken = FALSE;
  fixture_frames (window);
  g_assert_cmpfloat (gtk_adjustment_get_value (page), ==, 0);
  gtk_adjustment_set_value (own, gtk_adjustment_get_upper (own)); /* scrolls the table to its end */
  g_signal_emit_by_name (wheel, "scroll", 0.0, 1.0, &taken);
  double moved = gtk_adjustment_get_value (page);
  g_assert_true (taken);
  g_assert_cmpfloat (moved, >, 0);
  gtk_adjustment_set_value (own, 0);
  g_signal_emit_by_name (wheel, "scroll", 0.0, -1.0, &taken);
  g_assert_cmpfloat (gtk_adjustment_get_value (page), <, moved);
  gtk_adjustment_configure (own, 0, 0, 1000, 1, 10, 100); /* the table can scroll further */
  moved = gtk_adjustment_get_value (page);
  g_signal_emit_by_name (wheel, "scroll", 0.0, 1.0, &taken);
  g_assert_false (taken);
  g_assert_cmpfloat (gtk_adjustment_get_value (page), ==, moved);
  fixture_close (window);
}

typedef struct {
  char *text;
  gboolean done;
} Pasted;

static void
pasted (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  Pasted *paste = user_data;
  paste->text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  paste->done = TRUE;
}

static gboolean
is_pasted (gpointer data)
{
  return ((Pasted *) data)->done;
}

static char *
paste (GtkWidget *widget)
{
  Pasted paste = { NULL, FALSE };
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, pasted, &paste);
  g_assert_true (fixture_wait (is_pasted, &paste));
  return paste.text;
}

/* The description of a chart for screen readers contains all values if there are few of them, otherwise only the first
 * and the last values. */
static void
check_words (LoomWindow *window)
{
  LoomAnalysisPanel *panel = panels_show (window, "overview");
  g_autofree char *few = loom_chart_view_dup_description (
    loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Phases of the job"))));
  g_assert_true (g_str_has_prefix (few, "Phases of the job: initialization "));
  g_assert_nonnull (strstr (few, ", finalization "));
  panel = panels_show (window, "steps");
  g_autofree char *many = loom_chart_view_dup_description (
    loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step"))));
  g_assert_nonnull (strstr (many, "48 values, lowest "));
  g_assert_nonnull (strstr (many, " · step 6)"));
}

static void
test_copies (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  gtk_widget_activate_action (panels_widget (panel, "Duration of each step"), "chart.copy", NULL);
  g_autofree char *chart = paste (GTK_WIDGET (window));
  g_assert_nonnull (chart);
  g_assert_nonnull (strstr (chart, "algo-1 rank 0\t6\t3."));
  GtkWidget *view = panels_widget (panel, "Outlier steps");
  gtk_widget_activate_action (view, "table.copy", NULL);
  g_autofree char *table = paste (GTK_WIDGET (window));
  g_assert_nonnull (table);
  g_assert_true (g_str_has_prefix (table, "Step\tRank\tStart\tDuration\t× Median\n6\talgo-"));
  g_autofree char *csv = loom_table_view_dup_csv (LOOM_TABLE_VIEW (view));
  g_assert_true (g_str_has_prefix (csv, "Step,Rank,Start (ns),Duration (ns),× Median\r\n6,algo-"));
  loom_table_view_set_filter (LOOM_TABLE_VIEW (view), "RANK 3");
  g_assert_cmpuint (loom_table_view_get_n_shown (LOOM_TABLE_VIEW (view)), ==, 1);
  loom_table_view_set_filter (LOOM_TABLE_VIEW (view), "nobody");
  g_autofree char *nothing = loom_table_view_dup_tsv (LOOM_TABLE_VIEW (view));
  g_assert_cmpstr (nothing, ==, "Step\tRank\tStart\tDuration\t× Median\n");
  check_words (window);
  fixture_close (window);
}

typedef struct {
  GtkWidget *chart;
  LoomChartBox before;
} Turned;

/* Returns TRUE if the chart is mirrored for a right-to-left language: the distance of its first bar from the right edge
 * equals the former distance from the left edge. */
static gboolean
is_turned (gpointer data)
{
  const Turned *turned = data;
  const LoomChartLayout *layout = loom_chart_view_get_layout (LOOM_CHART_VIEW (turned->chart));
  LoomChartBox box;
  return layout != NULL && loom_chart_layout_get_box (layout, 0, &box) &&
         fabs (box.x + box.width - (gtk_widget_get_width (turned->chart) - turned->before.x)) < 1;
}

static void
test_right_to_left (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "overview");
  Turned turned = { panels_widget (panel, "Device time by rank, computed from kernels"), { 0, 0, 0, 0 } };
  panels_wait_for_layout (turned.chart);
  g_assert_true (
    loom_chart_layout_get_box (loom_chart_view_get_layout (LOOM_CHART_VIEW (turned.chart)), 0, &turned.before));
  g_assert_false (is_turned (&turned));
  gtk_widget_set_direction (turned.chart, GTK_TEXT_DIR_RTL);
  g_assert_true (fixture_wait (is_turned, &turned));
  fixture_close (window);
}

static int
height_for (GtkWidget *chart, int width)
{
  int height;
  gtk_widget_measure (chart, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  return height;
}

/* Text of twice the size makes the whole chart twice as large, so that labels fit into its rows. */
static void
test_large_text (void)
{
  int dpi;
  GtkSettings *settings = gtk_settings_get_default ();
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  LoomWindow *window = panels_open_sample ();
  GtkWidget *chart = panels_widget (panels_show (window, "overview"), "Phases of the job");
  panels_wait_for_layout (chart);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  int plain = height_for (chart, 400);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  g_assert_cmpint (ABS (height_for (chart, 800) - 2 * plain), <=, 1);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  fixture_close (window);
}

static LoomResultTable *
names_table (const char *name)
{
  LoomResultTable *table = loom_result_table_new ("Names");
  loom_result_table_add_column (table, "Name", NULL, "");
  loom_result_table_add_column (table, "Count", "#", "");
  loom_result_table_set_order (table, 0, FALSE);
  if (name != NULL) {
    loom_result_table_add_row (table, name);
    loom_result_table_set_number (table, 1, 3);
  }
  return table;
}

/* Returns the minimum width of the first cell with a text, or 0. */
static int
least_width (GtkWidget *widget, const char *text)
{
  int width = 0;
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && width == 0;
       child = gtk_widget_get_next_sibling (child))
    width = least_width (child, text);
  return width;
}

static gboolean
is_as_wide_as_its_name (gpointer view)
{
  return least_width (view, "ncclDevKernel_AllReduce") > 150;
}

/* A table that was empty at first makes its columns wide enough for the names that are added later. */
static void
test_room (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) empty = names_table (NULL), whole = names_table ("ncclDevKernel_AllReduce");
  gtk_window_set_default_size (GTK_WINDOW (window), 120, 300);
  gtk_window_set_child (GTK_WINDOW (window), view);
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), empty);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), whole);
  g_assert_true (fixture_wait (is_as_wide_as_its_name, view));
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
chars_of (GtkWidget *widget, const char *text)
{
  int chars = 0;
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return gtk_label_get_width_chars (GTK_LABEL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && chars == 0;
       child = gtk_widget_get_next_sibling (child))
    chars = chars_of (child, text);
  return chars;
}

static gboolean
has_room_for_wide_letters (gpointer view)
{
  return chars_of (view, "データ読み込み") == 14;
}

/* Japanese and Chinese letters are twice as wide as the Latin letters on which column widths are based, so columns must
 * be wider. */
static void
test_wide_letters (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = names_table ("データ読み込み");
  gtk_window_set_default_size (GTK_WINDOW (window), 120, 300);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (has_room_for_wide_letters, view));
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkAdjustment *
find_across (GtkWidget *widget)
{
  GtkAdjustment *across = GTK_IS_COLUMN_VIEW (widget) ? gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (widget)) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && across == NULL;
       child = gtk_widget_get_next_sibling (child))
    across = find_across (child);
  return across;
}

/* Returns TRUE if a table that is too wide shows its right edge. */
static gboolean
begins_at_the_right (gpointer view)
{
  GtkAdjustment *across = find_across (view);
  double rest = gtk_adjustment_get_upper (across) - gtk_adjustment_get_page_size (across);
  return gtk_adjustment_get_page_size (across) > 1 && rest > 20 && fabs (gtk_adjustment_get_value (across) - rest) < 1;
}

static void
test_first_column (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = names_table ("a name that is long enough to be wider than what it stands in");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  gtk_window_set_default_size (GTK_WINDOW (window), 120, 300);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (begins_at_the_right, view));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  gtk_window_destroy (GTK_WINDOW (window));
}

static guint
count_shown (GtkWidget *view)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (gtk_widget_get_template_child (view, LOOM_TYPE_TABLE_VIEW, "view"));
  GListModel *columns = gtk_column_view_get_columns (table);
  guint n = 0;
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    n += gtk_column_view_column_get_visible (column);
  }
  return n;
}

/* Returns TRUE if some columns are hidden, and the others fit into the width. */
static gboolean
fits_partly (gpointer view)
{
  GtkAdjustment *across = find_across (view);
  return count_shown (view) < 9 && gtk_adjustment_get_page_size (across) > 1 &&
         gtk_adjustment_get_upper (across) <= gtk_adjustment_get_page_size (across) + 1;
}

static gboolean
shows_all (gpointer view)
{
  return count_shown (view) == 9;
}

/* Columns for which there is no room are in the menu instead of beyond the edge, and come back when there is room. A
 * column that the user shows is not hidden again. */
static void
test_fit (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = loom_result_table_new ("");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  for (guint i = 0; i < 8; i++)
    loom_result_table_add_column (table, "A Long Title", "ns", NULL);
  loom_result_table_add_row (table, "rank 0");
  for (guint i = 1; i < 9; i++)
    loom_result_table_set_number (table, i, 1e6);
  gtk_widget_set_size_request (view, 400, 200);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (fits_partly, view));
  GtkWidget *more = GTK_WIDGET (gtk_widget_get_template_child (view, LOOM_TYPE_TABLE_VIEW, "more"));
  g_assert_true (gtk_widget_get_visible (more));
  guint n = count_shown (view);
  gtk_widget_activate_action (view, "columns.show-8", NULL);
  fixture_frames_of (window);
  fixture_frames_of (window);
  g_assert_cmpuint (count_shown (view), ==, n + 1);
  gtk_widget_set_size_request (view, 1250, 200);
  g_assert_true (fixture_wait (shows_all, view));
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkColumnViewColumn *
get_column (GtkWidget *view, guint position)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (gtk_widget_get_template_child (view, LOOM_TYPE_TABLE_VIEW, "view"));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (table), position);
  return column; /* the view has another reference */
}

static LoomResultTable *
new_wide_table (void)
{
  LoomResultTable *table = loom_result_table_new ("");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  for (guint i = 1; i < 9; i++) {
    g_autofree char *title = g_strdup_printf ("A Long Title %u", i);
    loom_result_table_add_column (table, title, "ns", NULL);
  }
  loom_result_table_set_detail (table, 8);
  loom_result_table_add_row (table, "rank 0");
  for (guint i = 1; i < 9; i++)
    loom_result_table_set_number (table, i, 1e6);
  return table;
}

/* At every width, the columns that are shown are the same in all frames after the first few: a column is not shown and
 * hidden again in turns. */
static void
test_fit_settles (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = new_wide_table ();
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  for (int width = 300; width < 900; width += 45) {
    gtk_window_set_default_size (GTK_WINDOW (window), width, 200);
    for (guint i = 0; i < 4; i++)
      fixture_frames_of (window);
    guint n = count_shown (view);
    for (guint i = 0; i < 3; i++) {
      fixture_frames_of (window);
      g_assert_cmpuint (count_shown (view), ==, n);
    }
  }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A narrow table shows the column that answers its question, instead of columns before it. */
static void
test_fit_key (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = new_wide_table ();
  loom_result_table_set_key (table, 7);
  gtk_window_set_default_size (GTK_WINDOW (window), 440, 200);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (fits_partly, view));
  for (guint i = 0; i < 6; i++)
    fixture_frames_of (window);
  g_assert_true (gtk_column_view_column_get_visible (get_column (view, 7)));
  g_assert_false (gtk_column_view_column_get_visible (get_column (view, 6)));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_hidden (gpointer column)
{
  return !gtk_column_view_column_get_visible (column);
}

/* After the user has moved a column to another place, the columns that are last in the new order are hidden first. An
 * item of the menu shows the column whose name the item has, wherever the column is. If the user shows a column with
 * details, no other column is hidden for it. */
static void
test_fit_moved (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = new_wide_table ();
  GtkColumnView *columns;
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 200);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (fits_partly, view));
  for (guint i = 0; i < 6; i++)
    fixture_frames_of (window);
  guint n = count_shown (view);
  columns = GTK_COLUMN_VIEW (gtk_widget_get_template_child (view, LOOM_TYPE_TABLE_VIEW, "view"));
  GtkColumnViewColumn *second = get_column (view, 1), *detail = get_column (view, 8);
  gtk_column_view_insert_column (columns, 8, second);
  gtk_window_set_default_size (GTK_WINDOW (window), 440, 200);
  g_assert_true (fixture_wait (is_hidden, second));
  for (guint i = 0; i < 6; i++)
    fixture_frames_of (window);
  g_assert_cmpuint (count_shown (view), <, n);
  n = count_shown (view);
  gtk_widget_activate_action (view, "columns.show-1", NULL);
  gtk_widget_activate_action (view, "columns.show-8", NULL);
  for (guint i = 0; i < 4; i++)
    fixture_frames_of (window);
  g_assert_true (gtk_column_view_column_get_visible (detail));
  g_assert_true (gtk_column_view_column_get_visible (second));
  g_assert_cmpuint (count_shown (view), ==, n + 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
measure_lines (GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  pango_layout_set_width (layout, 120 * PANGO_SCALE);
  return pango_layout_get_unknown_glyphs_count (layout) == 0 ? pango_layout_get_line_count (layout) : 0;
}

/* Returns the number of glyphs of all lines. A hyphen at the end of a line is a glyph, but no character. */
static int
count_glyphs (GtkLabel *label)
{
  int n = 0;
  for (GSList *line = pango_layout_get_lines_readonly (gtk_label_get_layout (label)); line != NULL; line = line->next)
    for (GSList *run = ((PangoLayoutLine *) line->data)->runs; run != NULL; run = run->next)
      n += ((PangoLayoutRun *) run->data)->glyphs->num_glyphs;
  return n;
}

/* A name that is broken at the end of a line gets no hyphen, which would look like a part of the name. */
static void
test_no_hyphens (void)
{
  static const char name[] = "nccldevkernelallreducesumringwithoutanybreaks";
  GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  loom_bounded_text_set_label (GTK_LABEL (label), name);
  g_assert_cmpint (measure_lines (GTK_LABEL (label)), >, 1);
  g_assert_cmpint (count_glyphs (GTK_LABEL (label)), ==, (int) strlen (name));
  g_object_unref (label);
}

static GtkWidget *find_label (GtkWidget *widget, const char *text);

/* In the sentence at the top of a page of the analysis, a name of a kernel that is broken at the end of a line gets no
 * hyphen either. */
static void
test_no_hyphens_in_answer (void)
{
  static const char name[] = "nccldevkernelallreducesumringwithoutanybreaks";
  LoomWindow *window = panels_open_sample ();
  LoomPageContent *content = loom_page_content_new ((LoomRange) { 0, 1 });
  GtkWidget *view =
    g_object_ref_sink (loom_page_view_new (loom_run_page_get_scene (loom_window_get_run_view (window))));
  loom_page_content_add_answer (content, name);
  loom_page_view_set_content (LOOM_PAGE_VIEW (view), content);
  while (loom_page_view_is_filling (LOOM_PAGE_VIEW (view)))
    g_main_context_iteration (NULL, TRUE);
  GtkWidget *label = find_label (view, name);
  g_assert_nonnull (label);
  g_assert_cmpint (measure_lines (GTK_LABEL (label)), >, 1);
  g_assert_cmpint (count_glyphs (GTK_LABEL (label)), ==, (int) strlen (name));
  g_object_unref (view);
  loom_page_content_unref (content);
  fixture_close (window);
}

/* Returns the label of the widget with this text; NULL if there is none. */
static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

static gboolean
shows_list (gpointer view)
{
  return find_label (view, "13, 15") != NULL;
}

static void
assert_order (GtkWidget *view, const char *text, GtkTextDirection direction, float xalign)
{
  GtkWidget *label = find_label (view, text);
  g_assert_nonnull (label);
  g_assert_cmpint (gtk_widget_get_direction (label), ==, direction);
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (label)), ==, xalign);
}

/* In windows from right to left, numbers and lists of numbers are still written from left to right. */
static void
test_numbers_from_left (void)
{
  GtkWidget *window = gtk_window_new (), *view = loom_table_view_new ();
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Ranks");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  loom_result_table_add_column (table, "Ranks", NULL, NULL);
  loom_result_table_add_column (table, "Share", "%", NULL);
  loom_result_table_add_row (table, "waits");
  loom_result_table_set_text (table, 1, "13, 15");
  loom_result_table_set_number (table, 2, 43);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  loom_table_view_set_table (LOOM_TABLE_VIEW (view), table);
  g_assert_true (fixture_wait (shows_list, view));
  assert_order (view, "13, 15", GTK_TEXT_DIR_LTR, 1);
  assert_order (view, "waits", GTK_TEXT_DIR_RTL, 0);
  g_autofree char *share = loom_result_table_dup_cell (table, 0, 2);
  assert_order (view, share, GTK_TEXT_DIR_LTR, 1);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/keyboard", test_keyboard);
  g_test_add_func ("/analysis/tab-leaves", test_tab_leaves);
  g_test_add_func ("/analysis/hovered", test_hovered);
  g_test_add_func ("/analysis/wheel-over-table", test_wheel_over_table);
  g_test_add_func ("/analysis/copies", test_copies);
  g_test_add_func ("/analysis/right-to-left", test_right_to_left);
  g_test_add_func ("/analysis/large-text", test_large_text);
  g_test_add_func ("/analysis/room", test_room);
  g_test_add_func ("/analysis/first-column", test_first_column);
  g_test_add_func ("/analysis/wide-letters", test_wide_letters);
  g_test_add_func ("/analysis/fit", test_fit);
  g_test_add_func ("/analysis/fit-moved", test_fit_moved);
  g_test_add_func ("/analysis/fit-key", test_fit_key);
  g_test_add_func ("/analysis/fit-settles", test_fit_settles);
  g_test_add_func ("/analysis/numbers-from-left", test_numbers_from_left);
  g_test_add_func ("/analysis/no-hyphens", test_no_hyphens);
  g_test_add_func ("/analysis/no-hyphens-in-answer", test_no_hyphens_in_answer);
  groups_add_panels_selection ();
  return fixture_run ();
}
