/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks panel: what the table says of made-up ranks, the residuals of the one chosen, what was refused; what a person
 * does to clocks, and that all of it can be taken back and is kept.
 */
#include "fixture.h"

#include "loom-clock-at-row.h"
#include "loom-clock-commands.h"
#include "loom-session-state.h"
#include "loom-source-commands.h"

#include <math.h>
#include <string.h>

#define N_MEETINGS 40
#define DISTANCE_US 500000

typedef struct {
  double offset_us; /* of the rank's clock */
  double step_us;   /* added from the middle on */
  guint n_corrupt;  /* ends that are late by ms */
} Rank;

/* What is off by a µs or so, and the same each time. */
static double
jitter_us (guint rank, guint i)
{
  return (double) ((rank * 7919 + i * 104729) % 1000) / 1000.0;
}

static char *
rank_text (guint number, const Rank *rank)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (
    text,
    "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%u,\"world_size\":4},"
    "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[\n",
    number);
  for (guint i = 0; i < N_MEETINGS; i++) {
    double late = i < rank->n_corrupt ? 3000.0 + 100.0 * i : 0;
    double end = (i + 1.0) * DISTANCE_US + rank->offset_us + (i >= N_MEETINGS / 2 ? rank->step_us : 0) +
                 jitter_us (number, i) + late;
    char start_text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (start_text, sizeof start_text, "%.3f", end - 400.0);
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,\"tid\":7,"
      "\"ts\":%s,\"dur\":400,\"args\":{\"stream\":7,\"device\":0,\"Collective name\":\"allreduce\","
      "\"Process Group Name\":\"0\",\"Seq\":%u}}",
      i > 0 ? ",\n" : "", start_text, i);
  }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}

/* Ranks whose clocks are off by what is told. */
static LoomWindow *
open_ranks (const Rank *ranks, guint n)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = fixture_window ();
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("rank-%u.pt.trace.json", i), *text = rank_text (i, &ranks[i]);
    g_free (fixture_file (folder, name, text));
  }
  fixture_open (window, folder);
  return window;
}

static const Rank drifted[] = { { 0 }, { .offset_us = 5000 }, { .offset_us = -250, .n_corrupt = 4 } };
static const Rank stepped[] = { { 0 }, { .offset_us = 20 }, { .offset_us = 100, .step_us = 4000 } };

static gboolean
is_idle (gpointer panel)
{
  return gtk_widget_get_mapped (panel) && !loom_clocks_panel_is_working (panel);
}

static LoomClocksPanel *
show (LoomWindow *window)
{
  LoomClocksPanel *panel = loom_panel_area_get_clocks (loom_run_page_get_panels (loom_window_get_run_view (window)));
  gtk_stack_set_visible_child_name (
    loom_panel_area_get_stack (loom_run_page_get_panels (loom_window_get_run_view (window))), "clocks");
  g_assert_true (fixture_wait (is_idle, panel));
  return panel;
}

static void
choose (LoomClocksPanel *panel, guint clock)
{
  loom_clocks_panel_choose (panel, clock);
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, clock);
  g_assert_true (fixture_wait (is_idle, panel));
}

static guint
column_of (LoomResultTable *table, const char *title)
{
  for (guint i = 0; i < loom_result_table_get_n_columns (table); i++)
    if (strcmp (loom_result_table_get_column (table, i)->title, title) == 0)
      return i;
  g_error ("no column “%s”", title);
}

static double
number_of (LoomClocksPanel *panel, guint row, const char *title)
{
  LoomResultTable *table = loom_table_view_get_table (loom_clocks_panel_get_table (panel));
  return loom_result_table_get_number (table, row, column_of (table, title));
}

static const char *
text_of (LoomClocksPanel *panel, guint row, const char *title)
{
  LoomResultTable *table = loom_table_view_get_table (loom_clocks_panel_get_table (panel));
  return loom_result_table_get_text (table, row, column_of (table, title));
}

static void
test_table (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  g_assert_cmpuint (loom_result_table_get_n_rows (loom_table_view_get_table (loom_clocks_panel_get_table (panel))), ==,
                    3);
  g_assert_cmpstr (text_of (panel, 0, "Source"), ==, "rank 0");
  g_assert_cmpfloat (number_of (panel, 0, "Offset"), ==, 0);
  g_assert_cmpfloat (fabs (number_of (panel, 1, "Offset") + 5e6), <, 2000);
  g_assert_cmpfloat (fabs (number_of (panel, 2, "Offset") - 250e3), <, 2000);
  g_assert_cmpfloat (number_of (panel, 2, "Pairs"), ==, N_MEETINGS);
  g_assert_cmpfloat (number_of (panel, 2, "Rejected"), ==, 4);
  g_assert_cmpfloat (number_of (panel, 2, "Measured ±"), >, 0);
  g_assert_cmpfloat (number_of (panel, 2, "Measured ±"), <, number_of (panel, 2, "p95"));
  g_assert_true (isnan (number_of (panel, 0, "Measured ±"))); /* the reference is compared with nothing */
  g_assert_cmpfloat (number_of (panel, 1, "Max"), <, 2000);
  g_assert_cmpstr (text_of (panel, 1, "Verdict"), ==, "good");
  g_assert_cmpstr (text_of (panel, 1, "State"), ==, "synchronised");
  g_assert_cmpstr (text_of (panel, 1, "Basis"), ==, "fit");
  fixture_close (window);
}

static guint
count_flagged (const LoomChart *chart)
{
  guint n = 0;
  for (guint i = 0; i < chart->lines.points->len; i++)
    n += g_array_index (chart->lines.points, LoomChartPoint, i).flagged;
  return n;
}

/* The points of the chart are those of the table: as many used, as many rejected, as small. */
/* What a person calls a source is what its clock is called, while it is looked at and before it is. */
static void
test_named (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomDocument *document = loom_window_get_document (window);
  g_autofree char *path = g_strdup (loom_run_get_source (loom_document_get_run (document), 1)->path);
  loom_source_commands_describe (document, (const char *const[]) { path, NULL }, LOOM_SOURCE_NAME, "the slow one", -1,
                                 NULL);
  LoomClocksPanel *panel = show (window);
  choose (panel, 1);
  g_assert_cmpstr (text_of (panel, 1, "Source"), ==, "rank 1 · the slow one");
  g_assert_nonnull (strstr (loom_clocks_panel_get_fit_quality (panel), "rank 1 · the slow one"));
  loom_source_commands_describe (document, (const char *const[]) { path, NULL }, LOOM_SOURCE_NAME, "", -1, NULL);
  g_assert_true (fixture_wait (is_idle, panel));
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, 1);
  g_assert_cmpstr (text_of (panel, 1, "Source"), ==, "rank 1");
  g_assert_null (strstr (loom_clocks_panel_get_fit_quality (panel), "slow"));
  fixture_close (window);
}

static void
test_residuals (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, 1); /* the reference says least */
  choose (panel, 2);
  g_assert_nonnull (strstr (loom_clocks_panel_get_fit_quality (panel), "36\u00a0of 40\u00a0pairs agree"));
  LoomChart *chart = loom_chart_view_get_chart (loom_clocks_panel_get_residuals (panel));
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, N_MEETINGS);
  g_assert_cmpuint (count_flagged (chart), ==, 4);
  for (guint i = 0; i < N_MEETINGS; i++) {
    const LoomChartPoint *point = &g_array_index (chart->lines.points, LoomChartPoint, i);
    g_assert_true (point->flagged == (fabs (point->y) > 1e6));
    g_assert_true (point->flagged || fabs (point->y) < 2000);
  }
  LoomChart *overlay = loom_chart_view_get_chart (loom_clocks_panel_get_overlay (panel));
  const LoomChartPoint *before = &g_array_index (overlay->lines.points, LoomChartPoint, 0);
  g_assert_cmpuint (loom_chart_get_n_elements (overlay), ==, 2 * (N_MEETINGS - 4));
  g_assert_cmpfloat (before->y, <, -240e3);
  g_assert_cmpfloat (fabs (g_array_index (overlay->lines.points, LoomChartPoint, N_MEETINGS).y), <, 2000);
  fixture_close (window);
}

static void
test_refused (void)
{
  LoomWindow *window = open_ranks (stepped, G_N_ELEMENTS (stepped));
  LoomClocksPanel *panel = show (window);
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, 2); /* by itself: it deserves a look */
  g_assert_cmpstr (text_of (panel, 2, "Verdict"), ==, "refused");
  g_assert_cmpstr (text_of (panel, 2, "State"), ==, "exact");
  g_assert_cmpfloat (number_of (panel, 2, "Offset"), ==, 0);
  g_assert_nonnull (strstr (loom_clocks_panel_get_fit_quality (panel), "steps by"));
  LoomChart *chart = loom_chart_view_get_chart (loom_clocks_panel_get_residuals (panel));
  g_assert_cmpstr (chart->title, ==, "Residuals of the fit that was refused");
  g_assert_cmpuint (loom_chart_get_n_elements (chart), ==, N_MEETINGS);
  fixture_close (window);
}

/* Nothing to compare with is said, and shown without charts. */
static void
test_alone (void)
{
  LoomWindow *window = open_ranks (drifted, 1);
  LoomClocksPanel *panel = show (window);
  g_assert_null (loom_chart_view_get_chart (loom_clocks_panel_get_residuals (panel)));
  g_assert_true (isnan (number_of (panel, 0, "Pairs")));
  g_assert_nonnull (strstr (loom_clocks_panel_get_fit_quality (panel), "Nothing to compare"));
  fixture_close (window);
}

/* --- what a person does ---------------------------------------------------------------------------------------------- */

static const LoomClockFit *
fit_of (LoomWindow *window, guint clock)
{
  return loom_alignment_get (
    loom_timeline_get_alignment (loom_document_get_timeline (loom_window_get_document (window))), clock);
}

static gint64
moved_by (LoomWindow *window, guint clock)
{
  return fit_of (window, clock)->user_offset_ns;
}

static gboolean
is_enabled (LoomWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

static void
act (LoomWindow *window, const char *action)
{
  g_assert_true (is_enabled (window, action));
  g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
}

static gboolean
shows_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, text))
      return TRUE;
  return FALSE;
}

/* A fit that nobody asked for is told of, with the way back. */
static void
test_announced (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  gint64 fitted_ns = fit_of (window, 1)->map.offset_ns;
  g_assert_true (shows_text (GTK_WIDGET (window), "2 clocks fitted, moved by up to 5.00 ms"));
  act (window, "use-declared-clocks");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_cmpint (fit_of (window, 1)->state, ==, LOOM_CLOCK_EXACT);
  g_assert_false (is_enabled (window, "use-declared-clocks"));
  act (window, "undo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  act (window, "redo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  act (window, "use-fitted-clocks");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  fixture_close (window);
}

/* What nobody asked for is taken back as what somebody did, once: reading the same again adds no step. */
static void
test_fit_taken_back (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  gint64 fitted_ns = fit_of (window, 1)->map.offset_ns;
  g_assert_cmpint (fitted_ns, !=, 0);
  act (window, "undo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_false (is_enabled (window, "undo"));
  act (window, "redo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  act (window, "reload");
  fixture_wait_loaded (window);
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  act (window, "undo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_false (is_enabled (window, "undo"));
  fixture_close (window);
}

static char *
write_at (const char *folder, const char *name, gint64 seconds)
{
  g_autofree char *text =
    g_strdup_printf ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":%" G_GINT64_FORMAT "000000000,\"traceEvents\":["
                     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":9000000,\"name\":\"op\"}]}",
                     seconds);
  return fixture_file (folder, name, text);
}

/* Files of different days are told of; those of one job that is profiled now and then are not. */
static void
test_days_apart (void)
{
  const gint64 start = 1700000000, hour = 3600;
  static const struct {
    gint64 hours;
    const char *says;
  } cases[] = { { 1, NULL }, { 13, "13 hours" }, { 24 * 400, "400 days" } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = fixture_folder ();
    g_autofree char *first = write_at (folder, "a.pt.trace.json", start);
    g_autofree char *second = write_at (folder, "b.pt.trace.json", start + cases[i].hours * hour + 60);
    LoomWindow *window = fixture_window ();
    fixture_open (window, folder);
    const char *trouble = loom_window_get_load_error (window);
    if (cases[i].says == NULL)
      g_assert_null (trouble);
    else
      g_assert_true (trouble != NULL && strstr (trouble, cases[i].says) != NULL && strstr (trouble, "in tabs") != NULL);
    fixture_close (window);
  }
}

static void
test_not_announced (void)
{
  LoomWindow *window = open_ranks (drifted, 1);
  g_assert_false (shows_text (GTK_WIDGET (window), "fitted"));
  g_assert_false (is_enabled (window, "use-declared-clocks"));
  g_assert_false (is_enabled (window, "undo"));
  fixture_close (window);
}

static gboolean
shows_doubt (gpointer sources)
{
  return shows_text (sources, "◐");
}

/* What was refused is told too; the source's dot is that of a doubt. */
static void
test_doubt (void)
{
  LoomWindow *window = open_ranks (stepped, G_N_ELEMENTS (stepped));
  GtkWidget *sources = GTK_WIDGET (loom_run_page_get_sources (loom_window_get_run_view (window)));
  g_assert_true (fixture_wait (shows_doubt, sources));
  act (window, "show-clocks");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (
                     loom_panel_area_get_stack (loom_run_page_get_panels (loom_window_get_run_view (window)))),
                   ==, "clocks");
  fixture_close (window);
}

static void
type_offset (LoomClocksPanel *panel, const char *text)
{
  gtk_editable_set_text (loom_clocks_panel_get_offset (panel), text);
  g_signal_emit_by_name (loom_clocks_panel_get_offset (panel), "activate");
  g_assert_true (fixture_wait (is_idle, panel));
}

static void
test_typed (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  GtkWidget *entry = GTK_WIDGET (loom_clocks_panel_get_offset (panel));
  choose (panel, 2);
  gint64 fitted_ns = fit_of (window, 2)->map.offset_ns;
  type_offset (panel, "-1.5 ms");
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  g_assert_cmpint (fit_of (window, 2)->map.offset_ns, ==, fitted_ns - 1500000);
  g_assert_cmpfloat (number_of (panel, 2, "By hand"), ==, -1500000);
  g_assert_nonnull (strstr (loom_clocks_panel_get_fit_quality (panel), "1.5\u00a0ms earlier"));
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, 2);
  type_offset (panel, "seven");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  type_offset (panel, "40us");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (moved_by (window, 2), ==, 40000);
  act (window, "undo");
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  act (window, "reset-clocks");
  g_assert_cmpint (moved_by (window, 2), ==, 0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  fixture_close (window);
}

static gboolean
press_in_table (LoomClocksPanel *panel, guint keyval, GdkModifierType modifiers)
{
  gboolean taken = FALSE;
  GtkEventController *keys = fixture_controller (loom_clocks_panel_get_table (panel), GTK_TYPE_EVENT_CONTROLLER_KEY);
  g_signal_emit_by_name (keys, "key-pressed", keyval, 0, modifiers, &taken);
  return taken;
}

/* Held keys are one step; the timeline's own move the source of the span chosen. */
static void
test_nudged (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  choose (panel, 1);
  g_assert_true (press_in_table (panel, GDK_KEY_Right, GDK_ALT_MASK));
  g_assert_true (press_in_table (panel, GDK_KEY_Right, GDK_ALT_MASK));
  g_assert_true (press_in_table (panel, GDK_KEY_Left, GDK_ALT_MASK | GDK_SHIFT_MASK));
  g_assert_false (press_in_table (panel, GDK_KEY_Left, 0));
  g_assert_cmpint (moved_by (window, 1), ==, -98000);
  act (window, "undo");
  g_assert_cmpint (moved_by (window, 1), ==, 0);
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, !=, 0);
  act (window, "undo"); /* there is but the fit that came by itself */
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_false (is_enabled (window, "undo"));
  act (window, "redo");
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 2, 0 }, FALSE);
  g_assert_true (fixture_type (window, GDK_KEY_Right, 0, GDK_CONTROL_MASK));
  g_assert_cmpint (moved_by (window, 2), >, 0);
  g_assert_cmpint (moved_by (window, 1), ==, 0);
  fixture_close (window);
}

/* What a drag tells, bit by bit. */
static void
drag (LoomWindow *window, guint clock, gint64 by_ns)
{
  GtkWidget *tracks =
    loom_timeline_view_get_tracks (loom_run_page_get_timeline_view (loom_window_get_run_view (window)));
  for (guint i = 0; i < 10; i++)
    g_signal_emit_by_name (tracks, "clock-moved", clock, by_ns / 10, i == 0);
}

/* The tracks follow the pointer, bit by bit; one drag is one step. */
static void
test_dragged (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomTimelineState *state = fixture_state (window);
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  LoomViewport view = fixture_view (window);
  LoomSpanId span = { 1, 0 };
  gint64 begin_ns, end_ns, before_ns;
  guint row = G_MAXUINT, strip;
  loom_timeline_get_span (loom_document_get_timeline (loom_window_get_document (window)), span, &before_ns, &end_ns);
  g_assert_true (loom_row_list_find_span (outline, span, &row, &strip));
  g_assert_cmpuint (loom_clock_at_row_at (state, loom_row_list_row_top (outline, row, view.scroll_px) + 4), ==, 1);
  g_assert_cmpuint (loom_clock_at_row_at (state, 1e6), ==, G_MAXUINT);
  drag (window, 1, 12000);
  drag (window, 1, -30000);
  loom_timeline_get_span (loom_document_get_timeline (loom_window_get_document (window)), span, &begin_ns, &end_ns);
  g_assert_cmpint (begin_ns, ==, before_ns - 18000);
  act (window, "undo");
  g_assert_cmpint (moved_by (window, 1), ==, 12000);
  act (window, "undo");
  g_assert_cmpint (moved_by (window, 1), ==, 0);
  fixture_close (window);
}

/* Ends of the two collectives coincide, whatever was moved by hand before. */
static void
test_aligned (void)
{
  LoomWindow *window = open_ranks (stepped, G_N_ELEMENTS (stepped));
  LoomTimelineState *state = fixture_state (window);
  LoomSpanId kept = { 0, 30 }, moved = { 2, 31 };
  gint64 start_ns, kept_ns, moved_ns;
  loom_clock_commands_set_offset (loom_window_get_document (window), 2, 777);
  loom_clock_commands_set_offset (loom_window_get_document (window), 0, 50);
  g_assert_false (is_enabled (window, "align-events"));
  loom_timeline_state_select_span (state, kept, FALSE);
  loom_timeline_state_select_span (state, moved, TRUE);
  act (window, "align-events");
  LoomTimeline *timeline = loom_document_get_timeline (loom_window_get_document (window));
  loom_timeline_get_span (timeline, kept, &start_ns, &kept_ns);
  loom_timeline_get_span (timeline, moved, &start_ns, &moved_ns);
  g_assert_cmpint (kept_ns, ==, moved_ns);
  g_assert_cmpstr (fit_of (window, 2)->basis, ==, "events picked by hand");
  act (window, "undo");
  g_assert_cmpint (moved_by (window, 2), ==, 777);
  fixture_close (window);
}

/* What was done is in the session, and there again when that is opened. */
static void
test_kept (void)
{
  LoomWindow *window = open_ranks (stepped, G_N_ELEMENTS (stepped));
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "kept.traceloom", NULL);
  LoomDocument *document = loom_window_get_document (window);
  loom_clock_commands_set_offset (document, 1, 12345);
  loom_clock_commands_align (document, (LoomSpanId) { 0, 3 }, (LoomSpanId) { 2, 3 });
  loom_clock_commands_use_fit (document, FALSE);
  gint64 offsets_ns[] = { fit_of (window, 0)->map.offset_ns, fit_of (window, 1)->map.offset_ns,
                          fit_of (window, 2)->map.offset_ns };
  g_autoptr (LoomSession) session = loom_session_state_collect (loom_window_get_run_state (window));
  g_assert_true (loom_session_file_write (session, path, NULL));
  fixture_close (window);
  LoomWindow *again = fixture_window ();
  fixture_open (again, path);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (fit_of (again, i)->map.offset_ns, ==, offsets_ns[i]);
  g_assert_cmpint (moved_by (again, 1), ==, 12345);
  g_assert_cmpint (loom_document_get_clock_edits (loom_window_get_document (again))->mode, ==, LOOM_ALIGN_DECLARED);
  g_assert_false (is_enabled (again, "undo"));
  fixture_close (again);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/clocks/table", test_table);
  g_test_add_func ("/clocks/named", test_named);
  g_test_add_func ("/clocks/residuals", test_residuals);
  g_test_add_func ("/clocks/refused", test_refused);
  g_test_add_func ("/clocks/alone", test_alone);
  g_test_add_func ("/clocks/announced", test_announced);
  g_test_add_func ("/clocks/fit-taken-back", test_fit_taken_back);
  g_test_add_func ("/clocks/not-announced", test_not_announced);
  g_test_add_func ("/clocks/days-apart", test_days_apart);
  g_test_add_func ("/clocks/doubt", test_doubt);
  g_test_add_func ("/clocks/typed", test_typed);
  g_test_add_func ("/clocks/nudged", test_nudged);
  g_test_add_func ("/clocks/dragged", test_dragged);
  g_test_add_func ("/clocks/aligned", test_aligned);
  g_test_add_func ("/clocks/kept", test_kept);
  return fixture_run ();
}
