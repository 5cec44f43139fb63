/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-times.h"

static void
add (LoomIndexTimes *times, gint64 begin_ns, gint64 end_ns)
{
  loom_index_times_add (times, &(const LoomRange) { begin_ns, end_ns }, 1);
}

/* An index stores a time as a number if the time is known, that is, if it occurs in an earlier track. The number is the
 * count of different known times after the start of the span, up to and including this time. The number can be
 * converted back to the time. */
static void
test_find (void)
{
  gint64 end_ns = 0;
  g_autoptr (LoomIndexTimes) times = loom_index_times_new ();
  add (times, 10, 20);
  add (times, 20, 35);
  g_assert_cmpuint (loom_index_times_find (times, 5, 20), ==, 0);
  loom_index_times_learn (times);
  g_assert_cmpuint (loom_index_times_find (times, 5, 20), ==, 2);
  g_assert_cmpuint (loom_index_times_find (times, 10, 20), ==, 1);
  g_assert_cmpuint (loom_index_times_find (times, 10, 35), ==, 2);
  g_assert_cmpuint (loom_index_times_find (times, 10, 34), ==, 0);
  g_assert_cmpuint (loom_index_times_find (times, 20, 20), ==, 0);
  g_assert_true (loom_index_times_get (times, 10, 2, &end_ns));
  g_assert_cmpint (end_ns, ==, 35);
  g_assert_false (loom_index_times_get (times, 10, 3, &end_ns));
  g_assert_false (loom_index_times_get (times, 10, 0, &end_ns));
  g_assert_false (loom_index_times_get (times, 35, 1, &end_ns));
}

/* If there are too many known times between the start of the span and a time, the time cannot be stored as a number,
 * because the number would take more than one byte. */
static void
test_reach (void)
{
  g_autoptr (LoomIndexTimes) times = loom_index_times_new ();
  for (gint64 i = 1; i <= LOOM_INDEX_TIMES_REACH; i++)
    add (times, 2 * i - 1, 2 * i);
  loom_index_times_learn (times);
  g_assert_cmpuint (loom_index_times_find (times, 0, LOOM_INDEX_TIMES_REACH), ==, LOOM_INDEX_TIMES_REACH);
  g_assert_cmpuint (loom_index_times_find (times, 0, LOOM_INDEX_TIMES_REACH + 1), ==, 0);
}

/* If many times are known already, added times become known, so that they get numbers, only when there are enough of
 * them. Otherwise the known times would be sorted again after each of many short tracks. */
static void
test_learn (void)
{
  g_autoptr (LoomIndexTimes) times = loom_index_times_new ();
  for (gint64 i = 0; i < 8; i++)
    add (times, 100 * i, 100 * i + 50);
  loom_index_times_learn (times);
  add (times, 60, 70);
  loom_index_times_learn (times);
  g_assert_cmpuint (loom_index_times_find (times, 55, 70), ==, 0);
  add (times, 80, 90);
  loom_index_times_learn (times);
  g_assert_cmpuint (loom_index_times_find (times, 55, 70), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/times/find", test_find);
  g_test_add_func ("/index/times/reach", test_reach);
  g_test_add_func ("/index/times/learn", test_learn);
  return g_test_run ();
}
