/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading the full trace of a rank, for the visible range only, while the window has loaded only its index (a
 * small summary file): the events appear in the rows of the rank or in a new tab. Also tests the texts that are shown
 * meanwhile, reading the same range twice, and a trace that is not at its recorded path.
 */
#include "groups.h"

#include "loom-index-map.h"
#include "loom-range-offer.h"
#include "loom-timeline-painter.h"
#include "loom-timeline-view.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
write_trace (const char *folder, int rank)
{
  g_autofree char *name = g_strdup_printf ("rank-%d.pt.trace.json", rank);
  g_autofree char *text = g_strdup_printf (
    "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%d,\"world_size\":2},\"baseTimeNanoseconds\":1700000000000000000,"
    "\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":5},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":2,\"dur\":9}]}",
    rank);
  return fixture_file (folder, name, text);
}

static void
make_indexes (const char *raw, const char *folder)
{
  const LoomIndexMapTarget target = { .folder = folder };
  LoomLoadOptions options = { 0 };
  LoomIndexMapResult result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_index_map_run ((const char *const[]) { raw, NULL }, &target, &options, NULL, &result, &error));
  g_assert_no_error (error);
  loom_index_map_result_clear (&result);
}

static void
read_range (LoomWindow *window)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "read-range", g_variant_new_int32 (1));
}

static gboolean
is_idle (gpointer window)
{
  return ((LoomWindow *) window)->saving == NULL;
}

static const char *
get_bar_text (LoomWindow *window)
{
  GObject *label = gtk_widget_get_template_child (GTK_WIDGET (window->save_bar), LOOM_TYPE_PROGRESS_BAR, "what");
  return gtk_label_get_text (GTK_LABEL (label));
}

/* The window calls this task “reading”, also in the question that it asks when it is closed before the task ends. */
static void
check_words (LoomWindow *window)
{
  g_assert_nonnull (window->saving);
  g_assert_cmpstr (get_bar_text (window), ==, "Reading Events of rank 1");
  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (fixture_question (window));
  g_assert_cmpstr (loom_alert_dialog_get_heading (fixture_question (window)), ==, "Cancel Reading?");
  fixture_answer (window, "cancel");
}

static void
select_tab (LoomWindow *window, int n)
{
  adw_tab_view_set_selected_page (window->tab_view, adw_tab_view_get_nth_page (window->tab_view, n));
  fixture_frames (window);
}

static void
test_same_range (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *first = write_trace (raw, 0), *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  LoomWindow *window = fixture_window ();
  fixture_open (window, indexes);
  fixture_rest (window);
  read_range (window);
  check_words (window);
  g_assert_true (fixture_wait (is_idle, window));
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 2);
  fixture_wait_loaded (window);
  LoomRun *run = loom_document_get_run (loom_window_get_document (window));
  g_assert_cmpint (loom_run_get_source (run, 0)->rank, ==, 1);
  g_assert_false (loom_run_get_source (run, 0)->is_index);
  g_assert_cmpuint (loom_document_count_spans (loom_window_get_document (window)), ==, 2);

  LoomTab *tab = loom_window_get_tab (window);
  select_tab (window, 0);
  read_range (window);
  g_assert_null (window->saving);
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 2);
  g_assert_true (loom_window_get_tab (window) == tab);
  fixture_close (window);
}

static GtkWindow *
find_dialog (const char *title)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  for (GList *next = all; next != NULL; next = next->next)
    if (g_strcmp0 (gtk_window_get_title (next->data), title) == 0)
      return next->data;
  return NULL;
}

/* If a trace is not at its recorded path, only the user knows where it is, for example on another machine. Instead of
 * reading, the window opens a dialog. */
static void
test_elsewhere (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *first = write_trace (raw, 0), *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  g_assert_cmpint (g_remove (second), ==, 0);
  LoomWindow *window = fixture_window ();
  fixture_open (window, indexes);
  fixture_rest (window);
  read_range (window);
  g_assert_null (window->saving);
  GtkWindow *dialog = find_dialog ("Read Events of Rank 1");
  g_assert_nonnull (dialog);
  gtk_window_close (dialog);
  fixture_close (window);
}

static gboolean
is_shown (gpointer offer)
{
  return gtk_widget_get_visible (offer);
}

static gboolean
is_hidden (gpointer offer)
{
  return !gtk_widget_get_visible (offer);
}

static void
show (LoomWindow *window, gint64 begin_us, gint64 end_us)
{
  LoomViewport view = fixture_view (window);
  view.begin_ns = G_GINT64_CONSTANT (1700000000000000000) + begin_us * 1000;
  view.end_ns = G_GINT64_CONSTANT (1700000000000000000) + end_us * 1000;
  loom_timeline_state_set_viewport (fixture_state (window), &view);
}

/* The button in the row of a rank covers neither the tracks nor the name of the rank, and is not higher than the
 * row. */
static void
check_place (LoomWindow *window, GtkWidget *timeline, GtkWidget *offer)
{
  graphene_rect_t place;
  guint number;
  g_assert_cmpint (loom_range_offer_find_rank (fixture_state (window), &number), ==, 1);
  GtkWidget *headers = GTK_WIDGET (gtk_widget_get_template_child (timeline, G_OBJECT_TYPE (timeline), "headers"));
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture_state (window));
  const LoomTimelineRow *row = loom_row_list_get_row (rows, number);
  LoomRenderContext *scene = loom_timeline_view_get_scene (LOOM_TIMELINE_VIEW (timeline));
  double name = loom_timeline_painter_measure_header (row, loom_render_context_get_text (scene)),
         top = loom_row_list_row_top (rows, number, fixture_view (window).scroll_px);
  fixture_frames (window);
  g_assert_true (gtk_widget_compute_bounds (offer, headers, &place));
  g_assert_cmpfloat (place.origin.x, >=, name);
  g_assert_cmpfloat (place.origin.x + place.size.width, <=, gtk_widget_get_width (headers));
  g_assert_cmpfloat (place.origin.y, >=, top);
  g_assert_cmpfloat (place.origin.y + place.size.height, <=, top + row->height);
}

static void
fold_all (LoomWindow *window, gboolean folded)
{
  loom_row_list_fold_all (loom_timeline_state_get_row_list (fixture_state (window)), folded);
  loom_timeline_state_rows_changed (fixture_state (window));
}

static LoomRangeDetails *
get_details (LoomWindow *window)
{
  return loom_run_state_get_details (window->run);
}

static gboolean
is_at_rest (gpointer window)
{
  return loom_range_details_is_idle (get_details (window));
}

/* The rows of an unfolded rank show the events of its trace; a tab is not needed then, and no button offers one. */
static void
test_in_rows (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  LoomWindow *window = fixture_window ();
  fixture_open (window, indexes);
  LoomViewport view = fixture_view (window);
  LoomRange range = { view.begin_ns, view.end_ns };
  fold_all (window, FALSE);
  g_assert_true (fixture_wait (is_at_rest, window));
  g_assert_cmpuint (loom_range_details_find (get_details (window), 0, range), !=, G_MAXUINT);
  guint row;
  g_assert_cmpint (loom_range_offer_find_rank (fixture_state (window), &row), ==, -1);
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 1);
  fixture_close (window);
}

/* If the trace of an unfolded rank cannot be read, the row of the rank has a button. It opens a dialog, which asks
 * the user for a command that reads the events of the rank. */
static void
test_offer (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  g_autofree char *second = write_trace (raw, 1);
  make_indexes (raw, indexes);
  g_assert_cmpint (g_remove (second), ==, 0);
  LoomWindow *window = fixture_window ();
  fixture_open (window, indexes);
  GtkWidget *timeline =
    fixture_find_type (GTK_WIDGET (loom_window_get_run_view (window)), g_type_from_name ("LoomTimelineView"));
  guint row;
  GObject *offer = gtk_widget_get_template_child (timeline, G_OBJECT_TYPE (timeline), "offer");
  fixture_rest (window);
  fold_all (window, TRUE); /* folds all ranks, because the first rank may be unfolded if the ranks arrive one after
                            * another */
  g_assert_cmpint (loom_range_offer_find_rank (fixture_state (window), &row), ==, -1);
  fold_all (window, FALSE);
  show (window, 3, 5);
  g_assert_true (fixture_wait (is_shown, offer));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (offer)), ==, "Read Events of Rank 1");
  check_place (window, timeline, GTK_WIDGET (offer));
  gtk_window_set_default_size (GTK_WINDOW (window), 700, 600); /* the view changes while widgets get their sizes */
  check_place (window, timeline, GTK_WIDGET (offer));
  fold_all (window, TRUE);
  g_assert_true (fixture_wait (is_hidden, offer));

  fold_all (window, FALSE);
  g_assert_true (fixture_wait (is_shown, offer));
  g_signal_emit_by_name (offer, "clicked");
  GtkWindow *dialog = find_dialog ("Read Events of Rank 1");
  g_assert_nonnull (dialog);
  g_assert_null (window->saving);
  gtk_window_close (dialog);
  fixture_close (window);
}

/* When the indexes of many ranks are opened, the window first shows the page with the map of their steps. It does so
 * only once, so that the user can go to another page. */
static void
test_map (void)
{
  g_autofree char *raw = fixture_folder (), *indexes = fixture_folder ();
  for (int rank = 0; rank < 6; rank++) {
    g_autofree char *name = g_strdup_printf ("rank-%d.pt.trace.json", rank);
    g_autofree char *text = g_strdup_printf (
      "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%d,\"world_size\":6},\"baseTimeNanoseconds\":1700000000000000000,"
      "\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":50},"
      "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#2\",\"pid\":9,\"tid\":9,\"ts\":60,\"dur\":50},"
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":2,\"dur\":9}]}",
      rank);
    g_autofree char *path = fixture_file (raw, name, text);
  }
  make_indexes (raw, indexes);
  LoomWindow *window = fixture_window ();
  fixture_open (window, indexes);
  fixture_rest (window);
  g_assert_cmpstr (loom_run_state_get_page (window->run), ==, "steps");
  loom_run_state_show_timeline (window->run);
  loom_document_reload (loom_window_get_document (window));
  fixture_wait_loaded (window);
  g_assert_cmpstr (loom_run_state_get_page (window->run), ==, "selection");
  fixture_close (window);
}

void
groups_add_read_range (void)
{
  g_test_add_func ("/app/read-range/map", test_map);
  g_test_add_func ("/app/read-range/in-rows", test_in_rows);
  g_test_add_func ("/app/read-range/offer", test_offer);
  g_test_add_func ("/app/read-range/same-range", test_same_range);
  g_test_add_func ("/app/read-range/elsewhere", test_elsewhere);
}
