/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests lanes above the tracks that show the rows of a query: hit testing of bars that overlap, the painter, which
 * merges bars within a pixel, and counters, which are drawn as steps.
 */
#include "loom-timeline-painter.h"

#include <math.h>
#include <time.h>

#define WIDTH 200
#define NONE LOOM_SPAN_ID_NONE

static void
test_find (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("", "");
  loom_result_lane_add_bar (lane, (LoomRange) { 50, 60 }, NONE, "inner");
  loom_result_lane_add_bar (lane, (LoomRange) { 0, 100 }, NONE, "outer");
  loom_result_lane_add_bar (lane, (LoomRange) { 200, 300 }, NONE, "");
  loom_result_lane_end (lane);
  g_assert_cmpstr (loom_result_lane_find_bar (lane, 55, 56)->text, ==, "inner");
  g_assert_cmpstr (loom_result_lane_find_bar (lane, 70, 71)->text, ==, "outer");
  g_assert_null (loom_result_lane_find_bar (lane, 100, 101));
  g_assert_null (loom_result_lane_find_bar (lane, 300, 400));
  g_assert_cmpuint (loom_result_lane_find_first (lane, 99), ==, 0);
  g_assert_cmpuint (loom_result_lane_find_first (lane, 100), ==, 2);
  g_assert_cmpuint (loom_result_lane_find_first (lane, 300), ==, 3);
}

static void
test_samples (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("watts", "");
  double least, greatest;
  loom_result_lane_add_sample (lane, "", 20, 7);
  loom_result_lane_add_sample (lane, "", 10, -1);
  loom_result_lane_add_sample (lane, "", 30, NAN);
  loom_result_lane_end (lane);
  loom_result_lane_get_scale (lane, &least, &greatest);
  g_assert_cmpfloat (least, ==, -1);
  g_assert_cmpfloat (greatest, ==, 7);
  g_assert_null (loom_result_lane_find_sample (lane, 0, 9));
  g_assert_cmpfloat (loom_result_lane_find_sample (lane, 0, 19)->value, ==, -1);
  g_assert_cmpfloat (loom_result_lane_find_sample (lane, 0, 20)->value, ==, 7);
  g_assert_true (isnan (loom_result_lane_find_sample (lane, 0, 1000)->value));
}

/* Values that cairo cannot draw, such as infinity, are drawn as gaps. */
static void
test_not_finite (void)
{
  static const double refused[] = { INFINITY, -INFINITY, NAN, G_MAXDOUBLE, -G_MAXDOUBLE };
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("x", "");
  double least, greatest;
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    loom_result_lane_add_sample (lane, "", i, refused[i]);
  loom_result_lane_add_sample (lane, "", 10, 1e300);
  loom_result_lane_add_sample (lane, "", 20, -1e300);
  loom_result_lane_end (lane);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    g_assert_true (isnan (loom_result_lane_find_sample (lane, 0, i)->value));
  loom_result_lane_get_scale (lane, &least, &greatest);
  g_assert_cmpfloat (least, ==, -1e300);
  g_assert_true (isfinite (greatest - least));
}

/* Paints the lane. Returns, for each pixel of the picture's row `y`, '#' if it differs from the background and '.' if
 * not. */
static char *
paint (const LoomResultLane *lane, LoomViewport view, int height, int y)
{
  const LoomTheme *theme = loom_theme_get (LOOM_THEME_LIGHT);
  LoomTextCache *text = loom_text_cache_new (NULL);
  LoomPaintOptions options;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, height);
  cairo_t *cr = cairo_create (surface);
  loom_timeline_painter_init_options (&options, theme, text);
  loom_timeline_painter_paint_lane (cr, lane, 0, &view, height, &options);
  cairo_surface_flush (surface);
  const guint32 *row = (const guint32 *) (gpointer) (cairo_image_surface_get_data (surface) +
                                                     y * cairo_image_surface_get_stride (surface));
  char *seen = g_malloc0 (WIDTH + 1);
  for (int i = 0; i < WIDTH; i++)
    seen[i] = row[i] == theme->role[LOOM_COLOR_ROLE_BACKGROUND] ? '.' : '#';
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  loom_text_cache_free (text);
  return seen;
}

static void
test_bars (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("", "");
  LoomViewport view = { 0, WIDTH, WIDTH, 100, 0 };
  loom_result_lane_add_bar (lane, (LoomRange) { -50, 10 }, NONE, "");
  loom_result_lane_add_bar (lane, (LoomRange) { 20, 25 }, NONE, "");
  loom_result_lane_add_bar (lane, (LoomRange) { 24, 30 }, NONE, "");
  loom_result_lane_add_bar (lane, (LoomRange) { 100, 101 }, NONE, "");
  loom_result_lane_add_bar (lane, (LoomRange) { 500, 600 }, NONE, "");
  loom_result_lane_end (lane);
  g_autofree char *seen = paint (lane, view, LOOM_RESULT_LANE_BARS_PX, 6);
  for (int i = 0; i < WIDTH; i++)
    g_assert_true ((seen[i] == '#') == (i < 10 || (i >= 20 && i < 30) || i == 100));
}

/* 100,000 bars that all are as wide as the view, and 100,000 within one pixel, are painted within the time limit. */
static void
test_many (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("", "");
  LoomViewport view = { 0, 1000000, WIDTH, 100, 0 };
  for (gint64 i = 0; i < 100000; i++) {
    loom_result_lane_add_bar (lane, (LoomRange) { i % 100, 1000000 - i % 1000 }, NONE, "name");
    loom_result_lane_add_bar (lane, (LoomRange) { 500000 + i % 10, 500001 + i % 10 }, NONE, "name");
  }
  loom_result_lane_end (lane);
  clock_t begin = clock (); /* processor time, so that other programs on the machine do not count */
  g_autofree char *seen = paint (lane, view, LOOM_RESULT_LANE_BARS_PX, 6);
  clock_t taken = clock () - begin;
  g_test_message ("%ld µs", (long) (taken / (CLOCKS_PER_SEC / G_USEC_PER_SEC)));
  g_assert_cmpint (taken, <, CLOCKS_PER_SEC);
  g_assert_true (seen[WIDTH / 2] == '#');
}

/* In the first half the line is at the largest value, and in the second half at zero, which is at the bottom. */
static void
test_counter (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("x", "");
  LoomViewport view = { 0, WIDTH, WIDTH, 100, 0 };
  loom_result_lane_add_sample (lane, "", -10, 8);
  loom_result_lane_add_sample (lane, "", 100, 0);
  loom_result_lane_end (lane);
  g_autofree char *top = paint (lane, view, LOOM_RESULT_LANE_COUNTER_PX, 8);
  for (int i = 0; i < WIDTH; i++)
    if (i < 98 || i > 104)
      g_assert_true ((top[i] == '#') == (i < 100));
}

/* Series are sorted by the numbers in their names, and drawn one below the other with a common scale. */
static void
test_series (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("x", "");
  LoomViewport view = { 0, WIDTH, WIDTH, 100, 0 };
  guint n;
  loom_result_lane_add_sample (lane, "Rank 10", 100, 8);
  loom_result_lane_add_sample (lane, "Rank 2", 50, 1);
  loom_result_lane_add_sample (lane, "Rank 2", 0, 8);
  loom_result_lane_end (lane);
  g_assert_cmpuint (loom_result_lane_get_n_series (lane), ==, 2);
  g_assert_cmpstr (loom_result_lane_get_series_name (lane, 0), ==, "Rank 2");
  g_assert_cmpint (loom_result_lane_get_samples (lane, 0, &n)[1].time_ns, ==, 50);
  g_assert_cmpuint (n, ==, 2);
  g_assert_null (loom_result_lane_find_sample (lane, 1, 99));
  int height = loom_result_lane_get_height (lane);
  g_autofree char *first = paint (lane, view, height, 2), *second = paint (lane, view, height, height / 2 + 2);
  for (int i = 0; i < WIDTH; i++) {
    if (i < 48 || i > 54)
      g_assert_true (i < 48 ? first[i] == '#' : i < 55 || first[i] == '.');
    g_assert_true ((second[i] == '#') == (i >= 100)); /* the name of a series does not cover its line */
  }
  g_autofree char *scale = loom_result_lane_dup_scale (lane);
  g_assert_true (loom_result_lane_names_series (lane));
  g_assert_cmpstr (scale, ==, "x: 0 – 8");
}

/* The scale of a lane of durations states times, not numbers with a prefix in front of "ns". */
static void
test_scale_of_durations (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("wait", "ns");
  loom_result_lane_add_sample (lane, "", 0, 0);
  loom_result_lane_add_sample (lane, "", 50, 5.81e6);
  loom_result_lane_end (lane);
  g_autofree char *scale = loom_result_lane_dup_scale (lane);
  g_assert_cmpstr (scale, ==, "wait: 0 ns – 5.81 ms");
}

/* If a result was truncated, the lines of its series end at its last sample, because later values are unknown. */
static void
test_cut_series (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("x", "");
  loom_result_lane_add_sample (lane, "a", 10, 1);
  loom_result_lane_add_sample (lane, "b", 50, 2);
  loom_result_lane_set_cut (lane, TRUE);
  loom_result_lane_end (lane);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpfloat (loom_result_lane_find_sample (lane, i, 50)->value, ==, i + 1);
    g_assert_true (isnan (loom_result_lane_find_sample (lane, i, 51)->value));
  }
}

/* If a result has more series than the maximum, it is refused and the lane shows a message. The height of a lane is
 * limited. */
static void
test_many_series (void)
{
  g_autoptr (LoomResultLane) lane = loom_result_lane_new ("x", "");
  for (guint i = 0; i < LOOM_RESULT_LANE_MOST_SERIES; i++) {
    g_autofree char *name = g_strdup_printf ("%u", i);
    g_assert_true (loom_result_lane_add_sample (lane, name, 0, i));
  }
  g_assert_false (loom_result_lane_is_series_cut (lane));
  g_assert_false (loom_result_lane_add_sample (lane, "more", 0, 1));
  g_assert_true (loom_result_lane_add_sample (lane, "7", 1, 1));
  g_assert_true (loom_result_lane_is_series_cut (lane));
  loom_result_lane_end (lane);
  g_assert_cmpuint (loom_result_lane_get_n_series (lane), ==, LOOM_RESULT_LANE_MOST_SERIES);
  g_assert_cmpint (loom_result_lane_get_height (lane), <=, 4 * LOOM_RESULT_LANE_MOST_SERIES);
}

/* Values whose differences are smaller than the smallest normal double, and values that are all infinite, are painted
 * without computing NaN. */
static void
test_counter_limits (void)
{
  g_autoptr (LoomResultLane) small = loom_result_lane_new ("x", ""), none = loom_result_lane_new ("x", "");
  LoomViewport view = { 0, WIDTH, WIDTH, 100, 0 };
  loom_result_lane_add_sample (small, "", -10, 0);
  loom_result_lane_add_sample (small, "", 100, 4e-320);
  loom_result_lane_end (small);
  loom_result_lane_add_sample (none, "", 10, INFINITY);
  loom_result_lane_end (none);
  g_autofree char *line = paint (small, view, LOOM_RESULT_LANE_COUNTER_PX, LOOM_RESULT_LANE_COUNTER_PX - 3),
                  *empty = paint (none, view, LOOM_RESULT_LANE_COUNTER_PX, LOOM_RESULT_LANE_COUNTER_PX - 3);
  for (int i = 0; i < WIDTH; i++)
    g_assert_true (line[i] == '#' && empty[i] == '.');
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-lane/find", test_find);
  g_test_add_func ("/result-lane/samples", test_samples);
  g_test_add_func ("/result-lane/not finite", test_not_finite);
  g_test_add_func ("/result-lane/bars", test_bars);
  g_test_add_func ("/result-lane/many", test_many);
  g_test_add_func ("/result-lane/counter", test_counter);
  g_test_add_func ("/result-lane/counter limits", test_counter_limits);
  g_test_add_func ("/result-lane/series", test_series);
  g_test_add_func ("/result-lane/many series", test_many_series);
  g_test_add_func ("/result-lane/cut-series", test_cut_series);
  g_test_add_func ("/result-lane/scale-of-durations", test_scale_of_durations);
  return g_test_run ();
}
