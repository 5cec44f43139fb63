/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how the time of steps is divided into parts, with times that can be calculated by hand.
 * tests/cli/test-compare.py tests waits in collectives, and whole runs that were slowed down on purpose.
 */
#include "loom-rank-waits.h"
#include "loom-step-breakdown.h"
#include "trace-maker.h"

/* The thread with the steps of rank 0, and two streams of its device. */
typedef struct {
  Maker maker;
  guint32 host, stream, side;
} Rank;

static Rank
rank_begin (const char *format)
{
  Rank rank = { .maker = maker_new ("run.json", format) };
  rank.host = maker_thread (&rank.maker, "python", 0, "1", 0);
  rank.stream = maker_thread (&rank.maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  rank.side = maker_thread (&rank.maker, "GPU 0", 0, "stream 20", LOOM_TRACK_DEVICE);
  return rank;
}

static LoomStepBreakdown *
rank_end_in (Rank *rank, LoomRange range)
{
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank->maker, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  return loom_step_breakdown_new (timeline, steps, collectives, range, NULL);
}

static LoomStepBreakdown *
rank_end (Rank *rank)
{
  return rank_end_in (rank, LOOM_STEP_BREAKDOWN_ALL);
}

static void
assert_parts (const LoomStepTime *step, gint64 compute, gint64 rank_wait, gint64 transfer, gint64 copy,
              gint64 data_wait, gint64 idle)
{
  gint64 expected[] = { compute, rank_wait, transfer, copy, data_wait, idle }, sum = 0;
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    if (step->parts_ns[i] != expected[i])
      g_error ("%s is %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT, loom_step_breakdown_part_to_string (i),
               step->parts_ns[i], expected[i]);
    sum += step->parts_ns[i];
  }
  g_assert_cmpint (sum, ==, step->end_ns - step->begin_ns);
}

/* Computation takes precedence over communication, communication over copies, and the rest is idle. Work between the
 * steps does not count, and a kernel that continues into the next step is split there. */
static void
test_parts (void)
{
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&rank.maker, rank.host, "enumerate(DataLoader)#_Iter.__next__", "user_annotation", 0, 20);
  maker_span (&rank.maker, rank.host, "ProfilerStep#2", "user_annotation", 110, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 30, 30);
  maker_span (&rank.maker, rank.side, "ncclKernel_AllReduce", "kernel", 50, 30);
  maker_span (&rank.maker, rank.side, "Memcpy HtoD", "gpu_memcpy", 85, 5);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 95, 25);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  const LoomRankSteps *ranks = breakdown->ranks;
  g_assert_cmpuint (breakdown->n_ranks, ==, 1);
  g_assert_cmpuint (ranks[0].n_steps, ==, 2);
  g_assert_cmpint (ranks[0].rank, ==, 0);
  g_assert_true (ranks[0].has_device);
  assert_parts (&ranks[0].steps[0], 35, 0, 20, 5, 20, 20);
  assert_parts (&ranks[0].steps[1], 10, 0, 0, 0, 0, 90);
  g_assert_cmpint (ranks[0].steps[0].number, ==, 1);
  g_assert_cmpfloat (ranks[0].median_ns, ==, 100);
  g_assert_cmpfloat (ranks[0].mean_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 22.5);
  g_assert_cmpfloat (breakdown->mean_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 55);
  g_assert_cmpuint (breakdown->n_steps, ==, 2);
}

/* While a kernel runs, a wait for data does not count: the device is busy. */
static void
test_wait_beside_work (void)
{
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&rank.maker, rank.host, "enumerate(DataLoader)#_Iter.__next__", "user_annotation", 10, 50);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 0, 40);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  assert_parts (&breakdown->ranks[0].steps[0], 40, 0, 0, 0, 20, 40);
}

/* Composer records the wait for data before the begin of its batch. */
static void
test_wait_before_step (void)
{
  Rank rank = rank_begin ("composer");
  maker_span (&rank.maker, rank.host, "event/dataloader", "", 0, 30);
  maker_span (&rank.maker, rank.host, "event/batch", "", 30, 70);
  maker_span (&rank.maker, rank.host, "event/dataloader", "", 105, 15);
  maker_span (&rank.maker, rank.host, "event/batch", "", 120, 70);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  const LoomRankSteps *ranks = breakdown->ranks;
  g_assert_cmpuint (breakdown->n_ranks, ==, 1);
  g_assert_cmpuint (ranks[0].n_steps, ==, 2);
  g_assert_false (ranks[0].has_device);
  assert_parts (&ranks[0].steps[0], 0, 0, 0, 0, 30, 70);
  assert_parts (&ranks[0].steps[1], 0, 0, 0, 0, 15, 70);
}

/* An evaluation between two steps fetches its batches as training does, but is not part of the next step. If two
 * batches are fetched for one step, or a short copy runs before the step, these belong to the step. */
static void
test_evaluation_before_step (void)
{
  Rank rank = rank_begin ("kineto");
  const char *wait = "enumerate(DataLoader)#_Iter.__next__";
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 0, 90);
  for (guint i = 0; i < 3; i++) { /* batches of the evaluation */
    maker_span (&rank.maker, rank.host, wait, "user_annotation", 105 + 100 * i, 5);
    maker_span (&rank.maker, rank.stream, "gemm", "kernel", 110 + 100 * i, 90);
  }
  maker_span (&rank.maker, rank.host, wait, "user_annotation", 405, 20);
  maker_span (&rank.maker, rank.host, wait, "user_annotation", 430, 5);
  maker_span (&rank.maker, rank.host, "ProfilerStep#2", "user_annotation", 445, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 445, 90);
  maker_span (&rank.maker, rank.host, wait, "user_annotation", 550, 5); /* wait of an evaluation after step 2 */
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 555, 90);
  maker_span (&rank.maker, rank.host, "ProfilerStep#3", "user_annotation", 700, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 700, 90);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  const LoomRankSteps *ranks = breakdown->ranks;
  g_assert_cmpuint (ranks[0].n_steps, ==, 3);
  assert_parts (&ranks[0].steps[1], 90, 0, 0, 0, 25, 25);
  assert_parts (&ranks[0].steps[2], 90, 0, 0, 0, 0, 10);
}

/* An outlier as first step must not affect the means. */
static void
test_outlier (void)
{
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 1000);
  for (guint i = 0; i < 4; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i + 2);
    maker_span (&rank.maker, rank.host, name, "user_annotation", 1000 + 100 * i, 100);
    maker_span (&rank.maker, rank.stream, "gemm", "kernel", 1000 + 100 * i, 60);
  }
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  const LoomRankSteps *ranks = breakdown->ranks;
  g_assert_true (ranks[0].steps[0].is_outlier);
  g_assert_false (ranks[0].steps[1].is_outlier);
  g_assert_cmpfloat (ranks[0].mean_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 60);
  g_assert_cmpfloat (ranks[0].mean_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 40);
  g_assert_cmpfloat (breakdown->median_ns, ==, 100);
}

/* The device was recorded only in steps 3 and 4 of 6, although the last kernel ends in step 5. In the other steps the
 * device does not count as idle, but their durations count for the median. */
static void
test_recorded (void)
{
  Rank rank = rank_begin ("kineto");
  for (guint i = 0; i < 6; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i + 1);
    maker_span (&rank.maker, rank.host, name, "user_annotation", 100 * i, i < 3 ? 100 : 90);
  }
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 260, 40);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 320, 82);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  const LoomRankSteps *ranks = breakdown->ranks;
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (ranks[0].steps[i].is_recorded, ==, i == 2 || i == 3);
  g_assert_cmpuint (ranks[0].n_recorded, ==, 2);
  g_assert_cmpuint (breakdown->n_recorded, ==, 2);
  g_assert_cmpint (ranks[0].steps[2].recorded_ns, ==, 40);
  assert_parts (&ranks[0].steps[2], 40, 0, 0, 0, 0, 60);
  assert_parts (&ranks[0].steps[3], 70, 0, 0, 0, 0, 20);
  g_assert_cmpfloat (breakdown->mean_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 40);
  g_assert_cmpfloat (ranks[0].mean_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 55);
  g_assert_cmpfloat (breakdown->median_ns, ==, 95);
}

/* In step 2, the device of rank 1 is recorded but idle: the whole step counts as idle, for rank 1 and for the mean. */
static void
test_idle_in_range (void)
{
  Rank rank = rank_begin ("kineto");
  guint32 host = maker_thread (&rank.maker, "python 1", 1, "1", 0),
          stream = maker_thread (&rank.maker, "GPU 1", 1, "stream 7", LOOM_TRACK_DEVICE);
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i + 1);
    maker_span (&rank.maker, rank.host, name, "user_annotation", 100 * i, 100);
    maker_span (&rank.maker, host, name, "user_annotation", 100 * i, 100);
    maker_span (&rank.maker, rank.stream, "gemm", "kernel", 100 * i, 60);
    if (i != 1)
      maker_span (&rank.maker, stream, "gemm", "kernel", 100 * i, 60);
  }
  g_autoptr (LoomStepBreakdown) breakdown = rank_end_in (&rank, maker_range (100, 200));
  g_assert_cmpuint (breakdown->n_ranks, ==, 2);
  g_assert_true (breakdown->ranks[1].has_device);
  assert_parts (&breakdown->ranks[1].steps[0], 0, 0, 0, 0, 0, 100);
  g_assert_cmpfloat (breakdown->mean_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 70);
}

/* The only step with recorded device work is an outlier. It counts nevertheless, because no other step has work. */
static void
test_recorded_outlier (void)
{
  Rank rank = rank_begin ("kineto");
  for (guint i = 0; i < 4; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i + 1);
    maker_span (&rank.maker, rank.host, name, "user_annotation", 100 * i, i < 3 ? 100 : 500);
  }
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 350, 400);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  g_assert_cmpuint (breakdown->n_recorded, ==, 1);
  g_assert_cmpfloat (breakdown->mean_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 400);
  g_assert_cmpfloat (breakdown->ranks[0].mean_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 100);
}

/* All steps that overlap the range count. The parts of a step are clipped to the range, but its duration is that of the
 * whole step. */
static void
test_range (void)
{
  Rank rank = rank_begin ("kineto");
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%u", i);
    maker_span (&rank.maker, rank.host, name, "user_annotation", 100 * i, 100);
    maker_span (&rank.maker, rank.stream, "gemm", "kernel", 100 * i, 60);
  }
  g_autoptr (LoomStepBreakdown) breakdown = rank_end_in (&rank, (LoomRange) { MAKER_BEGIN + 150, MAKER_BEGIN + 230 });
  const LoomStepTime *steps = breakdown->ranks[0].steps;
  g_assert_cmpuint (breakdown->n_steps, ==, 2);
  g_assert_cmpint (steps[0].number, ==, 1);
  g_assert_cmpint (steps[0].parts_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 10);
  g_assert_cmpint (steps[0].parts_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 40);
  g_assert_cmpint (steps[1].parts_ns[LOOM_STEP_BREAKDOWN_COMPUTE], ==, 30);
  g_assert_cmpint (steps[1].parts_ns[LOOM_STEP_BREAKDOWN_IDLE], ==, 0);
  g_assert_cmpfloat (breakdown->median_ns, ==, 100);
}

/* Adds a kernel of a message from rank 0 to rank 1. */
static void
add_side (Rank *rank, LoomSyncEventKind kind, gint64 begin, gint64 end)
{
  LoomRef ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (rank->maker.builder));
  LoomSyncEvent event = { MAKER_BEGIN + begin, MAKER_BEGIN + end, .ref = ref, .sequence = 0, .kind = kind };
  maker_span (&rank->maker, rank->side, "ncclDevKernel_SendRecv", "kernel", begin, end - begin);
  loom_trace_builder_sync_event (rank->maker.builder, rank->side, &event, "pipeline", "0>1");
}

/* The receiver of a message waits until the sender begins; only the time after that is the transfer. Computation on
 * another stream at the same time counts as computation. The sender, which begins last, does not wait. */
static void
test_message (void)
{
  Rank ranks[2];
  for (guint i = 0; i < 2; i++) {
    Rank *rank = &ranks[i];
    rank->maker = maker_new (i == 0 ? "sender.json" : "receiver.json", "kineto");
    rank->host = maker_thread (&rank->maker, "python", (gint) i, "1", 0);
    rank->stream = maker_thread (&rank->maker, "GPU 0", (gint) i, "stream 7", LOOM_TRACK_DEVICE);
    rank->side = maker_thread (&rank->maker, "GPU 0", (gint) i, "stream 20", LOOM_TRACK_DEVICE);
    maker_span (&rank->maker, rank->host, "ProfilerStep#1", "user_annotation", 0, 100);
  }
  maker_span (&ranks[0].maker, ranks[0].stream, "gemm", "kernel", 0, 70);
  add_side (&ranks[0], LOOM_SYNC_EVENT_SEND, 70, 90);
  maker_span (&ranks[1].maker, ranks[1].stream, "gemm", "kernel", 0, 20);
  add_side (&ranks[1], LOOM_SYNC_EVENT_RECEIVE, 10, 90);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomStepBreakdown) breakdown =
    loom_step_breakdown_new (timeline, steps, collectives, LOOM_STEP_BREAKDOWN_ALL, NULL);
  g_assert_cmpuint (breakdown->n_ranks, ==, 2);
  assert_parts (&breakdown->ranks[0].steps[0], 70, 0, 20, 0, 0, 10);
  assert_parts (&breakdown->ranks[1].steps[0], 20, 50, 20, 0, 0, 10);
  g_assert_cmpint (loom_step_breakdown_sum_part (breakdown, LOOM_STEP_BREAKDOWN_RANK_WAIT), ==, 50);
  g_assert_cmpint (loom_step_breakdown_sum_collective_waits (breakdown), ==, 0);
  g_assert_cmpint (loom_rank_waits_sum_messages (collectives, NULL), ==, 60);
}

/* A range is divided into the same parts as a step, but needs no steps. Only the time in which the devices of the rank
 * are recorded counts: in the range [10, 95) ns, these are [20, 90) ns. */
static void
test_of_range (void)
{
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.host, "main", "cpu_op", 0, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 20, 30);
  maker_span (&rank.maker, rank.side, "ncclKernel_AllReduce", "kernel", 40, 30);
  maker_span (&rank.maker, rank.side, "Memcpy HtoD", "gpu_memcpy", 75, 15);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  LoomRange range = { MAKER_BEGIN + 10, MAKER_BEGIN + 80 };
  g_autoptr (LoomStepBreakdown) breakdown =
    loom_step_breakdown_new_of_range (timeline, steps, collectives, range, NULL);
  g_assert_cmpuint (breakdown->n_ranks, ==, 1);
  g_assert_cmpint (breakdown->ranks[0].rank, ==, 0);
  g_assert_null (breakdown->ranks[0].device);
  g_assert_cmpuint (breakdown->ranks[0].n_steps, ==, 1);
  assert_parts (&breakdown->ranks[0].steps[0], 30, 0, 20, 5, 0, 5);
  loom_timeline_get_span (timeline, breakdown->ranks[0].steps[0].span, &range.begin_ns, &range.end_ns);
  g_assert_cmpint (range.begin_ns, ==, MAKER_BEGIN + 20);
}

/* If the ranks are unknown, the time of each device is divided into parts separately. Both devices wait for the data
 * that the only thread of the host loads. */
static void
test_of_range_by_device (void)
{
  Rank rank = { .maker = maker_new ("run.json", "kineto") };
  rank.host = maker_thread (&rank.maker, "python", -1, "1", 0);
  rank.stream = maker_thread (&rank.maker, "GPU 0", -1, "stream 7", LOOM_TRACK_DEVICE);
  rank.side = maker_thread (&rank.maker, "GPU 1", -1, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&rank.maker, rank.host, "enumerate(DataLoader)#_Iter.__next__", "user_annotation", 20, 20);
  for (guint i = 0; i < 2; i++) {
    maker_span (&rank.maker, i == 0 ? rank.stream : rank.side, "gemm", "kernel", 0, 30 + 10 * i);
    maker_span (&rank.maker, i == 0 ? rank.stream : rank.side, "gemm", "kernel", 50, 10);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomStepBreakdown) breakdown =
    loom_step_breakdown_new_of_range (timeline, steps, collectives, LOOM_STEP_BREAKDOWN_ALL, NULL);
  g_assert_cmpuint (breakdown->n_ranks, ==, 2);
  g_assert_cmpstr (breakdown->ranks[1].device, ==, "GPU 1");
  assert_parts (&breakdown->ranks[0].steps[0], 40, 0, 0, 0, 10, 10);
  assert_parts (&breakdown->ranks[1].steps[0], 50, 0, 0, 0, 0, 10);
}

static void
test_no_steps (void)
{
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 0, 60);
  g_autoptr (LoomStepBreakdown) breakdown = rank_end (&rank);
  g_assert_cmpuint (breakdown->n_ranks, ==, 0);
  g_assert_cmpuint (breakdown->n_steps, ==, 0);
  g_assert_cmpfloat (breakdown->median_ns, ==, 0);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Rank rank = rank_begin ("kineto");
  maker_span (&rank.maker, rank.host, "ProfilerStep#1", "user_annotation", 0, 100);
  maker_span (&rank.maker, rank.stream, "gemm", "kernel", 0, 60);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_step_breakdown_new (timeline, steps, collectives, LOOM_STEP_BREAKDOWN_ALL, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/step-breakdown/parts", test_parts);
  g_test_add_func ("/analysis/step-breakdown/wait-beside-work", test_wait_beside_work);
  g_test_add_func ("/analysis/step-breakdown/wait-before-step", test_wait_before_step);
  g_test_add_func ("/analysis/step-breakdown/evaluation-before-step", test_evaluation_before_step);
  g_test_add_func ("/analysis/step-breakdown/outlier", test_outlier);
  g_test_add_func ("/analysis/step-breakdown/recorded", test_recorded);
  g_test_add_func ("/analysis/step-breakdown/idle-in-range", test_idle_in_range);
  g_test_add_func ("/analysis/step-breakdown/recorded-outlier", test_recorded_outlier);
  g_test_add_func ("/analysis/step-breakdown/range", test_range);
  g_test_add_func ("/analysis/step-breakdown/message", test_message);
  g_test_add_func ("/analysis/step-breakdown/of-range", test_of_range);
  g_test_add_func ("/analysis/step-breakdown/of-range-by-device", test_of_range_by_device);
  g_test_add_func ("/analysis/step-breakdown/no-steps", test_no_steps);
  g_test_add_func ("/analysis/step-breakdown/cancelled", test_cancelled);
  return g_test_run ();
}
