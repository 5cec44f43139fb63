/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks panel: what the table says of made-up ranks, the residuals of the one chosen, what was refused.
 */
#include "fixture.h"

#include <math.h>
#include <string.h>

#define N_MEETINGS 40
#define DISTANCE_US 500000

typedef struct {
  double offset_us;    /* of the rank's clock */
  double step_us;      /* added from the middle on */
  guint n_corrupt;     /* ends that are late by ms */
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
  g_string_append_printf (text, "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%u,\"world_size\":4},"
                          "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[\n", number);
  for (guint i = 0; i < N_MEETINGS; i++) {
    double late = i < rank->n_corrupt ? 3000.0 + 100.0 * i : 0;
    double end = (i + 1.0) * DISTANCE_US + rank->offset_us + (i >= N_MEETINGS / 2 ? rank->step_us : 0) + jitter_us (number, i) + late;
    char start_text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (start_text, sizeof start_text, "%.3f", end - 400.0);
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,\"tid\":7,"
                            "\"ts\":%s,\"dur\":400,\"args\":{\"stream\":7,\"device\":0,\"Collective name\":\"allreduce\","
                            "\"Process Group Name\":\"0\",\"Seq\":%u}}", i > 0 ? ",\n" : "", start_text, i);
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
  LoomClocksPanel *panel = loom_run_view_get_clocks (loom_window_get_run_view (window));
  gtk_stack_set_visible_child (loom_run_view_get_panels (loom_window_get_run_view (window)), GTK_WIDGET (panel));
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
column_of (LoomTable *table, const char *title)
{
  for (guint i = 0; i < loom_table_get_n_columns (table); i++)
    if (strcmp (loom_table_get_column (table, i)->title, title) == 0)
      return i;
  g_error ("no column “%s”", title);
}

static double
number_of (LoomClocksPanel *panel, guint row, const char *title)
{
  LoomTable *table = loom_table_view_get_table (loom_clocks_panel_get_table (panel));
  return loom_table_get_number (table, row, column_of (table, title));
}

static const char *
text_of (LoomClocksPanel *panel, guint row, const char *title)
{
  LoomTable *table = loom_table_view_get_table (loom_clocks_panel_get_table (panel));
  return loom_table_get_text (table, row, column_of (table, title));
}

static void
test_table (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  g_assert_cmpuint (loom_table_get_n_rows (loom_table_view_get_table (loom_clocks_panel_get_table (panel))), ==, 3);
  g_assert_cmpstr (text_of (panel, 0, "Source"), ==, "rank 0");
  g_assert_cmpfloat (number_of (panel, 0, "Offset"), ==, 0);
  g_assert_cmpfloat (fabs (number_of (panel, 1, "Offset") + 5e6), <, 2000);
  g_assert_cmpfloat (fabs (number_of (panel, 2, "Offset") - 250e3), <, 2000);
  g_assert_cmpfloat (number_of (panel, 2, "Pairs"), ==, N_MEETINGS);
  g_assert_cmpfloat (number_of (panel, 2, "Rejected"), ==, 4);
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
static void
test_residuals (void)
{
  LoomWindow *window = open_ranks (drifted, G_N_ELEMENTS (drifted));
  LoomClocksPanel *panel = show (window);
  g_assert_cmpuint (loom_clocks_panel_get_chosen (panel), ==, 1); /* the reference says least */
  choose (panel, 2);
  g_assert_nonnull (strstr (loom_clocks_panel_get_verdict (panel), "36 of 40 collectives agree"));
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
  choose (panel, 2);
  g_assert_cmpstr (text_of (panel, 2, "Verdict"), ==, "refused");
  g_assert_cmpstr (text_of (panel, 2, "State"), ==, "exact");
  g_assert_cmpfloat (number_of (panel, 2, "Offset"), ==, 0);
  g_assert_nonnull (strstr (loom_clocks_panel_get_verdict (panel), "steps by"));
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
  g_assert_nonnull (strstr (loom_clocks_panel_get_verdict (panel), "Nothing to compare"));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/clocks/table", test_table);
  g_test_add_func ("/clocks/residuals", test_residuals);
  g_test_add_func ("/clocks/refused", test_refused);
  g_test_add_func ("/clocks/alone", test_alone);
  return fixture_run ();
}
