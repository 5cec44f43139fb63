/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the query of an open run: a worker computes the answer, rows lead to spans and ranges, an error leaves the last
 * answer visible, and a query that never ends is cancelled.
 */
#include "loom-locale.h"
#include "loom-query-names.h"
#include "loom-session-state.h"
#include "run-fixture.h"

#include <libintl.h>
#include <math.h>

#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"

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
  g_assert_true (loom_query_state_is_running (query));
  g_assert_true (fixture_wait (is_idle, query));
  return loom_query_state_get_answer (query);
}

static LoomRunState *
open_run (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  return run_fixture_open (path);
}

/* Values of the column “start” count from the origin of the timeline. */
static void
test_answer (void)
{
  LoomRunState *run = open_run ();
  const LoomQueryAnswer *answer =
    ask (run, "SELECT name, start, duration, id FROM span WHERE name = 'tick' ORDER BY start");
  LoomSpanId tick = run_fixture_find_span (run, "tick", 0);
  LoomRange range = run_fixture_range_of (run, tick);
  gint64 origin_ns = loom_timeline_get_origin (answer->timeline);
  g_assert_null (loom_query_state_get_problem (loom_run_state_get_query (run)));
  g_assert_cmpuint (answer->table->n_rows, ==, 5);
  g_assert_false (answer->is_cut);
  g_assert_cmpstr (loom_result_table_get_text (answer->table, 0, 0), ==, "tick");
  g_assert_cmpstr (loom_result_table_get_column (answer->table, 1)->unit, ==, "time");
  g_assert_cmpstr (loom_result_table_get_column (answer->table, 2)->unit, ==, "ns");
  g_assert_false (loom_result_table_is_number (answer->table, 3));
  g_assert_cmpfloat (loom_result_table_get_number (answer->table, 0, 1), ==, (double) (range.begin_ns - origin_ns));
  g_assert_true (loom_query_state_has_places (loom_run_state_get_query (run)));
  gboolean found = FALSE;
  for (guint i = 0; i < answer->table->n_rows; i++)
    found |= loom_timeline_span_id_equal (answer->places[i].span, tick);
  g_assert_true (found);
  run_fixture_close (run);
}

#define DATED_TRACE                                                                          \
  "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1700000000000000,\"dur\":5000,\"name\":\"a\"}," \
  "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1700000000006000,\"dur\":3000,\"name\":\"b\"}]"

static const char *
unit_of (LoomRunState *run, const char *sql)
{
  return loom_result_table_get_column (ask (run, sql)->table, 0)->unit;
}

typedef struct {
  const char *sql, *undated, *dated;
} Unit;

/* Whether a column contains instants or durations is decided by the table from which the column comes, whatever name
 * the query gives it. A computed column contains instants if its numbers are times within the run. */
static void
test_units (void)
{
  static const Unit units[] = {
    { "SELECT start AS begun FROM span", "time", "time" },
    { "SELECT t FROM (SELECT start AS t FROM span)", "time", "time" },
    { "SELECT duration AS time FROM span", "ns", "ns" },
    { "SELECT depth AS start FROM span", "", "" },
    { "SELECT bytes AS size FROM source", "B", "B" },
    { "SELECT sum(duration) AS time FROM span", "ns", "ns" },
    { "SELECT sum(duration) AS start FROM span", "ns", "ns" },
    { "SELECT count(*) AS n FROM span", "", "" },
    { "SELECT min(start) AS first FROM span", "", "time" },
    { "SELECT avg(start) AS start FROM span", "ns", "time" },
    { "SELECT max(start + duration) AS 'end' FROM span", "", "time" },
    { "SELECT 7 AS start FROM span", "ns", "ns" },
  };
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "dated.json", DATED_TRACE);
  LoomRunState *undated = open_run (), *dated = run_fixture_open (path);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    g_assert_cmpstr (unit_of (undated, units[i].sql), ==, units[i].undated);
    g_assert_cmpstr (unit_of (dated, units[i].sql), ==, units[i].dated);
  }
  run_fixture_close (undated);
  run_fixture_close (dated);
}

/* Instants in the answer count from the zero of the ruler, durations do not change. */
static void
test_ruler (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *view = loom_run_state_get_view (run);
  const LoomQueryAnswer *answer = ask (run, "SELECT start, duration FROM span ORDER BY start DESC LIMIT 1");
  LoomRange range = answer->places[0].range;
  g_assert_cmpfloat (loom_result_table_get_number (answer->table, 0, 0), ==,
                     (double) (range.begin_ns - loom_timeline_get_start (answer->timeline)));
  loom_timeline_state_set_reading (view, LOOM_RULER_UNIT_JOB);
  gint64 zero_ns = loom_ruler_get_zero (answer->timeline, LOOM_RULER_UNIT_JOB);
  g_assert_cmpint (zero_ns, !=, loom_timeline_get_start (answer->timeline));
  g_assert_cmpfloat (loom_result_table_get_number (answer->table, 0, 0), ==, (double) (range.begin_ns - zero_ns));
  g_assert_cmpfloat (loom_result_table_get_number (answer->table, 0, 1), ==, (double) (range.end_ns - range.begin_ns));
  g_autoptr (LoomResultLane) lane =
    loom_query_answer_make_lane (ask (run, "SELECT start AS time, 1.5 FROM span ORDER BY start DESC LIMIT 1"));
  guint n;
  g_assert_cmpint (loom_result_lane_get_samples (lane, 0, &n)[n - 1].time_ns, ==, range.begin_ns);
  run_fixture_close (run);
}

/* A row leads to a span if it has the id of a span, but not if the id is that of a track. A row without an id leads to
 * its range, and a row of sums leads nowhere. */
static void
test_places (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  const LoomQueryAnswer *answer = ask (run, "SELECT id, name, start, duration FROM track WHERE events > 0");
  g_assert_true (loom_timeline_span_id_is_none (answer->places[0].span));
  g_assert_cmpint (answer->places[0].range.begin_ns, <, answer->places[0].range.end_ns);
  answer = ask (run, "SELECT name, parent FROM span WHERE parent IS NOT NULL OR name = 'tick'");
  g_assert_nonnull (answer->places);
  ask (run, "SELECT name, count(*) FROM span GROUP BY name");
  g_assert_false (loom_query_state_has_places (query));
  run_fixture_close (run);
}

static void
test_numbers (void)
{
  LoomRunState *run = open_run ();
  const LoomQueryAnswer *answer =
    ask (run, "SELECT 9007199254740993 AS large, 5 AS whole, 2.5 AS part, 7 AS wait_ns, NULL AS none "
              "UNION ALL SELECT 1, 6, 'x', 8, NULL");
  g_assert_cmpstr (loom_result_table_get_text (answer->table, 0, 0), ==, "9007199254740993");
  g_assert_cmpfloat (loom_result_table_get_number (answer->table, 1, 1), ==, 6);
  g_assert_cmpstr (loom_result_table_get_text (answer->table, 0, 2), ==, "2.5");
  g_assert_cmpstr (loom_result_table_get_column (answer->table, 3)->unit, ==, "ns");
  g_assert_true (loom_result_table_is_empty_column (answer->table, 4));
  run_fixture_close (run);
}

static void
test_problem (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  g_autoptr (LoomQueryAnswer) answer = loom_query_answer_ref ((LoomQueryAnswer *) ask (run, "SELECT 1 AS x"));
  ask (run, "SELECT absent FROM span");
  g_assert_cmpstr (loom_query_state_get_problem (query), ==, "There is no column “absent”.");
  g_assert_cmpint (loom_query_state_get_problem_place (query), ==, 7);
  g_assert_true (loom_query_state_get_answer (query) == answer);
  ask (run, "-- :n = 3\nSELECT :n AS x");
  g_assert_null (loom_query_state_get_problem (query));
  g_assert_cmpint (loom_query_state_get_problem_place (query), ==, -1);
  g_assert_cmpfloat (loom_result_table_get_number (loom_query_state_get_answer (query)->table, 0, 0), ==, 3);
  run_fixture_close (run);
}

/* Frequent error messages of SQLite and of src/query are replaced by translated sentences; other messages are shown
 * unchanged. */
static void
test_problem_words (void)
{
  static const char *const said[][2] = {
    { "SELECT name FORM span", "Syntax error near “span”." },
    { "SELECT name FROM", "The query is incomplete." },
    { "SELECT name FROM spans", "There is no table “spans”." },
    { "SELECT bogus(name) FROM span", "There is no function “bogus”." },
    { "SELECT id FROM span, track", "Several tables have a column “id”. Write the table name and a period before it." },
    { "SELECT 'open", "“'open” is not valid here. Text begins and ends with a quotation mark." },
    { "SELECT name FROM span WHERE count(*) > 1",
      "“count()” cannot be used here. Write conditions on sums and counts after HAVING." },
    { "SELECT abs()", "The function “abs()” takes a different number of arguments." },
    { "", "The query is empty." },
    { "DELETE FROM span", "A query can only read the tables of the run, with SELECT, VALUES or WITH." },
    { "SELECT 1; SELECT 2", "There is more than one query. Run the queries one at a time." },
    { "-- :m = 3\nSELECT 1", "The query has no parameter “:m”, but a comment gives it a value." },
    { "SELECT :n",
      "The parameter “:n” has no value. Give it a value in a comment at the beginning of the query: -- :name = value" },
    { "SELECT load_extension('x')", "The function “load_extension” is not allowed." },
    { "SELECT name FROM span ORDER BY 7", "1st ORDER BY term out of range - should be between 1 and 1" },
  };
  LoomRunState *run = open_run ();
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    ask (run, said[i][0]);
    g_assert_cmpstr (loom_query_state_get_problem (loom_run_state_get_query (run)), ==, said[i][1]);
  }
  run_fixture_close (run);
}

static void
test_cancel (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  loom_query_state_set_text (query, ENDLESS);
  loom_query_state_run (query);
  fixture_spin (50);
  g_assert_true (loom_query_state_is_running (query));
  loom_query_state_cancel (query);
  g_assert_false (loom_query_state_is_running (query));
  g_assert_null (loom_query_state_get_answer (query));
  g_assert_true (loom_query_state_is_cancelled (query));
  loom_query_state_set_text (query, "SELECT 1");
  g_assert_false (loom_query_state_is_cancelled (query));
  loom_query_state_set_text (query, ENDLESS);
  loom_query_state_run (query); /* the run is closed while this query runs */
  run_fixture_close (run);
}

/* Rows belong to the text that gave them: they are old when the text is changed, or when its query fails or is
 * cancelled. */
static void
test_old (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  g_assert_false (loom_query_state_is_answer_old (query));
  ask (run, "SELECT 1");
  g_assert_false (loom_query_state_is_answer_old (query));
  loom_query_state_set_text (query, "SELECT 12");
  g_assert_true (loom_query_state_is_answer_old (query));
  loom_query_state_set_text (query, "SELECT 1");
  g_assert_false (loom_query_state_is_answer_old (query));
  ask (run, "SELECT absent FROM span");
  g_assert_true (loom_query_state_is_answer_old (query));
  loom_query_state_set_text (query, ENDLESS);
  loom_query_state_run (query);
  loom_query_state_cancel (query);
  g_assert_true (loom_query_state_is_answer_old (query));
  ask (run, "SELECT 2");
  g_assert_false (loom_query_state_is_answer_old (query) || loom_query_state_is_cancelled (query));
  run_fixture_close (run);
}

static void
test_cut (void)
{
  LoomRunState *run = open_run ();
  const LoomQueryAnswer *answer =
    ask (run, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c");
  g_assert_cmpuint (answer->table->n_rows, ==, LOOM_QUERY_ANSWER_MOST);
  g_assert_true (answer->is_cut);
  run_fixture_close (run);
}

/* --- lanes ----------------------------------------------------------------------------------------------------------- */

static gboolean
is_lane_known (gpointer lanes)
{
  return !loom_query_lanes_is_running (lanes, loom_query_lanes_get_n (lanes) - 1);
}

static const LoomResultLane *
add_lane (LoomRunState *run, const char *name, const char *sql)
{
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  g_assert_true (loom_query_lanes_add (lanes, name, sql));
  g_assert_true (fixture_wait (is_lane_known, lanes));
  return loom_query_lanes_get_result (lanes, loom_query_lanes_get_n (lanes) - 1);
}

/* A lane shows the rows of a query as bars. A row with the id of a span has the range of the span and the first text of
 * the row; another row has its start and duration. Rows with a time and a number are drawn as a counter. */
static void
test_lanes (void)
{
  LoomRunState *run = open_run ();
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  guint n;
  const LoomResultLane *lane = add_lane (run, NULL, "-- Ticks\nSELECT id, name FROM span WHERE name = 'tick'");
  const LoomResultBar *bars = loom_result_lane_get_bars (lane, &n);
  LoomSpanId tick = run_fixture_find_span (run, "tick", 0);
  LoomRange range = run_fixture_range_of (run, tick);
  g_assert_cmpuint (n, ==, 5);
  g_assert_true (loom_timeline_span_id_equal (bars[0].span, tick));
  g_assert_cmpint (bars[0].range.begin_ns, ==, range.begin_ns);
  g_assert_cmpint (bars[0].range.end_ns, ==, range.end_ns);
  g_assert_cmpstr (bars[0].text, ==, "tick");
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 0), ==, "Ticks");
  bars = loom_result_lane_get_bars (add_lane (run, NULL, "SELECT start, duration FROM span WHERE name = 'tick'"), &n);
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 1), ==, "Result 1");
  g_assert_cmpint (bars[0].range.begin_ns, ==, range.begin_ns);
  g_assert_true (loom_timeline_span_id_is_none (bars[0].span));
  lane = add_lane (run, NULL, "SELECT start AS time, depth + 1 AS more FROM span WHERE name = 'tick'");
  g_assert_true (loom_result_lane_is_counter (lane));
  g_assert_cmpint (loom_result_lane_get_samples (lane, 0, &n)[0].time_ns, ==, range.begin_ns);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 2), ==, "more");
  run_fixture_close (run);
}

static void
test_lane_problems (void)
{
  LoomRunState *run = open_run ();
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  static const char *const refused[] = { "SELECT nothing", "SELECT 1 AS x", "SELECT id FROM span WHERE id < 0",
                                         "SELECT 1 AS start, -1 AS duration" };
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_assert_null (add_lane (run, "x", refused[i]));
    g_assert_nonnull (loom_query_lanes_get_problem (lanes, i));
  }
  while (loom_query_lanes_get_n (lanes) < LOOM_QUERY_LANES_MOST)
    g_assert_true (loom_query_lanes_add (lanes, NULL, ENDLESS));
  g_assert_false (loom_query_lanes_add (lanes, NULL, "SELECT 1"));
  loom_query_lanes_remove (lanes, 1);
  loom_query_lanes_rename (lanes, 1, "again");
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 1), ==, "again");
  g_assert_cmpuint (loom_query_lanes_get_color (lanes, 1), ==, 2);
  run_fixture_close (run); /* the run is closed while queries run */
}

/* A session stores lanes, but opening the session does not run their queries. */
static void
test_lanes_of_session (void)
{
  LoomRunState *run = open_run ();
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  add_lane (run, "ticks", "SELECT id FROM span WHERE name = 'tick'");
  g_autoptr (LoomSession) session = loom_session_state_collect (run);
  g_assert_cmpuint (session->lanes->len, ==, 1);
  loom_query_lanes_clear (lanes);
  loom_session_state_apply (session, run);
  g_assert_cmpstr (loom_query_lanes_get_name (lanes, 0), ==, "ticks");
  g_assert_null (loom_query_lanes_get_result (lanes, 0));
  g_assert_false (loom_query_lanes_is_running (lanes, 0));
  loom_query_lanes_run (lanes, 0);
  g_assert_true (fixture_wait (is_lane_known, lanes));
  g_assert_nonnull (loom_query_lanes_get_result (lanes, 0));
  loom_query_lanes_set_timeline (lanes, NULL);
  g_assert_null (loom_query_lanes_get_result (lanes, 0));
  run_fixture_close (run);
}

/* The mean of instants is an instant, too, and counts from the origin of the timeline. */
static void
test_lane_of_means (void)
{
  g_autofree char *folder = fixture_folder (),
                  *path = fixture_file (folder, "trace.json",
                                        "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1700000000000000,\"dur\":5,"
                                        "\"name\":\"tick\"}]");
  LoomRunState *run = run_fixture_open (path);
  guint n;
  LoomSpanId tick = run_fixture_find_span (run, "tick", 0);
  LoomRange range = run_fixture_range_of (run, tick);
  const LoomResultLane *lane =
    add_lane (run, NULL, "SELECT avg(start) AS start, count(*) AS n FROM span WHERE name = 'tick' GROUP BY start");
  const LoomResultSample *samples = loom_result_lane_get_samples (lane, 0, &n);
  const LoomQueryAnswer *answer =
    ask (run, "SELECT avg(start) AS start, 1 FROM span WHERE name = 'tick' GROUP BY start");
  gint64 origin_ns = loom_timeline_get_origin (answer->timeline);
  g_assert_cmpint (origin_ns, !=, 0);
  g_assert_cmpint (ABS (samples[0].time_ns - range.begin_ns), <=,
                   256); /* rounding of an instant in ns since 1970 to a double */
  g_assert_cmpfloat (fabs (loom_result_table_get_number (answer->table, 0, 0) - (double) (range.begin_ns - origin_ns)),
                     <=, 256);
  run_fixture_close (run);
}

/* Rows without a place on the timeline are counted, so that the lane can state how many are missing. */
static void
test_lane_leaves_out (void)
{
  LoomRunState *run = open_run ();
  g_assert_cmpuint (loom_result_lane_get_left (add_lane (run, NULL, "SELECT 1 AS start, 1 AS duration")), ==, 0);
  g_assert_cmpuint (
    loom_result_lane_get_left (add_lane (run, NULL,
                                         "SELECT 1 AS start, 1 AS duration UNION ALL SELECT 2, 1 UNION ALL "
                                         "SELECT NULL, 1 UNION ALL SELECT NULL, NULL")),
    ==, 2);
  run_fixture_close (run);
}

static void
test_lane_is_cut (void)
{
  LoomRunState *run = open_run ();
  g_assert_false (loom_result_lane_is_cut (add_lane (run, NULL, "SELECT 1 AS start, 1 AS duration")));
  g_assert_true (loom_result_lane_is_cut (add_lane (
    run, NULL,
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS start, 1 AS duration FROM c")));
  run_fixture_close (run);
}

/* If the query of a lane does not end, the queries of other lanes wait until this lane is removed or its query is run
 * again for another timeline. */
static void
test_lanes_one_after_another (void)
{
  LoomRunState *run = open_run ();
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  g_assert_true (loom_query_lanes_add (lanes, "endless", ENDLESS));
  for (guint i = 0; i < 2; i++)
    g_assert_true (loom_query_lanes_add (lanes, "ticks", "SELECT id FROM span WHERE name = 'tick'"));
  fixture_spin (200);
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_query_lanes_is_running (lanes, i) && loom_query_lanes_get_result (lanes, i) == NULL);
  loom_query_lanes_remove (lanes, 0);
  g_assert_true (fixture_wait (is_lane_known, lanes));
  for (guint i = 0; i < 2; i++)
    g_assert_nonnull (loom_query_lanes_get_result (lanes, i));
  LoomTimeline *timeline = loom_timeline_ref (loom_document_get_timeline (loom_run_state_get_document (run)));
  loom_query_lanes_set_timeline (lanes, NULL);
  g_assert_false (loom_query_lanes_is_running (lanes, 0));
  loom_query_lanes_set_timeline (lanes, timeline);
  g_assert_true (loom_query_lanes_is_running (lanes, 0) && loom_query_lanes_is_running (lanes, 1));
  g_assert_true (fixture_wait (is_lane_known, lanes));
  for (guint i = 0; i < 2; i++)
    g_assert_nonnull (loom_query_lanes_get_result (lanes, i));
  loom_timeline_unref (timeline);
  run_fixture_close (run);
}

static gboolean
has_names (gpointer query)
{
  return loom_query_state_get_names (query) != NULL;
}

static void
test_names (void)
{
  LoomRunState *run = open_run ();
  LoomQueryState *query = loom_run_state_get_query (run);
  g_assert_null (loom_query_state_get_names (query));
  g_assert_true (fixture_wait (has_names, query));
  const GPtrArray *names = loom_query_state_get_names (query);
  for (guint i = 1; i < names->len; i++)
    g_assert_cmpstr (names->pdata[i - 1], !=, names->pdata[i]);
  g_autoptr (GPtrArray) found = loom_query_names_find (names, "TI", 10);
  g_autoptr (GPtrArray) none = loom_query_names_find (names, "no such", 10);
  g_autoptr (GPtrArray) all = loom_query_names_find (names, "", 3);
  g_assert_cmpstr (found->pdata[0], ==, "tick");
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (all->len, ==, 3);
  run_fixture_close (run);
}

/* If the first trace has more names than the completion of queries keeps, there is still room for the names of tracks
 * of the second trace. */
static void
test_names_of_tracks (void)
{
  g_autofree char *folder = fixture_folder (), *rank1 = NULL, *rank0 = NULL;
  GString *text = g_string_new ("[");
  for (guint i = 0; i < LOOM_QUERY_NAMES_MOST; i++)
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1,\"name\":\"n%u\"}",
                            i > 0 ? "," : "", i, i);
  g_string_append_c (text, ']');
  rank0 = fixture_file (folder, "rank0.json", text->str);
  rank1 = fixture_file (folder, "rank1.json",
                        "[{\"ph\":\"M\",\"pid\":2,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"sought\"}},"
                        "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"ts\":1,\"dur\":1,\"name\":\"last\"}]");
  g_string_free (text, TRUE);
  LoomRunState *run = run_fixture_open (folder);
  LoomQueryState *query = loom_run_state_get_query (run);
  loom_query_state_get_names (query);
  g_assert_true (fixture_wait (has_names, query));
  const GPtrArray *names = loom_query_state_get_names (query);
  g_autoptr (GPtrArray) found = loom_query_names_find (names, "sought", 10);
  g_assert_cmpuint (names->len, ==, LOOM_QUERY_NAMES_MOST);
  g_assert_cmpuint (found->len, ==, 1);
  run_fixture_close (run);
}

/* --- saved queries --------------------------------------------------------------------------------------------------- */

static void
test_saved (void)
{
  g_autoptr (LoomSavedQueries) saved = loom_saved_queries_new ();
  g_autofree char *longest = g_strnfill (LOOM_QUERY_TEXT_BYTES + 1, ' ');
  g_assert_true (loom_saved_queries_save (saved, " rank 10 ", "SELECT 10"));
  g_assert_true (loom_saved_queries_save (saved, "rank 9", "SELECT 9"));
  g_assert_false (loom_saved_queries_save (saved, "  ", "SELECT 1"));
  g_assert_false (loom_saved_queries_save (saved, "long", longest));
  g_assert_cmpuint (loom_saved_queries_get_n (saved), ==, 2);
  g_assert_cmpstr (loom_saved_queries_get_name (saved, 0), ==, "rank 9");
  g_assert_cmpstr (loom_saved_queries_get_chosen (saved), ==, "rank 9");
  g_assert_false (loom_saved_queries_rename (saved, "rank 10"));
  g_assert_true (loom_saved_queries_rename (saved, "rank 11"));
  g_assert_cmpstr (loom_saved_queries_get_name (saved, 1), ==, "rank 11");
  g_assert_true (loom_saved_queries_save (saved, "rank 11", "SELECT 11"));
  g_assert_cmpstr (loom_saved_queries_find (saved, "rank 11"), ==, "SELECT 11");
  loom_saved_queries_choose (saved, "rank 10");
  loom_saved_queries_remove (saved);
  g_assert_null (loom_saved_queries_find (saved, "rank 10"));
  g_assert_null (loom_saved_queries_get_chosen (saved));
  loom_saved_queries_remove (saved);
  g_assert_false (loom_saved_queries_rename (saved, "none"));
  g_assert_cmpuint (loom_saved_queries_get_n (saved), ==, 1);
  for (guint i = 1; i < LOOM_SAVED_QUERIES_MOST; i++) {
    g_autofree char *name = g_strdup_printf ("%u", i);
    g_assert_true (loom_saved_queries_save (saved, name, ""));
  }
  g_assert_false (loom_saved_queries_save (saved, "one more", ""));
}

/* A session stores saved queries. A query that was saved before the session is applied is not lost. */
static void
test_saved_of_session (void)
{
  LoomRunState *run = open_run ();
  LoomSavedQueries *saved = loom_run_state_get_saved_queries (run);
  loom_saved_queries_save (saved, "mine", "SELECT 1");
  g_autoptr (LoomSession) session = loom_session_state_collect (run);
  loom_session_state_forget (run);
  g_assert_cmpuint (loom_saved_queries_get_n (saved), ==, 0);
  loom_saved_queries_save (saved, "early", "SELECT 2");
  loom_session_state_apply (session, run);
  g_assert_cmpuint (loom_saved_queries_get_n (saved), ==, 2);
  g_assert_cmpstr (loom_saved_queries_find (saved, "mine"), ==, "SELECT 1");
  g_assert_cmpstr (loom_saved_queries_get_chosen (saved), ==, "early");
  run_fixture_close (run);
}

/* Text of a call on the host that launches a kernel on the GPU, with the categories that Kineto writes. */
#define LAUNCH                                                                                                        \
  "{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"tid\":0,\"ts\":0,"                         \
  "\"args\":{\"labels\":\"GPU 0\"}},"                                                                                 \
  "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":100,\"tid\":100,\"ts\":0,\"dur\":5}," \
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":6,\"dur\":10},"                      \
  "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":1,\"pid\":100,\"tid\":100,\"ts\":0},"                      \
  "{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":1,\"pid\":0,\"tid\":7,\"ts\":6,\"bp\":\"e\"}],"            \
  "\"schemaVersion\":1}"

static LoomRunState *
open_launch (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "run.pt.trace.json", LAUNCH);
  return run_fixture_open (path);
}

static void
count_call (guint *n)
{
  *n += 1;
}

/* The switch “Launch Queue” adds a lane with a series for each device and removes it; the menu of the lane removes it,
 * too. */
static void
test_launch_queue (void)
{
  LoomRunState *run = open_launch ();
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  LoomLaunchQueueDisplay *queue = loom_run_state_get_launch_queue (run);
  guint n, n_shown = 0;
  g_signal_connect_swapped (queue, "notify::shown", G_CALLBACK (count_call), &n_shown);
  g_assert_true (loom_launch_queue_display_is_possible (queue));
  g_assert_false (loom_launch_queue_display_get_shown (queue));
  loom_launch_queue_display_set_shown (queue, TRUE);
  g_assert_cmpuint (n_shown, ==, 1);
  g_assert_true (fixture_wait (is_lane_known, lanes));
  const LoomResultLane *lane = loom_query_lanes_get_result (lanes, 0);
  g_assert_cmpuint (loom_result_lane_get_n_series (lane), ==, 1);
  g_assert_cmpstr (loom_result_lane_get_series_name (lane, 0), ==, "GPU 0");
  const LoomResultSample *samples = loom_result_lane_get_samples (lane, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpfloat (samples[0].value, ==, 1);
  g_assert_cmpint (samples[1].time_ns - samples[0].time_ns, ==, 6000);
  loom_launch_queue_display_set_shown (queue, TRUE);
  g_assert_cmpuint (loom_query_lanes_get_n (lanes), ==, 1);
  loom_query_lanes_rename (lanes, 0, "mine");
  loom_launch_queue_display_set_shown (queue, FALSE);
  g_assert_cmpuint (loom_query_lanes_get_n (lanes), ==, 0);
  loom_launch_queue_display_set_shown (queue, TRUE);
  loom_query_lanes_remove (lanes, 0);
  g_assert_false (loom_launch_queue_display_get_shown (queue));
  g_assert_cmpuint (n_shown, ==, 4);
  run_fixture_close (run);
}

/* The names of series are in the language of the window. */
static void
test_launch_queue_language (void)
{
  g_autofree char *folder = fixture_folder (), *text = g_strdup (LAUNCH);
  text[strlen (text) - 1] = ',';
  g_autofree char *of_rank = g_strconcat (text, "\"distributedInfo\":{\"rank\":3,\"world_size\":8}}", NULL),
                  *path = fixture_file (folder, "run.pt.trace.json", of_rank);
  LoomRunState *run = run_fixture_open (path);
  g_setenv ("LANGUAGE", "ja", TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
  loom_launch_queue_display_set_shown (loom_run_state_get_launch_queue (run), TRUE);
  g_assert_true (fixture_wait (is_lane_known, loom_run_state_get_lanes (run)));
  const LoomResultLane *lane = loom_query_lanes_get_result (loom_run_state_get_lanes (run), 0);
  g_assert_cmpstr (loom_result_lane_get_series_name (lane, 0), ==, "ランク 3 · GPU 0");
  g_unsetenv ("LANGUAGE");
  textdomain (GETTEXT_PACKAGE);
  run_fixture_close (run);
}

/* The switch “Launch Queue” does nothing if the run has no launches, or if the maximum number of lanes is reached. A
 * session stores its lane. */
static void
test_launch_queue_limits (void)
{
  LoomRunState *run = open_run ();
  LoomLaunchQueueDisplay *queue = loom_run_state_get_launch_queue (run);
  g_assert_false (loom_launch_queue_display_is_possible (queue));
  loom_launch_queue_display_set_shown (queue, TRUE);
  g_assert_cmpuint (loom_query_lanes_get_n (loom_run_state_get_lanes (run)), ==, 0);
  run_fixture_close (run);
  run = open_launch ();
  queue = loom_run_state_get_launch_queue (run);
  LoomQueryLanes *lanes = loom_run_state_get_lanes (run);
  loom_launch_queue_display_set_shown (queue, TRUE);
  g_autoptr (LoomSession) session = loom_session_state_collect (run);
  loom_query_lanes_clear (lanes);
  loom_session_state_apply (session, run);
  g_assert_true (loom_launch_queue_display_get_shown (queue));
  loom_query_lanes_clear (lanes);
  loom_query_lanes_restore (lanes, "x", "-- title: Launch Queue over Time\nSELECT 1"); /* the text that an older version
                                                                                        * stored for this lane */
  loom_query_lanes_restore (lanes, "x", "-- title: Other\nSELECT 1");
  g_assert_true (loom_launch_queue_display_get_shown (queue));
  loom_launch_queue_display_set_shown (queue, FALSE);
  g_assert_cmpuint (loom_query_lanes_get_n (lanes), ==, 1);
  g_assert_false (loom_launch_queue_display_get_shown (queue));
  loom_query_lanes_clear (lanes);
  while (loom_query_lanes_get_n (lanes) < LOOM_QUERY_LANES_MOST)
    g_assert_true (loom_query_lanes_add (lanes, NULL, "SELECT 1"));
  g_assert_false (loom_launch_queue_display_is_possible (queue));
  loom_query_lanes_remove (lanes, 0);
  g_assert_true (loom_launch_queue_display_is_possible (queue));
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  loom_locale_bind ("");
  g_test_add_func ("/query/answer", test_answer);
  g_test_add_func ("/query/units", test_units);
  g_test_add_func ("/query/ruler", test_ruler);
  g_test_add_func ("/query/saved", test_saved);
  g_test_add_func ("/query/saved-of-session", test_saved_of_session);
  g_test_add_func ("/query/places", test_places);
  g_test_add_func ("/query/numbers", test_numbers);
  g_test_add_func ("/query/problem", test_problem);
  g_test_add_func ("/query/problem-words", test_problem_words);
  g_test_add_func ("/query/cancel", test_cancel);
  g_test_add_func ("/query/old", test_old);
  g_test_add_func ("/query/cut", test_cut);
  g_test_add_func ("/query/lanes", test_lanes);
  g_test_add_func ("/query/lane problems", test_lane_problems);
  g_test_add_func ("/query/lanes of a session", test_lanes_of_session);
  g_test_add_func ("/query/lane of means", test_lane_of_means);
  g_test_add_func ("/query/lane leaves out", test_lane_leaves_out);
  g_test_add_func ("/query/lane is cut", test_lane_is_cut);
  g_test_add_func ("/query/lanes one after another", test_lanes_one_after_another);
  g_test_add_func ("/query/launch queue", test_launch_queue);
  g_test_add_func ("/query/launch queue in another language", test_launch_queue_language);
  g_test_add_func ("/query/launch queue without launches or room", test_launch_queue_limits);
  g_test_add_func ("/query/names", test_names);
  g_test_add_func ("/query/names of tracks", test_names_of_tracks);
  return run_fixture_run ();
}
