/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures queries over a generated run against a pass over the columns and against the same queries over the exported SQLite
 * file. Prints one line of JSON, in ms: medians.
 *
 * Usage: bench-query THOUSANDS_OF_SPANS_PER_RANK RANKS
 */
#include "fake-run.h"
#include "loom-query-export.h"
#include "loom-query.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N_ROUNDS 5
#define N_LOOKUPS 50

/* An operator has some five spans, on the host and on the device. */
#define SPANS_PER_STEP 1000

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Time of this thread, which does all the work: other programs on the machine don't count. */
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

/* Begin, duration and name of every span, which a scan reads at least. */
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

/* Reads all rows of the live run, preparing included. */
static double
ask (LoomQueryRun *run, const char *sql)
{
  gint64 begin_us = now_us ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, NULL, &error);
  while (query != NULL && loom_query_next (query, &error) == LOOM_QUERY_ROW)
    for (guint i = 0; i < loom_query_get_n_columns (query); i++)
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
      sqlite3_column_int64 (statement, i);
  }
  sqlite3_finalize (statement);
  return ms_since (begin_us);
}

/* --- the floor ------------------------------------------------------------------------------------------------------- */

/* A virtual table whose rows cost nothing: what SQLite's loop over any table takes at least. */
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

/* Prints the times of one query; both sides alternate, so that they see the same state of the machine. */
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

/* The first query of a run: opening of a connection, planning, what a run computes once. */
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
  /* over the file it takes seconds, because the index leads from page to page */
  measure (run, database, "sums",
           "SELECT count(*), sum(duration), max(start), avg(duration) FROM span WHERE duration > 1000", 1);
  measure (run, database, "names", "SELECT name, count(*), sum(duration) FROM span GROUP BY name", N_ROUNDS);
  measure (run, database, "name", "SELECT count(*), sum(duration) FROM span WHERE name = 'aten::linear'", N_ROUNDS);
  measure (run, database, "like", "SELECT count(*) FROM span WHERE name LIKE '%linear'", N_ROUNDS);
  measure (run, database, "id", by_id, N_LOOKUPS);
  measure (run, database, "range", by_range, N_LOOKUPS);
}

int
main (int argc, char **argv)
{
  guint n_thousands = argc > 2 ? (guint) atoi (argv[1]) : 100, n_ranks = argc > 2 ? (guint) atoi (argv[2]) : 8;
  const FakeShape shape = {
    (n_ranks + 7) / 8, MIN (n_ranks, 8), MAX (n_thousands * 1000 / SPANS_PER_STEP, 1), 16, 12, FALSE
  };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  g_autoptr (LoomQueryRun) run = loom_query_run_new (timeline);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("bench-query-XXXXXX", &error),
                  *path = g_build_filename (folder, "run.sqlite", NULL);
  double pass_ms[N_ROUNDS];
  gint64 sum = 0;
  sqlite3 *database = NULL;
  for (guint i = 0; i < N_ROUNDS; i++)
    pass_ms[i] = pass_over_columns (loom_timeline_get_run (timeline), &sum);
  if (!loom_query_export_write (run, path, NULL, NULL, NULL, &error) || sqlite3_open (path, &database) != SQLITE_OK)
    g_error ("%s", error != NULL ? error->message : path);
  printf ("{");
  measure_all (run, timeline, database);
  printf ("\"floor\": %.4f, ", measure_floor (loom_run_count_spans (loom_timeline_get_run (timeline))));
  printf ("\"spans\": %" G_GUINT64_FORMAT ", \"pass\": %.4f, \"check\": %d}\n",
          loom_run_count_spans (loom_timeline_get_run (timeline)), median (pass_ms, N_ROUNDS), sum != 0);
  sqlite3_close (database);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
