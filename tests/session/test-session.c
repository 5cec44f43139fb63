/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-session-file.h"

#include <glib/gstdio.h>
#include <string.h>

#include "loom-error.h"
#include "loom-input-files.h"

typedef struct {
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("traceloom-session-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "mine.traceloom", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

/* Saving a session must not overwrite an open trace file, even if the user chooses its name. */
static void
test_over_input (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_assert_true (g_file_set_contents (fixture->path, "[]", -1, NULL));
  LoomInputFiles *input = loom_input_files_new (fixture->path);
  g_assert_false (loom_session_file_write (session, fixture->path, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "[]");
  loom_input_files_free (input);
  g_assert_true (loom_session_file_write (session, fixture->path, NULL));
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *inside = g_build_filename (fixture->folder, "run", "rank 0.json", NULL);
  loom_session_file_add_path (session, inside);
  loom_session_file_add_path (session, "/elsewhere/trace.json");
  loom_clock_overrides_set_offset (session->clocks, inside, 5);
  loom_clock_overrides_set_offset (session->clocks, "/elsewhere/trace.json", -1700000000123456789);
  loom_clock_overrides_set_offset (session->clocks, inside, 0);
  loom_clock_overrides_add_pick (session->clocks, inside, 100, "/elsewhere/trace.json", G_MININT64 + 3);
  loom_clock_overrides_add_pick (session->clocks, "/elsewhere/trace.json", 7, inside, -9);
  loom_session_file_add_mark (session, 20, "later");
  loom_session_file_add_mark (session, 10, "“first”");
  session->has_view = TRUE;
  session->view = (LoomRange) { G_MININT64 + 1, G_MAXINT64 };
  session->selection = (LoomRange) { -7, G_MAXINT64 - 1 };
  session->n_told = 3;
  session->clocks->mode = LOOM_ALIGN_NONE;
  session->notes = g_strdup ("two\nlines");
  session->range = g_strdup ("visible");
  session->query = g_strdup ("SELECT '“a”'\nFROM span");
  session->chart = (LoomSessionChart) { g_strdup ("lines"), g_strdup ("“x”"), NULL, g_strdup ("") };
  loom_session_file_add_query (session, "“kept”", "SELECT 2");
  loom_session_file_add_lane (session, "“mine”", "SELECT 1");
  g_hash_table_replace (session->dismissed, g_strdup ("StepOutlier"), g_strdup ("“checkpoints”"));
  g_hash_table_replace (session->dismissed, g_strdup ("BatchSize"), g_strdup (""));
  g_ptr_array_add (session->rule_files, g_strdup ("/elsewhere/team.json"));
  g_assert_true (loom_session_file_write (session, fixture->path, &error));
  g_assert_no_error (error);

  g_assert_true (loom_session_file_is_session (fixture->path));
  g_autoptr (LoomSession) again = loom_session_file_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->paths->len, ==, 2);
  g_assert_cmpstr (again->paths->pdata[0], ==, inside);
  g_assert_cmpint (loom_clock_overrides_get_offset (again->clocks, "/elsewhere/trace.json"), ==, -1700000000123456789);
  g_assert_cmpint (loom_clock_overrides_get_offset (again->clocks, inside), ==, 0);
  g_assert_cmpuint (again->clocks->picks->len, ==, 2);
  g_assert_true (loom_clock_overrides_equal (again->clocks, session->clocks));
  g_assert_cmpuint (again->marks->len, ==, 2);
  g_assert_cmpstr (g_array_index (again->marks, LoomSessionMarker, 0).label, ==, "“first”");
  g_assert_true (again->has_view);
  g_assert_cmpint (again->view.begin_ns, ==, G_MININT64 + 1);
  g_assert_cmpint (again->view.end_ns, ==, G_MAXINT64);
  g_assert_cmpint (again->selection.begin_ns, ==, -7);
  g_assert_cmpint (again->selection.end_ns, ==, G_MAXINT64 - 1);
  g_assert_cmpuint (again->n_told, ==, 3);
  g_assert_cmpint (again->clocks->mode, ==, LOOM_ALIGN_NONE);
  g_assert_cmpstr (again->notes, ==, "two\nlines");
  g_assert_cmpstr (again->range, ==, "visible");
  g_assert_cmpstr (again->query, ==, "SELECT '“a”'\nFROM span");
  g_assert_cmpstr (again->chart.kind, ==, "lines");
  g_assert_cmpstr (again->chart.x, ==, "“x”");
  g_assert_null (again->chart.y);
  g_assert_cmpstr (again->chart.group, ==, "");
  g_assert_cmpuint (again->queries->len, ==, 1);
  g_assert_cmpstr (g_array_index (again->queries, LoomSessionQuery, 0).name, ==, "“kept”");
  g_assert_cmpstr (g_array_index (again->queries, LoomSessionQuery, 0).query, ==, "SELECT 2");
  g_assert_cmpuint (again->lanes->len, ==, 1);
  g_assert_cmpstr (g_array_index (again->lanes, LoomSessionQuery, 0).name, ==, "“mine”");
  g_assert_cmpstr (g_array_index (again->lanes, LoomSessionQuery, 0).query, ==, "SELECT 1");
  g_assert_cmpuint (g_hash_table_size (again->dismissed), ==, 2);
  g_assert_cmpuint (again->rule_files->len, ==, 1);
  g_assert_cmpstr (again->rule_files->pdata[0], ==, "/elsewhere/team.json");
  g_assert_cmpstr (g_hash_table_lookup (again->dismissed, "StepOutlier"), ==, "“checkpoints”");
  g_assert_cmpstr (g_hash_table_lookup (again->dismissed, "BatchSize"), ==, "");
}

/* Remote locations in a session are stored unchanged, because they are neither absolute nor relative paths. */
static void
test_locations (Fixture *fixture, gconstpointer data)
{
  static const char *const places[] = { "s3://bucket/job/profiler-output", "sftp://host/run#suffix=.json" };
  g_autoptr (LoomSession) session = loom_session_file_new ();
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    loom_session_file_add_path (session, places[i]);
  loom_clock_overrides_set_offset (session->clocks, places[0], 7);
  g_assert_true (loom_session_file_write (session, fixture->path, NULL));
  g_autoptr (LoomSession) again = loom_session_file_read (fixture->path, NULL);
  g_assert_cmpuint (again->paths->len, ==, G_N_ELEMENTS (places));
  for (guint i = 0; i < again->paths->len; i++)
    g_assert_cmpstr (again->paths->pdata[i], ==, places[i]);
  g_assert_cmpint (loom_clock_overrides_get_offset (again->clocks, places[0]), ==, 7);
}

/* A file URI is treated like a path, whatever its number of slashes. */
static void
test_uris (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (fixture->path,
                                      "{\"traceloom-session\":1,\"sources\":[{\"path\":\"file:///a//b/../c%20d\"}],"
                                      "\"offsets\":[{\"path\":\"file:///y.file:///y.json\",\"offset_ns\":5}]}",
                                      -1, NULL));
  g_autoptr (LoomSession) session = loom_session_file_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (session->paths->pdata[0], ==, "/a/c d");
  g_assert_cmpint (loom_clock_overrides_get_offset (session->clocks, "/y.file:/y.json"), ==, 5);
}

/* An invalid range in a session selects nothing, and neither does a session of an older version, which has no range. */
static void
test_no_selection (Fixture *fixture, gconstpointer data)
{
  static const char *const members[] = { "\"marks\":[]",
                                         "\"selection\":7",
                                         "\"selection\":{\"begin_ns\":5}",
                                         "\"selection\":{\"begin_ns\":5,\"end_ns\":5}",
                                         "\"selection\":{\"begin_ns\":9,\"end_ns\":5}",
                                         "\"told-clocks\":-1",
                                         "\"told-clocks\":\"2\"" };
  for (guint i = 0; i < G_N_ELEMENTS (members); i++) {
    g_autofree char *text = g_strdup_printf ("{\"traceloom-session\":1,%s}", members[i]);
    g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
    g_autoptr (LoomSession) session = loom_session_file_read (fixture->path, NULL);
    g_assert_nonnull (session);
    g_assert_cmpint (session->selection.end_ns - session->selection.begin_ns, ==, 0);
    g_assert_cmpuint (session->n_told, ==, 0);
    g_autofree char *again = loom_session_file_to_text (session, "/", NULL);
    g_assert_null (strstr (again, "selection"));
  }
}

/* A session that is moved together with its folder still finds its files. */
static void
test_relative (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autofree char *inside = g_build_filename (fixture->folder, "run", NULL);
  g_autofree char *text = NULL;
  loom_session_file_add_path (session, inside);
  loom_session_file_add_path (session, fixture->folder);
  g_assert_true (loom_session_file_write (session, fixture->path, NULL));
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_null (strstr (text, fixture->folder));
  g_autoptr (LoomSession) again = loom_session_file_read (fixture->path, NULL);
  g_assert_cmpstr (again->paths->pdata[0], ==, inside);
  g_assert_cmpstr (again->paths->pdata[1], ==, fixture->folder);
}

static void
check_refused (Fixture *fixture, const char *text, int code)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
  g_assert_null (loom_session_file_read (fixture->path, &error));
  g_assert_error (error, LOOM_ERROR, code);
  g_assert_nonnull (strstr (error->message, "mine.traceloom"));
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *open = g_strnfill (200000, '['), *close = g_strnfill (200000, ']');
  g_autofree char *deep = g_strconcat ("{\"traceloom-session\":1,\"x\":", open, close, "}", NULL);
  check_refused (fixture, "", LOOM_ERROR_FORMAT);
  check_refused (fixture, "[]", LOOM_ERROR_FORMAT);
  check_refused (fixture, "{\"traceloom-session\":\"1\"}", LOOM_ERROR_FORMAT);
  check_refused (fixture, "{\"traceloom-session\":2}", LOOM_ERROR_FORMAT);
  check_refused (fixture, "{\"traceloom-session\":1", LOOM_ERROR_FORMAT);
  check_refused (fixture, deep, LOOM_ERROR_LIMIT);
}

/* Members of the session that have a wrong type are treated as missing. */
static void
test_wrong_types (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (
    fixture->path,
    "{\"traceloom-session\":1,\"sources\":[1,{\"path\":2},{\"path\":\"a\"}],\"offsets\":{},"
    "\"view\":{\"begin_ns\":1,\"end_ns\":\"x\"},\"marks\":[{\"label\":\"m\"}],\"clock\":\"sun\",\"range\":3,\"new\":[]}",
    -1, NULL));
  g_autoptr (LoomSession) session = loom_session_file_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (session->paths->len, ==, 1);
  g_assert_cmpuint (session->clocks->offsets->len, ==, 0);
  g_assert_cmpuint (session->marks->len, ==, 0);
  g_assert_false (session->has_view);
  g_assert_null (session->range);
  g_assert_cmpint (session->clocks->mode, ==, LOOM_ALIGN_AUTO);
}

/* Edits of sources are the same after a session is saved and read, including the pattern for ranks and names with
 * quotes. */
static void
test_source_edits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *inside = g_build_filename (fixture->folder, "run", "rank 0.json", NULL);
  loom_session_file_add_path (session, inside);
  loom_source_overrides_set_pattern (session->sources, "(?<rank>\\d+)");
  LoomSourceEdit *edit = loom_source_overrides_change (session->sources, inside);
  edit->name = g_strdup ("“first”");
  edit->node = g_strdup ("left");
  edit->has_rank = edit->muted = TRUE;
  edit->rank = 7;
  loom_source_overrides_change (session->sources, "/elsewhere/b.json")->removed = TRUE;
  loom_source_overrides_change (session->sources, "/elsewhere/c.json")->solo = TRUE;
  g_assert_true (loom_session_file_write (session, fixture->path, &error));
  g_autoptr (LoomSession) again = loom_session_file_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_true (loom_source_overrides_equal (session->sources, again->sources));
  g_assert_cmpstr (loom_source_overrides_find (again->sources, inside)->name, ==, "“first”");
}

static void
test_write_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autoptr (GError) error = NULL;
  g_assert_false (loom_session_file_write (session, "/nowhere/at/all.traceloom", &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_WRITE);
}

/* Writes a session with every member to the file that tests/cli/test-schemas.py checks against the schema. */
static void
test_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomSession) session = loom_session_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "full.traceloom", NULL), *wanted = NULL;
  loom_session_file_add_path (session, "/job/traces");
  loom_session_file_add_path (session, "s3://bucket/job");
  loom_clock_overrides_set_offset (session->clocks, "/job/traces/rank1.json", -3000);
  loom_clock_overrides_add_pick (session->clocks, "/job/traces/rank0.json", 100, "/job/traces/rank1.json", 90);
  LoomSourceEdit *edit = loom_source_overrides_change (session->sources, "/job/traces/rank1.json");
  edit->name = g_strdup ("second");
  edit->node = g_strdup ("algo-2");
  edit->has_rank = edit->removed = edit->muted = edit->solo = TRUE;
  edit->rank = 1;
  loom_source_overrides_set_pattern (session->sources, "(?<node>[^/]+)/rank(?<rank>[0-9]+)");
  loom_session_file_add_mark (session, 1700000000000000000, "slow");
  session->has_view = TRUE;
  session->view = session->selection = (LoomRange) { 1700000000000000000, 1700000001000000000 };
  session->scroll_px = 40;
  session->n_told = 3;
  session->notes = g_strdup ("rank 1 throttled");
  session->rows = g_strdup ("[{'id': <'rank 1'>}]");
  session->panel = g_strdup ("query");
  session->range = g_strdup ("loop");
  session->colors = g_strdup ("category");
  session->arrows = TRUE;
  session->path = TRUE;
  session->query = g_strdup ("SELECT name FROM span");
  session->chart =
    (LoomSessionChart) { g_strdup ("bars"), g_strdup ("name"), g_strdup ("duration"), g_strdup ("rank") };
  loom_session_file_add_query (session, "names", "SELECT DISTINCT name FROM span");
  loom_session_file_add_lane (session, "steps", "SELECT start, duration FROM step");
  g_hash_table_replace (session->dismissed, g_strdup ("StepOutlier"), g_strdup ("checkpoints"));
  g_ptr_array_add (session->rule_files, g_strdup ("/team/rules.json"));
  g_autofree char *text = loom_session_file_to_text (session, "/job", NULL);
  if (g_getenv ("LOOM_UPDATE") != NULL)
    g_file_set_contents (path, text, -1, NULL);
  g_assert_true (g_file_get_contents (path, &wanted, NULL, &error));
  g_assert_cmpstr (text, ==, wanted);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/session/written", Fixture, NULL, set_up, test_written, tear_down);
  g_test_add ("/session/over-input", Fixture, NULL, set_up, test_over_input, tear_down);
  g_test_add ("/session/locations", Fixture, NULL, set_up, test_locations, tear_down);
  g_test_add ("/session/uris", Fixture, NULL, set_up, test_uris, tear_down);
  g_test_add ("/session/relative", Fixture, NULL, set_up, test_relative, tear_down);
  g_test_add ("/session/no-selection", Fixture, NULL, set_up, test_no_selection, tear_down);
  g_test_add ("/session/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/session/wrong-types", Fixture, NULL, set_up, test_wrong_types, tear_down);
  g_test_add ("/session/source-edits", Fixture, NULL, set_up, test_source_edits, tear_down);
  g_test_add ("/session/write-fails", Fixture, NULL, set_up, test_write_fails, tear_down);
  return g_test_run ();
}
