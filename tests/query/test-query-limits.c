/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the limits of queries: they end soon after they are cancelled, use a bounded amount of memory, and end soon
 * even if their text is very deeply nested or very wide.
 */
#include "fake-run.h"
#include "loom-error.h"
#include "query-fixture.h"

#include <pthread.h>
#include <sqlite3.h>
#include <time.h>

#define MOST_US (200 * 1000) /* maximum processor time of a query after it was cancelled */

static gint64
read_clock_us (clockid_t clock)
{
  struct timespec time;
  clock_gettime (clock, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Returns the processor time of this thread, so that other programs on the machine do not count. */
static gint64
read_own_us (void)
{
  return read_clock_us (CLOCK_THREAD_CPUTIME_ID);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (50000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* Queries that never end, in SQLite's virtual machine and inside a virtual table, are cancelled. */
static void
test_cancel (void)
{
  static const char *const endless[] = {
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "SELECT count(*) FROM span a, span b, span c, span d WHERE a.name || b.name = c.name || d.name",
    "SELECT count(*) FROM span a CROSS JOIN span b CROSS JOIN span c CROSS JOIN span d WHERE d.name = 'none'",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (LoomQuery) query = loom_query_new (run, endless[i], 0, cancellable, &error);
    GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
    gint64 begin_us = read_own_us ();
    g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_FAILED);
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_cmpint (read_own_us () - begin_us, <, 5 * G_USEC_PER_SEC);
    g_thread_join (thread);
  }
}

typedef struct {
  GCancellable *cancellable;
  clockid_t clock; /* processor time of the thread that runs the query */
  gint64 after_us, at_us;
} Canceller;

static gpointer
cancel_later (gpointer data)
{
  Canceller *canceller = data;
  while (read_clock_us (canceller->clock) < canceller->after_us)
    g_usleep (1000);
  g_cancellable_cancel (canceller->cancellable);
  canceller->at_us = read_clock_us (canceller->clock);
  return NULL;
}

/* Cancels a query after `after_us` of processor time, and asserts that it ends soon. Returns FALSE if it ended
 * before. */
static gboolean
is_cancelled_soon (LoomTimeline *timeline, const char *sql, gint64 after_us)
{
  g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Canceller canceller = { .cancellable = cancellable };
  g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &canceller.clock), ==, 0);
  canceller.after_us = read_clock_us (canceller.clock) + after_us;
  GThread *thread = g_thread_new ("cancel", cancel_later, &canceller);
  LoomQuery *query = loom_query_new (run, sql, 0, cancellable, &error);
  while (loom_query_next (query, &error) == LOOM_QUERY_ROW)
    ;
  loom_query_free (query);
  gint64 ended_us = read_clock_us (canceller.clock);
  canceller.after_us = 0;
  g_thread_join (thread);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  if (ended_us - canceller.at_us >= MOST_US)
    g_test_message ("%s: after %d ms", sql, (int) ((ended_us - canceller.at_us) / 1000));
  g_assert_cmpint (ended_us - canceller.at_us, <, MOST_US);
  return TRUE;
}

/* A query ends soon after it is cancelled, whatever it is doing: sorting millions of rows in SQLite, sorting the rows
 * of a table, building a set of intervals, computing an analysis. */
static void
test_cancel_soon (void)
{
#define NUMBERS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 500000) "
  static const char *const heavy[] = {
    NUMBERS "SELECT max(x) FROM (SELECT x FROM c ORDER BY x * 7919 % 1000003)",
    NUMBERS "SELECT count(*) FROM interval_union((SELECT interval_set(x * 7919 % 1000003, 5) FROM c))",
    "SELECT id FROM span ORDER BY duration DESC",
    "SELECT id FROM span ORDER BY start",
    "SELECT sum(duration) FROM critical_path()",
    "SELECT count(*) FROM finding",
  };
  static const FakeShape shape = { 1, 2, 150, 16, 12, FALSE };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  guint n_cancelled = 0;
  for (guint i = 0; i < G_N_ELEMENTS (heavy); i++)
    for (gint64 after_us = 10000; is_cancelled_soon (timeline, heavy[i], after_us); after_us *= 2)
      n_cancelled++;
  g_assert_cmpint (n_cancelled, >, G_N_ELEMENTS (heavy));
  g_assert_true (is_cancelled_soon (timeline, NUMBERS "SELECT sum(length(printf('%.4000000c', x))) FROM c", 20000));
}

/* Returns the first value of the query as a text, or the message of the error with which the query ends. */
static char *
ask_once (LoomQueryRun *run, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, NULL, &error);
  if (query == NULL || loom_query_next (query, &error) != LOOM_QUERY_ROW)
    return g_strdup (error->message);
  return g_strdup (loom_query_get_text (query, 0, NULL));
}

/* SQLite's printf() writes a character as often as the precision says, in a single step. Sums of widths and precisions
 * that no result can have are refused before printf() runs. Texts that are too long are errors, not NULL. */
static void
test_long_format (void)
{
  static const char *const queries[] = {
    "SELECT printf('%.*c', 1000000000, 'x')",
    "SELECT format('%.1000000000c', 'x')",
    "SELECT printf('%.*c', -1000000000, 'x')",
    "SELECT printf('%s%d%%%n%-+.*c', 'a', 5, 1000000000, 'x')",
    "SELECT printf('%.3000000c%.3000000c', 'x', 'x')",
    "SELECT length(printf('%1000000000d', 1))",
    "SELECT length(printf('%*d', 1000000000, 1))",
    "SELECT length(printf('%s%s', printf('%4000000d', 1), printf('%4000000d', 1)))",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  gint64 begin_us = read_own_us ();
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++) {
    g_autofree char *message = ask_once (run, queries[i]);
    g_test_message ("%s: %s", queries[i], message);
    g_assert_nonnull (strstr (message, "too long: values have at most 4 MiB"));
  }
  g_assert_cmpint (read_own_us () - begin_us, <, 2 * G_USEC_PER_SEC);
}

#define JOINED "FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 30) SELECT x FROM c)"

/* group_concat() ends at the row that makes its text too long, although the join of the query has billions of rows. */
static void
test_long_concat (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  gint64 begin_us = read_own_us ();
  g_autofree char *message = ask_once (
    run, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT length(group_concat(x)) FROM c");
  g_assert_nonnull (strstr (message, "too long: values have at most 4 MiB"));
  g_assert_cmpint (read_own_us () - begin_us, <, 5 * G_USEC_PER_SEC);
}

/* Asserts that a query returns the same text as on a plain connection. */
static void
assert_same (LoomQueryRun *run, sqlite3 *plain, const char *sql)
{
  g_autofree char *got = ask_once (run, sql);
  sqlite3_stmt *statement = NULL;
  g_assert_cmpint (sqlite3_prepare_v2 (plain, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  g_assert_cmpstr (got, ==, (const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
}

/* group_concat() returns what SQLite's own function returns, also in windows, whose terms it removes again. */
static void
test_concat (void)
{
  static const char *const expressions[] = {
    "group_concat(x)",
    "group_concat(DISTINCT x % 4)",
    "group_concat(x, '')",
    "group_concat(x, '-')",
    "group_concat(x, NULL)",
    "group_concat('', x)",
    "group_concat(NULL)",
    "group_concat(nullif(x % 3, 0), '; ')",
    "group_concat(x, substr('-----', 1, x % 5)) FILTER (WHERE x > 3)",
    "group_concat(x / 2.0, '\xc3\xa4')",
  };
  static const char *const windows[] = {
    "",
    " OVER (ORDER BY x ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
    " OVER (ORDER BY x ROWS BETWEEN 1 FOLLOWING AND 5 FOLLOWING)",
    " OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
    " OVER (PARTITION BY x % 3 ORDER BY x)",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  sqlite3 *plain = NULL;
  g_assert_cmpint (sqlite3_open (":memory:", &plain), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
    for (guint k = 0; k < G_N_ELEMENTS (windows); k++) {
      /* SQLite has no DISTINCT in windows, and SQLite 3.40 takes a window of one empty term for one without terms */
      if (k > 0 && (strstr (expressions[i], "DISTINCT") != NULL || strstr (expressions[i], "''") != NULL))
        continue;
      g_autofree char *sql =
        g_strdup_printf ("SELECT json_group_array(t) FROM (SELECT %s%s AS t " JOINED ")", expressions[i], windows[k]);
      assert_same (run, plain, sql);
    }
  sqlite3_close (plain);
}

/* printf() and format() return what SQLite's own functions return. */
static void
test_format (void)
{
  static const char *const calls[] = {
    "printf()",
    "printf(NULL, 1)",
    "printf('')",
    "printf('%s', '')",
    "printf('%d %i %5d %-5d| %05d %+d %,d', 1, 2, 3, 4, 5, 6, 7654321)",
    "printf('%*d|%-*d|%*d', 5, 1, 5, 2, -5, 3)",
    "printf('%.3f %8.2f %e %g %G %!.15f', 1.5, 2.25, 3e10, 4e-7, 5, 0.1)",
    "printf('%.*f %*.*f', 2, 3.14159, 9, 3, 2.71828)",
    "printf('%x %X %o %#x %lld %ld %u', 255, 255, 8, 255, 9223372036854775807, 5, 6)",
    "printf('%s|%10s|%-10s|%.2s|%!.2s', 'a', 'b', 'c', 'ddd', '\xc3\xa4\xc3\xb6\xc3\xbc')",
    "printf('%c%c %.3c', 'xyz', '\xc3\xa4', 'y')",
    "printf('%q %Q %w', 'it''s', 'it''s', 'a\"b')",
    "printf('100%% %n%s %z', 'a', 'b')",
    "printf('%d %s', 1)",
    "printf('%k %s', 'a', 'b')",
    "printf('%')",
    "printf('%5')",
    "printf('%d', 'text')",
    "printf('%s %s', x'414243', NULL)",
    "format('%,d', -1234567)",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  sqlite3 *plain = NULL;
  g_assert_cmpint (sqlite3_open (":memory:", &plain), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autofree char *sql = g_strdup_printf ("SELECT quote(%s)", calls[i]);
    assert_same (run, plain, sql);
  }
  sqlite3_close (plain);
}

/* A query that was cancelled fails, even if its last step has just ended. */
static void
test_cancelled_before_end (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, "SELECT 1", 0, cancellable, &error);
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_FAILED);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Queries that would need gigabytes stop near their memory limit, and afterwards the process has its former limit. */
static void
test_memory (void)
{
  static const char *const large[] = {
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c ORDER BY -x",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(DISTINCT x || 'text') FROM c",
    "WITH RECURSIVE c(x) AS (SELECT printf('%1000000d', 1) UNION ALL SELECT x FROM c) SELECT x FROM c ORDER BY x || 1",
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  gint64 limit = sqlite3_hard_heap_limit64 (-1);
  for (guint i = 0; i < G_N_ELEMENTS (large); i++) {
    g_autoptr (GError) error = NULL;
    gint64 before = sqlite3_memory_highwater (1);
    before = sqlite3_memory_used ();
    LoomQuery *query = loom_query_new (run, large[i], 8 * LOOM_MIB, NULL, &error);
    g_assert_cmpint (sqlite3_hard_heap_limit64 (-1), >, 0);
    g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_FAILED);
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
    loom_query_free (query);
    g_assert_cmpint (sqlite3_memory_highwater (0), <, before + (gint64) (8 * LOOM_MIB + LOOM_QUERY_RESERVE_BYTES));
  }
  g_assert_cmpint (sqlite3_hard_heap_limit64 (-1), ==, limit);
}

/* Returns the maximum amount of SQLite memory that the query uses, and sets `kept` to the amount that the run keeps
 * after it. */
static gint64
measure_memory (LoomQueryRun *run, const char *sql, gint64 *kept)
{
  g_autoptr (GError) error = NULL;
  gint64 before = sqlite3_memory_used ();
  sqlite3_memory_highwater (1);
  LoomQuery *query = loom_query_new (run, sql, 0, NULL, &error);
  g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_ROW);
  loom_query_free (query);
  *kept = sqlite3_memory_used () - before;
  return sqlite3_memory_highwater (0) - before;
}

/* The memory limit of a query includes lists that a virtual table builds: the values of an IN condition, and the list
 * of the events of each name, which the run keeps. A query that needs more memory for them fails. */
static void
test_list_memory (void)
{
#define LISTED "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 400000) SELECT count(*) FROM "
  static const FakeShape shape = { 1, 2, 150, 16, 12, FALSE };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
  g_autoptr (GError) error = NULL;
  gint64 kept, before = sqlite3_memory_used (),
               n_spans = (gint64) loom_run_count_spans (loom_timeline_get_run (timeline));
  g_assert_cmpint (measure_memory (run, "SELECT count(*) FROM span WHERE name = 'aten::linear'", &kept), >=,
                   4 * n_spans);
  g_assert_cmpint (kept, >=, 4 * n_spans);
  gint64 plain = measure_memory (run, LISTED "process WHERE id + 0 IN (SELECT x FROM c)", &kept),
         listed = measure_memory (run, LISTED "span WHERE duration IN (SELECT x FROM c)", &kept);
  g_test_message ("%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " bytes", plain, listed);
  g_assert_cmpint (listed, >=, plain + 8 * 400000);
  g_autoptr (LoomQuery) query = loom_query_new (run, LISTED "span WHERE duration IN (SELECT x FROM c)",
                                                (guint64) (plain + listed) / 2, NULL, &error);
  g_assert_cmpint (loom_query_next (query, &error), ==, LOOM_QUERY_FAILED);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
  g_clear_pointer (&query, loom_query_free);
  g_clear_pointer (&run, loom_query_run_unref);
  g_assert_cmpint (sqlite3_memory_used (), <=, before);
}

/* Returns the text `first`, followed by `n` copies of `part` and by `last`. */
static char *
repeat (const char *first, const char *part, guint n, const char *last)
{
  GString *text = g_string_new (first);
  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
  g_string_append (text, last);
  return g_string_free (text, FALSE);
}

/* Returns a query that joins `n` tables, in which every row could match every other row. */
static char *
new_wide_join (guint n)
{
  GString *text = g_string_new ("SELECT count(*) FROM span s0");
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, " JOIN span s%u ON s%u.start > s%u.duration OR s%u.id = s0.parent", i, i, i - 1, i);
  return g_string_free (text, FALSE);
}

/* Prepares a query, which cannot be cancelled while it is prepared, and reads its rows until it is cancelled. Returns
 * the error message; NULL if there are rows. */
static char *
ask_bounded (LoomQueryRun *run, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint64 begin_us = read_own_us ();
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 64 * LOOM_MIB, cancellable, &error);
  g_assert_cmpint (read_own_us () - begin_us, <, 20 * G_USEC_PER_SEC);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  begin_us = read_own_us ();
  while (query != NULL && loom_query_next (query, &error) == LOOM_QUERY_ROW)
    ;
  g_assert_cmpint (read_own_us () - begin_us, <, 5 * G_USEC_PER_SEC);
  g_thread_join (thread);
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* Query texts that are as deeply nested, wide and long as their maximum size allows: each ends soon, with rows, with a
 * message or because it is cancelled. `part` is the repeated part of the text; `message` NULL: any result is
 * accepted. */
static void
test_deep (void)
{
  static const struct {
    const char *first, *part, *last;
    guint n;
    const char *message;
  } cases[] = {
    { "SELECT ", "(", "1", 30000, "nested too deeply" },
    { "SELECT 1", " + 1", "", 15000, "too large (maximum depth 200)" },
    { "SELECT ", "NOT ", "1", 15000, "nested too deeply" },
    { "SELECT ", "- ", "1", 30000, "nested too deeply" },
    { "SELECT 1", " OR name = 'x'", " FROM span", 4000, "too large (maximum depth 200)" },
    { "SELECT 1", " UNION ALL SELECT 1", "", 3000, "too many terms in compound SELECT" },
    { "SELECT 1", ", 1", "", 20000, "too many columns" },
    { "SELECT max(1", ", 1", ")", 20000, "too many arguments" },
    { "SELECT 1 IN (1", ", 1", ")", 20000, NULL },
    { "SELECT ", "CASE WHEN 1 THEN ", "1", 3000, "nested too deeply" },
    { "SELECT * FROM ", "(SELECT * FROM ", "span", 3000, "nested too deeply" },
    { "SELECT ", "abs(", "1", 10000, "nested too deeply" },
    { "SELECT '", "\xc3\xa4", "'", 20000, NULL },
    { "SELECT count(*) FROM span", ", span", "", 100, "at most 64 tables" },
    { "SELECT 1 FROM span WHERE name LIKE '", "%a", "'", 400, NULL },
    { "SELECT 1 FROM span WHERE name GLOB '", "*[a-z]", "'", 100, "pattern too complex" },
    { "WITH a AS (SELECT 1 AS x)", ", a AS (SELECT 1)", " SELECT 1", 2000, NULL },
    { "SELECT interval_set(1, 2)", ", interval_set(1, 2)", " FROM span", 400, NULL },
  };
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *sql = repeat (cases[i].first, cases[i].part, cases[i].n, cases[i].last),
                    *message = ask_bounded (run, sql);
    g_test_message ("%s%s…: %s", cases[i].first, cases[i].part, message != NULL ? message : "rows");
    g_assert_cmpuint (strlen (sql), <=, LOOM_QUERY_TEXT_BYTES);
    if (cases[i].message != NULL) {
      g_assert_nonnull (message);
      g_assert_nonnull (strstr (message, cases[i].message));
    }
  }
}

/* Planning a join of many tables cannot be cancelled, and counting its rows would take too long; the query must end
 * with a message. */
static void
test_wide (void)
{
  g_autoptr (LoomQueryRun) run = query_fixture_new ();
  for (guint n = 4; n <= 60; n += 14) {
    g_autofree char *sql = new_wide_join (n), *message = ask_bounded (run, sql);
    g_test_message ("%u tables: %s", n, message);
    g_assert_nonnull (message);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query-limits/cancel", test_cancel);
  g_test_add_func ("/query-limits/cancel soon", test_cancel_soon);
  g_test_add_func ("/query-limits/long format", test_long_format);
  g_test_add_func ("/query-limits/format", test_format);
  g_test_add_func ("/query-limits/long concat", test_long_concat);
  g_test_add_func ("/query-limits/concat", test_concat);
  g_test_add_func ("/query-limits/cancelled before end", test_cancelled_before_end);
  g_test_add_func ("/query-limits/memory", test_memory);
  g_test_add_func ("/query-limits/lists", test_list_memory);
  g_test_add_func ("/query-limits/deep", test_deep);
  g_test_add_func ("/query-limits/wide", test_wide);
  return g_test_run ();
}
