/* SPDX-License-Identifier: Apache-2.0
 *
 * The report from the window: each kind of file is written and read back, what fails leaves what was there, and the name
 * says what is written.
 */
#include "fixture.h"

#include "loom-file-dialogs.h"
#include "loom-toasts.h"
#include "loom-window-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

static LoomWindow *window;
static const LoomReportOptions whole = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED };

static gboolean
has_saved (gpointer data)
{
  return window->saving == NULL;
}

static void
save (const LoomReportOptions *options, const char *path)
{
  loom_window_write_report (window, options, path);
  g_assert_nonnull (window->saving);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "save-report"));
  g_assert_true (fixture_wait (has_saved, NULL));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "save-report"));
}

/* The text of a report of that name; the toast tells of it. */
static char *
report (const LoomReportOptions *options, const char *name)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, name, NULL);
  char *text;
  save (options, path);
  g_assert_null (loom_window_get_load_error (window));
  g_assert_nonnull (strstr (adw_toast_get_title (loom_toasts_get_shown (G_OBJECT (window), "saved")), name));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_html (void)
{
  g_autofree char *text = report (&whole, "run.html");
  g_assert_nonnull (strstr (text, "<html"));
  g_assert_nonnull (strstr (text, "Duration of each step"));
  g_assert_nonnull (strstr (text, "</html>"));
}

static void
test_pdf (void)
{
  g_autofree char *text = report (&whole, "run.PDF");
  g_assert_true (g_str_has_prefix (text, "%PDF-"));
}

static void
test_text (void)
{
  g_autofree char *text = report (&whole, "run.txt");
  g_assert_nonnull (strstr (text, "Steps"));
  g_assert_null (strstr (text, "<svg"));
}

static JsonObject *
parse (JsonParser *parser, const char *text)
{
  g_autoptr (GError) error = NULL;
  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static gint64
count_steps (const LoomReportOptions *options)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = report (options, "run.json");
  JsonObject *steps = json_object_get_object_member (parse (parser, text), "steps");
  gint64 n = 0;
  JsonArray *ranks = json_object_get_array_member (steps, "ranks");
  for (guint i = 0; i < json_array_get_length (ranks); i++)
    n += json_object_get_int_member (json_array_get_object_element (ranks, i), "count");
  return n;
}

/* 12 steps on each of 4 ranks; of a part of the run fewer. */
static void
test_json (void)
{
  LoomRange extent = loom_timeline_state_get_extent (fixture_state (window));
  LoomReportOptions part = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED, .has_range = TRUE, .range = extent };
  part.range.end_ns = extent.begin_ns + (extent.end_ns - extent.begin_ns) / 2;
  g_assert_cmpint (count_steps (&whole), ==, 48);
  g_assert_cmpint (count_steps (&part), >, 0);
  g_assert_cmpint (count_steps (&part), <, 48);
}

/* A place below a file is one that even root cannot write to. */
static void
test_no_such_place (void)
{
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "file", "x"),
                  *path = g_build_filename (file, "run.html", NULL);
  g_autofree char *text = NULL;
  save (&whole, path);
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "run.html"));
  g_assert_true (
    g_str_has_suffix (loom_window_get_load_error (window), ". Choose another place and save the report again."));
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "x");
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* What was there before stays as it was, and nothing half written lies beside it. */
static void
test_cancelled (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "run.html", "the report before"),
                  *text = NULL;
  loom_window_write_report (window, &whole, path);
  g_signal_emit_by_name (window->save_bar, "cancel");
  g_assert_true (fixture_wait (has_saved, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "the report before");
  g_assert_cmpuint (count_files (folder), ==, 1);
  g_assert_null (adw_toast_get_button_label (loom_toasts_get_shown (G_OBJECT (window), "saved"))); /* nothing to show */
}

static void
test_replaced (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "run.html", "the report before"),
                  *text = NULL;
  save (&whole, path);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "</html>"));
  g_assert_cmpuint (count_files (folder), ==, 1);
}

/* A window that is closed while it writes goes in peace; the report is whole or absent. */
static void
test_closed (void)
{
  LoomWindow *other = fixture_window ();
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "run.html", NULL);
  fixture_open (other, fixture_sample ());
  loom_window_write_report (other, &whole, path);
  fixture_close (other);
  g_autofree char *text = NULL;
  g_assert_cmpuint (count_files (folder), ==, g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (text == NULL || g_str_has_suffix (g_strchomp (text), "</html>"));
}

static void
assert_path (const char *typed, guint format, const char *expected)
{
  static const LoomSaveFormat formats[] = { { "Web page", ".html" }, { "PDF", ".pdf" }, { "JSON", ".json" } };
  g_autofree char *path = loom_file_dialogs_dup_path (typed, formats, G_N_ELEMENTS (formats), format);
  g_assert_cmpstr (path, ==, expected);
}

/* The list of formats speaks where the name does not, or is still the one that was proposed. */
static void
test_names (void)
{
  assert_path ("/a/run.html", 0, "/a/run.html");
  assert_path ("/a/run.html", 1, "/a/run.pdf");
  assert_path ("/a/run.HTML", 2, "/a/run.json");
  assert_path ("/a/run.json", 1, "/a/run.json");
  assert_path ("/a/run", 1, "/a/run.pdf");
  assert_path ("/a/run.v2", 0, "/a/run.v2.html");
  assert_path (".html", 0, ".html.html"); /* a name, not an ending */
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/report/html", test_html);
  g_test_add_func ("/app/report/pdf", test_pdf);
  g_test_add_func ("/app/report/text", test_text);
  g_test_add_func ("/app/report/json", test_json);
  g_test_add_func ("/app/report/no-such-place", test_no_such_place);
  g_test_add_func ("/app/report/cancelled", test_cancelled);
  g_test_add_func ("/app/report/replaced", test_replaced);
  g_test_add_func ("/app/report/closed", test_closed);
  g_test_add_func ("/app/report/names", test_names);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
