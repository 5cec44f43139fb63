/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests idle times of devices, on small runs whose gaps can be calculated by hand. λ is the shortest launch delay of a
 * run, γ the shortest gap on a stream (loom-idle-time.h). Times in µs.
 */
#include <time.h>

#include "loom-idle-start.h"
#include "trace-maker.h"

#define US 1000
#define WHOLE maker_range (-1000 * US, 1000000 * US)

/* Adds a kernel [begin, end) on `stream`, and the call [call, call_end) on the host that launches it. Times in µs. */
static void
add_kernel (Maker *maker, guint32 host, gint64 call, gint64 call_end, guint32 stream, gint64 begin, gint64 end)
{
  static guint64 id = 100;
  maker_span (maker, host, "cudaLaunchKernel", "cuda_runtime", call * US, (call_end - call) * US);
  maker_span (maker, stream, "gemm", "kernel", begin * US, (end - begin) * US);
  maker_launch_flow (maker, host, call * US, stream, begin * US, id++);
}

static void
assert_gaps (const LoomIdleGaps *gaps, const gint64 *wanted_us)
{
  for (guint i = 0; i < LOOM_N_IDLE_CAUSES; i++) {
    g_assert_cmpuint (gaps[i].n, ==, wanted_us[i] > 0);
    g_assert_cmpint (gaps[i].total_ns, ==, wanted_us[i] * US);
    g_assert_cmpint (gaps[i].longest_ns, ==, wanted_us[i] * US);
  }
}

static Maker
make_check (guint32 *host, guint32 *stream)
{
  Maker maker = maker_new ("a.json", "kineto");
  *host = maker_thread (&maker, "python", 0, "1", 0);
  *stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  add_kernel (&maker, *host, 0, 5, *stream, 6, 16);
  add_kernel (&maker, *host, 8, 13, *stream, 17, 27);
  add_kernel (&maker, *host, 30, 35, *stream, 36, 46);
  add_kernel (&maker, *host, 40, 45, *stream, 90, 100);
  return maker;
}

/* The stream of make_check() has gaps of 1, 9 and 44 µs. In the gap of 9 µs it waits for the host. The kernel after the
 * gap of 44 µs was launched before the gap began, and waits for something that is not in the file. λ is 6 µs, γ is 1
 * µs. */
static void
test_causes (void)
{
  static const gint64 hta[] = { 9, 1, 44, 0 }, binding[] = { 9, 1, 44, 0 };
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  g_assert_cmpuint (idle->streams->len, ==, 1);
  g_assert_cmpuint (idle->devices->len, ==, 1);
  const LoomIdleRow *row = &g_array_index (idle->streams, LoomIdleRow, 0);
  assert_gaps (row->hta, hta);
  assert_gaps (row->binding, binding);
  g_assert_cmpint (row->idle_ns, ==, 54 * US);
  g_assert_cmpint (row->recorded_ns, ==, 94 * US);
  g_assert_cmpuint (row->n_works, ==, 4);
  /* At most one kernel is queued at a time. A kernel is queued during 6 + 9 + 6 + 50 µs of the 90 µs from the first
   * launch to the start of the last kernel. */
  g_assert_cmpuint (row->longest_queue, ==, 1);
  g_assert_cmpint (row->queued_ns, ==, 71 * US);
  g_assert_cmpfloat_with_epsilon (row->mean_queue, 71. / 90., 1e-9);
  g_assert_null (loom_idle_time_get_missing (idle));
}

/* The kernel after the gap of 9 µs is launched at 30 µs. During this gap, the host executes nothing but a step, so no
 * activity of the host is found. In the second run, the host prepares the launch with an operator, which is found. */
static void
test_activity (void)
{
  for (guint run = 0; run < 2; run++) {
    guint32 host, stream;
    Maker maker = make_check (&host, &stream);
    maker_span (&maker, host, "ProfilerStep#3", "cpu_op", 0, 50 * US);
    if (run == 1)
      maker_span (&maker, host, "aten::mm", "cpu_op", 20 * US, 20 * US);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
    g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
    const LoomIdleGap *gap = &g_array_index (idle->longest_for_host, LoomIdleGap, 0);
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), gap->trace);
    if (run == 0)
      g_assert_cmpuint (gap->host, ==, G_MAXUINT32);
    else
      g_assert_cmpstr (loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[gap->host])->text, ==,
                       "aten::mm");
  }
}

/* The launch delays of make_check() are 1, 4, 1 and 45 µs from the end of the call; no kernel is shorter than its
 * call. */
static void
test_launches (void)
{
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  g_assert_cmpuint (idle->launches->len, ==, 1);
  const LoomIdleLaunches *launches = &g_array_index (idle->launches, LoomIdleLaunches, 0);
  g_assert_cmpuint (launches->n, ==, 4);
  g_assert_cmpint (launches->delay_ns, ==, 51 * US);
  g_assert_cmpint (launches->longest_delay_ns, ==, 45 * US);
  g_assert_cmpint (launches->host_ns, ==, 20 * US);
  g_assert_cmpint (launches->device_ns, ==, 40 * US);
  g_assert_cmpuint (launches->n_short + launches->n_slow_calls + launches->n_long_delays + launches->n_early, ==, 0);
}

/* Launches of two ranks in one file are counted separately, although the calls have the same name. Delays of rank 0: 1
 * and 4 µs, of rank 1: 45 µs. */
static void
test_launches_by_rank (void)
{
  Maker maker = maker_new ("merged.json", "traceloom");
  guint32 host[2], stream[2];
  for (gint rank = 0; rank < 2; rank++) {
    host[rank] = maker_thread (&maker, rank == 0 ? "python 0" : "python 1", rank, "1", 0);
    stream[rank] = maker_thread (&maker, rank == 0 ? "GPU 0" : "GPU 1", rank, "stream 7", LOOM_TRACK_DEVICE);
  }
  add_kernel (&maker, host[0], 0, 5, stream[0], 6, 16);
  add_kernel (&maker, host[0], 8, 13, stream[0], 17, 27);
  add_kernel (&maker, host[1], 40, 45, stream[1], 90, 100);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  g_assert_cmpuint (idle->launches->len, ==, 2);
  for (gint rank = 0; rank < 2; rank++) {
    const LoomIdleLaunches *launches = &g_array_index (idle->launches, LoomIdleLaunches, rank);
    g_assert_cmpint (launches->rank, ==, rank);
    g_assert_cmpuint (launches->n, ==, rank == 0 ? 2 : 1);
    g_assert_cmpint (launches->delay_ns, ==, (rank == 0 ? 5 : 45) * US);
  }
}

/* A call that launches a graph of several kernels counts as one launch, whose delay ends when its first kernel begins.
 * The call in [0, 20) µs launches the kernels in [25, 35) and [36, 46) µs on one stream, and the kernel in [30, 60) µs
 * on another. The call in [100, 120) µs launches the kernel in [125, 130) µs. In the range [36, 200) µs, the start of
 * the first graph is unknown, so only the second call has a delay. */
static void
test_graph (void)
{
  static const struct {
    gint64 call, begin, end;
    guint stream;
  } kernels[] = { { 0, 25, 35, 0 }, { 0, 36, 46, 0 }, { 0, 30, 60, 1 }, { 100, 125, 130, 0 } };
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0);
  guint32 streams[] = { maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE),
                        maker_thread (&maker, "GPU 0", 0, "stream 20", LOOM_TRACK_DEVICE) };
  maker_span (&maker, host, "cudaGraphLaunch", "cuda_runtime", 0, 20 * US);
  maker_span (&maker, host, "cudaGraphLaunch", "cuda_runtime", 100 * US, 20 * US);
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++) {
    guint32 stream = streams[kernels[i].stream];
    maker_span (&maker, stream, "gemm", "kernel", kernels[i].begin * US, (kernels[i].end - kernels[i].begin) * US);
    maker_launch_flow (&maker, host, kernels[i].call * US, stream, kernels[i].begin * US, 1000 + i);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  for (guint part = 0; part < 2; part++) {
    g_autoptr (LoomIdleTime) idle =
      loom_idle_time_new (timeline, maker_range (part == 0 ? -US : 36 * US, 200 * US), NULL);
    g_assert_cmpuint (idle->launches->len, ==, 1);
    const LoomIdleLaunches *launches = &g_array_index (idle->launches, LoomIdleLaunches, 0);
    g_assert_cmpuint (launches->n, ==, 2);
    g_assert_cmpint (launches->host_ns, ==, (part == 0 ? 40 : 20) * US);
    g_assert_cmpint (launches->whole_calls_ns, ==, 40 * US);
    g_assert_cmpint (launches->device_ns, ==, (part == 0 ? 55 : 39) * US);
    g_assert_cmpint (launches->delay_ns, ==, (part == 0 ? 10 : 5) * US);
    g_assert_cmpint (launches->longest_delay_ns, ==, 5 * US);
    g_assert_cmpuint (launches->n_short, ==, 1);
    g_assert_cmpuint (launches->n_slow_calls + launches->n_long_delays + launches->n_early, ==, 0);
  }
}

/* A kernel of 2 µs runs every 8 µs; each kernel is launched 1 µs before the previous one ends. In HTA's classification,
 * no gap is a wait for the host. In the classification by the binding predecessor, all gaps but the last one are (see
 * loom-idle-time.h). λ, the shortest time from a launch to its kernel, is 7 µs. γ, the shortest gap, is 1 µs: the gap
 * before the last kernel, which was queued early. */
static void
test_host_bound (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  for (gint64 i = 0; i <= 10; i++)
    add_kernel (&maker, host, 8 * i - 7, 8 * i - 6, stream, 8 * i, 8 * i + 2);
  add_kernel (&maker, host, 74, 75, stream, 83, 85);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, 0);
  g_assert_cmpuint (row->hta[LOOM_IDLE_CAUSE_HOST].n, ==, 0);
  g_assert_cmpuint (row->hta[LOOM_IDLE_CAUSE_KERNEL].n, ==, 11);
  g_assert_cmpint (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, ==, 60 * US);
  g_assert_cmpint (row->binding[LOOM_IDLE_CAUSE_KERNEL].total_ns, ==, US);
}

/* The device waits for the host in the gaps [10, 100), [110, 200) and [210, 300) µs. In these gaps, the training loop
 * waits for data in [20, 90) µs, and in [120, 150) µs; two frameworks record the second wait in part. Waits for data do
 * not count if they are on a thread that launches nothing, on another rank, or at the same time as a kernel. */
static void
test_data (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0), second = maker_thread (&maker, "python", 0, "2", 0),
          other = maker_thread (&maker, "python 1", 1, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  for (gint64 i = 0; i <= 3; i++)
    add_kernel (&maker, host, 100 * i - 2, 100 * i - 1, stream, 100 * i, 100 * i + 10);
  maker_span (&maker, host, "enumerate(DataLoader)#x", "user_annotation", 20 * US, 70 * US);
  maker_span (&maker, host, "enumerate(DataLoader)#x", "user_annotation", 120 * US, 20 * US);
  maker_span (&maker, host, "event/dataloader", "user_annotation", 130 * US, 20 * US);
  maker_span (&maker, second, "enumerate(DataLoader)#x", "user_annotation", 150 * US, 40 * US);
  maker_span (&maker, second, "enumerate(DataLoader)#x", "user_annotation", 201 * US, 5 * US);
  maker_span (&maker, other, "enumerate(DataLoader)#x", "user_annotation", 220 * US, 50 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, 0);
  g_assert_cmpint (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, ==, 270 * US);
  g_assert_cmpint (row->data_ns, ==, 100 * US);
  g_assert_cmpint (g_array_index (idle->streams, LoomIdleRow, 0).data_ns, ==, 100 * US);
  g_assert_cmpuint (idle->longest->len, ==, 3);
  g_assert_cmpuint (idle->longest_for_host->len, ==, 2);
  g_assert_cmpint (g_array_index (idle->longest, LoomIdleGap, 0).data_ns, ==, 70 * US);
  g_assert_cmpint (g_array_index (idle->longest_for_host, LoomIdleGap, 0).data_ns, ==, 30 * US);
}

/* One stream of the device works in [0, 30) and [40, 50) µs, the other stream in [20, 45) and [70, 80) µs. So the
 * device is idle in [50, 70) µs, the first stream in [30, 40) µs, and the second stream in [45, 70) µs. The cause of a
 * gap is unknown if the launch of the next kernel was not recorded. */
static void
test_device (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          first = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE),
          second = maker_thread (&maker, "GPU 0", 0, "stream 20", LOOM_TRACK_DEVICE);
  add_kernel (&maker, host, -5, -4, first, 0, 30);
  add_kernel (&maker, host, -3, -2, second, 20, 45);
  add_kernel (&maker, host, 35, 36, first, 40, 50);
  maker_span (&maker, second, "gemm", "kernel", 70 * US, 10 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  g_assert_cmpuint (idle->streams->len, ==, 2);
  g_assert_cmpuint (idle->devices->len, ==, 1);
  const LoomIdleRow *device = &g_array_index (idle->devices, LoomIdleRow, 0);
  g_assert_null (device->stream);
  g_assert_cmpint (device->idle_ns, ==, 20 * US);
  g_assert_cmpint (device->binding[LOOM_IDLE_CAUSE_UNKNOWN].total_ns, ==, 20 * US);
  g_assert_cmpuint (device->n_overlaps, ==, 2);
  g_assert_cmpint (g_array_index (idle->streams, LoomIdleRow, 0).idle_ns, ==, 10 * US);
  g_assert_cmpint (g_array_index (idle->streams, LoomIdleRow, 1).idle_ns, ==, 25 * US);
  g_assert_cmpuint (idle->longest->len, ==, 1);
  LoomRange longest = g_array_index (idle->longest, LoomIdleGap, 0).range, wanted = maker_range (50 * US, 70 * US);
  g_assert_cmpint (longest.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (longest.end_ns, ==, wanted.end_ns);
}

/* In files with times in whole µs, a call of 0 µs may have the same start as the launch after it.
 * The kernel is assigned to the launch, not to this call. */
static void
test_call_before_launch (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  maker_span (&maker, host, "cudaPeekAtLastError", "cuda_runtime", 10 * US, 0);
  add_kernel (&maker, host, 10, 15, stream, 20, 30);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
  g_assert_cmpuint (idle->launches->len, ==, 1);
  g_assert_cmpstr (g_array_index (idle->launches, LoomIdleLaunches, 0).name, ==, "cudaLaunchKernel");
  g_assert_cmpint (g_array_index (idle->launches, LoomIdleLaunches, 0).delay_ns, ==, 5 * US);
}

/* Of a gap that extends beyond the range, the part inside the range counts: in the range [20, 60) µs, the gaps are [27,
 * 36) and [46, 60) µs. */
static void
test_range (void)
{
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, maker_range (20 * US, 60 * US), NULL);
  const LoomIdleRow *row = &g_array_index (idle->streams, LoomIdleRow, 0);
  g_assert_cmpuint (row->n_works, ==, 2);
  g_assert_cmpint (row->idle_ns, ==, 23 * US);
  g_assert_cmpint (row->recorded_ns, ==, 40 * US);
}

/* The idle times of two parts of a run add up to that of the whole run, wherever the run is cut: in a kernel, in a gap,
 * or at their edges. */
static void
test_parts (void)
{
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) whole = loom_idle_time_new (timeline, WHOLE, NULL);
  for (gint64 cut = 1; cut < 110; cut++) {
    LoomRange parts[] = { { G_MININT64, maker_range (0, cut * US).end_ns },
                          { maker_range (0, cut * US).end_ns, G_MAXINT64 } };
    gint64 idle_ns = 0;
    for (guint i = 0; i < 2; i++) {
      g_autoptr (LoomIdleTime) part = loom_idle_time_new (timeline, parts[i], NULL);
      idle_ns += part->streams->len > 0 ? g_array_index (part->streams, LoomIdleRow, 0).idle_ns : 0;
    }
    g_assert_cmpint (idle_ns, ==, g_array_index (whole->streams, LoomIdleRow, 0).idle_ns);
  }
}

/* The first stream works in [10, 100) and [2010, 2060) µs, the second stream in [900, 950) µs. In the range [500, 1000)
 * µs, the device is idle for 450 µs, although its first stream has no work in the range. */
static void
test_silent_stream (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 host = maker_thread (&maker, "python", 0, "1", 0),
          first = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE),
          second = maker_thread (&maker, "GPU 0", 0, "stream 20", LOOM_TRACK_DEVICE);
  add_kernel (&maker, host, 0, 5, first, 10, 100);
  add_kernel (&maker, host, 880, 885, second, 900, 950);
  add_kernel (&maker, host, 2000, 2005, first, 2010, 2060);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, maker_range (500 * US, 1000 * US), NULL);
  g_assert_cmpuint (idle->devices->len, ==, 1);
  const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, 0);
  g_assert_cmpint (row->recorded_ns, ==, 500 * US);
  g_assert_cmpint (row->idle_ns, ==, 450 * US);
  g_assert_true (row->is_cut);
}

/* In the range [50, 80) µs, which lies in a gap, the device is idle throughout. Before the first kernel and after the
 * last kernel, nothing is recorded. */
static void
test_idle_device (void)
{
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, maker_range (50 * US, 80 * US), NULL);
  g_assert_cmpuint (idle->devices->len, ==, 1);
  const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, 0);
  g_assert_cmpuint (row->n_works, ==, 0);
  g_assert_cmpint (row->recorded_ns, ==, 30 * US);
  g_assert_cmpint (row->idle_ns, ==, 30 * US);
  g_autoptr (LoomIdleTime) after = loom_idle_time_new (timeline, maker_range (101 * US, 110 * US), NULL);
  g_assert_cmpuint (after->devices->len, ==, 0);
}

static void
test_missing (void)
{
  Maker kernels = maker_new ("a.json", "kineto"), calls = maker_new ("b.json", "kineto");
  guint32 stream = maker_thread (&kernels, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE),
          host = maker_thread (&calls, "python", 0, "1", 0);
  maker_span (&kernels, stream, "gemm", "kernel", 0, 10);
  maker_span (&calls, host, "aten::mm", "cpu_op", 0, 10);
  g_autoptr (LoomTimeline) devices = maker_timeline (&kernels, NULL), hosts = maker_timeline (&calls, NULL);
  g_autoptr (LoomIdleTime) unknown = loom_idle_time_new (devices, WHOLE, NULL);
  g_autoptr (LoomIdleTime) none = loom_idle_time_new (hosts, WHOLE, NULL);
  g_assert_cmpuint (unknown->streams->len, ==, 1);
  g_assert_nonnull (strstr (loom_idle_time_get_missing (unknown), "launches"));
  g_assert_cmpuint (none->streams->len + none->devices->len, ==, 0);
  g_assert_nonnull (strstr (loom_idle_time_get_missing (none), "no GPU kernels"));
}

/* An idle time is computed once for a range, and shared by all analyses of this range. */
static void
test_shared (void)
{
  guint32 host, stream;
  Maker maker = make_check (&host, &stream);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  const LoomIdleTime *idle = loom_idle_time_get (collectives, NULL);
  g_assert_true (loom_idle_time_get (collectives, NULL) == idle);
  g_assert_cmpint (g_array_index (idle->devices, LoomIdleRow, 0).idle_ns, ==, 54 * US);
  g_assert_cmpint (g_array_index (idle->devices, LoomIdleRow, 0).recorded_ns, ==, 94 * US);
}

/* A kernel that begins before the start of its launch, or at the same time, was never queued. */
static void
test_early_kernel (void)
{
  for (gint64 begin = 1; begin <= 2; begin++) {
    Maker maker = maker_new ("a.json", "kineto");
    guint32 host = maker_thread (&maker, "python", 0, "1", 0),
            stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
    add_kernel (&maker, host, 2, 7, stream, begin, 10);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
    g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
    g_assert_cmpuint (g_array_index (idle->launches, LoomIdleLaunches, 0).n, ==, 1);
    const LoomIdleRow *row = &g_array_index (idle->streams, LoomIdleRow, 0);
    g_assert_cmpuint (row->longest_queue, ==, 0);
    g_assert_cmpint (row->queued_ns, ==, 0);
    g_assert_cmpint (row->full_queue_ns, ==, 0);
  }
}

/* Returns the CPU time in ns that the analysis of `n` kernels takes, the shortest of three measurements. If `processes`,
 * each kernel runs on the device of a process of its own; otherwise all kernels overlap each other on one stream. */
static gint64
measure_cost (guint n, gboolean processes)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 stream = maker_thread (&maker, "GPU 0", 0, "stream 7", LOOM_TRACK_DEVICE);
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("GPU %u", i);
    if (processes)
      stream = maker_thread (&maker, name, 0, "stream 7", LOOM_TRACK_DEVICE);
    maker_span (&maker, stream, "gemm", "kernel", i * US, processes ? US : (gint64) n * US);
  }
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  gint64 shortest_ns = G_MAXINT64;
  for (guint i = 0; i < 3; i++) {
    struct timespec before, after;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &before);
    g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, WHOLE, NULL);
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &after);
    g_assert_cmpuint (idle->devices->len, ==, processes ? n : 1);
    g_assert_cmpuint (g_array_index (idle->devices, LoomIdleRow, 0).n_works, ==, processes ? 1 : n);
    shortest_ns = MIN (shortest_ns, (after.tv_sec - before.tv_sec) * G_GINT64_CONSTANT (1000000000) + after.tv_nsec -
                                      before.tv_nsec);
  }
  return shortest_ns;
}

/* Four times as many kernels cost about 5 times as much if the cost is O(n log n), and 16 times as much if it is
 * O(n²). */
static void
test_cost (void)
{
  for (guint processes = 0; processes < 2; processes++) {
    gint64 part_ns = measure_cost (5000, processes), whole_ns = measure_cost (20000, processes);
    g_test_message ("%s: %.1f times", processes ? "processes" : "overlapping kernels",
                    (double) whole_ns / (double) part_ns);
    g_assert_cmpint (whole_ns, <, 9 * part_ns);
  }
}

/* The step begins at 100 µs, the thread waits for data from 110 to 160 µs, and the first kernel begins at 200 µs. The
 * device waits 100 µs for it, 50 µs of these for data, in addition to the gap of 20 µs after the first kernel. If the
 * range begins at 130 µs, the wait does, too. HTA counts only the gap. A run without steps has no such wait. The last run
 * has a file without a rank. */
static void
test_start (void)
{
  for (guint run = 0; run < 4; run++) {
    Maker maker = maker_new ("a.json", "kineto");
    gint rank = run == 3 ? -1 : 0;
    guint32 host = maker_thread (&maker, "python", rank, "1", 0),
            stream = maker_thread (&maker, "GPU 0", rank, "stream 7", LOOM_TRACK_DEVICE);
    if (run != 2)
      maker_span (&maker, host, "ProfilerStep#3", "cpu_op", 100 * US, 300 * US);
    maker_span (&maker, host, "enumerate(DataLoader)#x", "user_annotation", 110 * US, 50 * US);
    add_kernel (&maker, host, 190, 195, stream, 200, 210);
    add_kernel (&maker, host, 220, 225, stream, 230, 240);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
    LoomRange range = run == 1 ? maker_range (130 * US, 1000 * US) : WHOLE;
    g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, &range, NULL);
    const LoomIdleTime *idle = loom_idle_time_get (collectives, NULL),
                       *counted = loom_idle_start_get (collectives, NULL);
    const LoomIdleRow *hta = &g_array_index (idle->devices, LoomIdleRow, 0),
                      *row = &g_array_index (counted->devices, LoomIdleRow, 0);
    const gint64 wait_us[] = { 100, 70, 0, 100 }, data_us[] = { 50, 30, 0, 50 };
    g_assert_cmpint (hta->idle_ns, ==, 20 * US);
    g_assert_cmpint (row->idle_ns, ==, (20 + wait_us[run]) * US);
    g_assert_cmpint (row->recorded_ns, ==, (40 + wait_us[run]) * US);
    g_assert_cmpint (row->data_ns, ==, data_us[run] * US);
    g_assert_cmpint (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, ==, (20 + wait_us[run]) * US);
    g_assert_cmpint (row->hta[LOOM_IDLE_CAUSE_HOST].total_ns, ==, 20 * US);
    g_assert_cmpint (g_array_index (counted->longest, LoomIdleGap, 0).data_ns, ==, data_us[run] * US);
    g_assert_cmpuint (counted->longest->len, ==, run != 2 ? 2 : 1);
  }
}

/* GPU 0 works from 200 to 900 µs, GPU 1 from 500 to 510 µs, and both belong to one rank. The step begins at 100 µs, so
 * that both are recorded from 100 to 900 µs. GPU 1 is idle before and after its only kernel, 400 + 390 µs. The other run
 * has a rank for each GPU: GPU 1 only waits for 400 µs for its first work in a step. If the range ends at 800 µs, GPU 1
 * is idle for 400 + 290 µs. */
static void
test_recording (void)
{
  const gint64 idle_us[][2] = { { 770, 790 }, { 770, 400 }, { 680, 690 } };
  const gint64 recorded_us[][2] = { { 800, 800 }, { 800, 410 }, { 700, 700 } };
  for (guint run = 0; run < 3; run++) {
    Maker maker = maker_new ("a.json", "kineto");
    for (gint rank = 0; rank < 2; rank++) {
      gint own = run == 1 ? rank : 0;
      guint32 host = maker_thread (&maker, "python", own, rank == 0 ? "1" : "2", 0),
              stream = maker_thread (&maker, rank == 0 ? "GPU 0" : "GPU 1", own, "stream 7", LOOM_TRACK_DEVICE);
      maker_span (&maker, host, "ProfilerStep#3", "cpu_op", 100 * US, 900 * US);
      if (rank == 0)
        add_kernel (&maker, host, 190, 195, stream, 200, 210);
      add_kernel (&maker, host, 490, 495, stream, 500, 510);
      if (rank == 0)
        add_kernel (&maker, host, 880, 885, stream, 890, 900);
    }
    g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
    LoomRange range = run == 2 ? maker_range (0, 800 * US) : WHOLE;
    g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, &range, NULL);
    const LoomIdleTime *counted = loom_idle_start_get (collectives, NULL);
    g_assert_cmpuint (counted->devices->len, ==, 2);
    for (guint i = 0; i < 2; i++) {
      const LoomIdleRow *row = &g_array_index (counted->devices, LoomIdleRow, i);
      g_assert_cmpint (row->idle_ns, ==, idle_us[run][i] * US);
      g_assert_cmpint (row->recorded_ns, ==, recorded_us[run][i] * US);
      g_assert_cmpint (row->binding[LOOM_IDLE_CAUSE_HOST].total_ns, ==, row->idle_ns);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/idle-time/causes", test_causes);
  g_test_add_func ("/idle-time/activity", test_activity);
  g_test_add_func ("/idle-time/launches", test_launches);
  g_test_add_func ("/idle-time/launches-by-rank", test_launches_by_rank);
  g_test_add_func ("/idle-time/graph", test_graph);
  g_test_add_func ("/idle-time/host-bound", test_host_bound);
  g_test_add_func ("/idle-time/data", test_data);
  g_test_add_func ("/idle-time/device", test_device);
  g_test_add_func ("/idle-time/call-before-launch", test_call_before_launch);
  g_test_add_func ("/idle-time/range", test_range);
  g_test_add_func ("/idle-time/parts", test_parts);
  g_test_add_func ("/idle-time/silent-stream", test_silent_stream);
  g_test_add_func ("/idle-time/idle-device", test_idle_device);
  g_test_add_func ("/idle-time/recording", test_recording);
  g_test_add_func ("/idle-time/missing", test_missing);
  g_test_add_func ("/idle-time/shared", test_shared);
  g_test_add_func ("/idle-time/early-kernel", test_early_kernel);
  g_test_add_func ("/idle-time/start", test_start);
  g_test_add_func ("/idle-time/cost", test_cost);
  return g_test_run ();
}
