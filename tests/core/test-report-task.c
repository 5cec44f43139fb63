/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reports written by a worker: the ending of the file name determines the format, the report has the figures of
 * the chosen range, and a failed report leaves no file.
 */
#include "run-fixture.h"

#include "loom-report-task.h"

#include <json-glib/json-glib.h>
#include <string.h>

static LoomRunState *run;
static const LoomReportOptions whole = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED };

typedef struct {
  gboolean is_done;
  GError *error;
} Written;

static void
written (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  Written *self = owner;
  self->is_done = TRUE;
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static gboolean
is_done (gpointer self)
{
  return ((const Written *) self)->is_done;
}

static gboolean
try_report (const LoomReportOptions *options, const char *path, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Written self = { FALSE, NULL };
  loom_report_task_run (loom_document_get_timeline (loom_run_state_get_document (run)), options, path, cancellable,
                        written, &self);
  g_assert_true (fixture_wait (is_done, &self));
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  return self.error == NULL;
}

static void
save_report (const LoomReportOptions *options, const char *path)
{
  g_autoptr (GError) error = NULL;
  try_report (options, path, &error);
  g_assert_no_error (error);
}

/* Writes a report to a file of that name and returns its text. */
static char *
report (const LoomReportOptions *options, const char *name)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, name, NULL);
  char *text;
  save_report (options, path);
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

/* A report on the sample run has 12 steps on each of 4 ranks; a report on a part of the run has fewer. */
static void
test_json (void)
{
  LoomRange extent = loom_timeline_state_get_extent (loom_run_state_get_view (run));
  LoomReportOptions part = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED, .has_range = TRUE, .range = extent };
  part.range.end_ns = extent.begin_ns + (extent.end_ns - extent.begin_ns) / 2;
  g_assert_cmpint (count_steps (&whole), ==, 48);
  g_assert_cmpint (count_steps (&part), >, 0);
  g_assert_cmpint (count_steps (&part), <, 48);
}

/* The target path uses a regular file as if it were a folder, so that not even root can write there. */
static void
test_no_such_place (void)
{
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "file", "x"),
                  *path = g_build_filename (file, "run.html", NULL);
  g_autofree char *text = NULL;
  g_assert_false (try_report (&whole, path, NULL));
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "x");
}

static void
test_replaced (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "run.html", "the report before"),
                  *text = NULL;
  save_report (&whole, path);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "</html>"));
  g_assert_cmpuint (fixture_count_files (folder), ==, 1);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/report-task/html", test_html);
  g_test_add_func ("/core/report-task/pdf", test_pdf);
  g_test_add_func ("/core/report-task/text", test_text);
  g_test_add_func ("/core/report-task/json", test_json);
  g_test_add_func ("/core/report-task/no-such-place", test_no_such_place);
  g_test_add_func ("/core/report-task/replaced", test_replaced);
  run = run_fixture_open (fixture_sample ());
  int status = g_test_run ();
  run_fixture_close (run);
  run_fixture_remove_folders ();
  return status;
}
