/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests figures of steps: usage in each step, the step of a row, times by metric and process; on jobs small enough to
 * be calculated by hand.
 */
#include "fixture.h"

#include <string.h>

#include "loom-step-index.h"
#include "loom-step-of-row.h"
#include "loom-step-statistics.h"
#include "loom-step-utilization.h"

#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-6)
#define SECOND LOOM_NS_PER_S

/* A sample in two overlapping steps counts once; if numbers are computed as the library smdebug
 * does, it counts once for each step. */
static void
test_step_usage (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 13);
  fake_job_step (job, 1, 1, 0, 12, 15);
  for (int i = 9; i < 17; i++)
    fake_job_sample (job, 1, "gpu0", "GPUUtilization", i, i);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  for (int numbers = 0; numbers < 2; numbers++) {
    const guint32 steps[] = { 0, 1 };
    LoomStepUtilization usage;
    g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, (LoomNumberConvention) numbers, NULL);
    loom_step_utilization_init (&usage, frame, steps, 2, LOOM_SELECT_DIMENSION);
    g_assert_cmpuint (usage.gpu.n, ==, numbers == LOOM_NUMBER_CONVENTION_INTENDED ? 6 : 8);
    assert_near (usage.gpu.min, 10);
    assert_near (usage.gpu.max, 15);
    g_assert_cmpuint (usage.cpu.n, ==, 0);
    loom_step_utilization_clear (&usage);
  }
}

static guint32
find_step (const LoomDataFrame *frame, gint32 number)
{
  const LoomDataFrameRows *rows = &frame->rows;
  for (guint32 i = 0; i < rows->n; i++)
    if ((rows->flags[i] & LOOM_ROW_STEP) != 0 && rows->step[i] == number)
      return i;
  g_assert_not_reached ();
}

/* A row belongs to the step of its own rank that strictly contains it. A row that begins or ends together with a step
 * belongs to no step, and neither does a row outside of all steps. */
static void
test_row_steps (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 5, 10, 20);
  fake_job_step (job, 1, 1, 6, 30, 40);
  fake_job_span (job, 1, 0, "op", "in", 11, 19, "{}");
  fake_job_span (job, 1, 0, "op", "edge", 10, 12, "{}");
  fake_job_span (job, 1, 0, "op", "other", 31, 32, "{}");
  fake_job_span (job, 1, 0, "op", "said", 31, 32, "{\"step_num\": 9}");
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  for (int numbers = 0; numbers < 2; numbers++) {
    g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, (LoomNumberConvention) numbers, NULL);
    const LoomDataFrameRows *rows = &frame->rows;
    LoomStepOfRow steps;
    loom_step_of_row_init (&steps, frame);
    gboolean intended = numbers == LOOM_NUMBER_CONVENTION_INTENDED;
    g_assert_cmpuint (steps.n_without, ==, intended ? 2 : 1);
    guint32 enclosing = find_step (frame, 5), other = find_step (frame, 6);
    for (guint32 i = 0; i < rows->n; i++) {
      const char *name = loom_data_frame_get_text (frame, rows->metric[i]);
      if (strcmp (name, "in") == 0)
        g_assert_cmpuint (steps.on_rank[i], ==, intended ? steps.on_rank[enclosing] : 5);
      else if (strcmp (name, "edge") == 0)
        g_assert_cmpuint (steps.on_rank[i], ==, LOOM_NO_STEP);
      else if (strcmp (name, "other") == 0)
        g_assert_cmpuint (steps.on_rank[i], ==, intended ? LOOM_NO_STEP : 6);
      else if (strcmp (name, "said") == 0)
        g_assert_cmpuint (steps.on_rank[i], ==, intended ? 2 : 9); /* no step row has the stated number 9 */
    }
    g_assert_cmpuint (steps.on_rank[other], ==, intended ? 1 : 6);
    loom_step_of_row_clear (&steps);
  }
}

static void
assert_statistic (const LoomStepStatistics *statistics, const LoomDataFrame *frame, const char *key, guint n_steps,
                  guint n_ranks, guint64 n, double mean_s)
{
  for (guint i = 0; i < statistics->n; i++) {
    const LoomStepStatistic *item = &statistics->items[i];
    if (strcmp (loom_data_frame_get_text (frame, item->key), key) != 0)
      continue;
    g_assert_cmpuint (item->n_steps, ==, n_steps);
    g_assert_cmpuint (item->n_ranks, ==, n_ranks);
    g_assert_cmpuint (item->ns.n, ==, n);
    assert_near (item->ns.mean, mean_s * SECOND);
    return;
  }
  g_assert_not_reached ();
}

/* If a layer has several spans in one step, their duration is the time from the first start to the last end. If two
 * ranks have a span of the same step, each counts with its own duration. With the number convention of smdebug, there
 * is only one duration for the step, from the first start to the last end of all ranks. */
static void
test_step_statistics (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 10, 14);
  fake_job_step (job, 1, 1, 0, 11, 16);
  fake_job_step (job, 1, 0, 1, 20, 22);
  fake_job_span (job, 1, 0, "op", "conv", 10.5, 11, "{\"step_num\": 0}");
  fake_job_span (job, 1, 0, "op", "conv", 13, 13.5, "{\"step_num\": 0}");
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  for (int numbers = 0; numbers < 2; numbers++) {
    LoomStepStatistics statistics;
    LoomStepOfRow steps;
    gboolean intended = numbers == LOOM_NUMBER_CONVENTION_INTENDED;
    g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, (LoomNumberConvention) numbers, NULL);
    loom_step_of_row_init (&steps, frame);
    loom_step_statistics_init (&statistics, frame, &steps, LOOM_BY_TRAINING_PHASE, FALSE);
    g_assert_cmpuint (statistics.n, ==, 1);
    assert_statistic (&statistics, frame, "Step:ModeKeys.TRAIN", 2, 2, intended ? 3 : 2,
                      intended ? 11.0 / 3 : 4); /* mean of 4, 5 and 2 s; as smdebug: of 10–16 s and 20–22 s */
    loom_step_statistics_clear (&statistics);
    loom_step_statistics_init (&statistics, frame, &steps, LOOM_BY_TRAINING_PHASE, TRUE);
    g_assert_cmpuint (statistics.n, ==, 2);
    assert_near (statistics.items[0].ns.mean, 3.0 * SECOND); /* mean of the steps of rank 0, which take 4 and 2 s */
    assert_near (statistics.items[1].ns.mean, 5.0 * SECOND);
    loom_step_statistics_clear (&statistics);
    loom_step_statistics_init (&statistics, frame, &steps, LOOM_BY_METRIC, FALSE);
    g_assert_cmpuint (statistics.n, ==, 2);
    assert_statistic (&statistics, frame, "conv", 1, 1, 1, 3);
    for (guint i = 0; i < statistics.n; i++) /* the two spans run for 0.5 s each; between them none runs */
      if (strcmp (loom_data_frame_get_text (frame, statistics.items[i].key), "conv") == 0)
        assert_near (statistics.items[i].running_ns, 1.0 * SECOND);
    loom_step_statistics_clear (&statistics);
    loom_step_of_row_clear (&steps);
  }
}

static void
add_forward (FakeJob *job, int host, int rank, const char *phase, int number, double begin_s, double dur_s)
{
  g_autofree char *args = g_strdup_printf ("{\"step_num\": \"%d\"}", number);
  fake_job_span (job, host, rank, phase, phase, begin_s, begin_s + 2 * dur_s, args);
  fake_job_span (job, host, rank, "Forward", "net", begin_s, begin_s + dur_s, args);
  fake_job_span (job, host, rank, "op", "kernel", begin_s + 0.1 * dur_s, begin_s + 0.2 * dur_s, "{}");
  /* data that are loaded before the step that uses them */
  fake_job_span (job, host, rank, "DataLoaderIter", "next", begin_s - 0.2, begin_s - 0.1, args);
}

/* If a step number repeats on a rank, the repetition is another step. A step that only one rank has belongs to this
 * rank alone. A row that states a step number belongs to the nearest step of its rank with this number. */
static void
test_step_index (void)
{
  FakeJob *job = fake_job_new ();
  LoomStepIndex index;
  fake_job_step (job, 1, 0, 7, 10, 12);
  fake_job_step (job, 1, 0, 7, 20, 22);
  fake_job_step (job, 1, 0, 8, 22, 24);
  fake_job_step (job, 1, 1, 7, 11, 12);
  fake_job_step (job, 1, 1, 9, 25, 26);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_step_index_init (&index, frame, LOOM_ROW_TRAIN);
  g_assert_cmpuint (index.n, ==, 5);
  g_assert_cmpuint (index.n_steps, ==, 4);
  g_assert_cmpuint (index.n_ranks, ==, 2);
  g_assert_cmpuint (index.items[0].step, ==, index.items[index.first[1]].step);
  g_assert_cmpuint (index.items[1].occurrence, ==, 1);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (10), AT (11)), ==, 0);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (8), AT (9)), ==, 0);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (13), AT (14)), ==, 0);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (18), AT (19)), ==, 1);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (11), AT (22)), ==,
                    1); /* overlaps the first step for 1 s, the second for 2 s */
  g_assert_cmpuint (loom_step_index_find (&index, 0, 7, AT (30), AT (31)), ==, 1);
  g_assert_cmpuint (loom_step_index_find (&index, 0, 9, AT (25), AT (26)), ==, G_MAXUINT32);
  g_assert_cmpuint (loom_step_index_find (&index, 1, 9, AT (25), AT (26)), ==, 4);
  loom_step_index_clear (&index);
}

/* Training and evaluation both count steps from 0, so do both nodes, and training restarts at 0: none of these steps
 * are merged. */
static void
test_step_statistics_apart (void)
{
  FakeJob *job = fake_job_new ();
  for (int host = 1; host <= 2; host++)
    for (int number = 0; number < 2; number++) {
      add_forward (job, host, host, "Step:ModeKeys.TRAIN", number, 10 * host + number, 0.2);
      add_forward (job, host, host, "Step:ModeKeys.EVAL", number, 100 + 10 * host + number, 0.1);
      add_forward (job, host, host, "Step:ModeKeys.TRAIN", number, 1000 + 10 * host + number, 0.3);
    }
  LoomStepStatistics statistics;
  LoomStepOfRow steps;
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  loom_step_of_row_init (&steps, frame);
  g_assert_cmpuint (steps.n_without, ==, 0);
  loom_step_statistics_init (&statistics, frame, &steps, LOOM_BY_TRAINING_PHASE, FALSE);
  assert_statistic (&statistics, frame, "Step:ModeKeys.TRAIN", 4, 2, 8, 0.5);
  assert_statistic (&statistics, frame, "Step:ModeKeys.EVAL", 2, 2, 4, 0.2);
  loom_step_statistics_clear (&statistics);
  loom_step_statistics_init (&statistics, frame, &steps, LOOM_BY_METRIC, FALSE);
  assert_statistic (&statistics, frame, "net", 6, 2, 12, 0.2);
  assert_statistic (&statistics, frame, "kernel", 6, 2, 12, 0.02);
  assert_statistic (&statistics, frame, "next", 6, 2, 12, 0.1);
  loom_step_statistics_clear (&statistics);
  loom_step_of_row_clear (&steps);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/step-usage", test_step_usage);
  g_test_add_func ("/row-steps", test_row_steps);
  g_test_add_func ("/step-statistics", test_step_statistics);
  g_test_add_func ("/step-statistics/apart", test_step_statistics_apart);
  g_test_add_func ("/step-index", test_step_index);
  return g_test_run ();
}
