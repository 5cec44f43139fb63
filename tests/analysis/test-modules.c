/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the time of devices by module, and its comparison, on small runs whose times can be calculated by hand.
 */
#include "loom-module-comparison.h"
#include "trace-maker.h"

/* A run that is being built: a thread for the forward pass, one for the backward pass, and a stream. */
typedef struct {
  Maker maker;
  guint32 host, autograd, stream;
  gint64 kernels_end;
  guint64 id;
} Job;

static Job
job_new (void)
{
  Job job = { .maker = maker_new ("a.json", "kineto"), .kernels_end = 10000, .id = 100 };
  job.host = maker_thread (&job.maker, "python", 0, "1", 0);
  job.autograd = maker_thread (&job.maker, "python", 0, "2", 0);
  job.stream = maker_thread (&job.maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  return job;
}

/* Launches a kernel at `at` on a thread. Kernels run one after the other, long after their launches. */
static void
job_launch (Job *job, guint32 thread, gint64 at, gint64 dur, const char *kernel)
{
  maker_span (&job->maker, thread, "cudaLaunchKernel", "cuda_runtime", at, 1);
  maker_span (&job->maker, job->stream, kernel, "kernel", job->kernels_end, dur);
  maker_launch_flow (&job->maker, thread, at, job->stream, job->kernels_end, job->id++);
  job->kernels_end += dur;
}

static void
job_module (Job *job, guint32 thread, const char *name, gint64 begin, gint64 end)
{
  g_autofree char *text = g_strconcat ("nn.Module: ", name, NULL);
  maker_span (&job->maker, thread, text, "python_function", begin, end - begin);
}

/* Adds an operator of the backward pass, [begin, end), on the autograd thread. A flow connects it with the operator of
 * the forward pass that begins at `forward` on the thread `from`. */
static void
job_backward (Job *job, guint32 from, gint64 forward, gint64 begin, gint64 end)
{
  maker_span (&job->maker, job->autograd, "autograd::engine::evaluate_function: MmBackward0", "cpu_op", begin,
              end - begin);
  maker_flow (&job->maker, "fwdbwd", from, forward, job->autograd, begin, job->id++);
}

/* Returns the tree as text. For each node: spaces for its depth, its name, "n" and its number of calls. For each phase
 * (f: forward, b: backward, r: recomputation) in which the node has time: own time/time with children, in ns. */
static char *
dup_tree (const LoomModuleTree *tree)
{
  static const char *const letters[] = { "f", "b", "r" };
  GString *text = g_string_new (NULL);
  for (guint32 i = 0; i < tree->n; i++) {
    const LoomModuleNode *node = &tree->nodes[i];
    g_string_append_printf (text, "%s%*s%s n%u", i > 0 ? ", " : "", (int) node->depth, "", node->name,
                            (guint) node->calls);
    for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++)
      if (node->all_ns[phase] > 0)
        g_string_append_printf (text, " %s%d/%d", letters[phase], (int) node->self_ns[phase],
                                (int) node->all_ns[phase]);
  }
  return g_string_free (text, FALSE);
}

static void
assert_tree (LoomTimeline *timeline, LoomModuleLevel level, const char *expected)
{
  LoomModuleTreeQuery query = { .timeline = timeline, .range = LOOM_STEP_BREAKDOWN_ALL };
  g_autoptr (LoomModuleTree) tree = loom_module_tree_new (&query, level, NULL);
  g_autofree char *text = dup_tree (tree);
  g_assert_cmpstr (text, ==, expected);
  for (guint32 i = 1; i < tree->n; i++)
    g_assert_cmpuint (tree->nodes[i].parent, <, i);
}

/* Module A [0, 100) ns contains module B [10, 50) ns. Kernels of 7, 11 and 13 ns are launched at 5, 20 and 60 ns. A
 * kernel of 17 ns in the backward pass belongs to the operator in B. */
static void
test_example (void)
{
  Job job = job_new ();
  job_module (&job, job.host, "A_0", 0, 100);
  job_module (&job, job.host, "B_0", 10, 50);
  maker_span (&job.maker, job.host, "aten::mm", "cpu_op", 18, 10);
  job_launch (&job, job.host, 5, 7, "gemm");
  job_launch (&job, job.host, 20, 11, "gemm");
  job_launch (&job, job.host, 60, 13, "gemm");
  job_launch (&job, job.host, 120, 3, "gemm"); /* outside of all modules */
  job_backward (&job, job.host, 18, 200, 220);
  job_launch (&job, job.autograd, 205, 17, "gemm");
  g_autoptr (LoomTimeline) timeline = maker_timeline (&job.maker, NULL);
  assert_tree (timeline, LOOM_MODULE_LEVEL_MODULES, " n0 f3/34 b0/17,  A_0 n1 f20/31 b0/17,   B_0 n1 f11/11 b17/17");
}

/* The module B runs again in the backward pass of an operator inside it, and the backward pass of the operator that runs
 * again belongs to B as well. */
static void
test_recomputed (void)
{
  Job job = job_new ();
  job_module (&job, job.host, "A_0", 0, 100);
  job_module (&job, job.host, "B_0", 10, 50);
  job_module (&job, job.host, "C_0", 12, 40);
  maker_span (&job.maker, job.host, "aten::mm", "cpu_op", 18, 10);
  job_launch (&job, job.host, 20, 11, "gemm");
  job_backward (&job, job.host, 18, 200, 300);
  job_module (&job, job.autograd, "B_0", 210, 250);
  job_module (&job, job.autograd, "C_0", 212, 240);
  maker_span (&job.maker, job.autograd, "aten::mm", "cpu_op", 218, 10);
  job_launch (&job, job.autograd, 220, 23, "gemm");
  job_backward (&job, job.autograd, 218, 260, 280);
  job_launch (&job, job.autograd, 265, 29, "gemm");
  g_autoptr (LoomTimeline) timeline = maker_timeline (&job.maker, NULL);
  assert_tree (timeline, LOOM_MODULE_LEVEL_MODULES,
               " n0 f0/11 b0/29 r0/23,  A_0 n1 f0/11 b0/29 r0/23,   B_0 n2 f0/11 b0/29 r0/23,    C_0 n2 f11/11 b29/29 "
               "r23/23");
}

/* The flow from the forward pass leads to an operator inside a function of the backward pass. A kernel that the
 * function launches after the operator belongs to the same module as the operator. The kernels of a function that has
 * no such operator belong to no module. */
static void
test_functions (void)
{
  Job job = job_new ();
  job_module (&job, job.host, "A_0", 0, 100);
  maker_span (&job.maker, job.host, "aten::linear", "cpu_op", 18, 10);
  maker_span (&job.maker, job.autograd, "autograd::engine::evaluate_function: AddmmBackward0", "cpu_op", 200, 50);
  maker_span (&job.maker, job.autograd, "AddmmBackward0", "cpu_op", 202, 20);
  maker_flow (&job.maker, "fwdbwd", job.host, 18, job.autograd, 202, job.id++);
  job_launch (&job, job.autograd, 205, 17, "gemm");
  job_launch (&job, job.autograd, 230, 19, "sum");
  maker_span (&job.maker, job.autograd, "autograd::engine::evaluate_function: AccumulateGrad", "cpu_op", 260, 20);
  job_launch (&job, job.autograd, 265, 23, "add");
  g_autoptr (LoomTimeline) timeline = maker_timeline (&job.maker, NULL);
  assert_tree (timeline, LOOM_MODULE_LEVEL_MODULES, " n0 b23/59,  A_0 n1 b36/36");
}

/* In a run without modules, the tree consists of the operators that launch something; each call has a node of its own.
 */
static void
test_operators (void)
{
  Job job = job_new ();
  maker_span (&job.maker, job.host, "aten::linear", "cpu_op", 0, 20);
  maker_span (&job.maker, job.host, "aten::mm", "cpu_op", 5, 10);
  job_launch (&job, job.host, 6, 7, "gemm");
  maker_span (&job.maker, job.host, "aten::view", "cpu_op", 25, 2);
  maker_span (&job.maker, job.host, "aten::linear", "cpu_op", 30, 20);
  job_launch (&job, job.host, 36, 11, "gemm");
  g_autoptr (LoomTimeline) timeline = maker_timeline (&job.maker, NULL);
  g_assert_false (loom_module_tree_has_level (loom_timeline_get_run (timeline), LOOM_MODULE_LEVEL_MODULES));
  g_assert_cmpint (
    loom_module_comparison_find_level (loom_timeline_get_run (timeline), loom_timeline_get_run (timeline)), ==,
    LOOM_MODULE_LEVEL_OPERATORS);
  assert_tree (timeline, LOOM_MODULE_LEVEL_OPERATORS,
               " n0 f0/18,  aten::linear n1 f0/7,   aten::mm n1 f7/7,  aten::linear n1 f11/11");
}

/* --- comparison --------------------------------------------------------------------------------------------------- */

/* A model with layers of these kernel times; 0: the layer does not exist. */
static LoomTimeline *
make_model (const char *const *names, const gint64 *times_ns, guint n)
{
  Job job = job_new ();
  job_module (&job, job.host, "Model_0", 0, 100 * n);
  for (guint i = 0; i < n; i++) {
    if (times_ns[i] == 0)
      continue;
    job_module (&job, job.host, names[i], 100 * i + 10, 100 * i + 90);
    job_launch (&job, job.host, 100 * i + 20, times_ns[i], "gemm");
  }
  return maker_timeline (&job.maker, NULL);
}

static char *
dup_rows (const LoomModuleComparison *comparison)
{
  GString *text = g_string_new (NULL);
  for (guint32 i = 1; i < comparison->n; i++) {
    const LoomModuleChange *row = &comparison->rows[i];
    const char *sign = row->node[0] == LOOM_TREE_COMPARISON_NONE   ? "+"
                       : row->node[1] == LOOM_TREE_COMPARISON_NONE ? "-"
                                                                   : "";
    g_string_append_printf (text, "%s%s%s%s%d>%d", i > 1 ? " " : "", sign,
                            loom_module_comparison_get_node (comparison, i)->name, row->is_main ? "! " : " ",
                            (int) row->time_ns[0], (int) row->time_ns[1]);
  }
  return g_string_free (text, FALSE);
}

static void
assert_comparison (LoomTimeline *first, LoomTimeline *second, const char *expected)
{
  const LoomModuleTreeQuery queries[] = { { .timeline = first, .range = LOOM_STEP_BREAKDOWN_ALL },
                                          { .timeline = second, .range = LOOM_STEP_BREAKDOWN_ALL } };
  g_autoptr (LoomModuleComparison) comparison = loom_module_comparison_new (queries, NULL);
  g_autofree char *text = dup_rows (comparison);
  g_assert_cmpstr (text, ==, expected);
}

/* The layer Block_1 is slower, Pool_0 was removed, Head_0 was added. Linear_0 changes by less than 1 %. */
static void
test_changes (void)
{
  static const char *const names[] = { "Linear_0", "Block_0", "Block_1", "Pool_0", "Head_0", "Block_2" };
  static const gint64 before[] = { 1000, 500, 500, 200, 0, 500 }, after[] = { 1005, 500, 900, 0, 300, 500 };
  g_autoptr (LoomTimeline) first = make_model (names, before, G_N_ELEMENTS (names));
  g_autoptr (LoomTimeline) second = make_model (names, after, G_N_ELEMENTS (names));
  assert_comparison (first, second,
                     "Model_0 2700>3205 Linear_0 1000>1005 Block_0 500>500 Block_1! 500>900 -Pool_0! 200>0 "
                     "+Head_0! 0>300 Block_2 500>500");
}

/* Seven layers are slower by the same time. The comparison then does not name the seven layers as the cause, but the
 * module around them. */
static void
test_many_changes (void)
{
  static const char *const names[] = { "B_0", "B_1", "B_2", "B_3", "B_4", "B_5", "B_6" };
  static const gint64 before[] = { 500, 500, 500, 500, 500, 500, 500 }, after[] = { 600, 600, 600, 600, 600, 600, 600 };
  g_autoptr (LoomTimeline) first = make_model (names, before, G_N_ELEMENTS (names));
  g_autoptr (LoomTimeline) second = make_model (names, after, G_N_ELEMENTS (names));
  assert_comparison (first, second,
                     "Model_0! 3500>4200 B_0 500>600 B_1 500>600 B_2 500>600 B_3 500>600 B_4 500>600 B_5 500>600 "
                     "B_6 500>600");
}

/* A run with modules and a run without modules cannot be compared by module: loom_module_comparison_new() returns NULL.
 */
static void
test_levels (void)
{
  static const char *const names[] = { "B_0" };
  static const gint64 times[] = { 500 };
  g_autoptr (LoomTimeline) first = make_model (names, times, 1);
  Job job = job_new ();
  maker_span (&job.maker, job.host, "aten::mm", "cpu_op", 0, 10);
  job_launch (&job, job.host, 5, 7, "gemm");
  g_autoptr (LoomTimeline) second = maker_timeline (&job.maker, NULL);
  const LoomModuleTreeQuery queries[] = { { .timeline = first, .range = LOOM_STEP_BREAKDOWN_ALL },
                                          { .timeline = second, .range = LOOM_STEP_BREAKDOWN_ALL } };
  g_assert_null (loom_module_comparison_new (queries, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/modules/example", test_example);
  g_test_add_func ("/modules/recomputed", test_recomputed);
  g_test_add_func ("/modules/functions", test_functions);
  g_test_add_func ("/modules/operators", test_operators);
  g_test_add_func ("/modules/changes", test_changes);
  g_test_add_func ("/modules/many-changes", test_many_changes);
  g_test_add_func ("/modules/levels", test_levels);
  return g_test_run ();
}
