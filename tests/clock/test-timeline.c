/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the timeline of several sources: its extent, its origin, from which times are counted, and the times of its
 * spans.
 */
#include "fixture.h"

#include "loom-timeline.h"

static LoomTimeline *
new_timeline (const ClockCase *cases, guint n)
{
  g_autoptr (LoomRun) run = clock_run_new (cases, n);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static void
assert_extent (const LoomTimeline *timeline, gint64 begin_ns, gint64 end_ns)
{
  LoomRange extent;
  g_assert_true (loom_timeline_get_extent (timeline, &extent));
  g_assert_cmpint (extent.begin_ns, ==, begin_ns);
  g_assert_cmpint (extent.end_ns, ==, end_ns);
}

static void
test_anchored (void)
{
  const ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 2000, .dur_ns = 10 },
    { .rank = -1, .state = LOOM_CLOCK_NONE, .start_ns = 7, .dur_ns = 5000 },
  };
  g_autoptr (LoomTimeline) timeline = new_timeline (cases, G_N_ELEMENTS (cases));
  g_assert_true (loom_timeline_is_anchored (timeline));
  g_assert_cmpint (loom_timeline_get_origin (timeline), ==, BASE_NS + 2000);
  assert_extent (timeline, BASE_NS + 2000, BASE_NS + 7000);
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, (LoomSpanId) { 1, 0 }, &start_ns, &end_ns);
  g_assert_cmpint (start_ns, ==, BASE_NS + 2000);
  g_assert_cmpint (end_ns, ==, BASE_NS + 7000);
  loom_timeline_get_span (timeline, (LoomSpanId) { 1, 1 }, &start_ns, &end_ns);
  g_assert_cmpint (start_ns, ==, BASE_NS + 2000);
  g_assert_cmpint (end_ns, ==, start_ns);
  g_assert_cmpint (loom_timeline_get_map (timeline, 1, 0)->offset_ns, ==, BASE_NS + 2000 - 7);
}

static void
test_unanchored (void)
{
  const ClockCase cases[] = { { .rank = -1, .state = LOOM_CLOCK_NONE, .start_ns = 40, .dur_ns = 10 } };
  g_autoptr (LoomTimeline) timeline = new_timeline (cases, G_N_ELEMENTS (cases));
  g_assert_false (loom_timeline_is_anchored (timeline));
  g_assert_cmpint (loom_timeline_get_origin (timeline), ==, 40);
  assert_extent (timeline, 40, 50);
}

static void
test_empty (void)
{
  g_autoptr (LoomTimeline) timeline = new_timeline (NULL, 0);
  LoomRange extent;
  g_assert_false (loom_timeline_get_extent (timeline, &extent));
  g_assert_cmpint (loom_timeline_get_origin (timeline), ==, 0);
}

/* The first file of system metrics in the folder determines the origin of the timeline, unless it is far from the other
 * data. */
static void
test_system_origin (void)
{
  ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 9 * LOOM_NS_PER_S, .dur_ns = 100 * LOOM_NS_PER_S },
    { .path = "system/1700000060.algo-1.json",
      .format = "smdebug-system",
      .rank = -1,
      .state = LOOM_CLOCK_EXACT,
      .start_ns = 60 * LOOM_NS_PER_S },
    { .path = "system/1700000005.algo-2.json",
      .format = "smdebug-system",
      .rank = -1,
      .state = LOOM_CLOCK_EXACT,
      .start_ns = 10 * LOOM_NS_PER_S },
  };
  g_autoptr (LoomTimeline) near = new_timeline (cases, G_N_ELEMENTS (cases));
  g_assert_cmpint (loom_timeline_get_origin (near), ==, BASE_NS + 5 * LOOM_NS_PER_S);
  g_assert_cmpint (loom_timeline_get_start (near), ==, BASE_NS + 9 * LOOM_NS_PER_S);
  cases[2].path = "system/1600000005.algo-2.json";
  g_autoptr (LoomTimeline) far = new_timeline (cases, G_N_ELEMENTS (cases));
  g_assert_cmpint (loom_timeline_get_origin (far), ==, BASE_NS + 9 * LOOM_NS_PER_S);
  cases[2].path = "system/17000000051.algo-2.json";
  g_autoptr (LoomTimeline) odd = new_timeline (cases, G_N_ELEMENTS (cases));
  g_assert_cmpint (loom_timeline_get_origin (odd), ==, BASE_NS + 60 * LOOM_NS_PER_S);
}

/* Tests loom_timeline_find_gap(), which returns the longest gap between recordings: some files overlap; another one,
 * half a second long, is an hour away. */
static void
test_gap (void)
{
  const ClockCase cases[] = {
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 3600 * LOOM_NS_PER_S, .dur_ns = LOOM_NS_PER_S / 2 },
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 0, .dur_ns = 4 * LOOM_NS_PER_S },
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = LOOM_NS_PER_S, .dur_ns = 9 * LOOM_NS_PER_S },
    { .rank = -1, .state = LOOM_CLOCK_EXACT, .start_ns = 2 * LOOM_NS_PER_S, .dur_ns = LOOM_NS_PER_S },
  };
  gint64 recorded_ns;
  g_autoptr (LoomTimeline) all = new_timeline (cases, G_N_ELEMENTS (cases)), one = new_timeline (cases, 1),
                           none = new_timeline (NULL, 0);
  g_assert_cmpint (loom_timeline_find_gap (all, &recorded_ns), ==, 3590 * LOOM_NS_PER_S);
  g_assert_cmpint (recorded_ns, ==, 10 * LOOM_NS_PER_S + LOOM_NS_PER_S / 2);
  g_assert_cmpint (loom_timeline_find_gap (one, &recorded_ns), ==, 0);
  g_assert_cmpint (recorded_ns, ==, LOOM_NS_PER_S / 2);
  g_assert_cmpint (loom_timeline_find_gap (none, &recorded_ns), ==, 0);
  g_assert_cmpint (recorded_ns, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/timeline/anchored", test_anchored);
  g_test_add_func ("/clock/timeline/unanchored", test_unanchored);
  g_test_add_func ("/clock/timeline/empty", test_empty);
  g_test_add_func ("/clock/timeline/system-origin", test_system_origin);
  g_test_add_func ("/clock/timeline/gap", test_gap);
  return g_test_run ();
}
