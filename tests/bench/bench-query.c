/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures SQL queries over a generated run, and for comparison a plain pass over the columns of its spans and the same
 * queries over its export to an SQLite file. Prints one line of JSON: medians in ms.
 *
 * With --cancel, prints how long heavy queries continue after they are cancelled. With --lookups, measures only queries
 * for single rows, over a run that may be too large to export. With --queries, reads queries from a file, in which each
 * ends with a semicolon at the end of a line. Prints for each query a line with the ms over the run, the ms over the
 * SQLite file, and the ratio, in ascending order of the ratio. The last line says how many queries take at most half
 * the time of the SQLite file, or less than 1 ms in both.
 *
 * Usage: bench-query THOUSANDS_OF_SPANS_PER_RANK RANKS [--lookups | --cancel | --queries FILE [PATH…]]
 */
#include "fake-run.h"
#include "loom-load.h"
#include "loom-query-export.h"
#include "loom-query.h"

#include <glib/gstdio.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N_ROUNDS 5
#define N_LOOKUPS 50

/* Number of spans of a generated step; an operator has about five spans on the host and the device. */
#define SPANS_PER_STEP 1000

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Returns the processor time of this thread, which runs the whole query, so that other programs on the machine do not
 * count. */
static gint64
now_us (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static double
ms_since (gint64 begin_us)
{
  return (double) (now_us () - begin_us) / 1e3;
}

static double
median (double *ms, guint n)
{
  qsort (ms, n, sizeof *ms, compare_doubles);
  return ms[n / 2];
}

/* Reads the begin, duration and name of every span: the lower bound for a query that scans all spans. */
static double
pass_over_columns (LoomRun *run, gint64 *sum)
{
  gint64 begin_us = now_us ();
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomSpans *spans = loom_trace_get_spans (loom_run_get_trace (run, t));
    for (guint32 i = 0; i < spans->n; i++)
      *sum += spans->dur_ns[i] + (spans->start_ns[i] & 1) + (spans->name_id[i] & 1);
  }
  return ms_since (begin_us);
}

/* Prepares and runs a query on the loaded run and reads all its rows. Returns the ms. */
static double
ask (LoomQueryRun *run, const char *sql)
{
  gint64 begin_us = now_us ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, NULL, &error);
  while (query != NULL && loom_query_next (query, &error) == LOOM_QUERY_ROW)
    for (guint i = 0; i < loom_query_get_n_columns (query); i++)
      if (loom_query_get_type (query, i) == LOOM_QUERY_TEXT)
        loom_query_get_text (query, i, NULL);
      else
        loom_query_get_int (query, i);
  if (error != NULL)
    g_error ("%s: %s", sql, error->message);
  return ms_since (begin_us);
}

static double
ask_file (sqlite3 *database, const char *sql)
{
  gint64 begin_us = now_us ();
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (database, sql, -1, &statement, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step (statement);
    for (int i = 0; code == SQLITE_ROW && i < sqlite3_column_count (statement); i++)
      if (sqlite3_column_type (statement, i) == SQLITE_TEXT)
        sqlite3_column_text (statement, i);
      else
        sqlite3_column_int64 (statement, i);
  }
  sqlite3_finalize (statement);
  return ms_since (begin_us);
}

/* --- the floor ------------------------------------------------------------------------------------------------------- */

/* A virtual table whose rows cost nothing: it measures how long SQLite's own loop over the rows of any virtual table
 * takes. */
typedef struct {
  sqlite3_vtab_cursor base;
  sqlite3_int64 row, n;
} FloorCursor;

static int
floor_connect (sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **made, char **message)
{
  *made = sqlite3_malloc (sizeof **made);
  **made = (sqlite3_vtab) { 0 };
  return sqlite3_declare_vtab (database, "CREATE TABLE x (duration INTEGER, n INTEGER HIDDEN)");
}

static int
floor_disconnect (sqlite3_vtab *table)
{
  sqlite3_free (table);
  return SQLITE_OK;
}

static int
floor_plan (sqlite3_vtab *table, sqlite3_index_info *info)
{
  for (int i = 0; i < info->nConstraint; i++)
    if (info->aConstraint[i].usable && info->aConstraint[i].iColumn == 1)
      info->aConstraintUsage[i].argvIndex = info->aConstraintUsage[i].omit = 1;
  return SQLITE_OK;
}

static int
floor_open (sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
  FloorCursor *cursor = sqlite3_malloc (sizeof *cursor);
  *cursor = (FloorCursor) { 0 };
  *made = &cursor->base;
  return SQLITE_OK;
}

static int
floor_close (sqlite3_vtab_cursor *cursor)
{
  sqlite3_free (cursor);
  return SQLITE_OK;
}

static int
floor_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
  ((FloorCursor *) cursor)->n = argc > 0 ? sqlite3_value_int64 (argv[0]) : 0;
  return SQLITE_OK;
}

static int
floor_next (sqlite3_vtab_cursor *cursor)
{
  ((FloorCursor *) cursor)->row++;
  return SQLITE_OK;
}

static int
floor_at_end (sqlite3_vtab_cursor *cursor)
{
  return ((FloorCursor *) cursor)->row >= ((FloorCursor *) cursor)->n;
}

static int
floor_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  sqlite3_result_int64 (context, 7);
  return SQLITE_OK;
}

static int
floor_row_id (sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
  *id = ((FloorCursor *) cursor)->row;
  return SQLITE_OK;
}

static double
measure_floor (guint64 n_rows)
{
  static const sqlite3_module module = { .xConnect = floor_connect,
                                         .xBestIndex = floor_plan,
                                         .xDisconnect = floor_disconnect,
                                         .xOpen = floor_open,
                                         .xClose = floor_close,
                                         .xFilter = floor_filter,
                                         .xNext = floor_next,
                                         .xEof = floor_at_end,
                                         .xColumn = floor_column,
                                         .xRowid = floor_row_id };
  double ms[N_ROUNDS];
  sqlite3 *database = NULL;
  sqlite3_open (":memory:", &database);
  sqlite3_create_module (database, "no_cost", &module, NULL);
  g_autofree char *sql = g_strdup_printf ("SELECT sum(duration) FROM no_cost(%" G_GUINT64_FORMAT ")", n_rows);
  for (guint i = 0; i < N_ROUNDS; i++)
    ms[i] = ask_file (database, sql);
  sqlite3_close (database);
  return median (ms, N_ROUNDS);
}

/* --- queries --------------------------------------------------------------------------------------------------------- */

/* Prints the times of one query over the run and over the SQLite file. Alternates the two, so that changes in the speed
 * of the machine affect both equally. */
static void
measure (LoomQueryRun *run, sqlite3 *database, const char *key, const char *sql, guint n_rounds)
{
  double live[N_LOOKUPS], stored[N_LOOKUPS];
  for (guint i = 0; i < n_rounds; i++) {
    live[i] = ask (run, sql);
    stored[i] = ask_file (database, sql);
  }
  printf ("\"%s\": %.4f, \"%s_file\": %.4f, ", key, median (live, n_rounds), key, median (stored, n_rounds));
}

/* Measures the first query of a run, which also opens a connection and computes data that later queries share. */
static void
measure_first (LoomTimeline *timeline, const char *sql)
{
  double ms[N_ROUNDS];
  for (guint i = 0; i < N_ROUNDS; i++) {
    g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
    ms[i] = ask (run, sql);
  }
  printf ("\"first\": %.4f, ", median (ms, N_ROUNDS));
}

static void
measure_all (LoomQueryRun *run, LoomTimeline *timeline, sqlite3 *database)
{
  LoomSpanId some = fake_run_find (timeline, "aten::linear");
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, some, &start_ns, &end_ns);
  g_autofree char *by_id =
                    g_strdup_printf ("SELECT name, start, duration, track FROM span WHERE id = %" G_GINT64_FORMAT,
                                     loom_query_run_pack_id (some)),
                  *by_range = g_strdup_printf ("SELECT id, duration FROM span WHERE name = 'aten::linear' AND start >= "
                                               "%" G_GINT64_FORMAT " AND start < %" G_GINT64_FORMAT,
                                               start_ns, start_ns + 1000000);
  measure_first (timeline, by_range);
  measure (run, database, "scan", "SELECT sum(duration) FROM span", N_ROUNDS);
  measure (run, database, "rows", "SELECT sum(duration + 0) FROM span", N_ROUNDS);
  /* Measured only once, because it takes seconds in the SQLite file: the file has an index for this condition, but
   * reading rows in the order of that index jumps from page to page. */
  measure (run, database, "sums",
           "SELECT count(*), sum(duration), max(start), avg(duration) FROM span WHERE duration > 1000", 1);
  measure (run, database, "names", "SELECT name, count(*), sum(duration) FROM span GROUP BY name", N_ROUNDS);
  measure (run, database, "name", "SELECT count(*), sum(duration) FROM span WHERE name = 'aten::linear'", N_ROUNDS);
  measure (run, database, "like", "SELECT count(*) FROM span WHERE name LIKE '%linear'", N_ROUNDS);
  measure (run, database, "id", by_id, N_LOOKUPS);
  measure (run, database, "range", by_range, N_LOOKUPS);
}

/* --- queries of a file ------------------------------------------------------------------------------------------------ */

typedef struct {
  char *sql;
  double live_ms, stored_ms;
} Pair;

static void
clear_pair (gpointer pair)
{
  g_free (((Pair *) pair)->sql);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  double first = x->live_ms / x->stored_ms, second = y->live_ms / y->stored_ms;
  return first < second ? -1 : first > second;
}

static void
measure_pair (LoomQueryRun *run, sqlite3 *database, Pair *pair)
{
  double live[N_ROUNDS], stored[N_ROUNDS];
  ask (run, pair->sql); /* computes the data that all queries of a run share, which is not measured */
  for (guint i = 0; i < N_ROUNDS; i++) {
    live[i] = ask (run, pair->sql);
    stored[i] = ask_file (database, pair->sql);
  }
  pair->live_ms = median (live, N_ROUNDS);
  pair->stored_ms = median (stored, N_ROUNDS);
}

/* Measures the queries of a file. Skips queries that call table functions, which the SQLite file does not have. */
static void
measure_queries (LoomQueryRun *run, sqlite3 *database, const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  g_autoptr (GRegex) comments = g_regex_new ("^--.*\n", G_REGEX_MULTILINE, 0, NULL);
  g_autofree char *plain = g_regex_replace_literal (comments, text, -1, 0, "", 0, NULL);
  g_auto (GStrv) parts = g_strsplit (plain, ";\n", -1);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_array_set_clear_func (pairs, clear_pair);
  for (guint i = 0; parts[i] != NULL; i++) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2 (database, parts[i], -1, &statement, NULL) != SQLITE_OK || statement == NULL)
      continue;
    sqlite3_finalize (statement);
    Pair pair = { g_strdup (g_strstrip (parts[i])), 0, 1 };
    measure_pair (run, database, &pair);
    g_array_append_val (pairs, pair);
  }
  g_array_sort (pairs, compare_pairs);
  guint n_met = 0;
  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = &g_array_index (pairs, Pair, i);
    g_strdelimit (pair->sql, "\n", ' ');
    n_met += pair->live_ms <= pair->stored_ms / 2 || MAX (pair->live_ms, pair->stored_ms) < 1;
    printf ("%9.3f %9.3f %6.2f %s\n", pair->live_ms, pair->stored_ms, pair->live_ms / pair->stored_ms, pair->sql);
  }
  printf ("%u of %u take at most half the time, or less than 1 ms in both\n", n_met, pairs->len);
}

/* --- programs --------------------------------------------------------------------------------------------------------- */

static LoomTimeline *
load (char **paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) paths, NULL, NULL, NULL, NULL, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

/* Prints the times of queries for single rows while their memory is in no processor cache: a pass over the columns
 * before each query evicts it. */
static void
measure_lookups (LoomTimeline *timeline)
{
  double first_ms[N_ROUNDS], range_ms[N_LOOKUPS], id_ms[N_LOOKUPS], scan_ms[N_ROUNDS], pass_ms[N_ROUNDS];
  gint64 sum = 0;
  LoomRange extent;
  loom_timeline_get_extent (timeline, &extent);
  g_autoptr (LoomQueryRun) kept = loom_query_run_new (timeline);
  for (guint i = 0; i < N_LOOKUPS; i++) {
    gint64 start_ns = extent.begin_ns + (extent.end_ns - extent.begin_ns) / N_LOOKUPS * i;
    g_autofree char *by_range =
      g_strdup_printf ("SELECT id, duration FROM span WHERE name = 'aten::linear' AND start >= "
                       "%" G_GINT64_FORMAT " AND start < %" G_GINT64_FORMAT,
                       start_ns, start_ns + 1000000);
    pass_over_columns (loom_timeline_get_run (timeline), &sum);
    if (i < N_ROUNDS) {
      g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
      first_ms[i] = ask (run, by_range);
      pass_over_columns (loom_timeline_get_run (timeline), &sum);
    }
    range_ms[i] = ask (kept, by_range);
    g_autofree char *by_id =
      g_strdup_printf ("SELECT name, start, duration, track FROM span WHERE id = %u", i * 1000 + 17);
    id_ms[i] = ask (kept, by_id);
    if (i < N_ROUNDS) {
      pass_ms[i] = pass_over_columns (loom_timeline_get_run (timeline), &sum);
      scan_ms[i] = ask (kept, "SELECT sum(duration) FROM span");
    }
  }
  printf ("{\"first\": %.4f, \"range\": %.4f, \"id\": %.4f, \"scan\": %.4f, \"pass\": %.4f, "
          "\"spans\": %" G_GUINT64_FORMAT ", \"check\": %d}\n",
          median (first_ms, N_ROUNDS), median (range_ms, N_LOOKUPS), median (id_ms, N_LOOKUPS),
          median (scan_ms, N_ROUNDS), median (pass_ms, N_ROUNDS),
          loom_run_count_spans (loom_timeline_get_run (timeline)), sum != 0);
}

/* --- cancelling -------------------------------------------------------------------------------------------------------- */

/* Heavy queries whose time is spent in different code: SQLite's virtual machine, its sorter, scans of spans, sorted
 * orders, and tables that compute an analysis. */
static const char *const heavy[] = {
  "SELECT max(n) FROM (SELECT count(*) AS n FROM span GROUP BY duration)",
  "SELECT count(*) FROM (SELECT id FROM span ORDER BY -start LIMIT 100000000)",
  "SELECT sum(self) FROM span GROUP BY name",
  "SELECT id FROM span ORDER BY start",
  "SELECT id FROM span ORDER BY duration DESC",
  "SELECT count(*) FROM span WHERE name GLOB '*a*b*c*' OR start % 3 = 7",
  "SELECT count(*) FROM span a JOIN span b ON b.parent = a.id WHERE b.name = 'none'",
  "SELECT count(*) FROM interval_union((SELECT interval_set(id, -start, duration) FROM span))",
  "SELECT count(DISTINCT duration) FROM span",
  "SELECT sum(a) FROM (SELECT lag(start) OVER (PARTITION BY name ORDER BY -start) AS a FROM span)",
  "SELECT count(*) FROM step",
  "SELECT count(*) FROM collective",
  "SELECT count(*) FROM finding",
  "SELECT count(*) FROM critical_path()",
  "SELECT group_concat(name) FROM span",
};

typedef struct {
  GCancellable *cancellable;
  clockid_t clock; /* processor time of the thread that runs the query */
  gint64 after_us, at_us;
} Canceller;

static gint64
read_clock_us (clockid_t clock)
{
  struct timespec time;
  clock_gettime (clock, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gpointer
cancel (gpointer data)
{
  Canceller *canceller = data;
  g_usleep ((gulong) canceller->after_us);
  g_cancellable_cancel (canceller->cancellable);
  canceller->at_us = read_clock_us (canceller->clock);
  return NULL;
}

/* Cancels a query when the thread has used `after_us` of processor time. Returns the processor time in ms from then
 * until the query is freed; −1 if the query ended before it was cancelled. */
static double
cancel_after (LoomTimeline *timeline, const char *sql, gint64 after_us)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Canceller canceller = { .cancellable = cancellable, .after_us = after_us };
  LoomQueryRun *run = loom_query_run_new (timeline);
  if (pthread_getcpuclockid (pthread_self (), &canceller.clock) != 0)
    g_error ("A thread has no clock");
  GThread *thread = g_thread_new ("cancel", cancel, &canceller);
  LoomQuery *query = loom_query_new (run, sql, 0, cancellable, &error);
  while (query != NULL && loom_query_next (query, &error) == LOOM_QUERY_ROW)
    ;
  gint64 failed_us = read_clock_us (canceller.clock);
  loom_query_free (query);
  loom_query_run_unref (run);
  gint64 end_us = read_clock_us (canceller.clock);
  g_thread_join (thread);
  if (end_us - failed_us > 50000)
    fprintf (stderr, "freed in %.1f ms: %s\n", (double) (end_us - failed_us) / 1e3, sql);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (error != NULL && !cancelled)
    fprintf (stderr, "%s: %s\n", error->message, sql);
  return cancelled ? (double) (end_us - canceller.at_us) / 1e3 : -1;
}

/* Prints for each heavy query the longest time in ms from cancelling to its end, and the moment of this cancelling. */
static void
measure_cancelling (LoomTimeline *timeline)
{
  for (guint i = 0; i < G_N_ELEMENTS (heavy); i++) {
    double most_ms = 0, at_ms = 0;
    for (gint64 after_us = 2000; TRUE; after_us = after_us * 3 / 2) {
      double ms = cancel_after (timeline, heavy[i], after_us);
      if (ms < 0)
        break;
      at_ms = ms > most_ms ? (double) after_us / 1e3 : at_ms;
      most_ms = MAX (ms, most_ms);
    }
    printf ("%9.3f ms, cancelled after %9.3f ms: %s\n", most_ms, at_ms, heavy[i]);
    fflush (stdout);
  }
}

static void
measure_with_file (LoomTimeline *timeline, const char *queries)
{
  g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("bench-query-XXXXXX", &error),
                  *path = g_build_filename (folder, "run.sqlite", NULL);
  double pass_ms[N_ROUNDS];
  gint64 sum = 0;
  guint64 n_spans = loom_run_count_spans (loom_timeline_get_run (timeline));
  sqlite3 *database = NULL;
  if (!loom_query_export_write (run, path, NULL, NULL, NULL, &error) || sqlite3_open (path, &database) != SQLITE_OK)
    g_error ("%s", error != NULL ? error->message : path);
  for (guint i = 0; i < N_ROUNDS; i++)
    pass_ms[i] = pass_over_columns (loom_timeline_get_run (timeline), &sum);
  if (queries != NULL)
    measure_queries (run, database, queries);
  else {
    printf ("{");
    measure_all (run, timeline, database);
    printf ("\"floor\": %.4f, \"spans\": %" G_GUINT64_FORMAT ", \"pass\": %.4f, \"check\": %d}\n",
            measure_floor (n_spans), n_spans, median (pass_ms, N_ROUNDS), sum != 0);
  }
  sqlite3_close (database);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  guint n_thousands = argc > 2 ? (guint) atoi (argv[1]) : 100, n_ranks = argc > 2 ? (guint) atoi (argv[2]) : 8;
  const FakeShape shape = {
    (n_ranks + 7) / 8, MIN (n_ranks, 8), MAX (n_thousands * 1000 / SPANS_PER_STEP, 1), 16, 12, FALSE
  };
  g_autoptr (LoomTimeline) timeline = argc > 5 ? load (argv + 5) : fake_run_new (&shape);
  if (argc > 3 && strcmp (argv[3], "--lookups") == 0)
    measure_lookups (timeline);
  else if (argc > 3 && strcmp (argv[3], "--cancel") == 0)
    measure_cancelling (timeline);
  else
    measure_with_file (timeline, argc > 4 ? argv[4] : NULL);
  return 0;
}
