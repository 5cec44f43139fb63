/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests charts of the rows of a query: the columns that are chosen by default, the elements that are drawn, and the
 * texts about rows that cannot be drawn.
 */
#include "loom-session-state.h"
#include "run-fixture.h"

static gboolean
is_idle (gpointer query)
{
  return !loom_query_state_is_running (query);
}

static const LoomQueryAnswer *
ask (LoomRunState *run, const char *sql)
{
  LoomQueryState *query = loom_run_state_get_query (run);
  loom_query_state_set_text (query, sql);
  loom_query_state_run (query);
  g_assert_true (fixture_wait (is_idle, query));
  g_assert_cmpstr (loom_query_state_get_problem (query), ==, NULL);
  return loom_query_state_get_answer (query);
}

static LoomRunState *
open_run (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  return run_fixture_open (path);
}

/* Returns the titles of the columns that are chosen for a chart: "x y group", with "-" for no column. Owned by the
 * caller. */
static char *
choose (const LoomQueryAnswer *answer, LoomQueryChartKind kind, const char *x, const char *y, const char *group)
{
  const char *names[] = { x, y, group };
  guint columns[LOOM_N_QUERY_CHART_AXES];
  g_autoptr (GString) text = g_string_new (NULL);
  loom_query_chart_choose (answer, kind, names, columns);
  for (guint i = 0; i < LOOM_N_QUERY_CHART_AXES; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            columns[i] != G_MAXUINT ? loom_result_table_get_column (answer->table, columns[i])->title
                                                    : "-");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static LoomQueryChart *
draw (const LoomQueryAnswer *answer, LoomQueryChartKind kind)
{
  const char *names[LOOM_N_QUERY_CHART_AXES] = { NULL };
  guint columns[LOOM_N_QUERY_CHART_AXES];
  loom_query_chart_choose (answer, kind, names, columns);
  return loom_query_chart_new (answer, kind, columns);
}

typedef struct {
  LoomQueryChartKind kind;
  const char *sql, *x, *y, *group, *chosen;
} Choice;

static void
test_columns (void)
{
  static const Choice choices[] = {
    { LOOM_QUERY_CHART_BARS, "SELECT id, depth, name, 2.5 AS mean, duration FROM span", .chosen = "name duration -" },
    { LOOM_QUERY_CHART_BARS, "SELECT 'a' AS format, 1 AS rank, 5 AS steps UNION ALL SELECT 'a', 2, 6",
      .chosen = "rank steps -" },
    { LOOM_QUERY_CHART_BARS, "SELECT 'a' AS kind, 1 AS rank UNION ALL SELECT 'b', 2", .chosen = "kind rank -" },
    { LOOM_QUERY_CHART_BARS, "SELECT name, duration, depth FROM span", .y = "depth", .chosen = "name depth -" },
    { LOOM_QUERY_CHART_BARS, "SELECT name, duration FROM span", .y = "absent", .chosen = "name duration -" },
    { LOOM_QUERY_CHART_BARS, "SELECT name, duration FROM span", .y = "name", .chosen = "name duration -" },
    { LOOM_QUERY_CHART_BARS, "SELECT name FROM span", .chosen = "name - -" },
    { LOOM_QUERY_CHART_LINES, "SELECT start, depth, self FROM span", .chosen = "start self -" },
    { LOOM_QUERY_CHART_LINES,
      "SELECT 1 AS number, 0 AS rank, 5.5 AS value UNION ALL SELECT 1, 1, 6.5 UNION ALL SELECT 2, 0, 7.5",
      .chosen = "number value rank" },
    { LOOM_QUERY_CHART_LINES,
      "SELECT 1 AS number, 0 AS rank, 5.5 AS value UNION ALL SELECT 1, 1, 6.5 UNION ALL SELECT 2, 0, 7.5", .group = "",
      .chosen = "number value -" },
    { LOOM_QUERY_CHART_POINTS, "SELECT 1.5 AS a, 2.5 AS b", .chosen = "b a -" },
    { LOOM_QUERY_CHART_HISTOGRAM, "SELECT name, start, depth, duration FROM span", .chosen = "duration - -" },
  };
  LoomRunState *run = open_run ();
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    const Choice *choice = &choices[i];
    g_autofree char *chosen = choose (ask (run, choice->sql), choice->kind, choice->x, choice->y, choice->group);
    g_assert_cmpstr (chosen, ==, choice->chosen);
  }
  run_fixture_close (run);
}

/* Each row has a bar, which leads to the row's place; rows without a number and rows beyond the maximum have no bar and
 * are counted. */
static void
test_bars (void)
{
  LoomRunState *run = open_run ();
  g_autoptr (LoomQueryChart) few =
    draw (ask (run, "SELECT 'a' AS name, 1.5 AS n UNION ALL SELECT 'b', NULL UNION ALL SELECT 'c', 2.5"),
          LOOM_QUERY_CHART_BARS);
  g_autofree char *name = loom_chart_dup_name (few->chart, 1), *lack = loom_query_chart_dup_lack (few);
  g_assert_cmpuint (loom_chart_get_n_elements (few->chart), ==, 2);
  g_assert_cmpfloat (loom_chart_get_value (few->chart, 1), ==, 2.5);
  g_assert_cmpstr (name, ==, "c · n");
  g_assert_cmpuint (few->elements[1], ==, LOOM_CHART_NONE);
  g_assert_cmpuint (few->elements[2], ==, 1);
  g_assert_cmpstr (lack, ==, "1 row is not drawn, because it has no number.");
  g_autoptr (LoomQueryChart) many = draw (
    ask (run,
         "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1500) SELECT x AS id, x FROM c"),
    LOOM_QUERY_CHART_BARS);
  g_autofree char *limit = loom_query_chart_dup_lack (many);
  g_assert_cmpuint (loom_chart_get_n_elements (many->chart), ==, LOOM_QUERY_CHART_MOST_BARS);
  g_assert_cmpstr (limit, ==, "The chart shows the first 100 of 1,500 rows.");
  g_autoptr (LoomQueryChart) none = draw (ask (run, "SELECT name FROM span"), LOOM_QUERY_CHART_BARS);
  g_assert_null (none->chart);
  run_fixture_close (run);
}

/* Each group of rows is a line through its points, sorted by x; if there are more groups than colours, the further
 * groups are not drawn. */
static void
test_lines (void)
{
  LoomRunState *run = open_run ();
  g_autoptr (LoomQueryChart) two = draw (
    ask (run, "SELECT 2 AS number, 'b' AS kind, -1.5 AS y UNION ALL SELECT 3, 'a', 2.5 UNION ALL SELECT 1, 'a', 3.5"),
    LOOM_QUERY_CHART_LINES);
  g_assert_cmpuint (two->chart->lines.lines->len, ==, 2);
  g_assert_cmpstr (g_array_index (two->chart->lines.lines, LoomChartLine, 1).label, ==, "a");
  g_assert_cmpfloat (g_array_index (two->chart->lines.points, LoomChartPoint, 1).x, ==, 1);
  g_assert_cmpuint (two->elements[1], ==, 2);
  g_assert_cmpuint (two->elements[2], ==, 1);
  const LoomQueryAnswer *answer = ask (
    run, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) SELECT x AS number, x % 10 AS "
         "rank, x / 2.0 AS y FROM c");
  const guint columns[] = { 0, 2, 1 };
  g_autoptr (LoomQueryChart) many = loom_query_chart_new (answer, LOOM_QUERY_CHART_POINTS, columns);
  g_assert_cmpuint (loom_chart_get_n_elements (many->chart), ==, LOOM_QUERY_CHART_MOST_POINTS);
  g_assert_cmpuint (many->chart->lines.lines->len, ==, LOOM_QUERY_CHART_MOST_GROUPS);
  g_assert_cmpuint (many->n_beyond + many->n_ungrouped, ==, 1000);
  g_assert_cmpuint (many->n_ungrouped, >, 0);
  run_fixture_close (run);
}

/* A histogram counts all rows; rows with values far above the others are in one additional bin. */
static void
test_histogram (void)
{
  LoomRunState *run = open_run ();
  g_autoptr (LoomQueryChart) chart = draw (
    ask (run, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5000) SELECT x / 1.0 AS y "
              "FROM c UNION ALL SELECT 1e6 UNION ALL SELECT NULL"),
    LOOM_QUERY_CHART_HISTOGRAM);
  guint n = loom_chart_get_n_elements (chart->chart);
  double counted = 0;
  for (guint i = 0; i < n; i++)
    counted += loom_chart_get_value (chart->chart, i);
  g_assert_cmpfloat (counted, ==, 5001);
  g_assert_true (chart->chart->histogram.has_rest);
  g_assert_cmpuint (chart->elements[0], ==, 0);
  g_assert_cmpuint (chart->elements[5000], ==, n - 1);
  g_assert_cmpuint (chart->elements[5001], ==, LOOM_CHART_NONE);
  run_fixture_close (run);
}

/* A histogram also has bins for negative numbers and zeros, in ascending order. */
static void
test_negative_histogram (void)
{
  LoomRunState *run = open_run ();
  g_autoptr (LoomQueryChart) chart = draw (
    ask (run, "WITH RECURSIVE c(x) AS (SELECT -300 UNION ALL SELECT x + 1 FROM c WHERE x < 100) SELECT x / 4.0 AS y "
              "FROM c ORDER BY x * 7919 % 1009"),
    LOOM_QUERY_CHART_HISTOGRAM);
  double counted = 0;
  for (guint i = 0; i < loom_chart_get_n_elements (chart->chart); i++)
    counted += loom_chart_get_value (chart->chart, i);
  g_assert_cmpfloat (counted, ==, 401);
  g_assert_cmpfloat (chart->chart->median, ==, -25);
  g_assert_cmpuint (loom_chart_get_n_elements (chart->chart), >, 3);
  g_assert_cmpfloat (loom_chart_get_value (chart->chart, 0), >, 0);
  run_fixture_close (run);
}

/* If two columns have the same name, the second gets a number in its title so that each can be chosen; the number is
 * different if a third column already has this title. */
static void
test_same_names (void)
{
  LoomRunState *run = open_run ();
  const LoomQueryAnswer *answer = ask (run, "SELECT 1 AS rank, 2 AS 'rank (2)', 3 AS rank, 4.5 AS value");
  g_assert_cmpstr (loom_result_table_get_column (answer->table, 2)->title, ==, "rank (3)");
  g_autofree char *chosen = choose (answer, LOOM_QUERY_CHART_LINES, "rank (3)", NULL, NULL),
                  *best = choose (answer, LOOM_QUERY_CHART_BARS, NULL, NULL, NULL);
  g_assert_cmpstr (chosen, ==, "rank (3) value -");
  g_assert_cmpstr (best, ==, "rank value -");
  run_fixture_close (run);
}

static void
test_session (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  loom_query_state_set_chart (query, LOOM_QUERY_CHART_POINTS);
  loom_query_state_set_chart_column (query, LOOM_QUERY_CHART_Y, "duration");
  loom_query_state_set_chart_column (query, LOOM_QUERY_CHART_GROUP, "");
  g_autoptr (LoomSession) session = loom_session_state_collect (run);
  loom_session_state_forget (run);
  g_assert_cmpint (loom_query_state_get_chart (query), ==, LOOM_QUERY_CHART_NONE);
  g_assert_null (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_Y));
  loom_session_state_apply (session, run);
  g_assert_cmpint (loom_query_state_get_chart (query), ==, LOOM_QUERY_CHART_POINTS);
  g_assert_cmpstr (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_X), ==, NULL);
  g_assert_cmpstr (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_Y), ==, "duration");
  g_assert_cmpstr (loom_query_state_get_chart_column (query, LOOM_QUERY_CHART_GROUP), ==, "");
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/query-chart/columns", test_columns);
  g_test_add_func ("/query-chart/bars", test_bars);
  g_test_add_func ("/query-chart/lines", test_lines);
  g_test_add_func ("/query-chart/histogram", test_histogram);
  g_test_add_func ("/query-chart/histogram/negative", test_negative_histogram);
  g_test_add_func ("/query-chart/same-names", test_same_names);
  g_test_add_func ("/query-chart/session", test_session);
  return g_test_run ();
}
