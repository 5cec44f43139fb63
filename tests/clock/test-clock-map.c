/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests clock maps, which convert times of a clock to times of the timeline. Without a drift, the conversion is exact.
 * With a drift, converting there and back is correct to 1 ns. The conversion is monotone and does not overflow.
 */
#include "loom-clock-map.h"

#define EPOCH_NS G_GINT64_CONSTANT (1700000000123456789)

static void
test_offset (void)
{
  LoomClockMap map = { .offset_ns = -250 };
  g_assert_cmpint (loom_clock_map_to_timeline (&map, EPOCH_NS), ==, EPOCH_NS - 250);
  g_assert_cmpint (loom_clock_map_to_local (&map, EPOCH_NS - 250), ==, EPOCH_NS);
}

static void
test_drift (void)
{
  /* a drift of 5 ppm over an hour amounts to 18 ms */
  LoomClockMap map = { .offset_ns = 100, .drift_ppt = 5000000, .reference_ns = EPOCH_NS };
  g_assert_cmpint (loom_clock_map_to_timeline (&map, EPOCH_NS), ==, EPOCH_NS + 100);
  gint64 later_ns = EPOCH_NS + 3600 * LOOM_NS_PER_S;
  g_assert_cmpint (loom_clock_map_to_timeline (&map, later_ns), ==, later_ns + 100 + 18 * LOOM_NS_PER_MS);
  g_assert_cmpint (loom_clock_map_to_timeline (&map, EPOCH_NS - 200000), ==, EPOCH_NS + 100 - 200001);
}

static gint64
random_int64 (void)
{
  return (gint64) ((guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ());
}

static LoomClockMap
random_map (void)
{
  return (LoomClockMap) {
    .offset_ns = random_int64 () >> 4,
    .drift_ppt = random_int64 () % G_GINT64_CONSTANT (10000000000),
    .reference_ns = random_int64 () >> 3,
  };
}

static void
test_inverse (void)
{
  for (guint i = 0; i < 100000; i++) {
    LoomClockMap map = random_map ();
    gint64 local_ns = random_int64 () >> 3;
    gint64 back_ns = loom_clock_map_to_local (&map, loom_clock_map_to_timeline (&map, local_ns));
    g_assert_cmpint (ABS (back_ns - local_ns), <=, 1);
    gint64 timeline_ns = random_int64 () >> 2;
    gint64 forth_ns = loom_clock_map_to_timeline (&map, loom_clock_map_to_local (&map, timeline_ns));
    g_assert_cmpint (ABS (forth_ns - timeline_ns), <=, 1);
  }
}

static void
test_monotone (void)
{
  for (guint i = 0; i < 100000; i++) {
    LoomClockMap map = random_map ();
    gint64 local_ns = random_int64 () >> 3;
    gint64 next_ns = local_ns + g_test_rand_int_range (0, 200);
    g_assert_cmpint (loom_clock_map_to_timeline (&map, local_ns), <=, loom_clock_map_to_timeline (&map, next_ns));
    g_assert_cmpint (loom_clock_map_to_local (&map, local_ns), <=, loom_clock_map_to_local (&map, next_ns));
  }
}

static void
test_saturation (void)
{
  LoomClockMap far = { .offset_ns = G_MAXINT64,
                       .drift_ppt = G_GINT64_CONSTANT (9999999999),
                       .reference_ns = G_MININT64 };
  LoomClockMap back = { .offset_ns = G_MININT64 };
  g_assert_cmpint (loom_clock_map_to_timeline (&far, G_MAXINT64), ==, G_MAXINT64);
  g_assert_cmpint (loom_clock_map_to_timeline (&back, -5), ==, G_MININT64);
  g_assert_cmpint (loom_clock_map_to_local (&back, 5), ==, G_MAXINT64);
  g_assert_cmpint (loom_clock_map_to_local (&far, G_MININT64), ==, G_MININT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/map/offset", test_offset);
  g_test_add_func ("/clock/map/drift", test_drift);
  g_test_add_func ("/clock/map/inverse", test_inverse);
  g_test_add_func ("/clock/map/monotone", test_monotone);
  g_test_add_func ("/clock/map/saturation", test_saturation);
  return g_test_run ();
}
