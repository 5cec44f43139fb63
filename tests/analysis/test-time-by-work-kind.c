/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests time by kind of work and by kernel, waits for data, and counters, on small runs whose figures can be calculated
 * by hand.
 */
#include "loom-counter-statistics.h"
#include "loom-data-waits.h"
#include "loom-time-by-work-kind.h"
#include "trace-maker.h"

#include <math.h>

#define WHOLE maker_range (-1000, 1000000)
#define S LOOM_NS_PER_S

/* A step [0, 100) ns contains a wait for data [0, 20) ns, an operator mm [30, 60) ns with a launch [40, 50) ns in it,
 * and a Python span around mm. */
static Maker
one_step (gint rank)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", rank, "1", 0),
          stream = maker_thread (&maker, "GPU 0", rank, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "ProfilerStep#7", "user_annotation", 0, 100);
  maker_span (&maker, host, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation", 0, 20);
  maker_span (&maker, host, "train.py(3): step", "python_function", 25, 50);
  maker_span (&maker, host, "aten::mm", "cpu_op", 30, 30);
  maker_span (&maker, host, "cudaLaunchKernel", "cuda_runtime", 40, 10);
  maker_span (&maker, stream, "ProfilerStep#7", "gpu_user_annotation", 44, 42);
  maker_span (&maker, stream, "gemm", "kernel", 45, 10);
  maker_span (&maker, stream, "gemm", "kernel", 60, 20);
  maker_span (&maker, stream, "Memcpy DtoH", "gpu_memcpy", 80, 5);
  return maker;
}

static void
assert_times (LoomTimeline *timeline, LoomRange range, const char *kinds, const char *kernels)
{
  g_autoptr (LoomTimeByWorkKind) times = loom_time_by_work_kind_new (timeline, NULL, range, NULL, 0, NULL);
  g_autoptr (GString) text = g_string_new (loom_time_by_work_kind_get_missing (times));
  const LoomKindTime *rows = times->times;
  for (guint i = 0; i < times->n_times; i++)
    g_string_append_printf (text, "%s%s n%u in%d self%d %.3g%%", i > 0 ? ", " : "",
                            loom_work_kind_to_string (rows[i].work), (guint) rows[i].count, (int) rows[i].in_range_ns,
                            (int) rows[i].self_ns, 100 * rows[i].share);
  g_assert_cmpstr (text->str, ==, kinds);
  g_string_assign (text, loom_time_by_work_kind_get_missing_kernels (times) != NULL
                           ? loom_time_by_work_kind_get_missing_kernels (times)
                           : "");
  const LoomKernel *found = times->kernels;
  for (guint i = 0; i < times->n_kernels; i++)
    g_string_append_printf (text, "%s%s %s n%u %d mean%d p50 %d %.3g%%", i > 0 ? ", " : "", found[i].stats.name,
                            loom_work_kind_to_string (found[i].work), (guint) found[i].stats.count,
                            (int) found[i].stats.in_range_ns, (int) found[i].stats.mean_ns, (int) found[i].stats.p50_ns,
                            100 * found[i].stats.share);
  g_assert_cmpstr (text->str, ==, kernels);
}

static void
test_times (void)
{
  Maker maker = one_step (0);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  /* Self times in ns: python 50 − 30, operator 30 − 10, data loading 20, step 100 − 20 − 50. */
  assert_times (timeline, WHOLE,
                "compute n2 in30 self30 85.7%, memcpy n1 in5 self5 14.3%, annotation n1 in100 self30 30%, "
                "operator n1 in30 self20 20%, python n1 in50 self20 20%, data loading n1 in20 self20 20%, "
                "runtime n1 in10 self10 10%",
                "gemm compute n2 30 mean15 p50 15 85.7%, Memcpy DtoH memcpy n1 5 mean5 p50 5 14.3%");
  /* The range [45, 50) ns contains half of the launch. The kernel is clipped to 5 of its 10 ns, but the mean is that of
   * whole kernels. */
  assert_times (timeline, maker_range (45, 50),
                "compute n1 in5 self5 100%, runtime n1 in5 self5 100%, operator n1 in5 self0 0%, "
                "python n1 in5 self0 0%, annotation n1 in5 self0 0%",
                "gemm compute n1 5 mean10 p50 10 100%");
  assert_times (timeline, maker_range (90, 95), "annotation n1 in5 self5 100%",
                "There are no device kernels or device copies in this range");
  assert_times (timeline, maker_range (500, 600), "No work was recorded in this range",
                "There are no device kernels or device copies in this range");
}

/* Only the requested tracks count; the result names the sources that were read. */
static void
test_tracks_and_sources (void)
{
  Maker first = one_step (0), second = one_step (1);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&first, &second);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 1);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    LoomTrackId id = { 1, i };
    g_autoptr (LoomTimeByWorkKind) times = loom_time_by_work_kind_new (timeline, NULL, WHOLE, &id, 1, NULL);
    gboolean device = loom_trace_track_is_device (loom_trace_get_track (trace, i));
    g_assert_cmpuint (times->n_kernels, ==, device ? 2 : 0);
    g_assert_cmpuint (times->sources[0], ==, 1);
    g_assert_cmpuint (times->n_sources, ==, 1);
  }
  g_autoptr (LoomTimeByWorkKind) both = loom_time_by_work_kind_new (timeline, NULL, WHOLE, NULL, 0, NULL);
  g_assert_cmpuint (both->sources[1], ==, 1);
  g_assert_cmpuint (both->n_sources, ==, 2);
  g_assert_cmpuint (both->kernels[0].stats.count, ==, 4);
}

/* --- waits ---------------------------------------------------------------------------------------------------------- */

static char *
draw_waits (LoomTimeline *timeline, LoomRange range)
{
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new (timeline, steps, range, NULL);
  const LoomDataRank *ranks = waits->ranks;
  GString *text = g_string_new (waits->n_ranks == 0 ? loom_data_waits_get_missing (waits) : NULL);
  for (guint i = 0; i < waits->n_ranks; i++) {
    g_string_append_printf (text, "%sr%d%s total%d in%d median%g max%d steps%d/%d:", i > 0 ? "; " : "", ranks[i].rank,
                            ranks[i].are_calls ? " calls" : "", (int) ranks[i].total_ns, (int) ranks[i].in_range_ns,
                            ranks[i].median_ns, (int) ranks[i].max_ns, (int) ranks[i].in_steps_ns,
                            (int) ranks[i].steps_ns);
    for (guint k = 0; k < ranks[i].n_waits; k++)
      g_string_append_printf (text, " %d+%d%s#%d", (int) (ranks[i].waits[k].begin_ns - MAKER_BEGIN),
                              (int) (ranks[i].waits[k].end_ns - ranks[i].waits[k].begin_ns),
                              ranks[i].waits[k].outlier ? "!" : "", (int) ranks[i].waits[k].step_number);
    for (guint k = 0; k < ranks[i].n_steps; k++)
      g_string_append_printf (text, " [%d: %u, %d]", (int) ranks[i].steps[k].step.number, ranks[i].steps[k].n_waits,
                              (int) ranks[i].steps[k].wait_ns);
  }
  if (waits->n_ranks > 0 && loom_data_waits_get_missing_steps (waits) != NULL)
    g_string_append_printf (text, " %s", loom_data_waits_get_missing_steps (waits));
  return g_string_free (text, FALSE);
}

static void
assert_waits (LoomTimeline *timeline, LoomRange range, const char *expected)
{
  g_autofree char *drawn = draw_waits (timeline, range);
  g_assert_cmpstr (drawn, ==, expected);
}

#define NEXT "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"

static void
test_waits (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 thread = maker_thread (&maker, "python", 0, "1", 0);
  for (int step = 0; step < 4; step++) {
    g_autofree char *name = g_strdup_printf ("ProfilerStep#%d", step + 5);
    maker_span (&maker, thread, name, "user_annotation", 100 * step, 90);
    maker_span (&maker, thread, NEXT, "user_annotation", 100 * step + 1, step == 2 ? 30 : 10);
  }
  maker_span (&maker, thread, NEXT, "user_annotation", 294, 3); /* between steps: belongs to the next step */
  maker_span (&maker, thread, NEXT, "user_annotation", 395, 2); /* after the last step */
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_waits (timeline, WHOLE,
                "r0 total65 in65 median10 max30 steps60/360: 1+10#5 101+10#6 201+30!#7 294+3#8 301+10#8 395+2#-1 "
                "[5: 1, 10] [6: 1, 10] [7: 1, 30] [8: 2, 13]");
  assert_waits (timeline, maker_range (90, 200), "r0 total10 in10 median10 max10 steps10/90: 101+10#6 [6: 1, 10]");
  assert_waits (timeline, maker_range (12, 100), "There are no waits for data in this range");
  /* A wait that began before the range is clipped to it, and so are the last wait and both steps. */
  assert_waits (timeline, maker_range (105, 205),
                "r0 total40 in10 median20 max30 steps10/90: 101+10#6 201+30#7 [6: 1, 10] [7: 1, 30]");
}

/* Composer fetches a batch before the batch's span begins. A wait of PyTorch's loader inside that
 * fetch is the same wait and does not count twice. */
static void
test_composer_waits (void)
{
  Maker maker = maker_new ("rank0.json", "composer");
  guint32 thread = maker_thread (&maker, "Rank 0", 0, "1", 0);
  maker_span (&maker, thread, "event/dataloader", "", 0, 20);
  maker_span (&maker, thread, NEXT, "user_annotation", 5, 10);
  maker_span (&maker, thread, "event/batch", "", 30, 50);
  maker_span (&maker, thread, "dataloader/eval_dataset", "", 90, 4);
  maker_span (&maker, thread, "dataloader/train", "", 100, 9);
  maker_span (&maker, thread, "callback/DataloaderProfiler/event/after_dataloader", "", 110, 5);
  maker_span (&maker, thread, "event/batch", "", 120, 50);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_waits (timeline, WHOLE,
                "r0 total33 in33 median9 max20 steps0/100: 0+20!#-1 90+4#-1 100+9#-1 [-1: 1, 20] [-1: 1, 9]");
}

#define CALL "_MultiProcessingDataLoaderIter::GetNext"

/* SageMaker's loader calls are waits between steps. If another profiler recorded the loop of the same rank, its spans
 * are the same waits, so they are not counted again. */
static void
test_calls (void)
{
  Maker maker = maker_new ("a.json", "smdebug");
  guint32 thread = maker_thread (&maker, "Rank 0", 0, "1", 0);
  for (int step = 0; step < 2; step++) {
    maker_span (&maker, thread, CALL, "DataIterator", 100 * step, 10);
    maker_span (&maker, thread, "Step:ModeKeys.TRAIN", "Step", 100 * step + 10, 90);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_waits (timeline, WHOLE,
                "r0 calls total20 in20 median10 max10 steps0/180: 0+10#-1 100+10#-1 [-1: 1, 10] [-1: 1, 10]");
  const char *const pairs[][2] = { { CALL, NEXT }, { NEXT, CALL } };
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    Maker both = maker_new ("b.json", "kineto");
    thread = maker_thread (&both, "python", 0, "1", 0);
    maker_span (&both, thread, pairs[i][0], "", 0, 10);
    maker_span (&both, thread, pairs[i][1], "", 20, 10);
    g_autoptr (LoomTimeline) twice = maker_timeline (&both, NULL);
    assert_waits (
      twice, WHOLE,
      i == 0 ? "r0 total10 in10 median10 max10 steps0/0: 20+10#-1 The steps that contain these waits are unknown"
             : "r0 total10 in10 median10 max10 steps0/0: 0+10#-1 The steps that contain these waits are unknown");
  }
}

static void
test_no_waits (void)
{
  Maker maker = maker_new ("a.json", "kineto"), other = maker_new ("b.json", "kineto");
  guint32 thread = maker_thread (&maker, "python", 0, "1", 0), second = maker_thread (&other, "python", 1, "1", 0);
  maker_span (&maker, thread, "aten::mm", "cpu_op", 0, 10);
  maker_span (&maker, thread, "dataloader.py(5): enumerate(DataLoader)", "python_function", 20, 10);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_waits (timeline, WHOLE, "No waits for data are marked in these files");
  maker_span (&other, second, NEXT, "user_annotation", 0, 10);
  g_autoptr (LoomTimeline) stepless = maker_timeline (&other, NULL);
  assert_waits (stepless, WHOLE,
                "r1 total10 in10 median10 max10 steps0/0: 0+10#-1 The steps that contain these waits are unknown");
}

/* --- counters ------------------------------------------------------------------------------------------------------- */

static LoomTimeline *
counter_run (const char *format)
{
  Maker maker = maker_new ("a.json", format);
  guint32 process = loom_trace_builder_process (maker.builder, 0, "1", 1),
          counter = loom_trace_builder_counter (maker.builder, process, "", 0, "power", 5, "", 0),
          series = loom_trace_builder_series (maker.builder, counter, "W", 1);
  static const struct {
    gint64 at_s;
    double value;
  } samples[] = { { 0, 10 }, { 2, 40 }, { 3, 20 }, { 13, 5 } };
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    loom_trace_builder_sample (maker.builder, series, MAKER_BEGIN + samples[i].at_s * S, samples[i].value,
                               LOOM_REF_NONE);
  return maker_timeline (&maker, NULL);
}

static void
assert_counters (LoomTimeline *timeline, double begin_s, double end_s, const char *expected)
{
  g_autoptr (LoomCounterStatistics) stats =
    loom_counter_statistics_new (timeline, maker_range ((gint64) (begin_s * S), (gint64) (end_s * S)), NULL, 0, NULL);
  const LoomCounterRow *rows = stats->rows;
  g_autofree char *drawn =
    stats->n_rows == 0 ? g_strdup ("nothing")
                       : g_strdup_printf ("%s/%s n%u covered%g mean%g %g-%g integral%g", rows->name, rows->series_name,
                                          (guint) rows->n_samples, (double) rows->covered_ns / S, rows->mean, rows->min,
                                          rows->max, rows->integral);
  g_assert_cmpstr (drawn, ==, expected);
}

static void
test_counters (void)
{
  g_autoptr (LoomTimeline) timeline = counter_run ("chrome");
  /* Values: 10 W for 2 s, 40 W for 1 s, 20 W for 10 s; the last sample is at the end of the run. */
  assert_counters (timeline, -5, 100, "power/W n4 covered13 mean20 5-40 integral260");
  assert_counters (timeline, 0, 13, "power/W n4 covered13 mean20 5-40 integral260");
  assert_counters (timeline, 1, 4, "power/W n2 covered3 mean23.3333 10-40 integral70");
  /* Between two samples the earlier value holds. */
  assert_counters (timeline, 5, 6, "power/W n0 covered1 mean20 20-20 integral20");
  assert_counters (timeline, -3, -1, "nothing");
  assert_counters (timeline, 20, 30, "nothing");
  g_autoptr (LoomTimeline) composer = counter_run ("composer");
  /* A time of more than 5 s between samples of Composer is a gap: the value before it is known for the usual time between
   * samples, 2 s, so that from 5 s to 13 s it is unknown. */
  assert_counters (composer, -5, 100, "power/W n4 covered5 mean20 5-40 integral100");
  assert_counters (composer, 3, 12, "power/W n1 covered2 mean20 20-20 integral40");
  assert_counters (composer, 6, 12, "nothing");
}

/* Adds a wait of a rank of a node. */
static void
add_wait_of (Maker *maker, const char *process, const char *node, gint rank, gint64 begin)
{
  guint32 thread = maker_thread (maker, process, rank, "1", 0),
          number = loom_trace_builder_process (maker->builder, 0, process, strlen (process));
  loom_trace_builder_process_set_place (maker->builder, number, node, rank);
  maker_span (maker, thread, NEXT, "user_annotation", begin, 10);
}

/* Ranks with the same number on two nodes are different ranks. A rank in two files is one rank. Each file whose rank is
 * unknown counts as a separate rank. */
static void
test_waits_of_ranks (void)
{
  static const struct {
    const char *node;
    gint rank;
    guint n_waits;
  } wanted[] = { { NULL, -1, 1 }, { NULL, -1, 1 }, { "algo-1", 3, 2 }, { "algo-2", 3, 1 } };
  Maker first = maker_new ("a.json", "kineto"), second = maker_new ("b.json", "kineto");
  add_wait_of (&first, "a", "algo-1", 3, 0);
  add_wait_of (&first, "b", "algo-2", 3, 20);
  add_wait_of (&first, "c", NULL, -1, 40);
  add_wait_of (&second, "a", "algo-1", 3, 60);
  add_wait_of (&second, "c", NULL, -1, 80);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&first, &second);
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new (timeline, NULL, WHOLE, NULL);
  g_assert_cmpuint (waits->n_ranks, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < waits->n_ranks; i++) {
    g_assert_cmpstr (waits->ranks[i].node, ==, wanted[i].node);
    g_assert_cmpint (waits->ranks[i].rank, ==, wanted[i].rank);
    g_assert_cmpuint (waits->ranks[i].n_waits, ==, wanted[i].n_waits);
  }
}

static void
test_cancelled (void)
{
  Maker maker = one_step (0);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_time_by_work_kind_new (timeline, NULL, WHOLE, NULL, 0, cancellable));
  g_assert_null (loom_data_waits_new (timeline, steps, WHOLE, cancellable));
  g_assert_null (loom_counter_statistics_new (timeline, WHOLE, NULL, 0, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/time-by-work-kind/times", test_times);
  g_test_add_func ("/analysis/time-by-work-kind/tracks-and-sources", test_tracks_and_sources);
  g_test_add_func ("/analysis/time-by-work-kind/waits", test_waits);
  g_test_add_func ("/analysis/time-by-work-kind/waits-of-ranks", test_waits_of_ranks);
  g_test_add_func ("/analysis/time-by-work-kind/composer-waits", test_composer_waits);
  g_test_add_func ("/analysis/time-by-work-kind/calls", test_calls);
  g_test_add_func ("/analysis/time-by-work-kind/no-waits", test_no_waits);
  g_test_add_func ("/analysis/time-by-work-kind/counters", test_counters);
  g_test_add_func ("/analysis/time-by-work-kind/cancelled", test_cancelled);
  return g_test_run ();
}
