/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests phases, utilization, bottlenecks, usage classes and balance of devices, on jobs small enough to be calculated
 * by hand.
 */
#include "fixture.h"

#include <math.h>

#include "loom-bottlenecks.h"
#include "loom-device-usage.h"
#include "loom-gpu-balance.h"
#include "loom-gpu-usage-classes.h"
#include "loom-utilization-over-time.h"
#include "loom-utilization-statistics.h"
#include "loom-utilization.h"

#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-6)
#define GPU "GPUUtilization"
#define CPU "CPUUtilization"

/* A job with training steps from 10 to 20 s and samples of one GPU and one CPU core from 5 to 25 s. */
static FakeJob *
small_job (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 1, 0, 1, 14.5, 20);
  static const double gpu[][2] = { { 5, 0 }, { 10, 95 }, { 12, 90 }, { 15, 10 }, { 18, 4 }, { 20, 50 }, { 25, 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (gpu); i++)
    fake_job_sample (job, 1, "gpu0", GPU, gpu[i][0], gpu[i][1]);
  /* Samples at nearly the same time form one snapshot: a distance of 8 ms from the GPU's sample is short enough, 30 ms
   * is not. */
  fake_job_sample (job, 1, "cpu0", CPU, 5.008, 95);
  fake_job_sample (job, 1, "cpu0", CPU, 15.008, 91);
  fake_job_sample (job, 1, "cpu0", CPU, 18.03, 99);
  fake_job_sample (job, 1, "cpu0", "I/OWaitPercentage", 18, 99);
  return job;
}

static void
test_phases (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (small_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  g_assert_true (phases.has_samples && phases.has_loop);
  g_assert_cmpint (phases.job_begin_ns, ==, AT (5));
  g_assert_cmpint (phases.job_end_ns, ==, AT (25));
  g_assert_cmpint (phases.initialization_ns, ==, 5 * LOOM_NS_PER_S);
  g_assert_cmpint (phases.training_loop_ns, ==, 10 * LOOM_NS_PER_S);
  g_assert_cmpint (phases.finalization_ns, ==, 5 * LOOM_NS_PER_S);
}

/* A job with steps from 10 to 14 s and from 16 to 20 s; the GPU is bottlenecked by the CPU at 5, 15 and 25 s. */
static LoomDataFrame *
frame_with_gap (LoomNumberConvention numbers)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 1, 0, 1, 16, 20);
  for (int at = 5; at <= 25; at += 10) {
    fake_job_sample (job, 1, "gpu0", GPU, at, 2);
    fake_job_sample (job, 1, "cpu0", CPU, at, 95);
  }
  return fake_job_frame (job, numbers);
}

/* Checks the phases of a range (`tenths`: initialization, loop, finalization, in tenths of a second) and its number of
 * samples in the loop and outside of it. */
static void
assert_phases_in_range (double begin, double end, const int *tenths, guint n_in_loop, guint n_around)
{
  g_autoptr (LoomDataFrame) whole = frame_with_gap (LOOM_NUMBER_CONVENTION_INTENDED);
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new_in_range (whole, AT (begin), AT (end));
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomBottlenecks bottlenecks;
  g_assert_true (phases.has_loop && phases.has_samples);
  g_assert_cmpint (phases.job_begin_ns, ==, AT (MAX (begin, 5)));
  g_assert_cmpint (phases.job_end_ns, ==, AT (MIN (end, 25)));
  g_assert_cmpint (phases.initialization_ns, ==, tenths[0] * (LOOM_NS_PER_S / 10));
  g_assert_cmpint (phases.training_loop_ns, ==, tenths[1] * (LOOM_NS_PER_S / 10));
  g_assert_cmpint (phases.finalization_ns, ==, tenths[2] * (LOOM_NS_PER_S / 10));
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  g_assert_cmpuint (bottlenecks.n_samples_in_loop, ==, n_in_loop);
  LoomGpuUsageClasses classes = loom_gpu_usage_classes_compute (frame, &phases, &bottlenecks, LOOM_SELECT_DIMENSION);
  g_assert_cmpuint (classes.count[LOOM_GPU_USAGE_INITIALIZATION] + classes.count[LOOM_GPU_USAGE_FINALIZATION], ==,
                    n_around);
  g_assert_cmpuint (classes.count[LOOM_GPU_USAGE_CPU_BOTTLENECK], ==, n_in_loop);
  loom_bottlenecks_clear (&bottlenecks);
}

/* The phases of a range are the phases of the whole run, clipped to the range, even if the range
 * contains no step or no sample. */
static void
test_phases_in_range (void)
{
  assert_phases_in_range (14.5, 19, (int[]) { 0, 45, 0 }, 1, 0);   /* begins between two steps */
  assert_phases_in_range (14.5, 15.5, (int[]) { 0, 10, 0 }, 1, 0); /* contains no step */
  assert_phases_in_range (11, 12, (int[]) { 0, 10, 0 }, 0, 0);     /* contains no sample */
  assert_phases_in_range (5, 9, (int[]) { 40, 0, 0 }, 0, 1);
  assert_phases_in_range (21, 30, (int[]) { 0, 0, 40 }, 0, 1);
  assert_phases_in_range (5, 5, (int[]) { 0, 0, 0 }, 0, 1); /* empty range at the time of one sample */
  assert_phases_in_range (0, 40, (int[]) { 50, 100, 50 }, 1, 2);
}

/* If numbers are computed as the library smdebug does, the phases of a range are computed only from
 * the rows in the range. */
static void
test_phases_in_range_as_written (void)
{
  g_autoptr (LoomDataFrame) whole = frame_with_gap (LOOM_NUMBER_CONVENTION_SMDEBUG);
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new_in_range (whole, AT (12), AT (19));
  LoomJobPhases phases = loom_job_phases_compute (frame);
  g_assert_cmpint (phases.job_begin_ns, ==, AT (15));
  g_assert_cmpint (phases.job_end_ns, ==, AT (15));
  g_assert_cmpint (phases.training_loop_ns, ==, 10 * LOOM_NS_PER_S);
}

/* The training loop begins with the step that has the lowest number, not with the first row. It may end with an
 * evaluation step. No phase has a negative duration. */
static void
test_phases_of_resumed_job (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 8, 30, 31);
  fake_job_step (job, 1, 0, 7, 20, 21);
  fake_job_span (job, 1, 0, "Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL", 32, 40, "{\"step_num\": 0}");
  fake_job_sample (job, 1, "gpu0", GPU, 25, 1);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  g_assert_cmpint (phases.loop_begin_ns, ==, AT (20));
  g_assert_cmpint (phases.loop_end_ns, ==, AT (40));
  g_assert_cmpint (phases.initialization_ns, ==, 0);
  g_assert_cmpint (phases.finalization_ns, ==, 0);
}

static void
test_utilization (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (small_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomUtilization utilization;
  loom_utilization_init (&utilization, frame, &phases, LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION, FALSE);
  g_assert_cmpuint (utilization.n_devices, ==, 1);
  g_assert_cmpuint (utilization.all.n_samples, ==, 7);
  g_assert_cmpuint (utilization.all.n_zero, ==, 2);
  g_assert_cmpuint (utilization.all.n_below_50, ==, 4);
  g_assert_cmpuint (utilization.all.n_in_loop, ==, 5); /* the loop includes samples at both of its ends */
  assert_near (utilization.all.histogram_in_loop.min, 4);
  g_assert_cmpuint (utilization.all.histogram.counts[0], ==, 2);
  g_assert_cmpuint (utilization.all.histogram.counts[49], ==, 1);
  loom_utilization_clear (&utilization);
  loom_utilization_init (&utilization, frame, &phases, LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION, FALSE);
  g_assert_cmpuint (utilization.all.n_samples, ==, 3); /* I/O wait is not counted as utilization */
  loom_utilization_clear (&utilization);
  loom_utilization_init (&utilization, frame, &phases, LOOM_DEVICE_CPU, LOOM_SELECT_PREFIX, FALSE);
  g_assert_cmpuint (utilization.all.n_samples, ==, 4);
  loom_utilization_clear (&utilization);
}

/* The GPU's utilization is low at 5, 15, 18 and 25 s, but a CPU core is at its limit only at 5 and 15 s. */
static void
test_bottlenecks (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (small_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomBottlenecks bottlenecks;
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  g_assert_cmpuint (bottlenecks.n, ==, 2);
  g_assert_cmpint (bottlenecks.items[0].time_ns, ==, AT (5));
  g_assert_cmpint (bottlenecks.items[1].time_ns, ==, AT (15));
  g_assert_false (bottlenecks.items[0].in_loop);
  g_assert_true (bottlenecks.items[1].in_loop);
  g_assert_cmpuint (bottlenecks.items[1].n_high_cores, ==, 1);
  g_assert_cmpuint (bottlenecks.items[1].n_low_gpus, ==, 1);
  g_assert_cmpuint (bottlenecks.n_rows, ==, 2);
  g_assert_cmpuint (bottlenecks.n_rows_in_loop, ==, 1);
  loom_bottlenecks_clear (&bottlenecks);
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, (LoomBottleneckLimits) { 94, 10 });
  g_assert_cmpuint (bottlenecks.n, ==, 1);
  loom_bottlenecks_clear (&bottlenecks);
}

/* A busy core of one host cannot cause a bottleneck on the GPU of another host; GPUs with the same name on two hosts
 * are two devices. */
static void
test_bottlenecks_per_host (void)
{
  FakeJob *job = fake_job_new ();
  for (int host = 1; host <= 3; host++) {
    fake_job_sample (job, host, "gpu0", GPU, 1, 2);
    fake_job_sample (job, host, "cpu0", CPU, 1, host < 3 ? 100 : 50);
  }
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomBottlenecks bottlenecks;
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  g_assert_cmpuint (bottlenecks.n_rows, ==, 2);
  g_assert_cmpuint (bottlenecks.n, ==, 2);
  g_assert_cmpuint (bottlenecks.n_rows_in_loop, ==, 0); /* without steps the loop is unknown */
  loom_bottlenecks_clear (&bottlenecks);
}

/* Expected classes: the sample at 5 s is before the training loop, the sample at 25 s after it. Of the samples in the
 * loop, 95 % is high, 90 and 50 % are suboptimal, 10 % is a bottleneck, and 4 % is low. These are all seven samples. */
static void
test_usage (void)
{
  static const guint64 expected[LOOM_N_GPU_USAGES] = {
    [LOOM_GPU_USAGE_INITIALIZATION] = 1, [LOOM_GPU_USAGE_FINALIZATION] = 1,   [LOOM_GPU_USAGE_HIGH] = 1,
    [LOOM_GPU_USAGE_SUBOPTIMAL] = 2,     [LOOM_GPU_USAGE_CPU_BOTTLENECK] = 1, [LOOM_GPU_USAGE_LOW] = 1,
  };
  g_autoptr (LoomDataFrame) frame = fake_job_frame (small_job (), LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomBottlenecks bottlenecks;
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  LoomGpuUsageClasses classes = loom_gpu_usage_classes_compute (frame, &phases, &bottlenecks, LOOM_SELECT_DIMENSION);
  for (guint i = 0; i < LOOM_N_GPU_USAGES; i++)
    g_assert_cmpuint (classes.count[i], ==, expected[i]);
  g_assert_cmpuint (classes.n_samples, ==, 7);
  g_assert_cmpint (classes.interval_ns, ==, 3 * LOOM_NS_PER_S); /* median of the intervals 5, 2, 3, 3, 2, 5 s */
  loom_bottlenecks_clear (&bottlenecks);
}

/* If numbers are computed as the library smdebug does, samples of 90 % and samples at the ends of
 * the loop are in no class, only samples at equal times are compared, and no bottleneck is found. */
static void
test_usage_as_written (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (small_job (), LOOM_NUMBER_CONVENTION_SMDEBUG);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomBottlenecks bottlenecks;
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_DIMENSION, LOOM_BOTTLENECK_LIMITS);
  g_assert_cmpuint (bottlenecks.n_rows, ==, 0);
  bottlenecks.n_samples_in_loop = 5;
  LoomGpuUsageClasses classes = loom_gpu_usage_classes_compute (frame, &phases, &bottlenecks, LOOM_SELECT_DIMENSION);
  g_assert_cmpuint (classes.count[LOOM_GPU_USAGE_HIGH], ==, 0);
  g_assert_cmpuint (classes.count[LOOM_GPU_USAGE_SUBOPTIMAL], ==, 0);
  g_assert_cmpuint (classes.count[LOOM_GPU_USAGE_LOW], ==, 0);
  loom_bottlenecks_clear (&bottlenecks);
  loom_bottlenecks_init (&bottlenecks, frame, &phases, LOOM_SELECT_PREFIX, LOOM_BOTTLENECK_LIMITS);
  g_assert_cmpuint (bottlenecks.n_rows, ==, 1); /* I/O wait at 18 s counts as a busy core */
  loom_bottlenecks_clear (&bottlenecks);
}

/* Tests the distance between the histograms of two GPUs against values that were calculated by
 * hand, and a job without data. */
static void
test_balance (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 8; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, i, i < 4 ? 100 : 97);
    fake_job_sample (job, 1, "gpu1", GPU, i, i < 2 ? 97 : 3);
    fake_job_sample (job, 2, "gpu0", GPU, i, i < 4 ? 130 : 97); /* 130 % is clamped to 100 % */
  }
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, frame, &phases, LOOM_SELECT_DIMENSION, FALSE, FALSE, LOOM_GPU_BALANCE_LIMIT);
  g_assert_cmpuint (balance.n_devices, ==, 3);
  g_assert_cmpuint (balance.n_pairs, ==, 1);
  assert_near (balance.pairs[0].distance, 0.674132);
  g_assert_true (balance.pairs[0].differs);
  loom_gpu_balance_clear (&balance);
  loom_gpu_balance_init (&balance, frame, &phases, LOOM_SELECT_DIMENSION, FALSE, FALSE, 0.7);
  g_assert_false (balance.pairs[0].differs);
  loom_gpu_balance_clear (&balance);
  loom_gpu_balance_init (&balance, frame, &phases, LOOM_SELECT_DIMENSION, FALSE, TRUE, LOOM_GPU_BALANCE_LIMIT);
  g_assert_cmpuint (balance.n_pairs, ==, 3);
  assert_near (balance.pairs[1].distance, 0);
  loom_gpu_balance_clear (&balance);
}

/* If numbers are computed as the library smdebug does, samples of 100 % are dropped, so the distance between the GPUs
 * of test_balance() is 0.641856. */
static void
test_balance_as_written (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 8; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, i, i < 4 ? 100 : 97);
    fake_job_sample (job, 1, "gpu1", GPU, i, i < 2 ? 97 : 3);
    fake_job_sample (job, 1, "gpu2", GPU, i, 99);
  }
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_SMDEBUG);
  LoomJobPhases phases = loom_job_phases_compute (frame);
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, frame, &phases, LOOM_SELECT_DIMENSION, FALSE, FALSE, LOOM_GPU_BALANCE_LIMIT);
  assert_near (balance.pairs[0].distance, 0.641856);
  g_assert_true (isnan (balance.pairs[1].distance));
  g_assert_false (balance.pairs[1].differs);
  loom_gpu_balance_clear (&balance);
}

/* Ranges of usage include both ends, and a value counts in the first range that contains it. Values
 * outside of all ranges are clamped, or dropped if numbers are computed as the library smdebug
 * does. */
static void
test_device_usage (void)
{
  static const double values[] = { -3, 0, 10, 10.5, 90, 99, 104 };
  for (int numbers = 0; numbers < 2; numbers++) {
    FakeJob *job = fake_job_new ();
    LoomDeviceUsage usage;
    for (guint i = 0; i < G_N_ELEMENTS (values); i++)
      fake_job_sample (job, 1, "gpu0", GPU, i, values[i]);
    g_autoptr (LoomDataFrame) frame = fake_job_frame (job, (LoomNumberConvention) numbers);
    loom_device_usage_init (&usage, frame, loom_device_usage_ranges, 3, TRUE);
    g_assert_cmpuint (usage.n, ==, 1);
    g_assert_cmpuint (usage.rows[0].count[0], ==, numbers == LOOM_NUMBER_CONVENTION_INTENDED ? 3 : 2);
    g_assert_cmpuint (usage.rows[0].count[1], ==, 2);
    g_assert_cmpuint (usage.rows[0].count[2], ==, numbers == LOOM_NUMBER_CONVENTION_INTENDED ? 2 : 1);
    loom_device_usage_clear (&usage);
  }
}

/* Utilization and memory are separate dimensions of a GPU; if numbers are computed as the library
 * smdebug does, they are combined. */
static void
test_utilization_statistics (void)
{
  LoomUtilizationStatistics statistics;
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 3; i++) {
    fake_job_sample (job, 1, "gpu0", GPU, i, 10 * i);
    fake_job_sample (job, 1, "gpu0", "GPUMemoryUtilization", i, 70);
  }
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  g_autoptr (LoomDataFrame) intended = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  loom_utilization_statistics_init (&statistics, intended, FALSE);
  g_assert_cmpuint (statistics.n, ==, 2);
  g_assert_cmpstr (statistics.items[0].dimension, ==, "GPUMemoryUtilization");
  assert_near (statistics.items[1].value.mean, 10);
  assert_near (statistics.items[1].value.p95, 19);
  loom_utilization_statistics_clear (&statistics);
  g_autoptr (LoomDataFrame) as_written = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_SMDEBUG, NULL);
  loom_utilization_statistics_init (&statistics, as_written, FALSE);
  g_assert_cmpuint (statistics.n, ==, 1);
  assert_near (statistics.items[0].value.mean, 40);
  loom_utilization_statistics_clear (&statistics);
}

/* For a network metric, the dimension is the container, and the name is the direction (receive or transmit). The two
 * directions are listed separately, because their mean would have no meaning. The CPU cores of a node are counted
 * together. */
static void
test_metrics_of_network (void)
{
  static const char *const labels[] = { "CPUUtilization", "network-receive, Algorithm", "network-transmit, Algorithm" };
  static const double means[] = { 50, 1000, 0 };
  LoomUtilizationStatistics statistics;
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 3; i++) {
    fake_job_sample (job, 1, "cpu0", "CPUUtilization", i, 20);
    fake_job_sample (job, 1, "cpu1", "CPUUtilization", i, 80);
    fake_job_sample (job, 1, "network-receive", "Algorithm", i, 1000);
    fake_job_sample (job, 1, "network-transmit", "Algorithm", i, 0);
  }
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_utilization_statistics_init (&statistics, frame, FALSE);
  g_assert_cmpuint (statistics.n, ==, G_N_ELEMENTS (labels));
  for (guint i = 0; i < statistics.n; i++) {
    g_autofree char *label = loom_utilization_statistics_dup_label (&statistics.items[i]);
    g_assert_cmpstr (label, ==, labels[i]);
    assert_near (statistics.items[i].value.mean, means[i]);
  }
  loom_utilization_statistics_clear (&statistics);
}

/* A sample is valid for 2.5 times the median distance of samples: here 2.5 s, so samples before the gaps of 10 s do not
 * fill these gaps. They would if the mean distance, 4 s, were used. The buckets are 3.6 s long; those with the indices
 * 1, 2, 4, 5 and 8 are empty. */
static void
test_gap (void)
{
  static const double at_s[] = { 0, 1, 2, 12, 13, 14, 24, 25, 26, 36 };
  FakeJob *job = fake_job_new ();
  for (guint i = 0; i < G_N_ELEMENTS (at_s); i++)
    fake_job_sample (job, 1, "gpu0", GPU, at_s[i], 50);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  const LoomRange all = { G_MININT64 / 2, G_MAXINT64 / 2 };
  g_autoptr (LoomUtilizationOverTime) usage = loom_utilization_over_time_new (frame, all);
  const LoomUtilizationRow *row = usage->rows->pdata[0];
  guint n_empty = 0;
  for (guint i = 0; i < usage->n_buckets; i++)
    n_empty += isnan (row->mean[i]);
  g_assert_cmpuint (usage->n_buckets, ==, 10);
  g_assert_cmpuint (n_empty, ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phases/intended", test_phases);
  g_test_add_func ("/phases/intended-in-range", test_phases_in_range);
  g_test_add_func ("/phases/as-written-in-range", test_phases_in_range_as_written);
  g_test_add_func ("/phases/resumed", test_phases_of_resumed_job);
  g_test_add_func ("/utilization", test_utilization);
  g_test_add_func ("/bottlenecks", test_bottlenecks);
  g_test_add_func ("/bottlenecks/per-host", test_bottlenecks_per_host);
  g_test_add_func ("/usage", test_usage);
  g_test_add_func ("/usage/as-written", test_usage_as_written);
  g_test_add_func ("/balance", test_balance);
  g_test_add_func ("/balance/as-written", test_balance_as_written);
  g_test_add_func ("/device-usage", test_device_usage);
  g_test_add_func ("/utilization-statistics", test_utilization_statistics);
  g_test_add_func ("/utilization-statistics/network", test_metrics_of_network);
  g_test_add_func ("/utilization-over-time/gap", test_gap);
  return g_test_run ();
}
