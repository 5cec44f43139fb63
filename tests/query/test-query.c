/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests queries over a run of three ranks whose clocks drift: conditions that the virtual tables evaluate give the same
 * rows as conditions that SQLite evaluates; statements that a query may not contain are refused; parameters of a query.
 */
#include "fake-run.h"
#include "loom-error.h"
#include "loom-query-words.h"
#include "query-fixture.h"

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static void
test_rows (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  assert_rows (run, "SELECT name, count(*) FROM span WHERE rank = 1 GROUP BY name ORDER BY name",
               "a_b%kernel|40\nallreduce|60\nempty|60\nforward|60\nkernel|20\nmatmul|60\nstep|60\n");
  assert_rows (run,
               "SELECT depth, self, duration FROM span WHERE name IN ('step', 'forward', 'matmul') AND rank = 0 "
               "ORDER BY start, depth LIMIT 3",
               "0|5000000|9000000\n1|3000000|4000000\n2|1000000|1000000\n");
  assert_rows (run, "SELECT count(*), min(rank), max(rank) FROM instant WHERE name = 'mark'", "180|0|2\n");
  assert_rows (run, "SELECT count(DISTINCT collective), count(*), max(ranks), min(sequence) FROM collective",
               "60|180|3|0\n");
  assert_rows (run, "SELECT count(*) FROM clock WHERE drift <> 0", "2\n"); /* the clocks must drift, otherwise the cases
                                                                            * below test less */
}

/* Times of rank 0 are exact to the ns, so the test can distinguish a span that encloses another span from a span of
 * length zero that only lies at the begin or end of that span. */
static void
test_relatives (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  assert_rows (run,
               "SELECT d.name FROM span s JOIN descendants(s.id) d WHERE s.name = 'step' AND s.rank = 0 "
               "ORDER BY s.start, d.depth, d.start LIMIT 3",
               "forward\nmatmul\nempty\n");
  assert_rows (run,
               "SELECT a.name FROM span s JOIN ancestors(s.id) a WHERE s.name = 'matmul' AND s.rank = 0 "
               "ORDER BY s.start, a.depth LIMIT 2",
               "step\nforward\n");
  assert_rows (run, "SELECT count(*) FROM span p JOIN span c ON c.parent = p.id WHERE p.name IN ('step', 'forward')",
               "540\n");
}

static char *
dup_condition (const char *column, gint64 value)
{
  static const char *const operations[] = { "<", "<=", ">", ">=", "=" };
  return g_strdup_printf ("%s %s %" G_GINT64_FORMAT, column, operations[g_test_rand_int_range (0, 5)], value);
}

/* Returns a random value of the column, or a value next to it. */
static gint64
pick (LoomQueryRun *run, const char *column)
{
  g_autofree char *sql =
                    g_strdup_printf ("SELECT %s FROM span LIMIT 1 OFFSET %d", column, g_test_rand_int_range (0, 1200)),
                  *text = query_fixture_ask (run, sql);
  return g_ascii_strtoll (text, NULL, 10) + g_test_rand_int_range (-1, 2);
}

/* Returns the rows that match two conditions on numbers and one on a text. If `hidden` is TRUE, the conditions are
 * written so that the virtual table cannot evaluate them, and SQLite evaluates them instead. */
static char *
ask_conditions (LoomQueryRun *run, const char *const *conditions, const char *text, gboolean hidden)
{
  const char *sign = hidden ? "+" : "";
  g_autofree char *sql = g_strdup_printf ("SELECT count(*), sum(id), sum(self) FROM span WHERE %s%s AND %s%s AND %s%s",
                                          sign, conditions[0], sign, conditions[1], sign, text);
  return query_fixture_ask (run, sql);
}

static void
test_conditions (void)
{
  static const char *const columns[] = { "start", "duration", "id", "track", "parent" }, *const texts[] = {
    "name = 'kernel'", "name LIKE 'A\\_B%'", "name GLOB '*k*'", "kind = 'compute'", "depth > 0"
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < 400; i++) {
    const char *column = columns[g_test_rand_int_range (0, 5)], *text = texts[g_test_rand_int_range (0, 5)];
    g_autofree char *first = dup_condition (column, pick (run, column)),
                    *second = dup_condition ("start", pick (run, "start"));
    const char *const conditions[] = { first, second };
    g_autofree char *told = ask_conditions (run, conditions, text, FALSE),
                    *wanted = ask_conditions (run, conditions, text, TRUE);
    g_test_message ("%s AND %s AND %s", first, second, text);
    g_assert_cmpstr (told, ==, wanted);
  }
}

/* Sums over batches of rows equal the sums that SQLite computes row by row. Adding 0 to a column prevents batches. */
static void
test_batches (void)
{
  static const char *const columns[] = { "start", "duration", "id", "track", "parent" }, *const others[] = {
    "name = 'kernel'",
    "name LIKE 'A\\_B%'",
    "name LIKE 'A%' ESCAPE '\\'",
    "name GLOB '*k*'",
    "name = 'KERNEL' COLLATE NOCASE",
    "name = 5",
    "kind = 'compute'",
    "kind = NULL",
    "category = ''",
    "category = 'kernel'",
    "category LIKE '%'",
    "category IS NULL",
    "depth > 0",
    "rank = 1",
    "duration > 1000000.5",
    "duration < '2000000'",
    "start > 'text'",
    "duration BETWEEN 1000000 AND 9000000",
    "duration > 0 AND +duration > 1000000",
    "+start > 1700000030000000000 AND start > 0",
    "id IN (1, 5, 4294967297)",
    "duration + 0 > 1000000",
    "1"
  };
  static const char batched[] =
    "SELECT count(*), count(start), sum(duration), total(duration), avg(duration), min(start), "
    "max(start), min(duration), max(duration) FROM span WHERE ",
                    plain[] =
                      "SELECT count(*), count(start + 0), sum(duration + 0), total(duration + 0), avg(duration + 0), "
                      "min(start + 0), max(start + 0), min(duration + 0), max(duration + 0) FROM span WHERE ";
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < 300; i++) {
    const char *column = columns[g_test_rand_int_range (0, 5)];
    g_autofree char *first = dup_condition (column, pick (run, column)),
                    *where = i < G_N_ELEMENTS (others)
                               ? g_strdup (others[i])
                               : g_strdup_printf ("%s AND %s", first,
                                                  others[g_test_rand_int_range (0, G_N_ELEMENTS (others))]),
                    *sql = g_strconcat (batched, where, NULL), *plain_sql = g_strconcat (plain, where, NULL);
    g_autofree char *got = query_fixture_ask (run, sql), *wanted = query_fixture_ask (run, plain_sql);
    g_test_message ("%s", where);
    g_assert_cmpstr (got, ==, wanted);
  }
  assert_rows (run, "SELECT sum(duration) FROM span WHERE 0", "NULL\n");
  assert_rows (run, "SELECT sum(duration) + count(*), max(start) > 0 FROM span WHERE rank = 7", "NULL|NULL\n");
  assert_rows (run, "SELECT name, max(duration) FROM span WHERE rank = 0", "step|9000000\n");
  assert_rows (run, "SELECT count(*) FROM span HAVING sum(duration) < 0", "");
}

/* --- orders ---------------------------------------------------------------------------------------------------------- */

/* Columns by which a virtual table can return sorted rows, and the same order with a sign before the column, so that
 * SQLite sorts. */
static const struct {
  const char *table, *by, *sorted;
} orders[] = {
  { "span", "id", "+id" },
  { "span", "id DESC", "-id" },
  { "span", "start, id", "+start, +id" },
  { "span", "start DESC, id DESC", "-start, -id" },
  { "span", "track, start, id", "+track, +start, +id" },
  { "span", "track DESC, start DESC, id DESC", "-track, -start, -id" },
  { "span", "start, track, id", "+start, +track, +id" },
  { "span", "start, id DESC", "+start, -id" },
  { "span", "name, id", "+name, +id" },
  { "span", "name, id DESC", "+name, -id" },
  { "span", "duration DESC, id", "-duration, +id" },
  { "span", "duration DESC, id DESC", "-duration, -id" },
  { "span", "duration, id", "+duration, +id" },
  { "instant", "time DESC, id DESC", "-time, -id" },
  { "instant", "track, time, id", "+track, +time, +id" },
  { "instant", "name, id", "+name, +id" },
  { "descendants((SELECT id FROM span WHERE depth = 0 ORDER BY duration DESC LIMIT 1))", "duration DESC, id",
    "-duration, +id" },
};

static void
check_order (LoomQueryRun *run, const char *table, const char *where, const char *by, const char *sorted, guint limit)
{
  g_autofree char *sql = g_strdup_printf ("SELECT id FROM %s WHERE %s ORDER BY %s LIMIT %u", table, where, by, limit),
                  *plain =
                    g_strdup_printf ("SELECT id FROM %s WHERE %s ORDER BY %s LIMIT %u", table, where, sorted, limit),
                  *got = query_fixture_ask (run, sql), *wanted = query_fixture_ask (run, plain);
  if (strcmp (got, wanted) != 0)
    g_test_message ("%s", sql);
  g_assert_cmpint (strcmp (got, wanted), ==, 0); /* not g_assert_cmpstr(), which would print the long texts */
}

static void
check_orders (LoomQueryRun *run)
{
  static const char *const spans[] = { "1", "name LIKE '%a%'", "start > (SELECT avg(start) FROM span)",
                                       "duration > 20000",
                                       "track = (SELECT max(track) FROM span) AND duration < 300000" };
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint w = 0; w < (orders[i].table[0] == 's' ? G_N_ELEMENTS (spans) : 2); w++)
      for (guint limit = 7; limit < 10000000; limit *= 1000)
        check_order (run, orders[i].table, spans[w], orders[i].by, orders[i].sorted, limit);
  assert_rows (run, "SELECT (SELECT min(id) FROM span) = min(+id), (SELECT max(id) FROM span) = max(+id) FROM span",
               "1|1\n");
  assert_rows (run,
               "SELECT (SELECT min(start) FROM span) = min(+start), (SELECT max(start) FROM span) = max(+start), "
               "(SELECT max(duration) FROM span) = max(+duration) FROM span",
               "1|1|1\n");
}

/* Rows that a virtual table returns in sorted order have the same order as rows that SQLite sorts. Tests clocks that
 * drift, and a run with so many spans, many of equal duration, that the table does not sort them one by one. */
static void
test_orders (void)
{
  static const FakeShape shape = { 1, 2, 6, 16, 12, FALSE };
  g_autoptr (LoomQueryRun) few = query_fixture_new ();
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  g_autoptr (LoomQueryRun) many = loom_query_run_new (timeline);
  check_orders (few);
  check_orders (many);
  assert_rows (many, "SELECT count(*) > 5000, count(DISTINCT duration) < count(*) FROM span", "1|1\n");
}

/* --- what is refused ------------------------------------------------------------------------------------------------- */

static void
test_errors (void)
{
  static const struct {
    const char *sql;
    LoomError code;
    const char *part; /* text that the error message must contain */
  } cases[] = {
    { "SELECT", LOOM_ERROR_FORMAT, "incomplete input" },
    { "SELECT absent FROM span", LOOM_ERROR_FORMAT, "no such column: absent (line 1, column 8)" },
    { "SELECT 1\nFROM nowhere", LOOM_ERROR_FORMAT, "no such table: nowhere" },
    { "SELECT name FROM span WHERE name = \"text\"", LOOM_ERROR_FORMAT,
      "no such column: text; names stand in \"double quotes\", texts in 'single quotes' (line 1, column 36)" },
    { "", LOOM_ERROR_FORMAT, "empty" },
    { " -- nothing", LOOM_ERROR_FORMAT, "empty" },
    { "SELECT 1; SELECT 2", LOOM_ERROR_FORMAT, "more than one" },
    { "ATTACH '/etc/passwd' AS x", LOOM_ERROR_FORMAT, "can only read" },
    { "DETACH main", LOOM_ERROR_FORMAT, "can only read" },
    { "PRAGMA temp_store_directory = '/'", LOOM_ERROR_FORMAT, "can only read" },
    { "SELECT * FROM pragma_database_list", LOOM_ERROR_FORMAT, "only read the tables of the run" },
    { "CREATE TABLE x (y)", LOOM_ERROR_FORMAT, "can only read" },
    { "CREATE VIRTUAL TABLE x USING fts5(y)", LOOM_ERROR_FORMAT, "can only read" },
    { "CREATE TEMP VIEW x AS SELECT 1", LOOM_ERROR_FORMAT, "can only read" },
    { "INSERT INTO span (id) VALUES (1)", LOOM_ERROR_FORMAT, "only read the tables of the run" },
    { "DELETE FROM span", LOOM_ERROR_FORMAT, "only read the tables of the run" },
    { "UPDATE span SET name = ''", LOOM_ERROR_FORMAT, "only read the tables of the run" },
    { "VACUUM INTO '/tmp/x'", LOOM_ERROR_FORMAT, "" },
    { "BEGIN", LOOM_ERROR_FORMAT, "can only read" },
    { "REINDEX", LOOM_ERROR_FORMAT, "" },
    { "SELECT load_extension('x')", LOOM_ERROR_FORMAT, "load_extension" },
    { "SELECT fts3_tokenizer('x')", LOOM_ERROR_FORMAT, "fts3_tokenizer" },
    { "SELECT json_patch('{}', '{}')", LOOM_ERROR_FORMAT, "json_patch" },
    { "SELECT randomblob(10)", LOOM_ERROR_FORMAT, "randomblob" },
    { "SELECT * FROM overlap", LOOM_ERROR_FORMAT, "a start and an end" },
    { "SELECT * FROM overlap(1)", LOOM_ERROR_FORMAT, "a start and an end" },
    { "SELECT * FROM interval_join(1)", LOOM_ERROR_FORMAT, "two sets" },
    { "SELECT * FROM interval_join(1, 2)", LOOM_ERROR_FORMAT, "no set" },
    { "SELECT * FROM interval_union('x')", LOOM_ERROR_FORMAT, "no set" },
    { "SELECT interval_set(1, -1)", LOOM_ERROR_FORMAT, "negative" },
    { "SELECT * FROM critical_path(1)", LOOM_ERROR_FORMAT, "a start and an end" },
    { "SELECT * FROM descendants", LOOM_ERROR_FORMAT, "the id of a span" },
    /* few replacements: for each of them the address sanitizer checks the rest of the text */
    { "SELECT replace(printf('%2000d', 1), ' ', printf('%2500d', 1))", LOOM_ERROR_LIMIT, "too long" },
    { "SELECT trim('a', printf('%100d', 1))", LOOM_ERROR_FORMAT, "to trim" },
    { "SELECT abs(-9223372036854775808)", LOOM_ERROR_FORMAT, "integer overflow" },
    { "SELECT '\xff'", LOOM_ERROR_FORMAT, "UTF-8" },
    { "SELECT :x", LOOM_ERROR_FORMAT, ":x has no value" },
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (LoomQuery) query = loom_query_new (run, cases[i].sql, 0, NULL, &error);
    while (query != NULL && loom_query_next (query, &error) == LOOM_QUERY_ROW)
      ;
    if (error == NULL || error->code != (gint) cases[i].code || strstr (error->message, cases[i].part) == NULL)
      g_test_message ("%s: %s", cases[i].sql, error != NULL ? error->message : "no error");
    g_assert_error (error, LOOM_ERROR, (gint) cases[i].code);
    g_assert_nonnull (strstr (error->message, cases[i].part));
  }
}

/* Tests the line and column of an error in a query with several lines and with characters of several bytes. */
static void
test_places (void)
{
  static const struct {
    const char *sql;
    gint64 place;
  } cases[] = {
    { "SELECT absent FROM span", 7 },
    { "SELECT 1,\n  'ä', absent\nFROM span", 18 },
    { "SELECT 1\nFROM span WHERE )", 25 },
    { "SELECT 1; SELECT 2", -1 },
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (loom_query_new (run, cases[i].sql, 0, NULL, &error));
    g_assert_cmpint (loom_query_find_place (cases[i].sql, error), ==, cases[i].place);
  }
}

static void
test_long_text (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *blanks = g_strnfill (LOOM_QUERY_TEXT_BYTES, ' '), *sql = g_strconcat ("SELECT 1", blanks, NULL);
  g_assert_null (loom_query_new (run, sql, 0, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
}

/* --- parameters ------------------------------------------------------------------------------------------------------ */

static void
test_parameters (void)
{
  static const struct {
    const char *value, *type;
  } cases[] = {
    { "17", "integer" },
    { "-9223372036854775808", "integer" },
    { "9223372036854775808", "real" },
    { "1.5", "real" },
    { "-.5e3", "real" },
    { "1e999", "text" },
    { "17 ", "text" },
    { "", "text" },
    { "x' OR 1=1 --", "text" },
    { "0x10", "text" },
    { "-", "text" },
    { "nan", "text" },
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (LoomQuery) query = loom_query_new (run, "SELECT typeof(:x), :x", 0, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (loom_query_bind (query, "x", cases[i].value, &error));
    g_assert_false (loom_query_bind (query, "y", "1", NULL));
    g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_ROW);
    g_assert_cmpstr (loom_query_get_text (query, 0, NULL), ==, cases[i].type);
    if (strcmp (cases[i].type, "text") == 0)
      g_assert_cmpstr (loom_query_get_text (query, 1, NULL), ==, cases[i].value);
  }
}

/* --- others ---------------------------------------------------------------------------------------------------------- */

/* SQL functions that the program replaces return the same as SQLite's own functions. */
static void
test_functions (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  assert_rows (run, "SELECT instr('äbc', 'c'), instr('abc', ''), instr('abc', 'd'), instr(NULL, 'a'), instr(123, 3)",
               "3|1|0|NULL|3\n");
  assert_rows (
    run, "SELECT replace('aXbX', 'X', 'yy'), replace('abc', '', 'x'), replace('abc', 'b', NULL), replace(112, 1, 2)",
    "ayybyy|abc|NULL|222\n");
  assert_rows (run,
               "SELECT trim('xxaxbxx', 'x'), ltrim('äöa', 'öä'), rtrim('aäö', 'öä'), trim('abc', ''), trim('  a ')",
               "axb|a|a|abc|a\n");
  assert_rows (run, "SELECT x'00ff', typeof(CAST(x'41' AS TEXT)), CAST(x'ff' AS TEXT) = 'a'", "00ff|text|0\n");
}

/* Tests random intervals, some of length zero: joining and merging them gives the same as plain SQL. */
static void
test_intervals (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < 30; i++) {
    g_autofree char *table =
      g_strdup_printf ("WITH RECURSIVE t(id, a, l) AS (SELECT 1, 7, 0 UNION ALL SELECT id + 1, (a * 31 + %d) %% 101, "
                       "(l * 17 + a) %% %d FROM t WHERE id < 60), a AS (SELECT * FROM t WHERE id %% 2), b AS (SELECT * "
                       "FROM t WHERE NOT id %% 2) ",
                       g_test_rand_int_range (1, 100), g_test_rand_int_range (1, 20));
    g_autofree char *joined = g_strconcat (table,
                                           "SELECT left_id, right_id, start, duration FROM interval_join((SELECT "
                                           "interval_set(id, a, l) FROM a), (SELECT interval_set(id, a, l) FROM b)) "
                                           "ORDER BY 1, 2",
                                           NULL),
                    *plain =
                      g_strconcat (table,
                                   "SELECT a.id, b.id, max(a.a, b.a), min(a.a + a.l, b.a + b.l) - max(a.a, b.a) "
                                   "FROM a JOIN b ON (a.a < b.a + b.l OR a.a = b.a) AND (b.a < a.a + a.l OR a.a = b.a) "
                                   "ORDER BY 1, 2",
                                   NULL),
                    *merged = g_strconcat (table,
                                           "SELECT count(*), sum(duration), sum(intervals) FROM interval_union((SELECT "
                                           "interval_set(a, l) FROM t))",
                                           NULL),
                    *counted =
                      g_strconcat (table,
                                   ", m AS (SELECT a, l, max(a + l) OVER (ORDER BY a, id ROWS BETWEEN UNBOUNDED "
                                   "PRECEDING AND 1 PRECEDING) AS before FROM t) SELECT sum(before IS NULL OR a > "
                                   "before), (SELECT count(*) FROM (WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL "
                                   "SELECT x + 1 FROM n WHERE x < 150) SELECT x FROM n WHERE EXISTS (SELECT 1 FROM "
                                   "t WHERE a <= x AND x < a + l))), count(*) FROM m",
                                   NULL);
    g_autofree char *got = query_fixture_ask (run, joined), *wanted = query_fixture_ask (run, plain),
                    *union_got = query_fixture_ask (run, merged), *union_wanted = query_fixture_ask (run, counted);
    g_assert_cmpstr (got, ==, wanted);
    g_assert_cmpstr (union_got, ==, union_wanted);
  }
  assert_rows (
    run, "SELECT count(*) FROM interval_join((SELECT interval_set(1, 2) WHERE 0), (SELECT interval_set(1, 2)))", "0\n");
}

/* A run keeps the connection of a query for the next query. The next query must not be affected by the previous one: by
 * batches of aggregates, an error, rows that were not read, or sets of intervals. */
static void
test_reused (void)
{
  static const char *const before[] = {
    "SELECT sum(duration), count(*) FROM span",
    "SELECT nothing FROM span",
    "SELECT load_extension('x')",
    "SELECT id FROM span",
    "SELECT interval_set(id, start, duration) FROM span",
    "SELECT count(*) FROM interval_union((SELECT interval_set(start, duration) FROM span))",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  g_autofree char *sum = query_fixture_ask (run, "SELECT sum(duration + 0) FROM span WHERE name = 'step'");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (before); i++) {
    LoomQuery *query = loom_query_new (run, before[i % G_N_ELEMENTS (before)], 0, NULL, NULL);
    if (query != NULL)
      loom_query_next (query, NULL);
    loom_query_free (query);
    assert_rows (run, "SELECT sum(duration + 0) FROM span WHERE name = 'step'", sum);
    assert_rows (run, "SELECT sum(id) FROM track WHERE id < 4", "6\n");
  }
  /* when a statement is run again, its parameters are forgotten, but it still uses batches */
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (LoomQuery) query = loom_query_new (run, "SELECT :a", 0, NULL, &error);
    g_assert_no_error (error);
    if (i < 2)
      g_assert_true (loom_query_bind (query, "a", "5", NULL));
    g_assert_cmpint (loom_query_next (query, &error), ==, i < 2 ? LOOM_QUERY_ROW : LOOM_QUERY_FAILED);
    g_assert_true (i < 2 || error != NULL);
  }
  g_autofree char *once = query_fixture_ask (run, "SELECT sum(duration), count(*) FROM span"),
                  *twice = query_fixture_ask (run, "SELECT sum(duration), count(*) FROM span");
  g_assert_cmpstr (once, ==, twice);
  g_assert_null (loom_query_new (run, "SELECT 1; SELECT 2", 0, NULL, NULL));
  g_assert_null (loom_query_new (run, "SELECT 1; SELECT 2", 0, NULL, NULL));
}

static gpointer
ask_often (gpointer run)
{
  for (guint i = 0; i < 20; i++)
    assert_rows (run, "SELECT count(*) FROM collective c JOIN span s ON s.id = c.span WHERE s.kind = 'communication'",
                 "180\n");
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  GThread *threads[4];
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ask", ask_often, run);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_explain (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = loom_query_explain (run, "SELECT * FROM span WHERE id = :id", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (text, "SCAN span VIRTUAL TABLE"));
  g_assert_null (loom_query_explain (run, "SELECT", &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
}

static const struct {
  const char *text, *word;
  LoomQueryWordsKind kind;
} typed[] = {
  { "SELECT dur", "dur", LOOM_QUERY_WORDS_NAME },
  { "SELECT s.dur", "dur", LOOM_QUERY_WORDS_NAME },
  { "SELECT 'it''s', x\u00e9", "x\u00e9", LOOM_QUERY_WORDS_NAME },
  { "-- don't\nSELECT /* 'a */ \"b'c\", na", "na", LOOM_QUERY_WORDS_NAME },
  { "SELECT 1 FROM st", "st", LOOM_QUERY_WORDS_TABLE },
  { "SELECT 1 FROM span left Join\n st", "st", LOOM_QUERY_WORDS_TABLE },
  { "SELECT 1 FROM span WHERE st", "st", LOOM_QUERY_WORDS_NAME },
  { "WHERE name = 'nccl all", "nccl all", LOOM_QUERY_WORDS_TEXT },
  { "WHERE name LIKE '%%nc", "nc", LOOM_QUERY_WORDS_TEXT },
  { "SELECT ", "", LOOM_QUERY_WORDS_NOTHING },
  { "LIMIT 100", "100", LOOM_QUERY_WORDS_NOTHING },
  { "WHERE rank = :rank", "rank", LOOM_QUERY_WORDS_NOTHING },
  { "SELECT 1 -- dur", " dur", LOOM_QUERY_WORDS_NOTHING },
  { "SELECT /* dur", " dur", LOOM_QUERY_WORDS_NOTHING },
  { "SELECT \"dur", "dur", LOOM_QUERY_WORDS_NOTHING },
  { "WHERE name = 'a\nb", "a\nb", LOOM_QUERY_WORDS_NOTHING },
};

static char *
dup_words (const char *word, gboolean only_tables)
{
  g_autoptr (GPtrArray) words = loom_query_words_list (word, only_tables);
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" ", (GStrv) words->pdata);
}

static void
assert_words (const char *word, gboolean only_tables, const char *expected)
{
  g_autofree char *words = dup_words (word, only_tables);
  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++) {
    const char *word = NULL;
    g_assert_cmpint (loom_query_words_find_typed (typed[i].text, &word), ==, typed[i].kind);
    g_assert_cmpstr (word, ==, typed[i].word);
  }
  assert_words ("DU", FALSE, "duration");
  assert_words ("in", FALSE, ""); /* a keyword of SQL, although names begin with it */
  assert_words ("ins", FALSE, "instant instants");
  assert_words ("instant", FALSE, "");
  assert_words ("desc", FALSE, "");
  assert_words ("nothing", FALSE, "");
  assert_words ("st", FALSE, "start state status step");
  assert_words ("st", TRUE, "step");
}

static void
assert_values (const char *before, const char *rest, const char *expected)
{
  g_autofree char *query = g_strconcat (before, rest, NULL), *sql = loom_query_words_dup_values (before, query, 5);
  g_assert_cmpstr (sql, ==, expected);
}

/* The values that can follow a quote are those of the compared column in the tables that the query reads. */
static void
test_values (void)
{
#define VALUES(column, table) "SELECT DISTINCT " column " FROM " table " WHERE " column " IS NOT NULL"
#define END " ORDER BY 1 LIMIT 5"
  assert_values ("SELECT 1 FROM collective WHERE name = ", "'allr", VALUES ("name", "collective") END);
  assert_values ("SELECT 1 FROM collective WHERE Name Not Like ", "'%allr", VALUES ("name", "collective") END);
  assert_values ("SELECT count(*) FILTER (WHERE s.kind IN ('a', ", "'b')) FROM span s", VALUES ("kind", "span") END);
  assert_values ("WITH x AS (SELECT 1 FROM track) SELECT 1 FROM span JOIN x WHERE name <> ", "'",
                 VALUES ("name", "span") " UNION " VALUES ("name", "track") END);
  assert_values ("SELECT name FROM ancestors(7) WHERE category IS ", "'", VALUES ("category", "span") END);
  assert_values ("SELECT name FROM span WHERE args LIKE ", "'", NULL);
  assert_values ("SELECT name FROM span WHERE duration = ", "'", NULL);
  assert_values ("SELECT name FROM spans WHERE name = ", "'", NULL);
  assert_values ("SELECT arg(id, ", "'stream') FROM span", NULL);
}

static void
test_recognised (void)
{
  g_assert_true (loom_query_words_is_query ("Select\n1"));
  g_assert_true (loom_query_words_is_query (" -- a\n/* b */ with x AS (SELECT 1) SELECT 1"));
  g_assert_true (loom_query_words_is_query ("VALUES(1)"));
  g_assert_false (loom_query_words_is_query ("selected"));
  g_assert_false (loom_query_words_is_query ("with_rank/select 1"));
  g_assert_false (loom_query_words_is_query ("/* select 1"));
  g_assert_false (loom_query_words_is_query ("-- select 1"));
  g_assert_cmpstr (loom_query_words_translate ("SLICE"), ==, "span");
  g_assert_null (loom_query_words_translate ("span"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/rows", test_rows);
  g_test_add_func ("/query/relatives", test_relatives);
  g_test_add_func ("/query/conditions", test_conditions);
  g_test_add_func ("/query/batches", test_batches);
  g_test_add_func ("/query/orders", test_orders);
  g_test_add_func ("/query/errors", test_errors);
  g_test_add_func ("/query/places", test_places);
  g_test_add_func ("/query/long text", test_long_text);
  g_test_add_func ("/query/parameters", test_parameters);
  g_test_add_func ("/query/functions", test_functions);
  g_test_add_func ("/query/intervals", test_intervals);
  g_test_add_func ("/query/reused", test_reused);
  g_test_add_func ("/query/threads", test_threads);
  g_test_add_func ("/query/explain", test_explain);
  g_test_add_func ("/query/words", test_words);
  g_test_add_func ("/query/words/values", test_values);
  g_test_add_func ("/query/words/recognised", test_recognised);
  return g_test_run ();
}
