/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading of SQLite databases: the JSON text that is generated for each row is the same wherever reading begins,
 * and kernels are matched to the calls that launched them.
 */
#include "loom-error.h"
#include "loom-launch-links.h"
#include "loom-load.h"
#include "loom-made-json.h"
#include "loom-row-text.h"
#include "loom-sample-hold.h"

#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#define N_ROWS 5000

typedef struct {
  char *folder, *path;
  guint n_first, n_damages, n_freed; /* numbers of: rows whose text was generated for the first time, reports of damaged
                                      * tables, calls that free user data */
} Fixture;

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *base;
  g_assert_cmpint (sqlite3_open (path, &base), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (base, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (base);
}

/* Creates two tables with gaps in their ids and texts of different lengths. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("traceloom-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a ?#%.sqlite", NULL);
  run_sql (fixture->path,
           "CREATE TABLE one (word TEXT, time INTEGER); CREATE TABLE two (time INTEGER);"
           "WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 4999)"
           " INSERT INTO one (rowid, word, time) SELECT i * 3 - 500, printf('%.*c', i % 90, 'x'), i * 1001 FROM n;"
           "INSERT INTO two SELECT time FROM one WHERE rowid % 7 = 0;");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
format (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
        gpointer user_data)
{
  Fixture *fixture = user_data;
  fixture->n_first += is_first;
  if (number % 5 == 4)
    return;
  loom_made_json_append (text, "{\"table\":\"");
  loom_made_json_append (text, table->data);
  loom_made_json_append (text, "\",\"number\":");
  loom_made_json_append_int (text, (gint64) number);
  loom_made_json_append (text, ",\"word\":\"");
  loom_made_json_append (text, sqlite3_column_type (row, 1) == SQLITE_TEXT ? (const char *) sqlite3_column_text (row, 1)
                                                                           : "");
  loom_made_json_append (text, "\"},\n");
}

static void
on_damage (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data)
{
  ((Fixture *) user_data)->n_damages++;
}

static void
on_freed (gpointer user_data)
{
  ((Fixture *) user_data)->n_freed++;
}

static LoomByteSource *
open_text (Fixture *fixture)
{
  static const char *const one[] = { "word", "time", NULL }, *const two[] = { "time", NULL };
  static const LoomRowTable tables[] = { { "one", one, format, "one" },
                                         { "missing", one, format, "missing" },
                                         { "two", two, format, "two" } };
  g_autoptr (GError) error = NULL;
  LoomDatabase *base = loom_database_open (fixture->path, &error);
  g_assert_no_error (error);
  return loom_row_text_new (base, tables, G_N_ELEMENTS (tables), on_damage, fixture, on_freed);
}

static GString *
read_all (LoomByteSource *text)
{
  GString *whole = g_string_new (NULL);
  char buffer[7001];
  gssize n;
  while ((n = loom_byte_source_read (text, whole->len, buffer, sizeof buffer, NULL)) > 0)
    g_string_append_len (whole, buffer, n);
  g_assert_cmpint (n, ==, 0);
  return whole;
}

/* A truncated database gives the rows on the pages that remain, and a problem says that the rest is missing. */
static void
test_cut (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize n;
  guint n_before = 0;
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &n, NULL));
  for (gsize tenths = 3; tenths <= 10; tenths++) {
    fixture->n_first = fixture->n_damages = 0;
    g_assert_true (g_file_set_contents (fixture->path, bytes, (gssize) (n * tenths / 10), NULL));
    LoomByteSource *text = open_text (fixture);
    g_autoptr (GString) whole = read_all (text);
    g_assert_cmpuint (fixture->n_first, >=, n_before);
    g_assert_cmpuint (loom_database_count_missing_bytes (fixture->path), ==, n - n * tenths / 10);
    g_assert_cmpuint (fixture->n_damages > 0, ==, tenths < 10);
    n_before = fixture->n_first;
    loom_byte_source_unref (text);
    if (tenths == 7)
      g_assert_cmpuint (n_before, >, N_ROWS / 3);
  }
  g_assert_cmpuint (n_before, ==, N_ROWS + N_ROWS / 7 + 1);
}

static void
test_anywhere (Fixture *fixture, gconstpointer data)
{
  LoomByteSource *text = open_text (fixture), *other = open_text (fixture);
  g_autoptr (GString) whole = read_all (text);
  g_assert_cmpuint (fixture->n_first, ==, N_ROWS + N_ROWS / 7 + 1);
  g_assert_true (g_str_has_prefix (whole->str, "{\"traceEvents\":[\n{\"table\":\"one\",\"number\":0,"));
  g_assert_true (g_str_has_suffix (whole->str, "},\n]}\n"));
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (guint i = 0; i < 300; i++) {
    gsize offset = (gsize) g_rand_int_range (rand, 0, (gint32) whole->len),
          length = MIN ((gsize) g_rand_int_range (rand, 1, 5000), whole->len - offset);
    g_autofree char *again = loom_byte_source_dup_range (text, offset, length, NULL);
    g_assert_cmpmem (again, length, whole->str + offset, length);
    /* reads from a source that was not read in sequence before */
    g_autofree char *fresh = loom_byte_source_dup_range (other, offset, length, NULL);
    g_assert_cmpmem (fresh, length, whole->str + offset, length);
  }
  g_assert_cmpuint (fixture->n_first, ==, 2 * (N_ROWS + N_ROWS / 7 + 1));
  g_assert_cmpuint (fixture->n_damages, ==, 0);
  loom_byte_source_unref (text);
  loom_byte_source_unref (other);
  g_assert_cmpuint (fixture->n_freed, ==, 2);
}

static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomByteSource) text = open_text (fixture);
  g_autoptr (GError) error = NULL;
  char buffer[100];
  g_assert_cmpint (loom_byte_source_read (text, 0, buffer, sizeof buffer, NULL), ==, sizeof buffer);
  run_sql (fixture->path, "INSERT INTO two SELECT time FROM one;");
  g_assert_cmpint (loom_byte_source_read (text, 0, buffer, sizeof buffer, &error), ==, -1);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

/* Reading a database creates no files beside it, such as journals; SQL statements that would change it are refused. */
static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "word", NULL };
  g_autoptr (LoomDatabase) base = loom_database_open (fixture->path, NULL);
  sqlite3_stmt *row = loom_database_select (base, "one", columns, NULL);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_ROW);
  sqlite3 *handle = sqlite3_db_handle (row);
  g_assert_cmpint (sqlite3_exec (handle, "DELETE FROM one", NULL, NULL, NULL), !=, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, "ATTACH '/dev/null' AS other", NULL, NULL, NULL), !=, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL), !=, SQLITE_OK);
  sqlite3_finalize (row);
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  g_autofree char *name = g_path_get_basename (fixture->path);
  g_assert_cmpstr (g_dir_read_name (folder), ==, name);
  g_assert_null (g_dir_read_name (folder));
}

static void
test_us (void)
{
  static const struct {
    gint64 ns;
    const char *us;
  } cases[] = { { 0, "0" },       { 1, "0.001" },
                { -1, "-0.001" }, { 999, "0.999" },
                { 1000, "1" },    { 60120993856, "60120993.856" },
                { -3000, "-3" },  { G_MININT64, "-9223372036854775.808" } };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_string_truncate (text, 0);
    loom_made_json_append_us (text, cases[i].ns);
    g_assert_cmpstr (text->str, ==, cases[i].us);
  }
}

/* If several calls have the same correlation id, the call of the kind with the highest priority is taken as the launch.
 * Equal ids in different processes belong to different launches. */
static void
test_links (void)
{
  g_autoptr (LoomLaunchLinks) links = loom_launch_links_new ();
  guint64 n_without;
  for (guint64 id = 0; id < 3000; id++)
    loom_launch_links_add_row (links, id, id % 2, id / 2);
  loom_launch_links_add_row (links, 3000, 0, 5); /* a second kernel of the same launch */
  loom_launch_links_add_row (links, 3001, 7, 5);
  for (guint64 id = 0; id < 1500; id++) {
    loom_launch_links_add_call (links, 2 * id, 0, id, 10);
    loom_launch_links_add_call (links, 2 * id + 1, 0, id, id == 3 ? 20 : 5);
  }
  loom_launch_links_finish (links);
  g_assert_cmpuint (loom_launch_links_count (links, &n_without), ==, 1501);
  g_assert_cmpuint (n_without, ==, 1501);
  g_assert_true (loom_launch_links_is_launched (links, 10) && loom_launch_links_is_launched (links, 3000));
  g_assert_false (loom_launch_links_is_launched (links, 11) || loom_launch_links_is_launched (links, 3001));
  g_assert_true (loom_launch_links_launches (links, 2) && !loom_launch_links_launches (links, 3));
  g_assert_true (!loom_launch_links_launches (links, 6) && loom_launch_links_launches (links, 7));
  g_assert_false (loom_launch_links_launches (links, 5000) || loom_launch_links_is_launched (links, 5000));
}

/* Rows and calls are linked in whatever order their ids are. */
static void
test_links_order (void)
{
  enum { N = 1000 };
  g_autoptr (LoomLaunchLinks) links = loom_launch_links_new ();
  guint64 n_without;
  for (guint64 i = 0; i < N; i++)
    loom_launch_links_add_row (links, i, 0, i * 7 % N * 3); /* 7 and 1000 have no common divisor */
  for (guint64 i = 0; i < 3 * N; i++)
    loom_launch_links_add_call (links, i, 0, i * 11 % (3 * N), 0);
  loom_launch_links_finish (links);
  g_assert_cmpuint (loom_launch_links_count (links, &n_without), ==, N);
  g_assert_cmpuint (n_without, ==, 0);
  for (guint64 i = 0; i < 3 * N; i++)
    g_assert_cmpint (loom_launch_links_launches (links, i), ==, i * 11 % (3 * N) % 3 == 0);
}

/* If SQLite may not use enough memory to unpack a compressed database, the error says so; it does not state a size. */
static void
test_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *packed = g_strconcat (fixture->path, ".gz", NULL), *bytes = g_malloc0 (4 * 1024 * 1024);
  gzFile file = gzopen (packed, "wb");
  g_assert_cmpint (gzwrite (file, bytes, 4 * 1024 * 1024), ==, 4 * 1024 * 1024);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  sqlite3_int64 before = sqlite3_hard_heap_limit64 (sqlite3_memory_used () + 1536 * 1024);
  LoomDatabase *database = loom_database_open_at (packed, NULL, FALSE, NULL, &error);
  sqlite3_hard_heap_limit64 (before);
  g_assert_null (database);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "not enough memory"));
  g_remove (packed);
}

/* The value of a monitor in an RPD database holds no longer than the longest row of the monitor, so that it is unknown
 * in a gap and after the last row. */
static void
test_monitors (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "a.rpd", NULL);
  run_sql (path,
           "CREATE TABLE rocpd_string (id, string); CREATE TABLE rocpd_op (id, gpuId, queueId, start, end, "
           "description_id, opType_id); CREATE TABLE rocpd_api (id, pid, tid, start, end, apiName_id, args_id);"
           "CREATE TABLE rocpd_monitor (deviceType, deviceId, monitorType, start, end, value);"
           "INSERT INTO rocpd_string VALUES (1, 'work');"
           "INSERT INTO rocpd_api VALUES (1, 7, 7, 100, 5000, 1, 1);"
           "INSERT INTO rocpd_monitor VALUES ('gpu', 0, 'util', 100, 200, '10'), ('gpu', 0, 'util', 200, 260, '30'),"
           " ('gpu', 0, 'util', 600, 700, '80'), ('gpu', 0, 'sclk', 100, 1100, '1500');");
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  for (guint i = 0; i < 2; i++) {
    const LoomSeries *series = loom_trace_get_series (loom_run_get_trace (run, 0), i);
    g_assert_cmpint (series->hold_ns, ==, series->n == 3 ? 100 : 1000);
    g_assert_cmpint (loom_sample_hold_get (series, series->n - 1), ==, series->n == 3 ? 100 : 1000);
  }
  g_remove (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/import/database/anywhere", Fixture, NULL, set_up, test_anywhere, tear_down);
  g_test_add ("/import/database/cut", Fixture, NULL, set_up, test_cut, tear_down);
  g_test_add ("/import/database/changed", Fixture, NULL, set_up, test_changed, tear_down);
  g_test_add ("/import/database/read-only", Fixture, NULL, set_up, test_read_only, tear_down);
  g_test_add ("/import/database/memory", Fixture, NULL, set_up, test_memory, tear_down);
  g_test_add ("/import/database/monitors", Fixture, NULL, set_up, test_monitors, tear_down);
  g_test_add_func ("/import/database/us", test_us);
  g_test_add_func ("/import/database/links", test_links);
  g_test_add_func ("/import/database/links-order", test_links_order);
  return g_test_run ();
}
