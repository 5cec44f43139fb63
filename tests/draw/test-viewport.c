/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>

#include "loom-viewport.h"

#define ROUNDS 20000

static const LoomRange wide = { -G_GINT64_CONSTANT (4000000000000000000), G_GINT64_CONSTANT (4000000000000000000) };

/* Returns a view at a random time of this century, 1 µs to 100 days wide. */
static LoomViewport
random_view (void)
{
  gint64 begin = G_GINT64_CONSTANT (1700000000000000000) + g_test_rand_int () * G_GINT64_CONSTANT (1000003);
  gint64 range = (gint64) pow (10, g_test_rand_double_range (3, 15.9));
  return (LoomViewport) { begin, begin + range, g_test_rand_double_range (50, 5000), 800, 0 };
}

static void
test_edges_exact (void)
{
  for (int i = 0; i < ROUNDS; i++) {
    LoomViewport view = random_view ();
    g_assert_cmpint (loom_viewport_time (&view, 0), ==, view.begin_ns);
    g_assert_cmpint (loom_viewport_time (&view, view.width_px), ==, view.end_ns);
    g_assert_cmpfloat (loom_viewport_x (&view, view.begin_ns), ==, 0);
    g_assert_cmpfloat_with_epsilon (loom_viewport_x (&view, view.end_ns), view.width_px, 1e-9 * view.width_px);
  }
}

/* Converting a pixel to a time and back returns the same pixel, within 1 ns. */
static void
test_inverse (void)
{
  for (int i = 0; i < ROUNDS; i++) {
    LoomViewport view = random_view ();
    double x = g_test_rand_double_range (-2, 3) * view.width_px;
    double ns_in_px = 1 / loom_viewport_get_ns_per_px (&view);
    gint64 time = loom_viewport_time (&view, x);
    g_assert_cmpfloat_with_epsilon (loom_viewport_x (&view, time), x, ns_in_px + 1e-6);
    if (ns_in_px > 1e-9) /* if a ns takes less, adding half a ns to x is lost in rounding, because x is a double */
      g_assert_cmpint (loom_viewport_time (&view, loom_viewport_x (&view, time) + ns_in_px / 2), ==, time);
  }
}

static void
test_zoom_keeps_time_under_pointer (void)
{
  for (int i = 0; i < ROUNDS; i++) {
    LoomViewport view = random_view (), before = view;
    double x = g_test_rand_double_range (0, view.width_px), factor = pow (2, g_test_rand_double_range (-3, 3));
    loom_viewport_zoom (&view, wide, x, factor);
    double rounding_ns = MAX (loom_viewport_get_ns_per_px (&before), loom_viewport_get_ns_per_px (&view)) * 1e-6 + 2;
    gint64 was = loom_viewport_time (&before, x), is = loom_viewport_time (&view, x);
    g_assert_cmpint (ABS (is - was), <=, (gint64) rounding_ns);
  }
}

static void
test_zoom_limits (void)
{
  LoomRange extent = { 1000, 1000 + LOOM_NS_PER_S };
  LoomViewport view;
  loom_viewport_init (&view, extent, 1000, 500);
  for (int i = 0; i < 200; i++)
    loom_viewport_zoom (&view, extent, 333, 0.5);
  g_assert_cmpint (loom_viewport_get_range_ns (&view), ==, LOOM_VIEWPORT_MIN_RANGE_NS);
  for (int i = 0; i < 200; i++)
    loom_viewport_zoom (&view, extent, 333, 2);
  g_assert_cmpint (loom_viewport_get_range_ns (&view), ==, LOOM_NS_PER_S * 3 / 2);
  loom_viewport_pan (&view, extent, 1e9);
  gint64 middle = view.begin_ns + loom_viewport_get_range_ns (&view) / 2;
  g_assert_cmpint (middle, ==, extent.end_ns);
  loom_viewport_pan (&view, extent, -1e9);
  middle = view.begin_ns + loom_viewport_get_range_ns (&view) / 2;
  g_assert_cmpint (middle, ==, extent.begin_ns);
}

/* A thousand small zooms in and out leave the view unchanged. */
static void
test_zoom_does_not_drift (void)
{
  LoomRange extent = { 0, 3600 * LOOM_NS_PER_S };
  LoomViewport view, before;
  loom_viewport_init (&view, extent, 1777, 500);
  before = view;
  for (int i = 0; i < 300; i++)
    loom_viewport_zoom (&view, extent, 700, 0.95);
  for (int i = 0; i < 300; i++)
    loom_viewport_zoom (&view, extent, 700, 1 / 0.95);
  double ns_per_px = loom_viewport_get_ns_per_px (&before);
  g_assert_cmpint (ABS (view.begin_ns - before.begin_ns), <=, (gint64) ns_per_px);
  g_assert_cmpint (ABS (view.end_ns - before.end_ns), <=, (gint64) ns_per_px);
}

static void
test_pan_keeps_range (void)
{
  for (int i = 0; i < ROUNDS; i++) {
    LoomViewport view = random_view (), before = view;
    double dx = g_test_rand_double_range (-5000, 5000);
    loom_viewport_pan (&view, wide, dx);
    g_assert_cmpint (loom_viewport_get_range_ns (&view), ==, loom_viewport_get_range_ns (&before));
    double moved = (double) (view.begin_ns - before.begin_ns) / loom_viewport_get_ns_per_px (&before);
    g_assert_cmpfloat_with_epsilon (moved, dx, 1 / loom_viewport_get_ns_per_px (&before) + 1e-6);
  }
}

static void
test_fit (void)
{
  LoomRange extent = { 0, 1000000 }, span = { 500000, 500000 };
  LoomViewport view;
  loom_viewport_init (&view, extent, 1000, 500);
  g_assert_cmpint (view.begin_ns, ==, -10000);
  g_assert_cmpint (view.end_ns, ==, 1010000);
  loom_viewport_fit_range (&view, extent, (LoomRange) { 200000, 300000 }, 0.25);
  g_assert_cmpint (view.begin_ns, ==, 175000);
  g_assert_cmpint (view.end_ns, ==, 325000);
  loom_viewport_fit_range (&view, extent, span, 0.25); /* the range has no length, so the view gets the closest zoom,
                                                        * with the range in the middle */
  g_assert_cmpint (loom_viewport_get_range_ns (&view), ==, LOOM_VIEWPORT_MIN_RANGE_NS);
  g_assert_cmpint (view.begin_ns, ==, 500000 - LOOM_VIEWPORT_MIN_RANGE_NS / 2);
  loom_viewport_init (&view, (LoomRange) { 5, 5 }, 1000, 500); /* an empty extent gives one second */
  g_assert_cmpint (loom_viewport_get_range_ns (&view), ==, LOOM_NS_PER_S * 102 / 100);
}

static void
test_reveal (void)
{
  LoomRange extent = { 0, 1000000 };
  LoomViewport view = { 100000, 200000, 1000, 500, 0 };
  loom_viewport_reveal (&view, extent, (LoomRange) { 120000, 130000 });
  g_assert_cmpint (view.begin_ns, ==, 100000);
  loom_viewport_reveal (&view, extent, (LoomRange) { 190000, 250000 });
  g_assert_cmpint (view.begin_ns, ==, 150000);
  g_assert_cmpint (view.end_ns, ==, 250000);
  loom_viewport_reveal (&view, extent, (LoomRange) { 10000, 20000 });
  g_assert_cmpint (view.begin_ns, ==, 10000);
  loom_viewport_reveal (&view, extent, (LoomRange) { 300000, 900000 });
  g_assert_cmpint (view.begin_ns, ==, 300000);
}

static void
test_resize_keeps_scale (void)
{
  LoomRange extent = { 0, 1000000 };
  LoomViewport view = { 100000, 200000, 1000, 500, 0 };
  loom_viewport_resize (&view, extent, 2000, 700);
  g_assert_cmpint (view.begin_ns, ==, 100000);
  g_assert_cmpint (view.end_ns, ==, 300000);
  g_assert_cmpfloat (view.height_px, ==, 700);
}

/* When the window becomes wider, the view shows more of the run instead of empty space after its end. */
static void
test_resize_leaves_no_gap (void)
{
  LoomRange extent = { 0, 1000000 };
  LoomViewport all = { 0, 1, 1000, 500, 0 }, late = { 700000, 1000000, 1000, 500, 0 },
               most = { 100000, 1000000, 1000, 500, 0 };
  loom_viewport_fit (&all, extent);
  loom_viewport_resize (&late, extent, 2000, 500);
  g_assert_cmpint (late.end_ns, ==, all.end_ns);
  g_assert_cmpint (loom_viewport_get_range_ns (&late), ==, 600000); /* the scale does not change */
  loom_viewport_resize (&most, extent, 2000, 500);
  g_assert_cmpint (most.begin_ns, ==, all.begin_ns);
  g_assert_cmpint (most.end_ns, ==, all.end_ns);
}

/* A view beyond the end of the run shows no more empty space after resizing than before. */
static void
test_resize_beyond (void)
{
  LoomRange extent = { 0, 1000000 };
  LoomViewport view = { 800000, 1200000, 1000, 500, 0 };
  loom_viewport_resize (&view, extent, 1500, 500);
  g_assert_cmpint (view.begin_ns, ==, 600000);
  g_assert_cmpint (view.end_ns, ==, 1200000);
  loom_viewport_resize (&view, extent, 1000, 500);
  g_assert_cmpint (view.begin_ns, ==, 600000);
  g_assert_cmpint (view.end_ns, ==, 1000000);
}

static void
test_scroll (void)
{
  LoomViewport view = { 0, 1000, 1000, 500, 0 };
  loom_viewport_scroll (&view, 2000, 100, 300);
  g_assert_cmpfloat (view.scroll_px, ==, 300);
  loom_viewport_scroll (&view, 2000, 100, 1e6);
  g_assert_cmpfloat (view.scroll_px, ==, 1600);
  loom_viewport_scroll (&view, 200, 100, 50);
  g_assert_cmpfloat (view.scroll_px, ==, 0);
}

static void
test_ease (void)
{
  g_assert_cmpfloat (loom_viewport_ease (0, LOOM_EASE_DURATION_US), ==, 0);
  g_assert_cmpfloat (loom_viewport_ease (LOOM_EASE_DURATION_US, LOOM_EASE_DURATION_US), ==, 1);
  g_assert_cmpfloat (loom_viewport_ease (5, 0), ==, 1);
  double before = 0;
  for (gint64 at = 0; at <= LOOM_EASE_DURATION_US; at += 1000) {
    double now = loom_viewport_ease (at, LOOM_EASE_DURATION_US);
    g_assert_cmpfloat (now, >=, before);
    before = now;
  }
}

/* If a time has the same x in two views, it keeps this x in all views that are interpolated between them. The
 * interpolation begins exactly at the first view and ends exactly at the second. */
static void
test_interpolate (void)
{
  for (int i = 0; i < ROUNDS / 10; i++) {
    LoomViewport from = random_view (), to = from;
    double x = g_test_rand_double_range (0, from.width_px);
    loom_viewport_zoom (&to, wide, x, pow (2, g_test_rand_double_range (-2, 2)));
    LoomViewport first = loom_viewport_interpolate (&from, &to, 0), last = loom_viewport_interpolate (&from, &to, 1);
    g_assert_true (loom_viewport_equal (&first, &from) && loom_viewport_equal (&last, &to));
    gint64 held = loom_viewport_time (&from, x);
    LoomViewport middle = loom_viewport_interpolate (&from, &to, g_test_rand_double ());
    double slack = 1e-3 + 4 / loom_viewport_get_ns_per_px (&middle);
    g_assert_cmpfloat_with_epsilon (loom_viewport_x (&middle, held), x, slack);
  }
}

/* Views near both ends of int64 do not overflow. */
static void
test_far (void)
{
  LoomViewport view = { G_MAXINT64 - 1000, G_MAXINT64, 1000, 500, 0 };
  g_assert_true (isfinite (loom_viewport_x (&view, G_MININT64)));
  g_assert_cmpint (loom_viewport_time (&view, 1e300), ==, G_MAXINT64);
  g_assert_cmpint (loom_viewport_time (&view, -1e300), ==, G_MININT64);
  loom_viewport_fit (&view, (LoomRange) { G_MININT64, G_MAXINT64 });
  g_assert_cmpint (view.end_ns, >, view.begin_ns);
  g_assert_cmpint (loom_viewport_get_range_ns (&view), >, 0);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/viewport/edges-exact", test_edges_exact);
  g_test_add_func ("/draw/viewport/inverse", test_inverse);
  g_test_add_func ("/draw/viewport/zoom-keeps-time-under-pointer", test_zoom_keeps_time_under_pointer);
  g_test_add_func ("/draw/viewport/zoom-limits", test_zoom_limits);
  g_test_add_func ("/draw/viewport/zoom-does-not-drift", test_zoom_does_not_drift);
  g_test_add_func ("/draw/viewport/pan-keeps-range", test_pan_keeps_range);
  g_test_add_func ("/draw/viewport/fit", test_fit);
  g_test_add_func ("/draw/viewport/reveal", test_reveal);
  g_test_add_func ("/draw/viewport/resize-keeps-scale", test_resize_keeps_scale);
  g_test_add_func ("/draw/viewport/resize-leaves-no-gap", test_resize_leaves_no_gap);
  g_test_add_func ("/draw/viewport/resize-beyond", test_resize_beyond);
  g_test_add_func ("/draw/viewport/scroll", test_scroll);
  g_test_add_func ("/draw/viewport/ease", test_ease);
  g_test_add_func ("/draw/viewport/interpolate", test_interpolate);
  g_test_add_func ("/draw/viewport/far", test_far);
  return g_test_run ();
}
