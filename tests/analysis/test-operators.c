/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests times of operators, on small runs whose times can be calculated by hand.
 */
#include "loom-operators.h"
#include "trace-maker.h"

#define WHOLE maker_range (-1000, 1000000)

static void
add_launch (Maker *maker, guint32 host, gint64 from, gint64 dur, guint32 stream, gint64 to, gint64 kernel_dur)
{
  static guint64 id = 100;
  maker_span (maker, host, "cudaLaunchKernel", "cuda_runtime", from, dur);
  maker_span (maker, stream, "gemm", "kernel", to, kernel_dur);
  maker_launch_flow (maker, host, from, stream, to, id++);
}

static char *
dup_rows (const GArray *rows)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < rows->len; i++) {
    const LoomOperator *row = &g_array_index (rows, LoomOperator, i);
    g_string_append_printf (text, "%s%s n%u host%d self%d device%d own%d k%u mean%d", i > 0 ? ", " : "", row->name,
                            (guint) row->calls, (int) row->host_ns, (int) row->host_self_ns, (int) row->device_ns,
                            (int) row->device_self_ns, (guint) row->n_kernels, (int) row->mean_ns);
  }
  return g_string_free (text, FALSE);
}

/* Checks the rows of the operators, and that self device times, kernels outside of operators and
 * kernels without a launch add up to the time of all kernels. */
static LoomOperators *
assert_names (LoomTimeline *timeline, LoomRange range, const char *names)
{
  LoomOperators *operators = loom_operators_new (timeline, NULL, range, NULL);
  g_autofree char *text = dup_rows (operators->names);
  gint64 sum_ns = operators->outside_ns + operators->unlinked_ns;
  g_assert_cmpstr (text, ==, names);
  for (guint i = 0; i < operators->names->len; i++)
    sum_ns += g_array_index (operators->names, LoomOperator, i).device_self_ns;
  g_assert_cmpint (sum_ns, ==, operators->kernels_ns);
  return operators;
}

/* The operator linear [10, 60) ns contains the operator addmm [20, 50) ns, whose call in [25, 30) ns launches the
 * kernel in [100, 120) ns. After addmm, in a span of Python, linear launches the kernel in [120, 125) ns with a call in
 * [52, 56) ns. Outside of operators, a call in [70, 75) ns launches the kernel in [125, 128) ns. */
static LoomTimeline *
make_nested (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "nn.Module: Linear_0", "python_function", 5, 60);
  maker_span (&maker, host, "aten::linear", "cpu_op", 10, 50);
  maker_span (&maker, host, "aten::addmm", "cpu_op", 20, 30);
  add_launch (&maker, host, 25, 5, stream, 100, 20);
  maker_span (&maker, host, "f.py(3): g", "python_function", 51, 7);
  add_launch (&maker, host, 52, 4, stream, 120, 5);
  add_launch (&maker, host, 70, 5, stream, 125, 3);
  return maker_timeline (&maker, NULL);
}

static void
test_nested (void)
{
  g_autoptr (LoomTimeline) timeline = make_nested ();
  /* Self time of linear: 50 ns without the 30 ns of addmm and the 4 ns of the launch in Python, that is, 16 ns. Self
   * time of addmm: 30 ns without the 5 ns of its launch, that is, 25 ns. */
  g_autoptr (LoomOperators) operators = assert_names (timeline, WHOLE,
                                                      "aten::linear n1 host50 self16 device25 own5 k1 mean50, "
                                                      "aten::addmm n1 host30 self25 device20 own20 k1 mean30");
  g_autofree char *modules = dup_rows (operators->modules);
  g_assert_cmpstr (modules, ==, "nn.Module: Linear_0 n1 host60 self60 device25 own25 k2 mean60");
  g_assert_cmpint (operators->outside_ns, ==, 3);
  g_assert_cmpint (operators->n_kernels, ==, 3);
  g_assert_cmpint (operators->n_unlinked, ==, 0);
  g_assert_null (loom_operators_get_missing (operators));
  g_assert_null (loom_operators_get_missing_modules (operators));
  g_assert_nonnull (loom_operators_get_missing_shapes (operators));
}

/* Spans and kernels are clipped to the range; means are of whole spans. */
static void
test_range (void)
{
  g_autoptr (LoomTimeline) timeline = make_nested ();
  /* Host time in the range: 15 ns of linear, 10 ns of addmm, of which 5 ns are its launch; no kernel runs in the
   * range. */
  g_autoptr (LoomOperators) early = assert_names (timeline, maker_range (15, 30),
                                                  "aten::linear n1 host15 self5 device0 own0 k0 mean50, "
                                                  "aten::addmm n1 host10 self5 device0 own0 k0 mean30");
  /* Both operators ended before this range. In the range, the kernel of addmm runs for 10 ns, and the kernel of linear
   * for 4 ns. */
  g_autoptr (LoomOperators) late = assert_names (timeline, maker_range (110, 124),
                                                 "aten::linear n0 host0 self0 device14 own4 k1 mean0, "
                                                 "aten::addmm n0 host0 self0 device10 own10 k1 mean0");
  g_autoptr (LoomOperators) none = assert_names (timeline, maker_range (300, 400), "");
  g_assert_nonnull (loom_operators_get_missing (none));
  g_assert_cmpint (early->n_kernels, ==, 0);
  g_assert_cmpint (late->n_kernels, ==, 2);
}

/* f in [0, 100) ns calls f in [10, 60) ns, which calls f in [20, 40) ns; each of the three calls launches a kernel of 7
 * ns. */
static void
test_recursive (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "f", "cpu_op", 0, 100);
  maker_span (&maker, host, "f", "cpu_op", 10, 50);
  maker_span (&maker, host, "f", "cpu_op", 20, 20);
  add_launch (&maker, host, 25, 2, stream, 200, 7);
  add_launch (&maker, host, 45, 2, stream, 210, 7);
  add_launch (&maker, host, 65, 2, stream, 220, 7);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  /* Host time: nested calls of f count once, so it is the 100 ns of the outer call. Self times of the three calls: 100
   * − 50 − 2, 50 − 20 − 2 and 20 − 2 ns. Mean duration: 170 ÷ 3 ns. */
  g_autoptr (LoomOperators) operators = assert_names (timeline, WHOLE, "f n3 host100 self94 device21 own21 k3 mean57");
  g_assert_cmpint (operators->kernels_ns, ==, 21);
}

/* Tests the ways in which the kernels of an operator are found: a kernel without a flow, a copy
 * whose flow starts at the operator itself, and two kernels that one call launches as a graph. */
static void
test_links (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "aten::copy_", "cpu_op", 0, 10);
  maker_span (&maker, stream, "Memcpy HtoD", "gpu_memcpy", 5, 30);
  maker_launch_flow (&maker, host, 0, stream, 5, 1);
  maker_span (&maker, host, "graph", "cpu_op", 20, 10);
  maker_span (&maker, host, "cudaGraphLaunch", "cuda_runtime", 22, 4);
  maker_span (&maker, stream, "gemm", "kernel", 40, 5);
  maker_span (&maker, stream, "gemm", "kernel", 50, 6);
  maker_launch_flow (&maker, host, 22, stream, 40, 2);
  maker_launch_flow (&maker, host, 22, stream, 50, 3);
  maker_span (&maker, stream, "gemm", "kernel", 60, 9);
  maker_span (&maker, stream, "ProfilerStep#1", "gpu_user_annotation", 0, 100);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomOperators) operators = assert_names (timeline, WHOLE,
                                                      "aten::copy_ n1 host10 self10 device30 own30 k1 mean10, "
                                                      "graph n1 host10 self6 device11 own11 k2 mean10");
  g_assert_cmpint (operators->n_kernels, ==, 4);
  g_assert_cmpint (operators->n_unlinked, ==, 1);
  g_assert_cmpint (operators->unlinked_ns, ==, 9);
  g_assert_cmpint (operators->outside_ns, ==, 0);
}

/* Operators of the same name on two ranks share a row; the row's representative span is the longest of the calls. */
static void
test_ranks (void)
{
  Maker a = maker_new ("a.json", "kineto"), b = maker_new ("b.json", "kineto");
  guint32 host = maker_thread (&a, "python", 0, "1", 0), other = maker_thread (&b, "python", 1, "1", 0);
  maker_span (&a, host, "aten::mm", "cpu_op", 0, 10);
  maker_span (&b, other, "record_param_comms", "cpu_op", 0, 3);
  maker_span (&b, other, "aten::mm", "cpu_op", 5, 30);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&a, &b);
  g_autoptr (LoomOperators) operators = assert_names (timeline, WHOLE,
                                                      "aten::mm n2 host40 self40 device0 own0 k0 mean20, "
                                                      "record_param_comms n1 host3 self3 device0 own0 k0 mean3");
  g_assert_cmpint (g_array_index (operators->names, LoomOperator, 0).longest.trace, ==, 1);
  g_assert_true (loom_operators_are_recorded (loom_timeline_get_run (timeline)));
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = make_nested ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_operators_new (timeline, NULL, WHOLE, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operators/nested", test_nested);
  g_test_add_func ("/operators/range", test_range);
  g_test_add_func ("/operators/recursive", test_recursive);
  g_test_add_func ("/operators/links", test_links);
  g_test_add_func ("/operators/ranks", test_ranks);
  g_test_add_func ("/operators/cancelled", test_cancelled);
  return g_test_run ();
}
