/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the critical path of runs with works of one stream that overlap, and with works that end after the calls that
 * waited for them. Both happen because the clocks of host and device differ. The times, in µs, can be calculated by
 * hand. λ, γ and σ have the same meaning as in test-critical-path.c.
 */
#include "path-maker.h"

/* Adds the two events with which a trace records that a call at [begin, end) waited for stream 7: the call on the host,
 * and the wait "Stream Sync" on the stream. */
static void
add_stream_sync (Rank *rank, gint64 begin, gint64 end)
{
  const char *names[] = { "cudaStreamSynchronize", "Stream Sync" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    LoomSyncEvent event = { .start_ns = MAKER_BEGIN + begin * US,
                            .end_ns = MAKER_BEGIN + end * US,
                            .kind = i == 0 ? LOOM_SYNC_EVENT_DEVICE_CALL : LOOM_SYNC_EVENT_DEVICE_WAIT,
                            .call = 51,
                            .sequence = -1,
                            .bytes = 7 };
    event.ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (rank->maker.builder) - 1);
    loom_trace_builder_sync_event (rank->maker.builder, i == 0 ? rank->host : rank->stream, &event, "", names[i]);
  }
}

/* Kernels of one stream that overlap by 1 µs, as after rounding. "second" was launched early, so it waits for "first".
 * The time of "first" counts until 19 µs, the start of "second". "inside" runs within "second", so "third" waits for
 * "second". The shortest launch delay (λ) is 6 µs. The shortest gap on the stream (γ) is 1 µs, because the overlap does
 * not count as a gap of 0 µs. */
static void
test_overlap (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "first", 0, 2, 6, 20);
  add_kernel (&rank, rank.stream, "second", 2, 4, 19, 30);
  add_kernel (&rank, rank.stream, "inside", 4, 5, 22, 24);
  add_kernel (&rank, rank.stream, "third", 5, 6, 31, 50);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpint (loom_critical_path_get_length (path), ==, 50 * US);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 1);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 43);
  /* without "first", "second" would begin at 8 µs: at 2 µs it is launched, and the launch delay is 6 µs */
  g_assert_cmpint (find (path, LOOM_PATH_KIND_COMPUTE, "first")->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 11 * US);
}

/* "short" and "long" begin at the same time on one stream. "long" waits for "first", and "next" waits for "long"; no
 * kernel waits for "short". */
static void
test_same_begin (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "first", 0, 2, 6, 20);
  add_kernel (&rank, rank.stream, "short", 2, 3, 21, 21);
  add_kernel (&rank, rank.stream, "long", 3, 4, 21, 40);
  add_kernel (&rank, rank.stream, "next", 4, 5, 41, 50);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 2);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 42);
}

/* "beside" on rank 0 begins before the last rank arrives at the collective that runs on the same stream, so it did not
 * wait for the collective, but for "first". */
static void
test_overlapped_collective (void)
{
  Rank ranks[2] = { make_rank (0), make_rank (1) };
  add_kernel (&ranks[0], ranks[0].stream, "first", 0, 2, 6, 9);
  add_collective (&ranks[0], 2, 10, 50);
  add_collective (&ranks[1], 34, 40, 50);
  add_kernel (&ranks[0], ranks[0].stream, "beside", 3, 4, 30, 60);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&ranks[0].maker, &ranks[1].maker);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 33);
  assert_kind (path, LOOM_PATH_KIND_PAUSE, 21);
}

/* The host waits for "second", whose recorded end is 3 µs after the end of the wait. The path counts "second" until the
 * end of the wait, whether the file records the wait or the wait is inferred. If "copy" follows, whose recorded start
 * is after the end of the wait, the wait is still for "second". */
static void
test_late_end (void)
{
  for (guint i = 0; i < 4; i++) {
    Rank rank = make_rank (0);
    maker_span (&rank.maker, rank.host, "aten::mm", "cpu_op", 0, 16 * US);
    add_kernel (&rank, rank.stream, "first", 5, 6, 12, 100);
    add_kernel (&rank, rank.stream, "second", 7, 8, 101, 200);
    if (i % 2 == 1)
      add_kernel (&rank, rank.stream, "copy", 9, 10, 200, 201);
    maker_span (&rank.maker, rank.host, "cudaStreamSynchronize", "cuda_runtime", 20 * US, 177 * US);
    if (i >= 2)
      add_stream_sync (&rank, 20, 197);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
    g_autoptr (LoomCriticalPath) path = compute (timeline, maker_range (0, 198 * US));
    g_assert_cmpuint (path->n_inferred, ==, i >= 2 ? 0 : 1);
    assert_kind (path, LOOM_PATH_KIND_LAUNCH, 7);
    assert_kind (path, LOOM_PATH_KIND_COMPUTE, 88 + 96);
    assert_kind (path, LOOM_PATH_KIND_PAUSE, 1);
    assert_kind (path, LOOM_PATH_KIND_HOST, 5);
  }
}

/* "after" on stream 20 waits for an event that was recorded after "long", but begins 1 µs before the end of "long", as
 * after rounding. */
static void
test_rounded_event (void)
{
  Rank rank = make_rank (0);
  add_kernel (&rank, rank.stream, "long", 0, 2, 6, 60);
  add_kernel (&rank, rank.other, "after", 8, 9, 59, 80);
  add_stream_wait (&rank, 3, 6, rank.other, 7);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  assert_kind (path, LOOM_PATH_KIND_COMPUTE, 53 + 21);
  assert_kind (path, LOOM_PATH_KIND_LAUNCH, 6);
}

/* A call that returned at once did not wait for the kernel that ends shortly after it. */
static void
test_no_wait (void)
{
  Rank rank = make_rank (0);
  maker_span (&rank.maker, rank.host, "aten::mm", "cpu_op", 0, 60 * US);
  add_kernel (&rank, rank.stream, "gemm", 5, 6, 12, 25);
  maker_span (&rank.maker, rank.host, "cudaStreamSynchronize", "cuda_runtime", 20 * US, 3 * US);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&rank.maker, NULL);
  g_autoptr (LoomCriticalPath) path = compute (timeline, WHOLE);
  g_assert_cmpuint (path->n_inferred, ==, 0);
  assert_kind (path, LOOM_PATH_KIND_HOST, 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/path-overlaps/overlap", test_overlap);
  g_test_add_func ("/path-overlaps/same-begin", test_same_begin);
  g_test_add_func ("/path-overlaps/collective", test_overlapped_collective);
  g_test_add_func ("/path-overlaps/late-end", test_late_end);
  g_test_add_func ("/path-overlaps/rounded-event", test_rounded_event);
  g_test_add_func ("/path-overlaps/no-wait", test_no_wait);
  return g_test_run ();
}
