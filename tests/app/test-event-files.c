/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests saving events in a worker thread: all rows of a list, some rows, the events of a range; and the content of the
 * files.
 */
#include "loom-event-export-task.h"
#include "run-fixture.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define EVENTS                                                                                                                \
  "[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"main\"}},\n"                              \
  "{\"ph\":\"X\",\"name\":\"step\",\"cat\":\"loop\",\"pid\":1,\"tid\":1,\"ts\":1000.5,\"dur\":100,\"args\":{\"n\": 1.50}},\n" \
  "{\"ph\":\"X\",\"name\":\"a, \\\"quoted\\\"\",\"pid\":1,\"tid\":1,\"ts\":1010,\"dur\":30},\n"                               \
  "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":2,\"ts\":1020,\"dur\":5},\n"                                             \
  "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":2,\"ts\":1030,\"dur\":10},\n"                                            \
  "{\"ph\":\"X\",\"name\":\"step\",\"cat\":\"loop\",\"pid\":1,\"tid\":1,\"ts\":1200,\"dur\":50}]\n"

static void
saved (gpointer done, gpointer n, const GError *error, gpointer input)
{
  g_assert_no_error (error);
  *(gboolean *) done = TRUE;
}

static gboolean
is_set (gpointer flag)
{
  return *(gboolean *) flag;
}

static char *
write_and_read (LoomTimeline *timeline, const LoomEventExportChoice *choice, LoomEventExportFormat format)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "events", NULL);
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  char *text = NULL;
  gboolean done = FALSE;
  loom_event_export_task_run (timeline, choice, format, path, progress, saved, &done);
  g_assert_true (fixture_wait (is_set, &done));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_files (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "small.json", EVENTS);
  LoomRunState *run = run_fixture_open (path);
  LoomTimeline *timeline = loom_document_get_timeline (loom_run_state_get_document (run));
  const LoomEventQuery every = { .text = NULL };
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, &every, NULL);
  const LoomEventExportChoice rows = { .list = list };
  g_autofree char *all = write_and_read (timeline, &rows, LOOM_EVENT_EXPORT_CSV);
  g_assert_cmpstr (all, ==,
                   "ts_ns,dur_ns,ph,name,cat,process,thread,rank,depth,args,node,source\r\n"
                   "1000500,100000,X,step,loop,1,main,,0,\"{\"\"n\"\": 1.50}\",,\r\n"
                   "1010000,30000,X,\"a, \"\"quoted\"\"\",,1,main,,1,,,\r\n"
                   "1020000,5000,X,gemm,,1,thread 2,,0,,,\r\n"
                   "1030000,10000,X,gemm,,1,thread 2,,0,,,\r\n"
                   "1200000,50000,X,step,loop,1,main,,0,,,\r\n");
  g_autoptr (GtkBitset) first = gtk_bitset_new_range (0, 1);
  const LoomEventExportChoice selected = { .list = list, .rows = first };
  g_autofree char *one = write_and_read (timeline, &selected, LOOM_EVENT_EXPORT_JSON);
  g_assert_cmpstr (
    one, ==,
    "[\n{\"ts_ns\":1000500,\"dur_ns\":100000,\"ph\":\"X\",\"name\":\"step\",\"cat\":\"loop\",\"process\":\"1\","
    "\"thread\":\"main\",\"rank\":null,\"node\":null,\"depth\":0,\"args\":{\"n\": 1.50}}\n]\n");
  LoomRange extent = loom_timeline_state_get_extent (loom_run_state_get_view (run));
  const LoomEventExportChoice end = { .range = { extent.end_ns - 10, extent.end_ns } };
  g_autofree char *last = write_and_read (timeline, &end, LOOM_EVENT_EXPORT_CSV);
  g_assert_nonnull (strstr (last, "\r\n1200000,"));
  g_assert_null (strstr (last, "gemm"));
  run_fixture_close (run);
}

/* Saves all events of the sample run; the file must contain one complete line for each event. */
static void
test_sample (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimeline *timeline = loom_document_get_timeline (loom_run_state_get_document (run));
  const LoomEventQuery every = { .text = NULL };
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, &every, NULL);
  guint n = list->n;
  const LoomEventExportChoice rows = { .list = list };
  g_autofree char *text = write_and_read (timeline, &rows, LOOM_EVENT_EXPORT_JSON);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_data (parser, text, -1, NULL));
  JsonArray *events = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (n, >, 8000);
  g_assert_cmpuint (json_array_get_length (events), ==, n);
  for (guint i = 0; i < n; i += 97) {
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, list->ids[i], &start_ns, &end_ns);
    g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (events, i), "ts_ns"), ==, start_ns);
  }
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/app/event-files/files", test_files);
  g_test_add_func ("/app/event-files/sample", test_sample);
  return run_fixture_run ();
}
