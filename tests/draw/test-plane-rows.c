/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the rows of XSpace files, which TensorFlow, JAX and XLA write: short labels of devices, streams and threads,
 * whole names in their paths, and the groups that are open in the first view.
 */
#include <string.h>

#include "fake-run.h"
#include "rows-fixture.h"

static guint
add_source (LoomTraceBuilder *builder)
{
  LoomSource *source = loom_source_new ("a.xplane.pb");
  source->format = "xplane";
  return loom_trace_builder_add_source (builder, source, loom_trace_builder_add_clock (builder));
}

static guint32
add_process (LoomTraceBuilder *builder, guint source, const char *name, gboolean device)
{
  guint32 process = loom_trace_builder_process (builder, source, name, strlen (name));
  loom_trace_builder_process_set_label (builder, process, name);
  loom_trace_builder_process_add_flags (builder, process, device ? LOOM_TRACK_DEVICE : 0);
  return process;
}

static void
add_row (LoomTraceBuilder *builder, guint32 process, const char *name)
{
  rows_fixture_add_span (builder, rows_fixture_add_thread (builder, process, name, name), 0, 500);
}

static LoomRowList *
take_rows (LoomTraceBuilder *builder)
{
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  LoomRowList *rows = loom_row_list_new ();
  loom_row_list_set_timeline (rows, timeline);
  return rows;
}

static void
add_host (LoomTraceBuilder *builder, guint source)
{
  guint32 host = add_process (builder, source, "/host:CPU", FALSE);
  add_row (builder, host, "Host Threads/1083");
  add_row (builder, host, "tf_data_iterator/-1990981912");
  add_row (builder, host, "tf_prefetch/4194305");
}

static void
test_labels (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source = add_source (builder);
  guint32 device = add_process (builder, source, "/device:GPU:10", TRUE);
  add_row (builder, device, "Stream #16(Kernel)");
  add_row (builder, device, "XLA Ops");
  add_host (builder, source);
  g_autoptr (LoomRowList) rows = take_rows (builder);
  rows_fixture_assert (rows, "GPU 10 · stream 16 (Kernel)\nGPU 10 · XLA Ops\nv /host:CPU\n Host Threads/1083\n"
                             " tf_data_iterator\n tf_prefetch\n");
  const LoomTimelineRow *stream = rows_fixture_find (rows, "GPU 10 · stream 16 (Kernel)");
  g_assert_cmpstr (stream->detail, ==, "/device:GPU:10 · Stream #16(Kernel)");
  g_assert_cmpstr (stream->short_label, ==, "GPU 10 · s16 (Kernel)");
  g_assert_cmpstr (rows_fixture_find (rows, "tf_data_iterator")->detail, ==, "/host:CPU, tf_data_iterator/-1990981912");
}

/* Names that only resemble the names of streams, devices and threads in XSpace files are not shortened. */
static void
test_other_names (void)
{
  static const char *const names[] = { "Stream #(Kernel)", "Stream #1 x",     "/123456789",      "worker/12345",
                                       "a/b123456",        "python3/1048577", "python3/4194304", "worker/-12345" };
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint32 device = add_process (builder, add_source (builder), "/device:GPU:", FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    add_row (builder, device, names[i]);
  g_autoptr (LoomRowList) rows = take_rows (builder);
  g_assert_nonnull (rows_fixture_find (rows, "/device:GPU:"));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_nonnull (rows_fixture_find (rows, names[i]));
}

/* Adds devices with ten streams each. */
static LoomRowList *
new_devices (guint n)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint source = add_source (builder);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("/device:GPU:%u", i);
    guint32 device = add_process (builder, source, name, TRUE);
    for (guint k = 0; k < 10; k++) {
      g_autofree char *stream = g_strdup_printf ("Stream #%u(Kernel)", k);
      add_row (builder, device, stream);
    }
  }
  add_host (builder, source);
  return take_rows (builder);
}

/* Several devices are open if their streams fit into the window, and otherwise are folded to lanes that fill it. In
 * both cases the threads of the host are folded. */
static void
test_first_view (void)
{
  g_autoptr (LoomRowList) few = new_devices (2), many = new_devices (3);
  g_assert_false (rows_fixture_find (few, "GPU 0")->folded);
  g_assert_true (rows_fixture_find (few, "/host:CPU")->folded);
  loom_row_list_set_filter (few, "gpu 1"); /* rows are found by the labels that the user sees */
  g_assert_null (rows_fixture_find (few, "GPU 0"));
  g_assert_nonnull (rows_fixture_find (few, "GPU 1"));
  g_assert_nonnull (rows_fixture_find (few, "stream 9 (Kernel)"));
  rows_fixture_assert (many, "> GPU 0\n> GPU 1\n> GPU 2\n> /host:CPU\n");
  loom_row_list_set_room (many, 150);
  g_assert_cmpfloat (rows_fixture_find (many, "GPU 0")->height, ==, (150 - LOOM_GROUP_PX) / 3);
  g_assert_cmpfloat (rows_fixture_find (many, "/host:CPU")->height, ==, LOOM_GROUP_PX);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/plane-rows/labels", test_labels);
  g_test_add_func ("/draw/plane-rows/other-names", test_other_names);
  g_test_add_func ("/draw/plane-rows/first-view", test_first_view);
  return g_test_run ();
}
