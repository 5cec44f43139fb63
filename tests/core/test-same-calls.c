/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the comparison of a span with the same call in other steps (loom-span-peers.h, loom-same-calls.h), on runs of
 * two ranks. Each step launches two kernels of one name, of 10 and 30 µs, which run after the launches of the step: the
 * second kernel begins after the end of the step. Times in µs.
 */
#include "loom-launch-ids.h"
#include "loom-same-calls.h"
#include "loom-span-peers.h"
#include "loom-span-properties.h"
#include "run-fixture.h"

#define STEP_US 1000
#define SLOW_RANK 1
#define SLOW_STEP 2
#define HOST 1   /* thread that launches kernels */
#define STREAM 7 /* stream on which kernels run */

typedef struct {
  guint n_steps;              /* number of steps that are annotated */
  gboolean no_flows;          /* TRUE: the file does not connect kernels with their launches */
  guint n_more[2][4];         /* [rank][step] number of launches in addition to the usual two */
  const char *const nodes[2]; /* name of the node of each rank */
  guint ranks[2];             /* number of each rank */
  gboolean is_pipeline;       /* TRUE: rank 0 sends a message to rank 1 in each step */
  gboolean no_ranks;          /* TRUE: the files do not state their rank */
  guint n_copies;             /* number of files in addition to the usual two, like the first, each on its own node */
} Job;

static const Job usual = { .n_steps = 4, .nodes = { "a", "a" }, .ranks = { 0, 1 } };

static void
add (GString *text, const char *name, const char *category, guint thread, guint begin, guint length)
{
  g_string_append_printf (text,
                          ",{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%u,\"dur\":%u}",
                          name, category, thread == STREAM ? 0u : 900u, thread, begin, length);
}

/* Adds the send of a message on rank 0, or its receive on rank 1. */
static void
add_message (GString *text, guint rank, guint step)
{
  g_string_append_printf (
    text,
    ",{\"ph\":\"X\",\"name\":\"ncclDevKernel_SendRecv\",\"cat\":\"kernel\",\"pid\":0,\"tid\":20,\"ts\":%u,\"dur\":20,"
    "\"args\":{\"Collective name\":\"%s\",\"Process Group Name\":\"pipe\",\"Process Group Ranks\":\"[0, 1]\","
    "\"Process Group Description\":\"mesh_pp\",\"Group size\":2,\"Seq\":%u,\"Src Rank\":0,\"Dst Rank\":1,\"stream\":20,"
    "\"device\":0}}",
    (step + 1) * STEP_US + 500, rank == 0 ? "send" : "recv", step);
}

static void
add_flow (GString *text, guint launch, guint kernel)
{
  g_string_append_printf (
    text,
    ",{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":900,\"tid\":%u,\"ts\":%u}"
    ",{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":0,\"tid\":%u,\"ts\":%u,"
    "\"bp\":\"e\"}",
    launch, HOST, launch, launch, STREAM, kernel);
}

/* Adds the launches and kernels of a step. An operator of the host runs for as long as the kernel that it launches. */
static void
add_step (GString *text, const Job *job, guint file, guint step)
{
  guint zero = (step + 1) * STEP_US, n = 2 + job->n_more[file][step];
  for (guint i = 0; i < n; i++) {
    guint launch = zero + 100 * (i + 1), kernel = zero + STEP_US - 50 + 70 * i, length = i == 0 ? 10 : 30;
    if (file == SLOW_RANK && step == SLOW_STEP)
      length = length * 14 / 10;
    add (text, "aten::mm", "cpu_op", HOST, launch - 1, length);
    add (text, "cudaLaunchKernel", "cuda_runtime", HOST, launch, 5);
    add (text, "gemm", "kernel", STREAM, kernel, length);
    if (!job->no_flows)
      add_flow (text, launch, kernel);
  }
}

static char *
make_rank (const Job *job, guint file)
{
  GString *text = g_string_new (NULL);
  g_autofree char *place = g_strdup_printf ("\"distributedInfo\":{\"rank\":%u,\"world_size\":2},", job->ranks[file]);
  g_string_append_printf (
    text,
    "{\"schemaVersion\":1,%s\"traceEvents\":["
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"tid\":0,\"ts\":0,\"args\":{\"name\":\"python\"}},"
    "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"tid\":0,\"ts\":0,\"args\":{\"labels\":\"GPU 0\"}}",
    job->no_ranks ? "" : place);
  for (guint step = 0; step < 4; step++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", step);
    if (step < job->n_steps)
      add (text, name, "user_annotation", HOST, (step + 1) * STEP_US, STEP_US);
    add_step (text, job, file, step);
    if (job->is_pipeline)
      add_message (text, job->ranks[file], step);
  }
  g_string_append (text, "]}");
  return g_string_free (text, FALSE);
}

static LoomRunState *
open_job (const Job *job)
{
  g_autofree char *folder = fixture_folder ();
  for (guint file = 0; file < 2 + job->n_copies; file++) {
    g_autofree char *text = make_rank (job, file < 2 ? file : 0),
                    *node = file < 2 ? g_strdup (job->nodes[file]) : g_strdup_printf ("copy%u", 100 + file),
                    *name = g_strdup_printf ("%s_%u.1700000000%03u.pt.trace.json", node, 100 + file, file),
                    *path = fixture_file (folder, name, text);
  }
  return run_fixture_open (folder);
}

/* Returns the span that is the `nth` of its name, counted from 0, in a file of the job. */
static LoomSpanId
find_span (LoomTimeline *timeline, guint file, const char *name, guint nth)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), file);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    if (g_str_equal (loom_trace_get_name (trace, spans->name_id[i])->text, name) && nth-- == 0)
      return (LoomSpanId) { file, i };
  g_assert_not_reached ();
}

/* Compares a span in a file of the job. `nth`: how many spans of the name the file has before it. */
static LoomSpanPeers
measure (const Job *job, guint file, const char *name, guint nth)
{
  LoomRunState *run = open_job (job);
  LoomTimelineState *view = loom_run_state_get_view (run);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  LoomSpanPeers peers;
  g_assert_true (
    loom_span_peers_measure (timeline, steps, collectives, find_span (timeline, file, name, nth), NULL, &peers));
  run_fixture_close (run);
  return peers;
}

static void
assert_peers (const LoomSpanPeers *peers, guint call, guint n_calls, guint n_own, double own_us, guint n_others,
              double others_us)
{
  g_assert_cmpuint (peers->call, ==, call);
  g_assert_cmpuint (peers->n_calls, ==, n_calls);
  g_assert_cmpuint (peers->n_own, ==, n_own);
  g_assert_cmpfloat_with_epsilon (peers->own_median_ns, own_us * 1000, own_us);
  g_assert_cmpuint (peers->n_others, ==, n_others);
  g_assert_cmpfloat_with_epsilon (peers->others_median_ns, others_us * 1000, others_us);
}

/* The kernels of the slow step are compared with kernels of their own size, although all have the same name. They belong
 * to the step that launches them, although the second kernel of each step runs in the next step. */
static void
test_kernels (void)
{
  LoomSpanPeers first = measure (&usual, SLOW_RANK, "gemm", 2 * SLOW_STEP),
                second = measure (&usual, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  assert_peers (&first, 1, 2, 3, 10, 4, 10);
  assert_peers (&second, 2, 2, 3, 30, 4, 30);
  g_assert_cmpint (second.duration_ns, ==, 42000);
  g_autofree char *text = loom_span_peers_describe (&second);
  g_assert_cmpstr (text, ==, "1.40 × the median of 30.0 µs in other steps\nMedian of other ranks: 30.0 µs");
}

/* The median of the other ranks contains their slow step. */
static void
test_other_ranks (void)
{
  LoomSpanPeers last = measure (&usual, 0, "gemm", 7);
  assert_peers (&last, 2, 2, 3, 30, 4, 30);
}

/* Spans on hosts belong to the step in which they begin. */
static void
test_hosts (void)
{
  LoomSpanPeers second = measure (&usual, SLOW_RANK, "aten::mm", 2 * SLOW_STEP + 1);
  assert_peers (&second, 2, 2, 3, 30, 4, 30);
}

/* Steps with a different number of calls are skipped, on the own rank and on others. */
static void
test_different_steps (void)
{
  Job job = usual;
  job.n_more[SLOW_RANK][0] = 1;
  job.n_more[0][1] = job.n_more[0][3] = 2;
  LoomSpanPeers second = measure (&job, SLOW_RANK, "gemm", 2 * SLOW_STEP + 2);
  assert_peers (&second, 2, 2, 2, 30, 2, 30);
}

/* If fewer than three steps have equally many calls, the span is compared with all spans of its name. */
static void
test_few_steps (void)
{
  Job job = usual;
  job.n_more[SLOW_RANK][0] = 1;
  job.n_more[SLOW_RANK][1] = 2;
  LoomSpanPeers second = measure (&job, SLOW_RANK, "gemm", 2 * SLOW_STEP + 4);
  assert_peers (&second, 0, 0, 11, 30, 8, 20);
}

/* Without steps, or if the launches of kernels are unknown, the span is compared with all spans of its name. */
static void
test_name (void)
{
  Job no_steps = usual, no_flows = usual;
  no_steps.n_steps = 0;
  no_flows.no_flows = TRUE;
  LoomSpanPeers without_steps = measure (&no_steps, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1),
                without_flows = measure (&no_flows, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  assert_peers (&without_steps, 0, 0, 8, 22, 8, 20);
  assert_peers (&without_flows, 0, 0, 8, 22, 8, 20);
}

/* Two jobs that are open together have a rank 0 each, on different nodes. Their calls are counted separately. */
static void
test_nodes (void)
{
  Job job = usual;
  Job nodes = { .n_steps = job.n_steps, .nodes = { "a", "b" }, .ranks = { 0, 0 } };
  LoomSpanPeers second = measure (&nodes, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  assert_peers (&second, 2, 2, 3, 30, 4, 30);
}

/* Many jobs that are open together have a rank 0 each. The first and the last node are found, too. */
static void
test_many_nodes (void)
{
  Job nodes = { .n_steps = usual.n_steps, .nodes = { "a", "b" }, .ranks = { 0, 0 }, .n_copies = 37 };
  LoomSpanPeers second = measure (&nodes, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1), first = measure (&nodes, 0, "gemm", 1),
                last = measure (&nodes, 38, "gemm", 1);
  assert_peers (&second, 2, 2, 3, 30, 4 * 38, 30);
  assert_peers (&first, 2, 2, 3, 30, 4 * 38, 30);
  assert_peers (&last, 2, 2, 3, 30, 4 * 38, 30);
}

/* Files without ranks are not compared with each other. */
static void
test_no_ranks (void)
{
  Job no_ranks = usual;
  no_ranks.no_ranks = TRUE;
  LoomSpanPeers second = measure (&no_ranks, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  g_assert_cmpuint (second.n_calls, ==, 2);
  g_assert_cmpuint (second.n_own, ==, 3);
  g_assert_cmpuint (second.n_others, ==, 0);
}

/* A cancelled search ends before it looks at any launch. */
static void
test_cancelled (void)
{
  Job no_flows = usual;
  no_flows.no_flows = TRUE;
  LoomRunState *run = open_job (&no_flows);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (run));
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  LoomSpanId span = find_span (timeline, 0, "gemm", 1);
  LoomSameCalls calls;
  g_cancellable_cancel (cancellable);
  g_assert_false (loom_same_calls_measure (timeline, steps, NULL, span, cancellable, &calls));
  g_assert_null (loom_trace_get_shared (trace, LOOM_TRACE_SHARES_N_LAUNCH_ARGS));
  g_assert_null (loom_trace_get_shared (trace, LOOM_TRACE_SHARES_LAUNCH_IDS));
  g_assert_cmpuint (loom_launch_ids_count_unread (trace), ==, 16);
  g_assert_false (loom_same_calls_measure (timeline, steps, NULL, span, NULL, &calls));
  g_assert_cmpuint (loom_launch_ids_count_unread (trace), ==, 0);
  run_fixture_close (run);
}

/* The stages of a pipeline make their calls in different orders, so other stages are not compared. */
static void
test_stages (void)
{
  Job job = usual;
  job.is_pipeline = TRUE;
  LoomSpanPeers second = measure (&job, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  g_assert_cmpuint (second.n_own, ==, 3);
  g_assert_cmpuint (second.n_others, ==, 0);
  g_assert_true (second.of_stage);
  g_autofree char *alone = loom_span_peers_describe (&second);
  g_assert_cmpstr (alone, ==, "1.40 × the median of 30.0 µs in other steps");
  second.n_others = 4;
  second.others_median_ns = 20000;
  g_autofree char *with_others = loom_span_peers_describe (&second);
  g_assert_cmpstr (with_others, ==,
                   "1.40 × the median of 30.0 µs in other steps\nMedian of other ranks of the pipeline stage: 20.0 µs");
}

/* The details say which of both was compared, and which call of the step the span is. */
static void
test_words (void)
{
  LoomSpanPeers peers = measure (&usual, SLOW_RANK, "gemm", 2 * SLOW_STEP + 1);
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_span_properties_free_property);
  g_assert_cmpint (loom_span_properties_add_peers (facts, &peers), ==, 0);
  const LoomProperty *fact = facts->pdata[0];
  g_assert_cmpstr (fact->word, ==, "Same call");
  g_assert_cmpstr (fact->more, ==, "Call 2 of 2 with this name in the step");
  peers.n_calls = 0;
  g_assert_cmpint (loom_span_properties_add_peers (facts, &peers), ==, 1);
  g_assert_cmpstr (((const LoomProperty *) facts->pdata[1])->word, ==, "Same name");
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/same-calls/kernels", test_kernels);
  g_test_add_func ("/core/same-calls/other-ranks", test_other_ranks);
  g_test_add_func ("/core/same-calls/hosts", test_hosts);
  g_test_add_func ("/core/same-calls/different-steps", test_different_steps);
  g_test_add_func ("/core/same-calls/few-steps", test_few_steps);
  g_test_add_func ("/core/same-calls/name", test_name);
  g_test_add_func ("/core/same-calls/nodes", test_nodes);
  g_test_add_func ("/core/same-calls/many-nodes", test_many_nodes);
  g_test_add_func ("/core/same-calls/no-ranks", test_no_ranks);
  g_test_add_func ("/core/same-calls/cancelled", test_cancelled);
  g_test_add_func ("/core/same-calls/stages", test_stages);
  g_test_add_func ("/core/same-calls/words", test_words);
  return run_fixture_run ();
}
