/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the critical path of runs in which works of one stream overlap. The times can be calculated by hand; λ, γ and σ
 * as in test-critical-path.c. Times in µs.
 */
#include "path-maker.h"

/* Kernels of one stream that overlap by 1, as after rounding: "second" was launched early, so it waits for "first", which
 * counts until 19, the start of "second". "inside" runs within "second", so that "third" waits for "second". λ is 6, γ is
 * 1: the overlap is not a gap of 0. */
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
  /* without "first", "second" would begin with a delay of 6 after its launch at 2 */
  g_assert_cmpint (find (path, LOOM_PATH_KIND_COMPUTE, "first")->saving_ns[LOOM_PATH_CHANGE_FREE], ==, 11 * US);
}

/* Kernels that begin at the same time: "long" and then "next" wait for "first"; "short" is no predecessor. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/path-overlaps/overlap", test_overlap);
  g_test_add_func ("/path-overlaps/same-begin", test_same_begin);
  g_test_add_func ("/path-overlaps/collective", test_overlapped_collective);
  return g_test_run ();
}
