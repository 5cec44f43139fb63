/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the page “Call tree”: the tree of all threads and of one thread, top-down (callees below callers) and
 * bottom-up, and the spans of a node.
 */
#include "loom-span-tree-page.h"
#include "run-fixture.h"

static gboolean
is_answered (gpointer page)
{
  return !loom_span_tree_page_is_outdated (page);
}

static LoomCallTree *
wait_for (LoomSpanTreePage *page)
{
  g_assert_true (fixture_wait (is_answered, page));
  return loom_span_tree_page_get_tree (page);
}

static guint32
find_node (const LoomCallTree *tree, const char *name)
{
  for (guint32 i = 0; i < tree->n_nodes; i++)
    if (g_str_equal (tree->functions[tree->nodes[i].function].name, name))
      return i;
  return LOOM_FRAME_NONE;
}

static LoomRunState *
open_trace (LoomSpanTreePage **page)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomRunState *run = run_fixture_open (path);
  *page = loom_span_tree_page_new (loom_run_state_get_analysis (run));
  return run;
}

/* The tree is not computed before the page is shown. The top-down and the bottom-up tree have the same total time. */
static void
test_directions (void)
{
  LoomSpanTreePage *page;
  LoomRunState *run = open_trace (&page);
  g_assert_null (loom_span_tree_page_get_tree (page));
  loom_span_tree_page_set_wanted (page, TRUE);
  LoomCallTree *tree = wait_for (page);
  gint64 width_ns = tree->width_ns;
  g_assert_cmpuint (tree->nodes[find_node (tree, "tick")].calls, ==, 5); /* ticks of both threads */
  loom_span_tree_page_set_direction (page, LOOM_SPAN_TREE_BOTTOM_UP);
  g_assert_true (loom_span_tree_page_is_outdated (page));
  g_assert_cmpint (wait_for (page)->width_ns, ==, width_ns);
  g_object_unref (page);
  run_fixture_close (run);
}

/* The choices of threads are: all threads, then each process followed by its threads. */
static void
test_choices (void)
{
  LoomSpanTreePage *page;
  LoomRunState *run = open_trace (&page);
  loom_span_tree_page_set_wanted (page, TRUE);
  wait_for (page);
  const char *const *choices = loom_span_tree_page_get_choices (page);
  g_assert_cmpuint (g_strv_length ((char **) choices), >, 3);
  g_assert_cmpstr (choices[0], ==, "All CPU Threads");
  guint64 n_ticks = 0;
  for (guint i = 2; choices[i] != NULL; i++) {
    loom_span_tree_page_choose (page, i);
    LoomCallTree *tree = wait_for (page);
    guint32 node = find_node (tree, "tick");
    n_ticks += strstr (choices[i], "›") != NULL && node != LOOM_FRAME_NONE ? tree->nodes[node].calls : 0;
  }
  g_assert_cmpuint (n_ticks, ==, 5);
  g_object_unref (page);
  run_fixture_close (run);
}

/* The tree shows the preferred rank until the user chooses something else. If the run does not have the preferred rank,
 * the tree does not select it. */
static void
test_preferred_rank (void)
{
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("rank-%u.json", i),
                    *text = g_strdup_printf ("{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[{\"ph\":\"X\","
                                             "\"cat\":\"cpu_op\",\"name\":\"f%u\",\"pid\":%u,\"tid\":1,\"ts\":1,"
                                             "\"dur\":5}]}",
                                             i, i, i + 1);
    g_free (fixture_file (folder, name, text));
  }
  LoomRunState *run = run_fixture_open (folder);
  LoomSpanTreePage *page = loom_span_tree_page_new (loom_run_state_get_analysis (run));
  loom_span_tree_page_set_wanted (page, TRUE);
  g_assert_cmpuint (find_node (wait_for (page), "f0"), ==, 0);
  loom_span_tree_page_prefer_rank (page, 2);
  g_assert_cmpuint (find_node (wait_for (page), "f2"), ==, 0);
  loom_span_tree_page_prefer_rank (page, 7);
  g_assert_cmpuint (find_node (wait_for (page), "f0"), ==, 0);
  loom_span_tree_page_choose (page, 0);
  g_assert_cmpuint (wait_for (page)->n_nodes, ==, 3);
  loom_span_tree_page_prefer_rank (page, 2);
  g_assert_false (loom_span_tree_page_is_outdated (page));
  g_object_unref (page);
  run_fixture_close (run);
}

/* Waits are shown, even if they take most of the time, until the user hides them. */
static void
test_long_waits (void)
{
  g_autofree char *folder = fixture_folder (),
                  *path = fixture_file (
                    folder, "trace.json",
                    "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"f\",\"pid\":1,\"tid\":1,\"ts\":1,"
                    "\"dur\":10},{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaDeviceSynchronize\",\"pid\":1,"
                    "\"tid\":1,\"ts\":2,\"dur\":8}]}");
  LoomRunState *run = run_fixture_open (path);
  LoomSpanTreePage *page = loom_span_tree_page_new (loom_run_state_get_analysis (run));
  loom_span_tree_page_set_wanted (page, TRUE);
  g_assert_cmpint (wait_for (page)->width_ns, ==, 10000);
  g_assert_false (loom_span_tree_page_get_tree (page)->omits_waits);
  loom_span_tree_page_set_omits_waits (page, TRUE);
  g_assert_cmpint (wait_for (page)->width_ns, ==, 2000);
  g_assert_true (loom_span_tree_page_get_tree (page)->omits_waits);
  g_object_unref (page);
  run_fixture_close (run);
}

static guint n_found;

static void
spans_found (LoomSpanTreePage *page, GArray *spans, guint64 n_all)
{
  n_found = spans->len;
  g_assert_cmpuint (n_all, ==, spans->len);
}

static gboolean
has_found (gpointer data)
{
  return n_found > 0;
}

static void
test_spans (void)
{
  LoomSpanTreePage *page;
  LoomRunState *run = open_trace (&page);
  n_found = 0;
  g_signal_connect (page, "spans-found", G_CALLBACK (spans_found), NULL);
  loom_span_tree_page_set_wanted (page, TRUE);
  loom_span_tree_page_find_spans (page, find_node (wait_for (page), "tick"));
  g_assert_true (fixture_wait (has_found, NULL));
  g_assert_cmpuint (n_found, ==, 5);
  g_object_unref (page);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/span-tree-page/directions", test_directions);
  g_test_add_func ("/core/span-tree-page/choices", test_choices);
  g_test_add_func ("/core/span-tree-page/preferred-rank", test_preferred_rank);
  g_test_add_func ("/core/span-tree-page/long-waits", test_long_waits);
  g_test_add_func ("/core/span-tree-page/spans", test_spans);
  return run_fixture_run ();
}
