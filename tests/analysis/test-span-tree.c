/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests call trees of spans: small runs whose times can be calculated by hand, and many spans whose sums must agree.
 */
#include "loom-span-tree.h"
#include "trace-maker.h"

#define WHOLE maker_range (-1000, 1000000)

static void
append_node (GString *text, const LoomCallTree *tree, guint32 number)
{
  const LoomCallNode *node = &tree->nodes[number];
  g_string_append_printf (text, "%s%s%*s%s %d self%d n%u", number > 0 ? "\n" : "", "", (int) node->depth, "",
                          tree->functions[node->function].name, (int) node->dur_ns, (int) node->own_ns,
                          (guint) node->calls);
}

static LoomCallTree *
make_tree (LoomTimeline *timeline, LoomRange range, LoomSpanTreeDirection direction)
{
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = range, .direction = direction };
  return loom_span_tree_new (&query, NULL);
}

static gint64
sum_self (const LoomCallTree *tree)
{
  gint64 sum_ns = 0;
  for (guint32 i = 0; i < tree->n_nodes; i++)
    sum_ns += tree->nodes[i].own_ns;
  return sum_ns;
}

static void
assert_tree (LoomTimeline *timeline, LoomRange range, LoomSpanTreeDirection direction, const char *expected)
{
  g_autoptr (LoomCallTree) tree = make_tree (timeline, range, direction);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint32 i = 0; i < tree->n_nodes; i++)
    append_node (text, tree, i);
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpint (sum_self (tree), ==, tree->width_ns);
}

/* Two steps. The step [0, 100) ns contains f [10, 50) ns, in which g [20, 30) ns is nested, and g [60, 70) ns. The step
 * [100, 180) ns contains f [110, 140) ns. */
static LoomTimeline *
make_steps (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&maker, host, "f", "cpu_op", 10, 40);
  maker_span (&maker, host, "g", "cpu_op", 20, 10);
  maker_span (&maker, host, "g", "cpu_op", 60, 10);
  maker_span (&maker, host, "ProfilerStep#2", "user_annotation", 100, 80);
  maker_span (&maker, host, "f", "cpu_op", 110, 30);
  maker_span (&maker, stream, "gemm", "kernel", 0, 500);
  return maker_timeline (&maker, NULL);
}

static void
test_directions (void)
{
  g_autoptr (LoomTimeline) timeline = make_steps ();
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_TOP_DOWN,
               "f 70 self60 n2\n"
               " g 10 self10 n1\n"
               "g 10 self10 n1");
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_BOTTOM_UP,
               "f 60 self60 n2\n"
               "g 20 self10 n2\n"
               " f 10 self10 n1");
}

/* The mark of a step is not a call. The time of the mark without the calls inside it counts as self time of the call
 * that contains the mark. The time of a wait inside the step is subtracted from the self time of that call only once.
 */
static void
test_call_around_step (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  maker_span (&maker, host, "train", "python_function", 0, 100);
  maker_span (&maker, host, "ProfilerStep#1", "user_annotation", 10, 80);
  maker_span (&maker, host, "f", "cpu_op", 20, 60);
  maker_span (&maker, host, "cudaDeviceSynchronize", "cuda_runtime", 30, 40);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_TOP_DOWN,
               "train 100 self40 n1\n"
               " f 60 self20 n1\n"
               "  cudaDeviceSynchronize 40 self40 n1");
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE, .omits_waits = TRUE };
  g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
  g_assert_cmpint (tree->width_ns, ==, 60);
  g_assert_cmpint (tree->nodes[1].dur_ns, ==, 20);
  guint64 n_all;
  g_autoptr (GArray) spans = loom_span_tree_find_spans (&query, tree, 1, 10, &n_all, NULL);
  g_assert_cmpuint (spans->len, ==, 1);
}

/* Spans whose names differ only in numbers after an equals sign are one function; other numbers are part of a name. */
static void
test_numbers (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  maker_span (&maker, host, "forward mb=0 of=4", "user_annotation", 0, 10);
  maker_span (&maker, host, "forward mb=1 of=4", "user_annotation", 20, 15);
  maker_span (&maker, host, "conv2d", "cpu_op", 40, 5);
  maker_span (&maker, host, "a=b1", "cpu_op", 50, 3);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_TOP_DOWN,
               "forward mb=… of=… 25 self25 n2\n"
               "conv2d 5 self5 n1\n"
               "a=b1 3 self3 n1");
  LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE, .direction = LOOM_SPAN_TREE_TOP_DOWN };
  g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
  guint64 n_all;
  g_autoptr (GArray) spans = loom_span_tree_find_spans (&query, tree, 0, 10, &n_all, NULL);
  g_assert_cmpuint (spans->len, ==, 2);
}

/* Spans are clipped to the range. */
static void
test_range (void)
{
  g_autoptr (LoomTimeline) timeline = make_steps ();
  assert_tree (timeline, maker_range (25, 65), LOOM_SPAN_TREE_TOP_DOWN,
               "f 25 self20 n1\n"
               " g 5 self5 n1\n"
               "g 5 self5 n1");
  assert_tree (timeline, maker_range (300, 400), LOOM_SPAN_TREE_TOP_DOWN, "");
}

/* An index contains sums instead of the calls of the host, so there is no call tree. The result says what the user can
 * do instead. */
static void
test_index (void)
{
  g_autoptr (LoomTimeline) timeline = make_steps ();
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autofree char *without = g_strdup (loom_span_tree_get_missing (run));
  ((LoomSource *) loom_trace_get_source (loom_run_get_trace (run, 0), 0))->is_index = TRUE;
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_TOP_DOWN, "");
  const LoomTrackId host = { 0, 0 };
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE, .tracks = &host, .n_tracks = 1 };
  g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
  g_assert_cmpuint (tree->n_nodes, ==, 0);
  g_assert_cmpstr (loom_span_tree_get_missing (run), !=, without);
}

static void
assert_found (LoomTimeline *timeline, LoomSpanTreeDirection direction, guint32 node, guint n_expected)
{
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE, .direction = direction };
  g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
  guint64 n_all;
  g_autoptr (GArray) found = loom_span_tree_find_spans (&query, tree, node, 100, &n_all, NULL);
  g_assert_cmpuint (found->len, ==, n_expected);
  g_assert_cmpuint (n_all, ==, tree->nodes[node].calls);
}

/* A node finds only the spans with the same ancestors as the node, not all spans of its name. */
static void
test_find (void)
{
  g_autoptr (LoomTimeline) timeline = make_steps ();
  assert_found (timeline, LOOM_SPAN_TREE_TOP_DOWN, 0, 2);
  assert_found (timeline, LOOM_SPAN_TREE_TOP_DOWN, 1, 1);  /* g inside f */
  assert_found (timeline, LOOM_SPAN_TREE_TOP_DOWN, 2, 1);  /* g in a step, but not inside f */
  assert_found (timeline, LOOM_SPAN_TREE_BOTTOM_UP, 1, 2); /* all spans of g, whatever their parents */
  assert_found (timeline, LOOM_SPAN_TREE_BOTTOM_UP, 2, 1); /* only spans of g inside f */
}

/* With omits_waits, the tree excludes calls that wait for a device and all calls nested in them,
 * and the time of these waits does not count for their callers. */
static void
test_waits (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  maker_span (&maker, host, "step", "cpu_op", 0, 100);
  maker_span (&maker, host, "f", "cpu_op", 10, 80);
  maker_span (&maker, host, "cudaStreamSynchronize", "cuda_runtime", 20, 50);
  maker_span (&maker, host, "poll", "cpu_op", 30, 10);
  maker_span (&maker, host, "cudaLaunchKernel", "cuda_runtime", 75, 5);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  for (LoomSpanTreeDirection direction = LOOM_SPAN_TREE_TOP_DOWN; direction <= LOOM_SPAN_TREE_BOTTOM_UP; direction++) {
    const LoomSpanTreeQuery query = {
      .timeline = timeline, .range = WHOLE, .direction = direction, .omits_waits = TRUE
    };
    g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
    g_assert_cmpint (tree->width_ns, ==, 50);
    g_assert_cmpint (sum_self (tree), ==, 50);
    for (guint32 i = 0; i < tree->n_nodes; i++) {
      const char *name = tree->functions[tree->nodes[i].function].name;
      g_assert_false (g_str_equal (name, "cudaStreamSynchronize") || g_str_equal (name, "poll"));
      if (direction == LOOM_SPAN_TREE_TOP_DOWN && g_str_equal (name, "f"))
        g_assert_cmpint (tree->nodes[i].own_ns, ==, 25);
    }
  }
}

/* The total time of the waits is known whether or not the tree omits them. */
static void
test_wait_times (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  maker_span (&maker, host, "f", "cpu_op", 0, 100);
  maker_span (&maker, host, "cudaStreamSynchronize", "cuda_runtime", 20, 60);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  for (guint i = 0; i < 4; i++) {
    const LoomSpanTreeQuery query = { .timeline = timeline,
                                      .range = WHOLE,
                                      .direction = i % 2 == 0 ? LOOM_SPAN_TREE_TOP_DOWN : LOOM_SPAN_TREE_BOTTOM_UP,
                                      .omits_waits = i >= 2 };
    g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
    g_assert_cmpint (tree->omits_waits, ==, i >= 2);
    g_assert_cmpint (tree->waits_ns, ==, 60);
    g_assert_cmpint (tree->width_ns, ==, i >= 2 ? 40 : 100);
  }
}

/* The span with which a profiler marks the whole recording is not a call, so it is not in the tree. */
static void
test_marks (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0), marks = maker_thread (&maker, "Traces", 0, "2", 0);
  maker_span (&maker, host, "f", "cpu_op", 0, 10);
  maker_span (&maker, marks, "PyTorch Profiler (0)", "Trace", 0, 100);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_tree (timeline, WHOLE, LOOM_SPAN_TREE_TOP_DOWN, "f 10 self10 n1");
}

static void
test_tracks (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 one = maker_thread (&maker, "python", 0, "1", 0), two = maker_thread (&maker, "python", 0, "2", 0);
  maker_span (&maker, one, "f", "cpu_op", 0, 10);
  maker_span (&maker, two, "g", "cpu_op", 0, 20);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  const LoomTrackId id = { 0, 1 };
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE, .tracks = &id, .n_tracks = 1 };
  g_autoptr (LoomCallTree) tree = loom_span_tree_new (&query, NULL);
  g_assert_cmpuint (tree->n_nodes, ==, 1);
  g_assert_cmpstr (tree->functions[tree->nodes[0].function].name, ==, "g");
}

/* If a tree has more nodes than it may keep, the smallest children are merged into one node of
 * their parent, and the times still add up. */
static void
test_many (void)
{
  enum { N = 3 * LOOM_SPAN_TREE_MOST_KEPT };
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  gint64 at = 0;
  maker_span (&maker, host, "top", "cpu_op", 0, (gint64) N * N);
  for (guint i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf ("f%u", i);
    maker_span (&maker, host, name, "cpu_op", at, 1 + i);
    maker_span (&maker, host, "leaf", "cpu_op", at, 1 + i / 2);
    at += 1 + i;
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  LoomRange whole = maker_range (-10, (gint64) N * N + 10);
  g_autoptr (LoomCallTree) down = make_tree (timeline, whole, LOOM_SPAN_TREE_TOP_DOWN);
  g_autoptr (LoomCallTree) up = make_tree (timeline, whole, LOOM_SPAN_TREE_BOTTOM_UP);
  guint64 n_merged = 0;
  for (guint32 i = 0; i < down->n_nodes; i++)
    n_merged += down->nodes[i].n_merged;
  g_assert_cmpuint (down->n_nodes, <=, 2 * LOOM_SPAN_TREE_MOST_KEPT + 1);
  g_assert_cmpuint (n_merged, >, N / 2);
  g_assert_cmpint (down->width_ns, ==, (gint64) N * N);
  g_assert_cmpint (up->width_ns, ==, down->width_ns);
  g_assert_cmpint (sum_self (down), ==, down->width_ns);
  g_assert_cmpint (sum_self (up), ==, down->width_ns);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = make_steps ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = WHOLE };
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_span_tree_new (&query, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span-tree/directions", test_directions);
  g_test_add_func ("/span-tree/call-around-step", test_call_around_step);
  g_test_add_func ("/span-tree/numbers", test_numbers);
  g_test_add_func ("/span-tree/range", test_range);
  g_test_add_func ("/span-tree/index", test_index);
  g_test_add_func ("/span-tree/find", test_find);
  g_test_add_func ("/span-tree/marks", test_marks);
  g_test_add_func ("/span-tree/tracks", test_tracks);
  g_test_add_func ("/span-tree/waits", test_waits);
  g_test_add_func ("/span-tree/wait-times", test_wait_times);
  g_test_add_func ("/span-tree/many", test_many);
  g_test_add_func ("/span-tree/cancelled", test_cancelled);
  return g_test_run ();
}
