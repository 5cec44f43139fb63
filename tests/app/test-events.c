/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the table of events: contents, order, filter, the selection shared with the timeline, copies and files; and
 * saving the view as a picture.
 */
#include "fixture.h"
#include "loom-event-list.h"
#include "loom-samples-panel.h"
#include "loom-source-commands.h"
#include "loom-timeline-description.h"
#include "loom-window-private.h"

#include <string.h>

#define EVENTS                                                                                                                \
  "[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"main\"}},\n"                              \
  "{\"ph\":\"X\",\"name\":\"step\",\"cat\":\"loop\",\"pid\":1,\"tid\":1,\"ts\":1000.5,\"dur\":100,\"args\":{\"n\": 1.50}},\n" \
  "{\"ph\":\"X\",\"name\":\"a, \\\"quoted\\\"\",\"pid\":1,\"tid\":1,\"ts\":1010,\"dur\":30},\n"                               \
  "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":2,\"ts\":1020,\"dur\":5},\n"                                             \
  "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":2,\"ts\":1030,\"dur\":10},\n"                                            \
  "{\"ph\":\"X\",\"name\":\"step\",\"cat\":\"loop\",\"pid\":1,\"tid\":1,\"ts\":1200,\"dur\":50}]\n"

static LoomEventsPanel *
panel_of (LoomWindow *window)
{
  return loom_run_views_get_events (loom_run_page_get_panels (loom_window_get_run_view (window)));
}

static LoomTableModel *
table_of (LoomWindow *window)
{
  return LOOM_TABLE_MODEL (loom_run_state_get_event_rows (loom_window_get_run_state (window)));
}

static gboolean
has_rows (gpointer window)
{
  return !loom_events_panel_is_working (panel_of (window)) && loom_table_model_get_rows (table_of (window)) != NULL;
}

static void
wait_rows (LoomWindow *window)
{
  fixture_spin (5);
  g_assert_true (fixture_wait (has_rows, window));
}

static LoomWindow *
open_events (const char *path)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  loom_run_state_set_page (loom_window_get_run_state (window), "events");
  wait_rows (window);
  return window;
}

static LoomWindow *
open_small (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "small.json", EVENTS);
  return open_events (path);
}

static LoomEventList *
list_of (LoomWindow *window)
{
  return loom_table_model_get_rows (table_of (window));
}

static GtkSelectionModel *
rows_of (LoomWindow *window)
{
  return GTK_SELECTION_MODEL (table_of (window));
}

/* Returns the names of the rows; selected rows are in brackets. */
static char *
draw (LoomWindow *window)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < list_of (window)->n; i++) {
    const char *name = loom_timeline_description_name (fixture_state (window), list_of (window)->ids[i]);
    gboolean selected = gtk_selection_model_is_selected (rows_of (window), i);
    g_string_append_printf (text, "%s%s%s%s", i > 0 ? " " : "", selected ? "[" : "", name, selected ? "]" : "");
  }
  return g_string_free (text, FALSE);
}

static void
assert_rows (LoomWindow *window, const char *expected)
{
  g_autofree char *text = draw (window);
  g_assert_cmpstr (text, ==, expected);
}

static void
sort_by (LoomWindow *window, LoomEventOrder order, GtkSortType type)
{
  GtkColumnView *view =
    GTK_COLUMN_VIEW (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)), LOOM_TYPE_RECORD_TABLE, "view"));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (view), order);
  gtk_column_view_sort_by_column (view, column, type);
  wait_rows (window);
}

static gboolean
has_two (gpointer window)
{
  return has_rows (window) && list_of (window)->n == 2;
}

static void
test_order_and_filter (void)
{
  LoomWindow *window = open_small ();
  assert_rows (window, "step a, \"quoted\" gemm gemm step");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)),
                                                                                 LOOM_TYPE_RECORD_TABLE, "summary"))),
                   ==, "5 events");
  sort_by (window, LOOM_EVENT_BY_NAME, GTK_SORT_ASCENDING);
  assert_rows (window, "a, \"quoted\" gemm gemm step step");
  sort_by (window, LOOM_EVENT_BY_DURATION, GTK_SORT_DESCENDING);
  assert_rows (window, "step step a, \"quoted\" gemm gemm");
  gtk_editable_set_text (
    GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)), LOOM_TYPE_RECORD_TABLE, "filter")),
    "LOOP main");
  g_assert_true (fixture_wait (has_two, window)); /* the entry waits for more letters before it filters */
  assert_rows (window, "step step");
  fixture_close (window);
}

/* Selecting a span on the timeline selects its row, and selecting a row selects its span. */
static void
test_in_step (void)
{
  LoomWindow *window = open_small ();
  LoomTimelineState *state = fixture_state (window);
  guint n;
  loom_timeline_state_select_span (state, list_of (window)->ids[2], FALSE);
  loom_timeline_state_select_span (state, list_of (window)->ids[4], TRUE);
  assert_rows (window, "step a, \"quoted\" [gemm] gemm [step]");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)),
                                                                                 LOOM_TYPE_RECORD_TABLE, "summary"))),
                   ==, "5 events · 2 selected");
  loom_timeline_state_select_nothing (state);
  assert_rows (window, "step a, \"quoted\" gemm gemm step");
  gtk_selection_model_select_item (rows_of (window), 3, TRUE);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), list_of (window)->ids[3]));
  gtk_selection_model_select_item (rows_of (window), 0, FALSE);
  loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), list_of (window)->ids[0]));
  assert_rows (window, "[step] a, \"quoted\" gemm [gemm] step");
  sort_by (window, LOOM_EVENT_BY_NAME, GTK_SORT_DESCENDING); /* changing the order keeps the selected events */
  assert_rows (window, "[step] step gemm [gemm] a, \"quoted\"");
  gtk_selection_model_select_all (rows_of (window));
  loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, 5);
  fixture_close (window);
}

/* The table shows the events of the range of the panels, and does not change its rows while one of them is being
 * selected. */
static void
test_ranges (void)
{
  LoomWindow *window = open_small ();
  LoomTimelineState *state = fixture_state (window);
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (loom_window_get_run_state (window));
  LoomRange first = { loom_timeline_state_get_extent (state).begin_ns,
                      loom_timeline_state_get_extent (state).begin_ns + 24 * LOOM_NS_PER_US };
  loom_analysis_context_set_scope (analysis, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)),
                                                                                 LOOM_TYPE_RECORD_TABLE, "summary"))),
                   ==, "Nothing is selected. Drag over the timeline to select a range.");
  loom_timeline_state_select_range (state, first);
  wait_rows (window);
  assert_rows (window, "step a, \"quoted\" gemm");
  gtk_selection_model_select_item (rows_of (window), 2, TRUE);
  fixture_spin (50);
  wait_rows (window);
  assert_rows (window, "step a, \"quoted\" [gemm]");
  fixture_close (window);
}

static gboolean
is_saved (gpointer window)
{
  return LOOM_WINDOW (window)->saving == NULL;
}

static char *
write_and_read (LoomWindow *window, const char *what, const char *name)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, name, NULL);
  char *text = NULL;
  loom_window_write_events (window, what, path);
  g_assert_true (fixture_wait (is_saved, window));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* Returns the first descendant that shows the text. */
static GtkWidget *
find_text (GtkWidget *widget, const char *text)
{
  if ((GTK_IS_LABEL (widget) && strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0) ||
      (GTK_IS_INSCRIPTION (widget) && g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (widget)), text) == 0))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_text (child, text);
  return found;
}

static gboolean
shows_text (GtkWidget *widget, const char *text)
{
  return find_text (widget, text) != NULL;
}

static gboolean
shows_track (gpointer window)
{
  return shows_text (GTK_WIDGET (panel_of (window)), "box › my, own › 1 › main");
}

/* Saves the selected row, then the events of the selected range. */
static void
check_choices (LoomWindow *window)
{
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  gtk_selection_model_select_item (rows_of (window), 0, TRUE);
  g_autofree char *one = write_and_read (window, "rows", "one.json");
  g_assert_nonnull (strstr (one, "[\n{\"ts_ns\":1000500,"));
  g_assert_null (strstr (one, "gemm"));
  loom_timeline_state_select_range (fixture_state (window), (LoomRange) { extent.end_ns - 10, extent.end_ns });
  g_autofree char *last = write_and_read (window, "range", "last.csv");
  g_assert_nonnull (strstr (last, "\r\n1200000,"));
  g_assert_null (strstr (last, "gemm"));
}

/* The table and saved files show the user's name and node for the source of each event, and the filter matches both.
 * tests/app/test-event-files.c tests the text of saved files. */
static void
test_named (void)
{
  LoomWindow *window = open_small ();
  LoomDocument *document = loom_window_get_document (window);
  g_autofree char *path = g_strdup (loom_run_get_source (loom_document_get_run (document), 0)->path);
  loom_source_commands_describe (document, (const char *const[]) { path, NULL }, LOOM_SOURCE_NODE, NULL, -1, "box");
  fixture_wait_loaded (window);
  wait_rows (window);
  loom_source_commands_describe (document, (const char *const[]) { path, NULL }, LOOM_SOURCE_NAME, "my, own", -1, NULL);
  wait_rows (window);
  g_assert_true (fixture_wait (shows_track, window));
  g_autofree char *all = write_and_read (window, "rows", "all.csv"),
                  *json = write_and_read (window, "rows", "all.json");
  g_assert_nonnull (strstr (all, "\r\n1200000,50000,X,step,loop,1,main,,0,,box,\"my, own\"\r\n"));
  g_assert_nonnull (strstr (json, "\"rank\":null,\"node\":\"box\",\"source\":\"my, own\",\"depth\""));
  check_choices (window);
  gtk_editable_set_text (
    GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)), LOOM_TYPE_RECORD_TABLE, "filter")),
    "own gemm");
  g_assert_true (fixture_wait (has_two, window));
  fixture_close (window);
}

static gboolean
tells_track (gpointer window)
{
  GtkWidget *cell = find_text (GTK_WIDGET (panel_of (window)), "1 › main");
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;
  if (cell != NULL)
    g_signal_emit_by_name (cell, "query-tooltip", 1, 1, FALSE, tooltip, &shows);
  return shows;
}

static GtkWidget *
table_below (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_COLUMN_VIEW (widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = table_below (child);
  return found;
}

/* A truncated cell shows its whole text in a tooltip; other cells have no tooltip. */
static void
test_cut (void)
{
  LoomWindow *window = open_small ();
  wait_rows (window);
  fixture_frames (window);
  g_assert_nonnull (find_text (GTK_WIDGET (panel_of (window)), "1 › main"));
  g_assert_false (tells_track (window));
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (table_below (GTK_WIDGET (panel_of (window)))));
  g_autoptr (GtkColumnViewColumn) track = g_list_model_get_item (columns, g_list_model_get_n_items (columns) - 1);
  gtk_column_view_column_set_expand (track, FALSE);
  gtk_column_view_column_set_fixed_width (track, 40);
  g_assert_true (fixture_wait (tells_track, window));
  fixture_close (window);
}

/* Returns the width of the column of categories, which a narrow table hides. 0: the column is hidden. */
static int
get_category_width (gpointer window)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (table_below (GTK_WIDGET (panel_of (window)))));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, LOOM_EVENT_BY_CATEGORY);
  return gtk_column_view_column_get_visible (column) ? gtk_column_view_column_get_fixed_width (column) : 0;
}

static gboolean
has_category (gpointer window)
{
  return get_category_width (window) > 0;
}

static gboolean
lacks_category (gpointer window)
{
  return get_category_width (window) == 0;
}

/* In a narrow window the column of names keeps its width, and the column of categories is hidden until the window is
 * wider. */
static void
test_narrow (void)
{
  LoomWindow *window = open_small ();
  wait_rows (window);
  g_assert_true (fixture_wait (has_category, window));
  fixture_resize (window, 640, 700);
  g_assert_true (fixture_wait (lacks_category, window));
  fixture_resize (window, 1100, 760);
  g_assert_true (fixture_wait (has_category, window));
  fixture_close (window);
}

static gboolean
is_track_hidden (gpointer window)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (table_below (GTK_WIDGET (panel_of (window)))));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, LOOM_EVENT_BY_TRACK);
  return !gtk_column_view_column_get_visible (column);
}

static gboolean
is_track_shown (gpointer window)
{
  return !is_track_hidden (window);
}

/* Writes the file of a rank that has one event. */
static void
write_rank (const char *folder, int rank)
{
  g_autofree char
    *name = g_strdup_printf ("rank%d.json", rank),
    *text = g_strdup_printf (
      "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0}],\"distributedInfo\":{\"rank\":%d},\"traceEvents\":["
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"mm\",\"pid\":77,\"tid\":77,\"ts\":0,\"dur\":60}]}",
      rank),
    *path = fixture_file (folder, name, text);
}

/* If events have different ranks, a narrow table hides the column of tracks, which would show only the ends of paths.
 * If there is only one rank, the track says more. */
static void
test_narrow_ranks (void)
{
  for (int n = 1; n <= 2; n++) {
    g_autofree char *folder = fixture_folder ();
    for (int rank = 3; rank < 3 + n; rank++)
      write_rank (folder, rank);
    LoomWindow *window = open_events (folder);
    g_assert_true (fixture_wait (is_track_shown, window));
    g_assert_true (fixture_wait (has_category, window));
    fixture_resize (window, 640, 700);
    g_assert_true (fixture_wait (lacks_category, window));
    g_assert_true (n == 1 ? is_track_shown (window) : is_track_hidden (window));
    fixture_resize (window, 1100, 760);
    g_assert_true (fixture_wait (is_track_shown, window));
    fixture_close (window);
  }
}

static void
text_read (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static void
test_copy (void)
{
  LoomWindow *window = open_small ();
  g_autofree char *text = NULL;
  gtk_selection_model_select_item (rows_of (window), 1, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (panel_of (window)), "records.copy", NULL);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, text_read, &text);
  g_assert_true (fixture_wait (is_set, &text));
  g_assert_cmpstr (
    text, ==,
    "ts_ns\tdur_ns\tph\tname\tcat\tprocess\tthread\trank\tdepth\tnode\tsource\n1010000\t30000\tX\ta, \"quoted\"\t\t1\tmain\t\t1\t\t\n");
  fixture_close (window);
}

/* --- pictures of the view ------------------------------------------------------------------------------------------- */

static void
write_picture (LoomWindow *window, const char *name, const char *begin)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, name, NULL), *text = NULL;
  gsize length;
  loom_window_write_picture (window, path);
  g_assert_true (fixture_wait (is_saved, window));
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_cmpuint (length, >, 4000);
  g_assert_cmpmem (text, strlen (begin), begin, strlen (begin));
}

/* The picture is as large as the timeline in the window and has more than one colour. */
static void
assert_picture (LoomWindow *window, GdkTexture *texture)
{
  LoomTimelineView *view = loom_run_page_get_timeline_view (loom_window_get_run_view (window));
  LoomViewport viewport = fixture_view (window);
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_assert_cmpint (width, ==, loom_timeline_view_get_header_width (view) + (int) viewport.width_px);
  g_assert_cmpint (height, >, (int) viewport.height_px);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * (gsize) height);
  g_autoptr (GHashTable) colors = g_hash_table_new (NULL, NULL);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  for (int i = 0; i < width * height; i++)
    g_hash_table_add (colors, GUINT_TO_POINTER (pixels[i]));
  g_assert_cmpuint (g_hash_table_size (colors), >, 20);
}

static void
texture_read (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(GdkTexture **) user_data = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
is_laid_out (gpointer window)
{
  return fixture_view (window).width_px > 100;
}

static void
test_pictures (void)
{
  LoomWindow *window = fixture_window ();
  g_autoptr (GdkTexture) texture = NULL;
  fixture_open (window, fixture_sample ());
  g_assert_true (fixture_wait (is_laid_out, window));
  write_picture (window, "view.png", "\x89PNG");
  write_picture (window, "view.svg", "<?xml");
  write_picture (window, "view.pdf", "%PDF");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.copy-picture", NULL);
  gdk_clipboard_read_texture_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, texture_read, &texture);
  g_assert_true (fixture_wait (is_set, &texture));
  assert_picture (window, texture);
  fixture_close (window);
}

/* --- samples --------------------------------------------------------------------------------------------------------- */

#define SAMPLES                                                                      \
  "[{\"ph\":\"X\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":100},\n" \
  "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":1010,\"args\":{\"value\":3}},\n" \
  "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":1050,\"args\":{\"value\":1}},\n" \
  "{\"ph\":\"P\",\"name\":\"cycles\",\"pid\":1,\"tid\":1,\"ts\":1020}]\n"

static LoomSamplesPanel *
samples_of (LoomWindow *window)
{
  return LOOM_SAMPLES_PANEL (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window))));
}

static gboolean
has_samples (gpointer window)
{
  return !loom_record_table_is_working (LOOM_RECORD_TABLE (samples_of (window))) &&
         loom_table_model_get_rows (loom_record_table_get_model (LOOM_RECORD_TABLE (samples_of (window)))) != NULL;
}

static gboolean
shows_switch (LoomWindow *window)
{
  GtkStackSwitcher *switcher = GTK_STACK_SWITCHER (
    gtk_widget_get_template_child (GTK_WIDGET (panel_of (window)), LOOM_TYPE_RECORD_TABLE, "switcher"));
  return gtk_stack_switcher_get_stack (switcher) != NULL;
}

/* The table of samples has a row for each value of a counter and for each sample of a thread. Selecting the row of a
 * sample selects its span on the timeline; selecting the row of a value selects the time during which it is valid. */
static void
test_samples (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "samples.json", SAMPLES);
  LoomWindow *window = open_events (path);
  LoomTimelineState *state = fixture_state (window);
  LoomRunState *run = loom_window_get_run_state (window);
  g_assert_true (shows_switch (window));
  loom_run_state_set_page (run, "samples");
  fixture_spin (5);
  g_assert_true (fixture_wait (has_samples, window));
  LoomTableModel *rows = loom_record_table_get_model (LOOM_RECORD_TABLE (samples_of (window)));
  g_assert_cmpuint (loom_table_model_get_n_rows (rows), ==, 3);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (rows), 0, TRUE);
  LoomRange range = loom_timeline_state_get_range (state);
  g_assert_cmpint (range.end_ns - range.begin_ns, ==, 40 * LOOM_NS_PER_US);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (rows), 1, TRUE);
  g_assert_cmpstr (loom_timeline_description_name (state, loom_timeline_state_get_lead (state)), ==, "cycles");
  g_assert_cmpstr (loom_run_state_get_page (run), ==, "samples");
  gtk_widget_activate_action (GTK_WIDGET (samples_of (window)), "records.copy", NULL);
  loom_run_state_set_page (run, "events");
  g_assert_true (panel_of (window) ==
                 (gpointer) loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window))));
  fixture_close (window);
}

/* A run without samples has the table of events only. */
static void
test_no_samples (void)
{
  LoomWindow *window = open_small ();
  g_assert_false (shows_switch (window));
  g_assert_false (loom_run_state_has_page (loom_window_get_run_state (window), "samples"));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/events/order-and-filter", test_order_and_filter);
  g_test_add_func ("/app/events/in-step", test_in_step);
  g_test_add_func ("/app/events/ranges", test_ranges);
  g_test_add_func ("/app/events/named", test_named);
  g_test_add_func ("/app/events/cut", test_cut);
  g_test_add_func ("/app/events/narrow", test_narrow);
  g_test_add_func ("/app/events/narrow-ranks", test_narrow_ranks);
  g_test_add_func ("/app/events/copy", test_copy);
  g_test_add_func ("/app/events/samples", test_samples);
  g_test_add_func ("/app/events/no-samples", test_no_samples);
  g_test_add_func ("/app/events/pictures", test_pictures);
  return fixture_run ();
}
