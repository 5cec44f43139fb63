/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests work of devices: kinds of work, the breakdown by rank, busy time. Numbers are calculated by hand; random lanes
 * are compared with a calculation for each nanosecond.
 */
#include "loom-gpu-utilization.h"
#include "loom-rank-breakdown.h"
#include "loom-work-kind.h"
#include "trace-maker.h"

#include <math.h>

#define DEVICE LOOM_TRACK_DEVICE
#define WHOLE maker_range (-1000, 1000000)

static void
test_kinds (void)
{
  static const struct {
    const char *text, *category;
    gboolean device;
    LoomWorkKind work;
  } cases[] = {
    { "volta_sgemm_128x64_nn", "kernel", TRUE, LOOM_WORK_KIND_COMPUTE },
    /* `device` FALSE: the trace has no metadata which says that the track belongs to a device */
    { "volta_sgemm_128x64_nn", "Kernel", FALSE, LOOM_WORK_KIND_COMPUTE },
    { "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "kernel", TRUE, LOOM_WORK_KIND_COMMUNICATION },
    { "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "kernel", TRUE,
      LOOM_WORK_KIND_COMMUNICATION },
    { "void Eigen::internal::TensorBroadcastingOp<float>", "kernel", TRUE, LOOM_WORK_KIND_COMPUTE },
    { "Memcpy HtoD (Pageable -> Device)", "gpu_memcpy", TRUE, LOOM_WORK_KIND_MEMCPY },
    { "Memset (Device)", "Memset", TRUE, LOOM_WORK_KIND_MEMSET },
    { "aten::mul.out-dtype_Float", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_COMPUTE },
    { "merge", "mtia_ccp_events", FALSE, LOOM_WORK_KIND_COMPUTE },
    /* Holistic Trace Analysis (HTA) counts the event event_wait as computation */
    { "event_wait", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_COMPUTE },
    { "dma_request", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_MEMCPY },
    { "hcclAllReduce", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_COMMUNICATION },
    { "pe_exe", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_DEVICE_OTHER },
    { "runFunction - job_prep", "mtia_ccp_events", TRUE, LOOM_WORK_KIND_DEVICE_OTHER },
    { "linear_forward", "hpu_op", FALSE, LOOM_WORK_KIND_RUNTIME },
    { "all_reduce", "hpu_op", FALSE, LOOM_WORK_KIND_RUNTIME },
    { "MemcpyD2H", "", TRUE, LOOM_WORK_KIND_MEMCPY }, /* events of XLA have no category, so only the name says
                                                       * that the event is a copy */
    { "all-reduce.1", "", TRUE, LOOM_WORK_KIND_COMMUNICATION },
    { "fusion.3", "", TRUE, LOOM_WORK_KIND_COMPUTE },
    { "copy-done.2", "", TRUE, LOOM_WORK_KIND_MEMCPY }, /* in a Chrome trace of a TPU, copies have this name and
                                                         * no category */
    { "copy-done.2", "kernel", TRUE, LOOM_WORK_KIND_MEMCPY },
    { "copy.14", "kernel", TRUE, LOOM_WORK_KIND_COMPUTE }, /* copies data within the device to change their layout, so
     * it is computation */
    { "outfeed.1", "kernel", TRUE, LOOM_WORK_KIND_MEMCPY },
    { "loop_copy-done_fusion", "kernel", TRUE, LOOM_WORK_KIND_COMPUTE },
    { "copy-done.2", "", FALSE, LOOM_WORK_KIND_OTHER },
    { "fusion.3", "", FALSE, LOOM_WORK_KIND_OTHER },
    { "ProfilerStep#3", "gpu_user_annotation", TRUE, LOOM_WORK_KIND_NONE },
    { "Stream Wait Event", "cuda_sync", TRUE, LOOM_WORK_KIND_NONE },
    { "PyTorch Profiler (0)", "Trace", FALSE, LOOM_WORK_KIND_NONE },
    { "aten::mm", "cpu_op", FALSE, LOOM_WORK_KIND_OPERATOR },
    { "aten::mm", "Operator", FALSE, LOOM_WORK_KIND_OPERATOR },
    { "c10d::allreduce_", "cpu_op", FALSE, LOOM_WORK_KIND_COLLECTIVE },
    { "record_param_comms", "user_annotation", FALSE, LOOM_WORK_KIND_COLLECTIVE },
    { "cudaLaunchKernel", "cuda_runtime", FALSE, LOOM_WORK_KIND_RUNTIME },
    { "cuLaunchKernel", "cuda_driver", FALSE, LOOM_WORK_KIND_RUNTIME },
    { "cudaStreamSynchronize", "Runtime", FALSE, LOOM_WORK_KIND_SYNC },
    { "torch/nn/parallel/distributed.py(1): all_reduce", "python_function", FALSE, LOOM_WORK_KIND_PYTHON },
    { "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation", FALSE, LOOM_WORK_KIND_DATA },
    { "send 0->3", "flight_recorder", FALSE, LOOM_WORK_KIND_COLLECTIVE },
    { "broadcast", "flight_recorder", FALSE, LOOM_WORK_KIND_COLLECTIVE },
    { "event/dataloader", "", FALSE, LOOM_WORK_KIND_DATA },
    { "event/forward", "", FALSE, LOOM_WORK_KIND_ANNOTATION },
    { "dataloader/train", "", FALSE, LOOM_WORK_KIND_DATA },
    { "callback/DataloaderProfiler/event/init", "init,DataloaderProfiler", FALSE, LOOM_WORK_KIND_ANNOTATION },
    { "ProfilerStep#3", "Operator", FALSE, LOOM_WORK_KIND_ANNOTATION }, /* category of PyTorch profiles of 2021 */
    { "ProfilerStep#3", "user_annotation", FALSE, LOOM_WORK_KIND_ANNOTATION },
    { NULL, NULL, FALSE, LOOM_WORK_KIND_OTHER },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    LoomWorkKind work = loom_work_kind_classify (cases[i].text, cases[i].category, cases[i].device);
    if (work != cases[i].work)
      g_error ("“%s” of “%s” is %s", cases[i].text, cases[i].category, loom_work_kind_to_string (work));
  }
}

/* Makes a trace of one rank with two streams of one GPU. Work is recorded in [0, 45) ns: kernels in [0, 10) and [20,
 * 30), a collective in [5, 25) and a copy in [40, 45). The trace also has an annotation "step" and a synchronization,
 * which are not work. */
static Maker
two_streams (gint rank)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 main = maker_thread (&maker, "GPU 0", rank, "stream 7", DEVICE),
          side = maker_thread (&maker, "GPU 0", rank, "stream 20", DEVICE);
  maker_span (&maker, main, "step", "gpu_user_annotation", 0, 100);
  maker_span (&maker, main, "gemm", "kernel", 0, 10);
  maker_span (&maker, main, "gemm", "kernel", 20, 10);
  maker_span (&maker, side, "ncclKernel_AllReduce", "kernel", 5, 20);
  maker_span (&maker, main, "Memcpy DtoH", "gpu_memcpy", 40, 5);
  maker_span (&maker, side, "Stream Sync", "cuda_sync", 50, 50);
  return maker;
}

static char *
draw_ranks (LoomTimeline *timeline, LoomRange range)
{
  g_autoptr (LoomRankBreakdown) breakdown = loom_rank_breakdown_new (timeline, range, NULL);
  GString *text = g_string_new (breakdown->n_ranks == 0 ? loom_rank_breakdown_get_missing (breakdown) : NULL);
  g_assert_true ((breakdown->n_ranks == 0) == (loom_rank_breakdown_get_missing (breakdown) != NULL));
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankTime *time = &breakdown->ranks[i];
    g_string_append_printf (text,
                            "%sr%d n%u %d-%d rec%d busy%d idle%d comp%d comm%d over%d expo%d copy%d ecopy%d non%d of",
                            i > 0 ? ", " : "", time->rank, (guint) time->n_spans, (int) (time->begin_ns - MAKER_BEGIN),
                            (int) (time->end_ns - MAKER_BEGIN), (int) time->recorded_ns, (int) time->busy_ns,
                            (int) time->idle_ns, (int) time->compute_ns, (int) time->communication_ns,
                            (int) time->overlap_ns, (int) time->exposed_communication_ns, (int) time->copy_ns,
                            (int) time->exposed_copy_ns, (int) time->non_compute_ns);
    for (guint k = 0; k < time->n_sources; k++)
      g_string_append_printf (text, " %u", time->sources[k]);
  }
  return g_string_free (text, FALSE);
}

static void
assert_ranks (LoomTimeline *timeline, LoomRange range, const char *expected)
{
  g_autofree char *drawn = draw_ranks (timeline, range);
  g_assert_cmpstr (drawn, ==, expected);
}

/* GPU 0 works for 10 of its 20 recorded ns, GPU 1 for 30 of its 40 recorded ns. The rank is recorded for 40 ns, and at
 * least one GPU works in 35 ns of them. Summed over both GPUs, they work for 40 of 60 ns. */
static void
test_two_devices (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  for (guint i = 0; i < 2; i++) {
    guint32 stream = maker_thread (&maker, i == 0 ? "GPU 0" : "GPU 1", -1, "stream 7", DEVICE);
    maker_span (&maker, stream, "gemm", "kernel", 0, 5 + 10 * i);
    maker_span (&maker, stream, "gemm", "kernel", 15 + 10 * i, 5 + 10 * i);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomRankBreakdown) any = loom_rank_breakdown_new (timeline, WHOLE, NULL),
                                sum = loom_rank_breakdown_new_summed (timeline, WHOLE, NULL, NULL);
  g_assert_cmpuint (any->n_ranks, ==, 1);
  g_assert_cmpint (any->ranks[0].recorded_ns, ==, 40);
  g_assert_cmpint (any->ranks[0].busy_ns, ==, 35);
  g_assert_cmpuint (sum->n_ranks, ==, 1);
  g_assert_cmpuint (sum->ranks[0].n_spans, ==, 4);
  g_assert_cmpint (sum->ranks[0].recorded_ns, ==, 60);
  g_assert_cmpint (sum->ranks[0].busy_ns, ==, 40);
  g_assert_cmpint (sum->ranks[0].idle_ns, ==, 20);
  g_assert_cmpint (sum->ranks[0].end_ns - sum->ranks[0].begin_ns, ==, 40);
}

/* Returns a wait during the span that starts at `start`: the part [begin, end) of its time. */
static LoomSpanWait
make_wait (LoomTimeline *timeline, gint64 start, gint64 begin, gint64 end)
{
  LoomSpanWait wait = { .range = { MAKER_BEGIN + begin, MAKER_BEGIN + end } };
  guint32 n = loom_trace_get_spans (loom_run_get_trace (loom_timeline_get_run (timeline), 0))->n;
  for (wait.span.span = 0; wait.span.span < n; wait.span.span++) {
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, wait.span, &start_ns, &end_ns);
    if (start_ns == MAKER_BEGIN + start)
      return wait;
  }
  g_assert_not_reached ();
}

/* The collective runs from 0 to 30 ns on GPU 0, and from 1 to 21 ns on GPU 1. GPU 0 waits from 5 to 25 ns, and computes
 * from 20 to 30 ns, so 5 ns of its wait are hidden. Overlapping waits count once. GPU 1 waits from 2 to 6 ns; the waits
 * of GPU 0 do not count for GPU 1. */
static void
test_waits (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 first = maker_thread (&maker, "GPU 0", -1, "stream 7", DEVICE),
          side = maker_thread (&maker, "GPU 0", -1, "stream 8", DEVICE),
          second = maker_thread (&maker, "GPU 1", -1, "stream 7", DEVICE);
  maker_span (&maker, first, "gemm", "kernel", 20, 10);
  maker_span (&maker, side, "ncclKernel_AllReduce", "kernel", 0, 30);
  maker_span (&maker, second, "ncclKernel_AllReduce", "kernel", 1, 20);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  const LoomSpanWait all[] = { make_wait (timeline, 1, 2, 6), make_wait (timeline, 0, 10, 25),
                               make_wait (timeline, 0, 5, 15) };
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (LoomSpanWait));
  g_array_append_vals (waits, all, G_N_ELEMENTS (all));
  g_autoptr (LoomRankBreakdown) devices = loom_rank_breakdown_new_of_devices (timeline, WHOLE, waits, NULL),
                                sum = loom_rank_breakdown_new_summed (timeline, WHOLE, waits, NULL),
                                without = loom_rank_breakdown_new_summed (timeline, WHOLE, NULL, NULL);
  g_assert_cmpuint (devices->n_ranks, ==, 2);
  g_assert_cmpint (devices->ranks[0].exposed_communication_ns, ==, 20);
  g_assert_cmpint (devices->ranks[0].exposed_wait_ns, ==, 15);
  g_assert_cmpint (devices->ranks[1].exposed_wait_ns, ==, 4);
  g_assert_cmpint (sum->ranks[0].exposed_wait_ns, ==, 19);
  g_assert_cmpint (without->ranks[0].exposed_wait_ns, ==, 0);
}

static void
test_on_paper (void)
{
  Maker maker = two_streams (3);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_ranks (timeline, WHOLE, "r3 n4 0-45 rec45 busy35 idle10 comp20 comm20 over10 expo10 copy5 ecopy5 non15 of 0");
  /* A range may cut spans at both ends. Idle time between spans counts; time outside of the recording does not. */
  assert_ranks (timeline, maker_range (8, 42),
                "r3 n4 8-42 rec34 busy24 idle10 comp12 comm17 over7 expo10 copy2 ecopy2 non12 of 0");
  assert_ranks (timeline, maker_range (-50, 3),
                "r3 n1 0-3 rec3 busy3 idle0 comp3 comm0 over0 expo0 copy0 ecopy0 non0 of 0");
  /* the device is recorded in the whole range, and idle */
  assert_ranks (timeline, maker_range (31, 39),
                "r3 n0 31-39 rec8 busy0 idle8 comp0 comm0 over0 expo0 copy0 ecopy0 non0 of 0");
  assert_ranks (timeline, maker_range (60, 90), "There are no device kernels or device copies in this range");
}

/* The gap between two recordings of a rank does not count as idle time. */
static void
test_two_files (void)
{
  Maker first = two_streams (0), second = maker_new ("b.json", "kineto");
  guint32 stream = maker_thread (&second, "GPU 0", 0, "stream 7", DEVICE);
  maker_span (&second, stream, "gemm", "kernel", 1000, 10);
  maker_span (&second, stream, "gemm", "kernel", 1015, 5);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&first, &second);
  assert_ranks (timeline, WHOLE,
                "r0 n6 0-1020 rec65 busy50 idle15 comp35 comm20 over10 expo10 copy5 ecopy5 non15 of 0 1");
}

/* Each file of unknown rank counts as a rank of its own; a file may contain two ranks. */
static void
test_who_is_who (void)
{
  Maker first = two_streams (-1), second = maker_new ("b.json", "kineto");
  for (int rank = 1; rank >= 0; rank--) {
    g_autofree char *label = g_strdup_printf ("Rank %d GPU", rank);
    guint32 stream = maker_thread (&second, label, rank, "7", DEVICE);
    maker_span (&second, stream, "gemm", "kernel", 10 * rank, 7);
  }
  guint32 unknown = maker_thread (&second, "GPU 0", -1, "7", DEVICE);
  maker_span (&second, unknown, "gemm", "kernel", 0, 1);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&first, &second);
  assert_ranks (timeline, WHOLE,
                "r-1 n4 0-45 rec45 busy35 idle10 comp20 comm20 over10 expo10 copy5 ecopy5 non15 of 0, "
                "r-1 n1 0-1 rec1 busy1 idle0 comp1 comm0 over0 expo0 copy0 ecopy0 non0 of 1, "
                "r0 n1 0-7 rec7 busy7 idle0 comp7 comm0 over0 expo0 copy0 ecopy0 non0 of 1, "
                "r1 n1 10-17 rec7 busy7 idle0 comp7 comm0 over0 expo0 copy0 ecopy0 non0 of 1");
}

static void
test_nothing (void)
{
  Maker maker = maker_new ("cpu.json", "kineto");
  guint32 thread = maker_thread (&maker, "python", 0, "1", 0),
          derived = maker_thread (&maker, "/device:GPU:0", 0, "XLA Modules", DEVICE | LOOM_TRACK_DERIVED),
          late = maker_thread (&maker, "GPU 0", 0, "stream 7", DEVICE);
  maker_span (&maker, thread, "aten::mm", "cpu_op", 0, 10);
  maker_span (&maker, derived, "jit_step", "", 0, 10);
  maker_flagged_span (&maker, late, "gemm", "kernel", 500, 10, LOOM_REF_SUSPECT);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_ranks (timeline, WHOLE, "These files contain no device kernels or device copies");
  g_autoptr (LoomGpuUtilization) busy = loom_gpu_utilization_new (timeline, WHOLE, 4, NULL);
  g_assert_cmpuint (busy->n_devices, ==, 0);
  g_assert_cmpstr (loom_gpu_utilization_get_missing (busy), ==,
                   "These files contain no device kernels or device copies");
}

/* --- comparison with a direct implementation of the definition --- */

#define N_NS 2000

enum { COMPUTE = 1, COMMUNICATION = 2, MEMCPY = 4, MEMSET = 8 };

typedef struct {
  guint8 masks[N_NS];
  int first, last;
} Pixels;

static void
paint (Pixels *pixels, int start, int dur, guint8 bit)
{
  for (int ns = start; ns < start + dur; ns++)
    pixels->masks[ns] |= bit;
  pixels->first = MIN (pixels->first, start);
  pixels->last = MAX (pixels->last, start + dur);
}

static int
count_pixels (const Pixels *pixels, int begin, int end, guint8 some, guint8 none)
{
  int n = 0;
  for (int ns = MAX (begin, pixels->first); ns < MIN (end, pixels->last); ns++)
    n += (some == 0 || (pixels->masks[ns] & some) != 0) && (pixels->masks[ns] & none) == 0;
  return n;
}

static LoomTimeline *
random_streams (Pixels *pixels)
{
  static const struct {
    const char *name, *category;
  } kinds[] = {
    { "gemm", "kernel" }, { "ncclKernel", "kernel" }, { "Memcpy", "gpu_memcpy" }, { "Memset", "gpu_memset" }
  };
  Maker maker = maker_new ("random.json", "kineto");
  *pixels = (Pixels) { .first = N_NS, .last = 0 };
  for (int s = 0; s < 5; s++) {
    g_autofree char *tid = g_strdup_printf ("stream %d", s);
    guint32 stream = maker_thread (&maker, "GPU 0", 0, tid, DEVICE);
    for (int i = 0; i < 12; i++) {
      int kind = g_test_rand_int_range (0, 4), start = g_test_rand_int_range (0, N_NS - 100),
          dur = g_test_rand_int_range (0, 100);
      maker_span (&maker, stream, kinds[kind].name, kinds[kind].category, start, dur);
      paint (pixels, start, dur, (guint8) (1 << kind));
    }
  }
  return maker_timeline (&maker, NULL);
}

static void
check_range (LoomTimeline *timeline, const Pixels *pixels, int begin, int end)
{
  g_autoptr (LoomRankBreakdown) breakdown = loom_rank_breakdown_new (timeline, maker_range (begin, end), NULL);
  const LoomRankTime *time = breakdown->ranks;
  if (breakdown->n_ranks == 0) {
    g_assert_cmpint (count_pixels (pixels, begin, end, 15, 0), ==, 0);
    return;
  }
  g_assert_cmpint (time->recorded_ns, ==, count_pixels (pixels, begin, end, 0, 0));
  g_assert_cmpint (time->busy_ns, ==, count_pixels (pixels, begin, end, 15, 0));
  g_assert_cmpint (time->idle_ns, ==, count_pixels (pixels, begin, end, 0, 15));
  g_assert_cmpint (time->compute_ns, ==, count_pixels (pixels, begin, end, COMPUTE, 0));
  g_assert_cmpint (time->communication_ns, ==, count_pixels (pixels, begin, end, COMMUNICATION, 0));
  g_assert_cmpint (time->exposed_communication_ns, ==, count_pixels (pixels, begin, end, COMMUNICATION, COMPUTE));
  g_assert_cmpint (time->overlap_ns, ==, time->communication_ns - time->exposed_communication_ns);
  g_assert_cmpint (time->copy_ns, ==, count_pixels (pixels, begin, end, MEMCPY | MEMSET, 0));
  g_assert_cmpint (time->exposed_copy_ns, ==,
                   count_pixels (pixels, begin, end, MEMCPY | MEMSET, COMPUTE | COMMUNICATION));
  g_assert_cmpint (time->non_compute_ns, ==, count_pixels (pixels, begin, end, 14, COMPUTE));
}

static void
test_against_definition (void)
{
  for (int round = 0; round < 60; round++) {
    Pixels pixels;
    g_autoptr (LoomTimeline) timeline = random_streams (&pixels);
    int begin = g_test_rand_int_range (0, N_NS - 1);
    check_range (timeline, &pixels, 0, N_NS);
    check_range (timeline, &pixels, begin, g_test_rand_int_range (begin + 1, N_NS));
  }
}

/* --- busy ----------------------------------------------------------------------------------------------------------- */

static char *
draw_busy (LoomTimeline *timeline, LoomRange range, guint n_buckets)
{
  g_autoptr (LoomGpuUtilization) busy = loom_gpu_utilization_new (timeline, range, n_buckets, NULL);
  const LoomGpuUtilizationDevice *devices = busy->devices;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < busy->n_devices; i++) {
    g_string_append_printf (text, "%s%s r%d rec%d kern%d busy%d:", i > 0 ? "; " : "", devices[i].device,
                            devices[i].rank, (int) devices[i].recorded_ns, (int) devices[i].kernel_ns,
                            (int) devices[i].busy_ns);
    for (guint k = 0; k < n_buckets; k++)
      g_string_append_printf (text, " %g/%g/%g", devices[i].utilization[k], devices[i].highest[k], devices[i].busy[k]);
  }
  return g_string_free (text, FALSE);
}

static void
test_busy (void)
{
  Maker maker = two_streams (0);
  guint32 other = maker_thread (&maker, "GPU 1", 0, "stream 7", DEVICE);
  maker_span (&maker, other, "gemm", "kernel", 0, 50);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  /* GPU 0 runs kernels in [0, 30) ns and a copy in [40, 45) ns; its recording ends at 45 ns. */
  g_autofree char *fifths = draw_busy (timeline, maker_range (0, 50), 5);
  g_assert_cmpstr (fifths, ==,
                   "GPU 0 r0 rec45 kern30 busy35: 100/100/100 100/100/100 100/100/100 0/0/0 0/0/100; "
                   "GPU 1 r0 rec50 kern50 busy50: 100/100/100 100/100/100 100/100/100 100/100/100 100/100/100");
  g_autofree char *thirds = draw_busy (timeline, maker_range (-20, 100), 3);
  g_assert_cmpstr (thirds, ==,
                   "GPU 0 r0 rec45 kern30 busy35: 100/100/100 40/100/60 nan/nan/nan; "
                   "GPU 1 r0 rec50 kern50 busy50: 100/100/100 100/100/100 nan/nan/nan");
  /* Each of eight buckets of the range [24, 88) ns is 8 ns long; in the first bucket, kernels run for 6 ns. */
  g_autofree char *whole = draw_busy (timeline, maker_range (24, 88), 1);
  g_assert_cmpstr (whole, ==,
                   "GPU 0 r0 rec21 kern6 busy11: 28.5714/75/52.381; "
                   "GPU 1 r0 rec26 kern26 busy26: 100/100/100");
}

/* GPU 0 works before the range and after it: it is listed, and idle. */
static void
test_idle_device (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 stream = maker_thread (&maker, "GPU 0", 0, "stream 7", DEVICE);
  maker_span (&maker, stream, "gemm", "kernel", 0, 10);
  maker_span (&maker, stream, "gemm", "kernel", 90, 10);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autofree char *halves = draw_busy (timeline, maker_range (20, 60), 2);
  g_assert_cmpstr (halves, ==, "GPU 0 r0 rec40 kern0 busy0: 0/0/0 0/0/0");
  g_autoptr (LoomRankBreakdown) ranks = loom_rank_breakdown_new (timeline, maker_range (20, 60), NULL);
  g_assert_cmpuint (ranks->n_ranks, ==, 1);
  g_assert_cmpint (ranks->ranks[0].idle_ns, ==, 40);
  g_assert_cmpint (ranks->ranks[0].end_ns - ranks->ranks[0].begin_ns, ==, 40);
}

/* The start of a bucket is rounded down to whole ns: the second third of [0, 50) ns begins at 16 ns. */
static void
test_bucket_ends (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 stream = maker_thread (&maker, "GPU 0", 0, "stream 7", DEVICE);
  maker_span (&maker, stream, "gemm", "kernel", 0, 16);
  maker_span (&maker, stream, "copy", "gpu_memcpy", 16, 1);
  maker_span (&maker, stream, "gemm", "kernel", 33, 17);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autofree char *thirds = draw_busy (timeline, maker_range (0, 50), 3);
  g_assert_cmpstr (thirds, ==, "GPU 0 r0 rec50 kern33 busy34: 100/100/100 0/0/5.88235 100/100/100");
}

/* A kernel that communicates counts as busy time of the device, but not as computing time. */
static void
test_computing (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 stream = maker_thread (&maker, "GPU 0", 0, "stream 7", DEVICE);
  maker_span (&maker, stream, "gemm", "kernel", 0, 15);
  maker_span (&maker, stream, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "kernel", 15, 15);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomGpuUtilization) busy = loom_gpu_utilization_new (timeline, maker_range (0, 30), 3, NULL);
  static const double expected[] = { 100, 50, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_assert_cmpfloat (busy->devices[0].utilization[i], ==, 100);
    g_assert_cmpfloat (busy->devices[0].computing[i], ==, expected[i]);
  }
}

static void
test_cancelled (void)
{
  Maker maker = two_streams (0);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_rank_breakdown_new (timeline, WHOLE, cancellable));
  g_assert_null (loom_gpu_utilization_new (timeline, WHOLE, 3, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/gpu-work/kinds", test_kinds);
  g_test_add_func ("/analysis/gpu-work/on-paper", test_on_paper);
  g_test_add_func ("/analysis/gpu-work/two-devices", test_two_devices);
  g_test_add_func ("/analysis/gpu-work/waits", test_waits);
  g_test_add_func ("/analysis/gpu-work/two-files", test_two_files);
  g_test_add_func ("/analysis/gpu-work/who-is-who", test_who_is_who);
  g_test_add_func ("/analysis/gpu-work/nothing", test_nothing);
  g_test_add_func ("/analysis/gpu-work/against-definition", test_against_definition);
  g_test_add_func ("/analysis/gpu-work/busy", test_busy);
  g_test_add_func ("/analysis/gpu-work/bucket-ends", test_bucket_ends);
  g_test_add_func ("/analysis/gpu-work/idle-device", test_idle_device);
  g_test_add_func ("/analysis/gpu-work/computing", test_computing);
  g_test_add_func ("/analysis/gpu-work/cancelled", test_cancelled);
  return g_test_run ();
}
