/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the critical path of small runs whose times can be calculated by hand. λ is the shortest launch delay of a run,
 * γ the shortest gap on a stream, σ the shortest return of a blocking call (loom-path-graph.h). Times in µs.
 */
#include "loom-hta-path.h"
#include "path-maker.h"

/* --- one rank -------------------------------------------------------------------------------------------------------- */

static Rank
make_check (void)
{
  Rank rank = make_rank (0);
  maker_span (&rank.maker, rank.host, "aten::mm", "cpu_op", 0, 20 * US);
  add_kernel (&rank, rank.stream, "gemm", 5, 10, 12, 40);
  maker_span (&rank.maker, rank.host, "cudaDeviceSynchronize", "cuda_runtime", 22 * US, 19 * US);
  return rank;
}

/* The path of make_check() consists of the operator until it launches the kernel (5 µs), the launch delay (7 µs), the
 * kernel (28 µs), and the return of the synchronization (1 µs). */
static void
test_check (void)
{
  Rank rank = make_check ();
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_null (loom_critical_path_get_missing (path));
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 41 * US);
  assert_kind (path, LOOM_PATH_KIND_HOST, 5);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 7);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 28);
  assert_kind (path, LOOM_PATH_KIND_SYNC, 1);
  g_assert_cmpuint (path->n_inferred, ==, 1); /* the file does not state which work the call waited for, so it is
   * inferred */
  g_assert_cmpuint (path->names->len, ==, 4);
  const LoomPathName *gemm = find (path, LOOM_PATH_KIND_COMPUTE, "gemm");
  g_assert_true (gemm->is_known);
  g_assert_cmpint (gemm->path_ns, ==, 28 * US);
  g_assert_cmpint (gemm->slack_ns, ==, 0);
  /* If the kernel took no time, the host would determine the end of the run: the synchronization begins at 22 µs, and
   * would return σ = 1 µs later, at 23 µs instead of 41 µs. So the kernel's time saves 18 µs. */
  g_assert_cmpint (gemm->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 18 * US);
  g_assert_cmpint (gemm->saving_ns[LOOM_PATH_CHANGE_FASTER], ==, 5600);
  const LoomPathName *op = find (path, LOOM_PATH_KIND_HOST, "aten::mm");
  g_assert_cmpint (op->path_ns, ==, 5 * US);
  g_assert_cmpint (op->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 5 * US);
  g_assert_cmpint (op->slack_ns, ==, -1);
}

static gint64
get_slack (LoomTimeline *timeline, const LoomPathSlack *slack, const char *name)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++) {
    gint64 slack_ns = -1;
    if (strcmp (loom_trace_get_name (trace, spans->name_id[i])->text, name) == 0)
      return loom_path_slack_get (slack, (LoomSpanId) { 0, i }, &slack_ns) ? slack_ns : -1;
  }
  g_assert_not_reached ();
}

/* Slack of spans: the host arrives at the synchronization at 22 µs. It could arrive at 40 µs without delaying the end,
 * because the synchronization returns at 41 µs and σ is 1 µs. So the spans of the host have a slack of 18 µs. The slack
 * of spans on a thread without calls is unknown. */
static void
test_span_slack (void)
{
  Rank rank = make_check ();
  guint32 loader = maker_thread (&rank.maker, "python", 0, "9", 0);
  maker_span (&rank.maker, loader, "prefetch", "cpu_op", 0, 12 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) whole = compute (timeline, WHOLE);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomPathSlack) slack = NULL;
  g_autoptr (LoomCriticalPath) path =
    loom_critical_path_new_stretches (timeline, WHOLE, collectives, NULL, &slack, NULL);
  g_assert_cmpint (get_slack (timeline, slack, "gemm"), ==, 0);
  g_assert_cmpint (get_slack (timeline, slack, "aten::mm"), ==, 18 * US);
  g_assert_cmpint (get_slack (timeline, slack, "cudaLaunchKernel"), ==, 18 * US);
  g_assert_cmpint (get_slack (timeline, slack, "cudaDeviceSynchronize"), ==, 0);
  g_assert_cmpint (get_slack (timeline, slack, "prefetch"), ==, -1);
  gint64 slack_ns;
  g_assert_false (loom_path_slack_get (slack, LOOM_SPAN_ID_NONE, &slack_ns));
  g_assert_cmpuint (path->stretches->len, ==, whole->stretches->len);
  g_assert_cmpmem (path->kinds_ns, sizeof path->kinds_ns, whole->kinds_ns, sizeof whole->kinds_ns);
}

/* Only the part of the path inside the range counts. */
static void
test_range (void)
{
  Rank rank = make_check ();
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, maker_range (14 * US, 30 * US));
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 16 * US);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 16);
  /* if the kernel took no time, the synchronization, which begins at 22 µs, would return at 23 µs, which is 7 µs before
   * the end of the range */
  g_assert_cmpint (find (path, LOOM_PATH_KIND_COMPUTE, "gemm")->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 7 * US);
}

/* The kernel is launched at 2 µs, begins at 50 µs and takes 30 µs. The range [40, 70) µs contains 10 µs of its launch
 * delay and 20 µs of the kernel, so faster launches or kernels can save at most these times. */
static void
test_savings_in_range (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "gemm", 2, 3, 50, 80);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, maker_range (40 * US, 70 * US));
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 10);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 20);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_LAUNCH][LOOM_PATH_CHANGE_FREE], ==, 10 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_LAUNCH][LOOM_PATH_CHANGE_FASTER], ==, 2 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_COMPUTE][LOOM_PATH_CHANGE_FREE], ==, 20 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_COMPUTE][LOOM_PATH_CHANGE_FASTER], ==, 4 * US);
}

/* Three kernels on one stream. "second" was launched early, so it waits for "first", and begins γ = 1 µs after the end
 * of "first". "third" begins before its own launch (a clock error), so it depends only on the previous kernel of the
 * stream. */
static void
test_stream (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "first", 0, 2, 6, 20);
  add_kernel (&rank, rank.stream, "second", 2, 4, 21, 30);
  add_kernel (&rank, rank.stream, "third", 40, 42, 31, 50);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 50 * US);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 2);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 42);
  /* without "first", the kernels would end at 37 µs, but the host's last call ends at 42 µs; so the run would end 8 µs
   * earlier, at 42 instead of 50 µs */
  g_assert_cmpint (find (path, LOOM_PATH_KIND_COMPUTE, "first")->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 8 * US);
}

/* λ is 6 µs and γ is 1 µs. The fourth kernel was launched before the third one ended, but begins only after a gap of 44
 * µs. The file does not show the reason for the gap. A replay keeps this gap as measured. */
static void
test_unexplained (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "gemm", 0, 5, 6, 16);
  add_kernel (&rank, rank.stream, "gemm", 8, 13, 17, 27);
  add_kernel (&rank, rank.stream, "gemm", 30, 35, 36, 46);
  add_kernel (&rank, rank.stream, "last", 40, 45, 90, 100);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 44);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 20);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  assert_kind (path, LOOM_PATH_KIND_HOST, 30);
  g_assert_cmpint (find (path, LOOM_PATH_KIND_COMPUTE, "last")->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 10 * US);
}

/* "after" on stream 20 waits for an event that was recorded on stream 7 after the launch of "long" and before that of
 * "between". So it waits for "long", but not for "between". */
static void
test_event (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "long", 0, 2, 6, 60);
  add_kernel (&rank, rank.stream, "between", 4, 5, 61, 62);
  add_kernel (&rank, rank.other, "after", 8, 9, 61, 80);
  add_stream_wait (&rank, 3, 6, rank.other, 7);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 80 * US);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 54 + 19);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 1);
  g_assert_null (find (path, LOOM_PATH_KIND_COMPUTE, "between"));
  g_assert_cmpuint (path->n_inferred, ==, 0);
}

/* If the file contains no waits for events, a kernel that begins directly after communication on another stream is
 * considered to have waited for the communication. */
static void
test_inferred_event (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.other, "ncclDevKernel_AllReduce", 0, 2, 6, 60);
  add_kernel (&rank, rank.stream, "gemm", 8, 9, 62, 80);
  add_kernel (&rank, rank.stream, "later", 100, 101, 106, 120);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, maker_range (-1000 * US, 90 * US));
  g_assert_cmpuint (path->n_inferred, ==, 1);
  assert_kind (path, LOOM_PATH_KIND_COMMUNICATION, 54);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 2);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 18);
}

/* The host waits until 510 µs, and σ (the shortest return of a blocking call) is 10 µs. cudaDeviceSynchronize waits for
 * both streams, which end at 500 µs ("gemm") and at 490 µs ("side"). cudaStreamSynchronize waits only for "gemm", the
 * work that ended last. If "gemm" took no time, cudaDeviceSynchronize would return at 500 µs: σ after the end of
 * "side". cudaStreamSynchronize would return at 120 µs, and the run would end with "side" at 490 µs. */
static void
test_inferred_synchronization (void)
{
  static const char *const names[] = { "cudaDeviceSynchronize", "cudaStreamSynchronize" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    Rank rank = make_rank (0);
    add_kernel (&rank, rank.stream, "gemm", 10, 20, 30, 500);
    add_kernel (&rank, rank.other, "side", 40, 50, 60, 490);
    maker_span (&rank.maker, rank.host, names[i], "cuda_runtime", 110 * US, 400 * US);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
    g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
    g_assert_cmpuint (path->n_inferred, ==, i == 0 ? 2 : 1);
    assert_kind (path, LOOM_PATH_KIND_COMPUTE, 470);
    assert_kind (path, LOOM_PATH_KIND_SYNC, 10);
    const LoomPathName *gemm = find (path, LOOM_PATH_KIND_COMPUTE, "gemm");
    g_assert_cmpint (gemm->saving_ns[LOOM_PATH_CHANGE_FREE], ==, (i == 0 ? 10 : 20) * US);
  }
}

/* A thread runs the backward pass, and the main thread waits for it in loss.backward(). */
static void
test_threads (void)
{
  Rank rank = make_rank (0);
  guint32 backward = maker_thread (&rank.maker, "python", 0, "2", 0);
  maker_span (&rank.maker, rank.host, "loss.backward", "python_function", 0, 100 * US);
  maker_span (&rank.maker, backward, "AddmmBackward0", "cpu_op", 30 * US, 30 * US);
  maker_span (&rank.maker, rank.host, "next(loader)", "cpu_op", 0, 1); /* nested in loss.backward */
  guint32 main = rank.host;
  rank.host = backward;
  add_kernel (&rank, rank.stream, "gemm", 50, 52, 56, 58);
  rank.host = main;
  maker_span (&rank.maker, rank.host, "cudaStreamSynchronize", "cuda_runtime", 90 * US, 5 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 100 * US);
  /* From 30 to 50 µs the path is on the backward thread; before and after that, the main thread is in loss.backward. */
  g_assert_cmpint (find (path, LOOM_PATH_KIND_HOST, "AddmmBackward0")->path_ns, ==, 20 * US);
  assert_kind (path, LOOM_PATH_KIND_HOST, 100);
}

/* Time in spans of data loading counts as LOOM_PATH_KIND_DATA, including nested operators. */
static void
test_data (void)
{
  Rank rank = make_rank (0);
  maker_span (&rank.maker, rank.host, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation",
              0, 40 * US);
  maker_span (&rank.maker, rank.host, "aten::stack", "cpu_op", 10 * US, 20 * US);
  add_kernel (&rank, rank.stream, "gemm", 50, 52, 56, 60);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  assert_kind (path, LOOM_PATH_KIND_DATA, 40);
  assert_kind (path, LOOM_PATH_KIND_HOST, 10);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_DATA][LOOM_PATH_CHANGE_FREE], ==, 40 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_DATA][LOOM_PATH_CHANGE_FASTER], ==, 8 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_HOST][LOOM_PATH_CHANGE_FREE], ==, 10 * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_HOST][LOOM_PATH_CHANGE_FASTER], ==, 2 * US);
}

#define TURNS_PER_STEP 1000
#define N_STEPS 7

static void
add_turn (Rank *rank, gint64 begin)
{
  maker_span (&rank->maker, rank->host, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
              "user_annotation", begin * US, 20 * US);
  maker_span (&rank->maker, rank->host, "aten::mm", "cpu_op", (begin + 20) * US, 40 * US);
  add_kernel (rank, rank->stream, "gemm", begin + 30, begin + 32, begin + 36, begin + 70);
  maker_span (&rank->maker, rank->host, "cudaDeviceSynchronize", "cuda_runtime", (begin + 60) * US, 12 * US);
}

/* A run with so many edges that several threads compute its path and its savings. Every 100 µs are alike: 20 µs of data
 * loading, 10 µs of an operator until it launches the kernel, the launch delay (6 µs), the kernel (34 µs), the return of
 * the synchronization (2 µs), and 28 µs of the step. */
static void
test_many (void)
{
  Rank rank = make_rank (0);
  for (gint64 i = 0; i < N_STEPS; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%" G_GINT64_FORMAT, i);
    maker_span (&rank.maker, rank.host, name, "user_annotation", i * TURNS_PER_STEP * 100 * US,
                TURNS_PER_STEP * 100 * US);
    for (gint64 k = 0; k < TURNS_PER_STEP; k++)
      add_turn (&rank, (i * TURNS_PER_STEP + k) * 100);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  const gint64 wanted_us[LOOM_N_PATH_KINDS] = {
    [LOOM_PATH_KIND_HOST] = 38,    [LOOM_PATH_KIND_DATA] = 20, [LOOM_PATH_KIND_LAUNCH] = 6,
    [LOOM_PATH_KIND_COMPUTE] = 34, [LOOM_PATH_KIND_SYNC] = 2,
  };
  g_assert_cmpuint (path->steps->len, ==, N_STEPS);
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++) {
    assert_kind (path, i, wanted_us[i] * TURNS_PER_STEP * N_STEPS);
    for (guint k = 0; k < N_STEPS; k++)
      g_assert_cmpint (g_array_index (path->steps, LoomPathStep, k).kinds_ns[i], ==,
                       wanted_us[i] * TURNS_PER_STEP * US);
  }
  /* without the kernels, each synchronization returns σ = 2 µs after it begins, which is 10 µs earlier */
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_COMPUTE][LOOM_PATH_CHANGE_FREE], ==,
                   10 * TURNS_PER_STEP * N_STEPS * US);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_DATA][LOOM_PATH_CHANGE_FREE], ==,
                   20 * TURNS_PER_STEP * N_STEPS * US);
  g_assert_cmpint (find (path, LOOM_PATH_KIND_HOST, "aten::mm")->saving_ns[LOOM_PATH_CHANGE_FREE], ==,
                   10 * TURNS_PER_STEP * N_STEPS * US);
}

static void
test_missing (void)
{
  Rank rank = make_rank (0);
  maker_span (&rank.maker, rank.host, "aten::mm", "cpu_op", 0, 20 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_nonnull (strstr (loom_critical_path_get_missing (path), "no GPU kernels"));
  Rank unlaunched = make_rank (0);
  maker_span (&unlaunched.maker, unlaunched.stream, "gemm", "kernel", 0, 20 * US);
  g_autoptr (LoomTimeline) second = maker_timeline (&unlaunched.maker, NULL);
  g_autoptr (LoomCriticalPath) none = compute (second, WHOLE);
  g_assert_nonnull (strstr (loom_critical_path_get_missing (none), "launches"));
}

/* --- as HTA ---------------------------------------------------------------------------------------------------------- */

/* Computes the path of make_check() with the rules of Holistic Trace Analysis (HTA). HTA itself gave the same result: a
 * graph of 8 nodes and 8 edges, and a path that covers 40 of the 41 µs of the run: 5 µs on the host, 7 µs in the launch
 * and 28 µs in the kernel. */
static void
test_hta (void)
{
  Rank rank = make_check ();
  LoomSyncEvent events[] = {
    { .start_ns = MAKER_BEGIN + 22 * US, .kind = LOOM_SYNC_EVENT_DEVICE_CALL, .call = 9, .bytes = -1 },
    { .start_ns = MAKER_BEGIN + 23 * US,
      .kind = LOOM_SYNC_EVENT_DEVICE_WAIT,
      .call = 9,
      .sequence = LOOM_SEQUENCE_NONE,
      .bytes = -1 },
  };
  /* refs of the call cudaDeviceSynchronize, which is the last span of make_check(), and of the wait
   * “Context Sync”, which the next line adds */
  events[0].ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (rank.maker.builder) - 1);
  events[1].ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (rank.maker.builder));
  maker_span (&rank.maker, rank.other, "Context Sync", "cuda_sync", 23 * US, 17 * US);
  loom_trace_builder_sync_event (rank.maker.builder, rank.host, &events[0], "", "cudaDeviceSynchronize");
  loom_trace_builder_sync_event (rank.maker.builder, rank.other, &events[1], "", "Context Sync");
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  g_autoptr (LoomHtaPath) path = loom_hta_path_new (trace, "", 0, 0);
  g_assert_cmpuint (path->n_nodes, ==, 8);
  g_assert_cmpuint (path->edges[LOOM_HTA_EDGE_OPERATOR].n, ==, 5);
  g_assert_cmpint (path->edges[LOOM_HTA_EDGE_OPERATOR].weight_ns, ==, 48 * US);
  g_assert_cmpuint (path->edges[LOOM_HTA_EDGE_DEPENDENCY].n, ==, 1);
  g_assert_cmpint (path->edges[LOOM_HTA_EDGE_LAUNCH].weight_ns, ==, 7 * US);
  g_assert_cmpuint (path->edges[LOOM_HTA_EDGE_SYNC].n, ==, 1);
  g_assert_cmpint (path->length_ns, ==, 40 * US);
  g_assert_cmpint (path->bound_ns[LOOM_HTA_BOUND_HOST], ==, 5 * US);
  g_assert_cmpint (path->bound_ns[LOOM_HTA_BOUND_LAUNCH], ==, 7 * US);
  g_assert_cmpint (path->bound_ns[LOOM_HTA_BOUND_COMPUTE], ==, 28 * US);
  g_assert_null (loom_hta_path_new (trace, "ProfilerStep", 0, 0));
}

/* --- two ranks ------------------------------------------------------------------------------------------------------- */

/* Two ranks that meet in a collective: the kernel of rank 0 takes 10 µs, the kernel of rank 1 takes 30 µs, and the
 * transfer takes 4 µs. γ is 1 µs. The kernels were launched so early that the launches do not affect the path. */
static LoomTimeline *
make_ranks (void)
{
  Rank ranks[2];
  for (gint i = 0; i < 2; i++) {
    ranks[i] = make_rank (i);
    add_kernel (&ranks[i], ranks[i].stream, i == 0 ? "quick" : "slow", -6, -5, 0, i == 0 ? 10 : 30);
    add_collective (&ranks[i], -5, i == 0 ? 11 : 31, 35);
  }
  return maker_timeline (&ranks[0].maker, &ranks[1].maker);
}

static void
test_join (void)
{
  g_autoptr (LoomTimeline) timeline = make_ranks ();
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->n_joins, ==, 1);
  g_assert_cmpuint (path->n_unjoined, ==, 0);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 30);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 1);
  assert_kind (path, LOOM_PATH_KIND_TRANSFER, 4);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  g_assert_null (find (path, LOOM_PATH_KIND_COMPUTE, "quick"));
  const LoomPathName *slow = find (path, LOOM_PATH_KIND_COMPUTE, "slow");
  /* 20 µs, not 30: without the kernel of rank 1, the collective would wait for the kernel of rank
   * 0, which takes 10 */
  g_assert_cmpint (slow->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 20 * US);
  g_assert_cmpint (slow->saving_ns[LOOM_PATH_CHANGE_FASTER], ==, 6 * US);
  const LoomPathName *transfer = find (path, LOOM_PATH_KIND_TRANSFER, "ncclDevKernel_AllReduce");
  g_assert_cmpint (transfer->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 4 * US);
  /* The path is on rank 1 until its collective begins. The transfer ends on both ranks at the same time, so the path
   * may continue on either rank; it continues on rank 0. */
  g_assert_cmpint (g_array_index (path->ranks, LoomPathRank, 0).rank, ==, 1);
  g_assert_cmpint (g_array_index (path->ranks, LoomPathRank, 0).path_ns, ==, 37 * US);
}

/* The kernel of rank 0 has a slack of 20 µs, because rank 1 arrives 20 µs later; all other work has no slack. */
static void
test_slack (void)
{
  g_autoptr (LoomTimeline) timeline = make_ranks ();
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomPathGraph) graph = loom_path_graph_new (timeline, WHOLE, collectives, NULL, NULL);
  g_autofree gint64 *slack_ns = g_new (gint64, graph->n);
  loom_path_replay_get_slack (graph, slack_ns);
  guint n_found = 0;
  for (guint32 v = 0; v < graph->n; v++) {
    if (graph->nodes[v].type != LOOM_PATH_NODE_WORK_END)
      continue;
    const LoomPathWork *work = loom_path_items_get_work (&graph->items, graph->nodes[v].item);
    if (work->end_ns != MAKER_BEGIN + 35 * US)
      g_assert_cmpint (slack_ns[v], ==, work->trace == 0 ? 20 * US : 0);
    n_found++;
  }
  g_assert_cmpuint (n_found, ==, 4);
}

/* A rank was recorded twice: the path of the whole run begins with the second recording, because nothing connects the
 * two. The path of a range with only the first recording is in that recording. */
static void
test_recordings (void)
{
  Rank ranks[2] = { make_rank (0), make_rank (0) };
  add_kernel (&ranks[0], ranks[0].stream, "first", 0, 2, 6, 40);
  add_kernel (&ranks[1], ranks[1].stream, "second", 1000, 1002, 1006, 1020);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->n_earlier, ==, 1);
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 20 * US);
  g_autoptr (LoomCriticalPath) first = compute (timeline, maker_range (0, 500 * US));
  g_assert_cmpuint (first->n_earlier, ==, 0);
  g_assert_cmpint (loom_critical_path_get_length (first), ==, 40 * US);
}

static const LoomPathShare *
find_share (const GArray *shares, const char *name)
{
  for (guint i = 0; i < shares->len; i++)
    if (strcmp (g_array_index (shares, LoomPathShare, i).name, name) == 0)
      return &g_array_index (shares, LoomPathShare, i);
  return NULL;
}

static void
assert_share (const LoomPathShare *share, gint64 path_us, gint64 free_us, gint64 faster_ns)
{
  g_assert_nonnull (share);
  g_assert_true (share->is_known);
  g_assert_cmpint (share->path_ns, ==, path_us * US);
  g_assert_cmpint (share->saving_ns[LOOM_PATH_CHANGE_FREE], ==, free_us * US);
  g_assert_cmpint (share->saving_ns[LOOM_PATH_CHANGE_FASTER], ==, faster_ns);
}

/* Collectives of two parallel axes. The collective of the tensor axis ends at 35 µs, after a transfer of 4 µs. The
 * collective of the data axis runs in [36, 46) µs and only transfers. On rank 0, the kernel "beside" runs on another
 * stream until 44 µs. Even if transfers took no time, the run would therefore end at 44 µs, so at most 2 µs can be
 * saved. γ is 1 µs. */
static void
test_axes (void)
{
  Rank ranks[2];
  for (gint i = 0; i < 2; i++) {
    ranks[i] = make_rank (i);
    add_kernel (&ranks[i], ranks[i].stream, i == 0 ? "quick" : "slow", -6, -5, 0, i == 0 ? 10 : 30);
    add_collective_along (&ranks[i], LOOM_PARALLEL_AXIS_TENSOR, 1, -5, i == 0 ? 11 : 31, 35);
    add_collective_along (&ranks[i], LOOM_PARALLEL_AXIS_DATA, 1, -4, 36, 46);
  }
  add_kernel (&ranks[0], ranks[0].other, "beside", -3, -2, 3, 44);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->n_joins, ==, 2);
  g_assert_cmpuint (path->axes->len, ==, 2);
  assert_kind (path, LOOM_PATH_KIND_TRANSFER, 14);
  assert_share (find_share (path->axes, "tensor"), 4, 2, 800);
  assert_share (find_share (path->axes, "data"), 10, 2, 2000);
  g_assert_cmpint (path->kind_saving_ns[LOOM_PATH_KIND_TRANSFER][LOOM_PATH_CHANGE_FREE], ==, 2 * US);
  g_assert_cmpuint (path->modules->len, ==, 0);
}

static void
add_flow (Rank *rank, guint32 from, gint64 from_us, guint32 to, gint64 to_us)
{
  guint32 name = loom_trace_builder_name (rank->maker.builder, "fwdbwd", 6, "fwdbwd", 6, "", 0);
  LoomRef ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (rank->maker.builder));
  loom_trace_builder_flow (rank->maker.builder, from, 's', FALSE, MAKER_BEGIN + from_us * US, 7, name, ref);
  loom_trace_builder_flow (rank->maker.builder, to, 'f', TRUE, MAKER_BEGIN + to_us * US, 7, name, ref);
}

/* Time by module. The host launches all work early, in the module Block_0 [0, 40) µs, and in two modules nested in it,
 * Linear_0 [10, 20) µs and Linear_12 [30, 38) µs. The kernels follow each other with gaps of γ = 1 µs: "a" (20 µs)
 * belongs to Block; "b" (30 µs) and "c" (40 µs) belong to Linear; "d" (50 µs) belongs to no module; "e" (60 µs) belongs
 * to Linear, because it is in the backward pass of Linear_0, on another thread. Before the launch of "a" (λ is 6 µs),
 * the host is in Block for 4 µs. */
static void
test_modules (void)
{
  Rank rank = make_rank (0);
  guint32 main = rank.host, backward = maker_thread (&rank.maker, "python", 0, "2", 0);
  maker_span (&rank.maker, main, "nn.Module: Block_0", "python_function", 0, 40 * US);
  maker_span (&rank.maker, main, "nn.Module: Linear_0", "python_function", 10 * US, 10 * US);
  maker_span (&rank.maker, main, "aten::linear", "cpu_op", 11 * US, 8 * US);
  maker_span (&rank.maker, main, "nn.Module: Linear_12", "python_function", 30 * US, 8 * US);
  maker_span (&rank.maker, backward, "LinearBackward0", "cpu_op", 60 * US, 10 * US);
  add_flow (&rank, main, 11, backward, 60);
  add_kernel (&rank, rank.stream, "a", 4, 5, 10, 30);
  add_kernel (&rank, rank.stream, "b", 12, 13, 31, 61);
  add_kernel (&rank, rank.stream, "c", 32, 33, 62, 102);
  add_kernel (&rank, rank.stream, "d", 42, 43, 103, 153);
  rank.host = backward;
  add_kernel (&rank, rank.stream, "e", 62, 63, 154, 214);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->modules->len, ==, 2);
  g_assert_cmpuint (path->axes->len, ==, 0);
  /* module Linear: the kernels "b", "c" and "e", together 130 µs of the path's 214 µs; the path also has 4 µs on the
   * host, a launch delay of 6 µs, the kernels "a" and "d", and 4 gaps */
  assert_share (find_share (path->modules, "Linear"), 130, 130, 26000);
  /* module Block: the 130 µs of Linear, the kernel "a" (20 µs) and 4 µs on the host; the rest of the path is a launch
   * delay of 6 µs, the kernel "d" and 4 gaps */
  assert_share (find_share (path->modules, "Block"), 154, 154, 30800);
}

/* A rank's kernel of a collective ends before the kernel of the last rank begins. It cannot have waited for that
 * kernel, so the two kernels are not joined. */
static void
test_unjoined (void)
{
  Rank ranks[2];
  for (gint i = 0; i < 2; i++) {
    ranks[i] = make_rank (i);
    add_collective (&ranks[i], 0, i == 0 ? 6 : 40, i == 0 ? 20 : 50);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->n_unjoined, ==, 1);
  assert_kind (path, LOOM_PATH_KIND_TRANSFER, 10);
}

/* The launch of the work of rank 1 was not recorded, as in a trace of a profiler that records only devices. This work
 * ends 2 µs before the kernel of rank 0 or, if `is_last` is TRUE, after it. A replay cannot move work without a launch;
 * such work does not limit what other work can save. If the work of rank 1 ends last, the path consists of this work.
 */
static void
test_fixed (void)
{
  for (guint is_last = 0; is_last < 2; is_last++) {
    Rank ranks[2] = { make_rank (0), make_rank (1) };
    add_kernel (&ranks[0], ranks[0].stream, "gemm", 0, 5, 6, 60);
    maker_span (&ranks[1].maker, ranks[1].stream, "other", "kernel", 40 * US, (is_last ? 30 : 18) * US);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
    g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
    assert_kind (path, LOOM_PATH_KIND_COMPUTE, is_last ? 30 : 54);
    const LoomPathName *name = find (path, LOOM_PATH_KIND_COMPUTE, is_last ? "other" : "gemm");
    g_assert_cmpint (name->saving_ns[LOOM_PATH_CHANGE_FREE], ==, is_last ? 10 * US : 54 * US);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/critical-path/check", test_check);
  g_test_add_func ("/critical-path/span-slack", test_span_slack);
  g_test_add_func ("/critical-path/range", test_range);
  g_test_add_func ("/critical-path/savings-in-range", test_savings_in_range);
  g_test_add_func ("/critical-path/stream", test_stream);
  g_test_add_func ("/critical-path/unexplained", test_unexplained);
  g_test_add_func ("/critical-path/event", test_event);
  g_test_add_func ("/critical-path/inferred-event", test_inferred_event);
  g_test_add_func ("/critical-path/inferred-synchronization", test_inferred_synchronization);
  g_test_add_func ("/critical-path/threads", test_threads);
  g_test_add_func ("/critical-path/data", test_data);
  g_test_add_func ("/critical-path/many", test_many);
  g_test_add_func ("/critical-path/missing", test_missing);
  g_test_add_func ("/critical-path/hta", test_hta);
  g_test_add_func ("/critical-path/join", test_join);
  g_test_add_func ("/critical-path/slack", test_slack);
  g_test_add_func ("/critical-path/unjoined", test_unjoined);
  g_test_add_func ("/critical-path/fixed", test_fixed);
  g_test_add_func ("/critical-path/recordings", test_recordings);
  g_test_add_func ("/critical-path/axes", test_axes);
  g_test_add_func ("/critical-path/modules", test_modules);
  return g_test_run ();
}
