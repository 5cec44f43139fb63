/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests charts: their texts, the element under the pointer, keyboard navigation, golden pictures of each kind, and
 * files.
 */
#include "golden.h"
#include "loom-chart-private.h"
#include "loom-cxx-name.h"
#include "sample-charts.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

/* --- names and values --- */

static void
check_element (LoomChart *chart, guint element, const char *name, const char *value)
{
  g_autofree char *is_name = loom_chart_dup_name (chart, element), *is_value = loom_chart_dup_value (chart, element);
  g_assert_cmpstr (is_name, ==, name);
  g_assert_cmpstr (is_value, ==, value);
}

static void
test_words (void)
{
  g_autoptr (LoomChart) pie = sample_charts_new_pie (), histogram = sample_charts_new_histogram (),
                        bars = sample_charts_new_bars (FALSE), lines = sample_charts_new_lines (20);
  g_autoptr (LoomChart) heat = sample_charts_new_heat (), matrix = sample_charts_new_matrix ();
  check_element (pie, 3, "CPU bottleneck", "samples: 49 · 4.9 %");
  check_element (histogram, 3, "16.0 ms – 18.0 ms", "steps: 30");
  check_element (bars, 4, "rank 1 · communication", "11.0 ms");
  check_element (bars, 5, "rank 1 · idle", "–");
  check_element (lines, 20, "rank 1 · step 100", "13.7 ms");
  check_element (heat, 48 + 10, "algo-1 gpu1 · 1.00 s", "mean 57.1 %, highest 60.1 %");
  check_element (heat, 48 + 15, "algo-1 gpu1 · 1.50 s", "mean 12.2 %, highest 100 %");
  check_element (heat, 48, "algo-1 gpu1 · 0 ns", "–");
  check_element (matrix, 2, "gpu0 · gpu2", "0.674");
}

/* If bar charts share an axis, bars of equal values are equally long in all of them. A stacked bar that shows a sum has
 * a number only after its last part, and this number fits into the chart. */
static void
test_shared_bars (void)
{
  static const double high[] = { 60, 0, 40 }, low[] = { 10, 15, 0 };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) a = loom_chart_new_bars ("a", "ns", TRUE), b = loom_chart_new_bars ("b", "ns", TRUE);
  LoomChart *charts[] = { a, NULL, b };
  for (guint i = 0; i < 3; i++) {
    loom_chart_add_bar_series (a, "part", i);
    loom_chart_add_bar_series (b, "part", i);
  }
  loom_chart_add_bar_group (a, "rank 0", high);
  loom_chart_add_bar_group (b, "rank 1", low);
  loom_chart_share_bar_axis (charts, G_N_ELEMENTS (charts));
  g_autoptr (LoomChart) c = loom_chart_new_bars ("c", "ns", TRUE);
  LoomChart *apart[] = { a, c };
  loom_chart_add_bar_series (c, "part", 0);
  loom_chart_add_bar_group (c, "rank 2", &low[0]);
  loom_chart_share_bar_axis (apart, G_N_ELEMENTS (apart));
  g_autoptr (LoomChartLayout) of_c = loom_chart_layout_new (c, 400, 200, text);
  g_assert_cmpfloat (of_c->x_high, ==, 10); /* `c` has an axis of its own: on the axis of the other charts, its bar
                                             * would be shorter than a quarter of the plot */
  g_autoptr (LoomChartLayout) of_a = loom_chart_layout_new (a, 400, 200, text),
                              of_b = loom_chart_layout_new (b, 400, 200, text);
  g_assert_cmpfloat (of_a->x_high, ==, 100);
  g_assert_cmpfloat (of_b->x_high, ==, 100);
  double width = of_b->plot.width;
  loom_chart_show_bar_sums (b);
  g_autoptr (LoomChartLayout) summed = loom_chart_layout_new (b, 400, 200, text);
  g_assert_cmpfloat (summed->plot.width, <, width);
}

/* Bars have the unit that a column of a table with the same values has. If the values differ too much for a common unit,
 * each has its own. */
static void
test_bar_unit (void)
{
  static const double values[] = { 8840000, 296000, 0, 3000 };
  g_autoptr (LoomChart) bars = loom_chart_new_bars ("a", "ns", FALSE);
  loom_chart_add_bar_series (bars, "", 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    loom_chart_add_bar_group (bars, "rank", &values[i]);
  check_element (bars, 1, "rank", "296 µs");
  loom_chart_set_bar_unit (bars, 296000, 8840000);
  check_element (bars, 0, "rank", "8.84 ms");
  check_element (bars, 1, "rank", "0.30 ms");
  check_element (bars, 2, "rank", "0 ms");
  check_element (bars, 3, "rank", "3.00 µs"); /* not 0.00 ms */
  loom_chart_set_bar_unit (bars, 26900, 8840000);
  check_element (bars, 1, "rank", "296 µs");
}

/* If histograms share axes, bars of equal shares are equally high even if the totals differ; the counts in the texts
 * are not scaled. */
static void
test_shared_axes (void)
{
  static const double few[] = { 1, 3, 0, 0 }, many[] = { 0, 750, 250, 1000 };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  LoomChart *charts[] = { loom_chart_new_histogram ("few", "x", "%", "samples", 0, 100), NULL,
                          loom_chart_new_histogram ("many", "x", "%", "samples", 0, 100) };
  for (guint i = 0; i < 4; i++) {
    loom_chart_add_bin (charts[0], few[i]);
    loom_chart_add_bin (charts[2], many[i]);
  }
  loom_chart_share_axes (charts, G_N_ELEMENTS (charts));
  g_autoptr (LoomChart) a = charts[0], b = charts[2];
  g_autoptr (LoomChartLayout) of_a = loom_chart_layout_new (a, 400, 200, text),
                              of_b = loom_chart_layout_new (b, 400, 200, text);
  LoomChartBox quarter, half;
  g_assert_true (loom_chart_layout_get_box (of_a, 0, &quarter));
  g_assert_true (loom_chart_layout_get_box (of_b, 3, &half));
  g_assert_cmpfloat (of_a->y_high, ==, of_b->y_high);
  g_assert_cmpfloat (of_a->y_high, >=, 75);
  g_assert_cmpfloat (of_a->x_high, ==, of_b->x_high);
  g_assert_cmpfloat_with_epsilon (2 * quarter.height, half.height, 1e-9);
  g_assert_cmpfloat (of_a->plot.x, ==, of_b->plot.x);
  check_element (a, 1, "25 % – 50 %", "samples: 3 · 75.0 %");
  check_element (b, 1, "25 % – 50 %", "samples: 750 · 37.5 %");
}

static void
test_tsv (void)
{
  g_autoptr (LoomChart) pie = sample_charts_new_pie (), bars = sample_charts_new_bars (FALSE),
                        matrix = sample_charts_new_matrix (), lines = sample_charts_new_lines (2);
  g_autofree char *of_pie = loom_chart_dup_tsv (pie), *of_bars = loom_chart_dup_tsv (bars),
                  *of_matrix = loom_chart_dup_tsv (matrix), *of_lines = loom_chart_dup_tsv (lines);
  g_assert_cmpstr (
    of_pie, ==,
    "\tsamples\nhigh usage\t600\nsuboptimal usage\t250\nlow usage\t100\nCPU bottleneck\t49\nfinalization\t1\ninitialization\t0\n");
  g_assert_cmpstr (of_bars, ==,
                   "Mean duration\tcomputing\tcommunication\tidle\nrank 0\t12 ms\t4 ms\t1 ms\nrank 1\t9 ms\t11 ms\t\n"
                   "a rank with a name longer than its place\t0 ns\t2 ms\t6 ms\n");
  g_assert_cmpstr (
    of_matrix, ==,
    "Distance of workloads\tgpu0\tgpu1\tgpu2\ngpu0\t0\t0.12\t0.674132\ngpu1\t0.12\t0\t0.41\ngpu2\t0.674132\t0.41\t0\n");
  g_assert_true (
    g_str_has_prefix (of_lines, "Step duration\tstep\tStep duration\nrank 0\t100\t12 ms\nrank 0\t101\t13.288\u202f"));
}

/* Tabs and line breaks in names from files are replaced in the text of a chart, which is a table with tabs. */
static void
test_odd_labels (void)
{
  g_autoptr (LoomChart) pie = loom_chart_new_pie ("a\tb", "", "n");
  loom_chart_add_slice (pie, "two\nlines\tand tabs", -3, 0);
  loom_chart_add_slice (pie, NULL, NAN, 99);
  g_autofree char *text = loom_chart_dup_tsv (pie);
  g_assert_cmpstr (text, ==, "\tn\ntwo lines and tabs\t0\n\t0\n");
  check_element (pie, 1, "", "n: 0 · 0.0 %");
}

static void
test_exact (void)
{
  static const struct {
    double value;
    const char *unit, *text, *precise;
  } cases[] = {
    { 0.1, "", "0.1", "0.1" },
    { 1.0 / 3, "", "0.3333333333333333", "0.333333" },
    { 1e6, "", "1000000", "1000000" },
    { 12345678, "", "12345678", "12345678" },
    { 12345678.125, "", "12345678.125", "12345678" },
    { 97.25, "%", "97.25 %", "97.2 %" },
    { 200.0 / 3, "%", "66.66666666666667 %", "66.7 %" },
    { 12400017, "ns", "12.400\u202f017 ms", "12.400\u202f017 ms" },
    { 119775563222.5, "B/s", "119775563222.5 B/s", "120 GB/s" },
    { 312e12, "FLOP/s", "312000000000000 FLOP/s", "312 TFLOP/s" },
    { 83886080, "B", "83886080 B", "80 MiB (83\u202f886\u202f080 B)" },
    { 1000, "B", "1000 B", "1000 B" },
    { NAN, "B", "", "" },
    { NAN, "", "", "" },
    { 0.832555, "", "0.832555", "0.832555" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = loom_chart_format_exact (cases[i].value, cases[i].unit),
                    *precise = loom_chart_format_precise (cases[i].value, cases[i].unit);
    g_assert_cmpstr (text, ==, cases[i].text);
    g_assert_cmpstr (precise, ==, cases[i].precise);
  }
}

/* Names that are too long for their place keep both ends; names of C++ functions lose their return type and namespaces
 * first. Names that fit do not change, and combining marks stay with their letters. */
static void
test_shorten (void)
{
  static const char *const names[] = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor>", "worker0.1623143089861.pt.trace.json",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u05e9\u05dc \u05d2\u05e8\u05e2\u05d9\u05e0\u05d9\u05dd",
    "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"
  };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    double whole = loom_text_cache_width (text, LOOM_TEXT_SPAN, names[i]);
    g_autofree char *same = loom_chart_shorten (names[i], whole, LOOM_TEXT_SPAN, text);
    g_assert_cmpstr (same, ==, names[i]);
    for (double room = whole * 0.9; room > 40; room -= 7) {
      g_autofree char *shorter = loom_chart_shorten (names[i], room, LOOM_TEXT_SPAN, text),
                      *kept = loom_cxx_name_dup_short (names[i]);
      const char *gap = strstr (shorter, "…");
      g_assert_cmpfloat (loom_text_cache_width (text, LOOM_TEXT_SPAN, shorter), <=, room);
      if (loom_text_cache_width (text, LOOM_TEXT_SPAN, kept) <= room) {
        g_assert_cmpstr (shorter, ==, kept);
        continue;
      }
      g_assert_nonnull (gap);
      g_assert_true (strncmp (shorter, kept, (gsize) (gap - shorter)) == 0);
      g_assert_true (g_str_has_suffix (kept, gap + strlen ("…")));
      g_assert_false (g_unichar_ismark (g_utf8_get_char (gap + strlen ("…"))));
    }
  }
}

/* Names of kernels that are too long show their functors, and a word in which they differ if these are equal; equal
 * names remain equal. */
static void
test_shorten_all (void)
{
  static const char *const names[] = {
    "void at::native::elementwise_kernel<128, 4, void gpu_kernel_impl<at::native::MulFunctor<float>>(int)::[lambda(int)]>(int)",
    "void at::native::elementwise_kernel<128, 4, void gpu_kernel_impl<at::native::AddFunctor<float>>(int)::[lambda(int)]>(int)",
    "void at::native::elementwise_kernel<128, 4, void gpu_kernel_impl<at::native::AddFunctor<float>>(int)::[lambda(int)]>(int)",
    "aten::mm",
    "void at::native::elementwise_kernel<128, 4, void gpu_kernel_impl<at::native::MulFunctor<double>>(int)::[lambda(int)]>(int)",
  };
  static const char *const expected[] = { "elementwise_kernel…MulFunctor, float", "elementwise_kernel…AddFunctor",
                                          "elementwise_kernel…AddFunctor", "aten::mm",
                                          "elementwise_kernel…MulFunctor, double" };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  double room = loom_text_cache_width (text, LOOM_TEXT_SPAN, "elementwise_kernel…MulFunctor, double");
  g_auto (GStrv) shown = loom_chart_shorten_all (names, G_N_ELEMENTS (names), room, LOOM_TEXT_SPAN, text);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (shown[i], ==, expected[i]);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpfloat (loom_text_cache_width (text, LOOM_TEXT_SPAN, shown[i]), <=, room);
}

/* --- pointer and keys ------------------------------------------------------------------------------------------------ */

/* For every kind of chart, hit testing at the middle of an element returns this element. */
static void
test_hit (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  for (guint i = 0; i < SAMPLE_CHARTS_N; i++) {
    g_autoptr (LoomChart) chart = sample_charts_new (i);
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 260, text);
    guint n_hit = 0;
    for (guint element = 0; element < loom_chart_get_n_elements (chart); element++) {
      LoomChartBox box;
      gboolean any = loom_chart_layout_get_box (layout, element, &box);
      /* slices of value 0 are neither in the legend nor in the ring */
      gboolean has_text = chart->kind == LOOM_CHART_HEAT && chart->heat.texts->len > 0,
               shown = chart->kind == LOOM_CHART_PIE ? loom_chart_get_value (chart, element) > 0
                                                     : has_text || isfinite (loom_chart_get_value (chart, element));
      g_assert_cmpint (any, ==, shown);
      if (!any || (chart->kind == LOOM_CHART_BARS && chart->bars.stacked && loom_chart_get_value (chart, element) == 0))
        continue;
      g_assert_cmpuint (
        loom_chart_layout_hit (layout, box.x + box.width / 2, box.y + MIN (box.height / 2, box.height - 0.01)), ==,
        element);
      n_hit++;
    }
    g_assert_cmpuint (n_hit, >, chart->kind == LOOM_CHART_PIE ? 0 : 5);
    g_assert_cmpuint (loom_chart_layout_hit (layout, 200, 3), ==, LOOM_CHART_NONE);
    g_assert_cmpuint (loom_chart_layout_hit (layout, -5, 100), ==, LOOM_CHART_NONE);
    g_assert_cmpuint (loom_chart_layout_hit (layout, 100, 400), ==, LOOM_CHART_NONE);
  }
}

static void
assert_label (LoomChart *chart, double width, double x, double y, const char *label)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  double height = loom_chart_layout_natural_height (chart, width, text);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width, height, text);
  g_assert_cmpstr (loom_chart_layout_get_label (layout, x, y < 0 ? height + y : y), ==, label);
}

/* The layout returns the full text of row names, legend entries and titles, even if the picture shortens them. Row
 * names take at most 40 % of the width of a narrow chart. */
static void
test_labels (void)
{
  g_autoptr (LoomChart) bars = sample_charts_new_bars (TRUE), heat = sample_charts_new_heat (),
                        columns = sample_charts_new_columns (3, 8);
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (bars, 400, 120, text);
  g_assert_cmpfloat (layout->label_px, ==, 160);
  assert_label (bars, 400, 20, -25, "a rank with a name longer than its place");
  assert_label (bars, 400, 200, -25, NULL);
  assert_label (bars, 400, 20, 33, "computing");
  assert_label (bars, 400, 20, 5, NULL);
  assert_label (bars, 60, 20, 5, "Time per rank");
  assert_label (heat, 400, 20, 30, "algo-1 gpu0");
  assert_label (columns, 400, 20, 33, "rank 0");
}

/* Hit testing finds the slices in the ring of a pie chart. The first slice begins at the top of the ring and extends
 * clockwise to the right; the last slice with a value above 0 is on the left. */
static void
test_ring (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = sample_charts_new_pie ();
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 180, text);
  guint seen[6] = { 0 };
  for (double y = 24; y < 180; y++)
    for (double x = layout->center_x - layout->radius; x <= layout->center_x + layout->radius; x++) {
      guint element = loom_chart_layout_hit (layout, x, y);
      if (element != LOOM_CHART_NONE)
        seen[element]++;
    }
  double all = seen[0] + seen[1] + seen[2] + seen[3] + seen[4];
  g_assert_cmpfloat_with_epsilon (seen[0] / all, 0.6, 0.01);
  g_assert_cmpfloat_with_epsilon (seen[1] / all, 0.25, 0.01);
  g_assert_cmpfloat_with_epsilon (seen[3] / all, 0.049, 0.01);
  g_assert_cmpuint (seen[5], ==, 0);
}

/* Bars of negative values extend from zero to the other side, and hit testing finds them there. */
static void
test_negative_bars (void)
{
  static const double values[] = { -20, 30, NAN };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = loom_chart_new_bars ("change by rank", "ns", FALSE);
  LoomChartBox negative, positive;
  loom_chart_add_bar_series (chart, "change", 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    loom_chart_add_bar_group (chart, "rank", &values[i]);
  for (guint mirrored = 0; mirrored < 2; mirrored++) {
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 120, text);
    if (mirrored != 0)
      loom_chart_layout_mirror (layout);
    g_assert_true (loom_chart_layout_get_box (layout, 0, &negative));
    g_assert_true (loom_chart_layout_get_box (layout, 1, &positive));
    double zero = mirrored ? negative.x : positive.x;
    g_assert_cmpfloat_with_epsilon (negative.width * 30, positive.width * 20, 1);
    g_assert_cmpfloat_with_epsilon (mirrored ? positive.x + positive.width : negative.x + negative.width, zero, 0.01);
    g_assert_cmpfloat (layout->plot.x, <=, MIN (negative.x, positive.x) + 0.01);
    g_assert_cmpuint (loom_chart_layout_hit (layout, negative.x + 2, negative.y + 2), ==, 0);
  }
}

static void
test_step (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) heat = sample_charts_new_heat (), bars = sample_charts_new_bars (FALSE);
  g_autoptr (LoomChartLayout) of_heat = loom_chart_layout_new (heat, 400, 200, text),
                              of_bars = loom_chart_layout_new (bars, 400, 200, text);
  g_assert_cmpuint (loom_chart_layout_step (of_heat, LOOM_CHART_NONE, LOOM_CHART_DOWN), ==, 0);
  g_assert_cmpuint (loom_chart_layout_step (of_heat, 0, LOOM_CHART_DOWN), ==, 48);
  g_assert_cmpuint (loom_chart_layout_step (of_heat, 0, LOOM_CHART_LEFT), ==, 0);
  /* the keyboard does not move into the next row */
  g_assert_cmpuint (loom_chart_layout_step (of_heat, 47, LOOM_CHART_RIGHT), ==, 47);
  g_assert_cmpuint (loom_chart_layout_step (of_heat, 3 * 48, LOOM_CHART_DOWN), ==, 3 * 48);
  g_assert_cmpuint (loom_chart_layout_step (of_heat, 5, LOOM_CHART_LAST), ==, 4 * 48 - 1);
  g_assert_cmpuint (loom_chart_layout_step (of_bars, 2, LOOM_CHART_DOWN), ==, 3);
  g_assert_cmpuint (loom_chart_layout_step (of_bars, 8, LOOM_CHART_DOWN), ==, 8);
}

/* Points that are flagged as rejected do not extend the scale of the chart. A rejected point beyond the scale is drawn
 * at the edge of the plot. */
static void
test_dots (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = sample_charts_new_dots ();
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 200, text);
  LoomChartBox low, near, far, below;
  g_assert_true (loom_chart_layout_get_box (layout, 0, &low));
  g_assert_true (loom_chart_layout_get_box (layout, 120, &near));
  g_assert_true (loom_chart_layout_get_box (layout, 121, &far));
  g_assert_true (loom_chart_layout_get_box (layout, 122, &below));
  g_assert_cmpfloat (far.y, <=, near.y);
  g_assert_cmpfloat (below.y - far.y, >, 60); /* the two points are drawn at opposite edges of the plot */
  g_assert_cmpfloat (low.y, >, far.y);
  g_assert_cmpfloat (low.y, <, below.y); /* 0 is in the middle of the scale, above the lower edge */
  g_assert_cmpuint (loom_chart_layout_hit (layout, far.x + 4, far.y + 5), ==, 121);
  check_element (chart, 121, "rejected · 31.0 s", "9.00 ms");
}

/* The same ratio has the same length everywhere on a logarithmic axis; values that are not positive are not drawn. */
static void
test_log_dots (void)
{
  static const double values[] = { 1, 10, 1000, 0, -5 };
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = loom_chart_new_log_dots ("Rate", "Intensity", "FLOP/B", "FLOP/s");
  LoomChartBox box[3], none;
  loom_chart_add_curve (chart, "limit", LOOM_CHART_GREY);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    loom_chart_add_point (chart, values[i], 1e9 * values[i], FALSE);
  loom_chart_add_line (chart, "products", 0);
  loom_chart_add_named_point (chart, 100, 5e9, "aten::mm");
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 300, text);
  for (guint i = 0; i < G_N_ELEMENTS (box); i++)
    g_assert_true (loom_chart_layout_get_box (layout, i, &box[i]));
  g_assert_cmpfloat_with_epsilon (box[2].x - box[1].x, 2 * (box[1].x - box[0].x), 0.01);
  g_assert_cmpfloat_with_epsilon (box[1].y - box[2].y, 2 * (box[0].y - box[1].y), 0.01);
  g_assert_false (loom_chart_layout_get_box (layout, 3, &none));
  g_assert_false (loom_chart_layout_get_box (layout, 4, &none));
  g_assert_true (loom_chart_layout_get_box (layout, 5, &none));
  g_assert_cmpuint (loom_chart_layout_hit (layout, none.x + 4, none.y + 4), ==, 5);
  check_element (chart, 5, "aten::mm", "5 GFLOP/s");
  check_element (chart, 1, "limit · Intensity 10 FLOP/B", "10 GFLOP/s");
}

static void
compare_dots (LoomChart *chart, LoomThemeKind theme, const char *name)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 424, 200, text);
  LoomChartOptions options = { loom_theme_get (theme), text, 60, 121 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 448, 224);
  cairo_t *cr = cairo_create (surface);
  loom_color_set_source (cr, options.theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  cairo_paint (cr);
  cairo_translate (cr, 12, 12);
  loom_chart_layout_paint (cr, layout, &options);
  golden_compare (surface, name);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_dots_picture (void)
{
  static const struct {
    LoomThemeKind theme;
    const char *name;
  } cases[] = { { LOOM_THEME_LIGHT, "dots-light" },
                { LOOM_THEME_DARK, "dots-dark" },
                { LOOM_THEME_DARK_CONTRAST, "dots-dark-contrast" } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (LoomChart) chart = sample_charts_new_dots ();
    compare_dots (chart, cases[i].theme, cases[i].name);
  }
  g_autoptr (LoomChart) areas = sample_charts_new_areas ();
  compare_dots (areas, LOOM_THEME_LIGHT, "dots-areas-light");
}

/* A line of very many points is painted with few points, which include its peaks. */
static void
test_dense (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = loom_chart_new_lines ("Dense", "step", "", "ns", FALSE);
  loom_chart_add_line (chart, "", 0);
  for (guint i = 0; i < 200000; i++)
    loom_chart_add_point (chart, i, i == 100000 ? 9e9 : 1e9 + i % 7, FALSE);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 200, text);
  LoomChartBox box;
  g_assert_true (loom_chart_layout_get_box (layout, 100000, &box));
  g_assert_cmpuint (loom_chart_layout_hit (layout, box.x + 4, box.y + 4), ==, 100000);
}

/* In right-to-left languages, the bars of a bar chart begin at the right, but time and values in other charts increase
 * from left to right. Hit testing agrees with the picture. */
static void
test_mirrored (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  for (guint i = 0; i < SAMPLE_CHARTS_N; i++) {
    g_autoptr (LoomChart) chart = sample_charts_new (i);
    double height = loom_chart_layout_natural_height (chart, 400, text);
    g_autoptr (LoomChartLayout) usual = loom_chart_layout_new (chart, 400, height, text);
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, height, text);
    gboolean turns = (chart->kind == LOOM_CHART_PIE && !layout->direct) || chart->kind == LOOM_CHART_BARS ||
                     chart->kind == LOOM_CHART_WAITS;
    double by = NAN;
    loom_chart_layout_mirror (layout);
    for (guint element = 0; element < loom_chart_get_n_elements (chart); element++) {
      LoomChartBox was, is;
      if (!loom_chart_layout_get_box (usual, element, &was))
        continue;
      g_assert_true (loom_chart_layout_get_box (layout, element, &is));
      g_assert_cmpfloat_with_epsilon (is.width, was.width, 1e-6);
      g_assert_cmpfloat (is.y, ==, was.y);
      if (turns)
        g_assert_cmpfloat_with_epsilon (is.x + is.width, 400 - was.x, 1e-6);
      else if (isnan (by))
        by = is.x - was.x;
      else
        g_assert_cmpfloat_with_epsilon (is.x - was.x, by, 1e-6);
      double x = was.x + was.width / 2, y = was.y + was.height / 2, across = turns ? 400 - x : x + by;
      g_assert_cmpuint (loom_chart_layout_hit (layout, across, y), ==, loom_chart_layout_hit (usual, x, y));
    }
  }
}

/* Returns the number of pixels of a colour in a column of the picture, from row y0 to row y1. */
static guint
count_in_column (cairo_surface_t *surface, int x, int y0, int y1, LoomColor color)
{
  guint n = 0;
  for (int y = y0; y <= y1; y++)
    n += (*(const guint32 *) (gconstpointer) (cairo_image_surface_get_data (surface) +
                                              y * cairo_image_surface_get_stride (surface) + 4 * x) |
          0xFF000000) == color;
  return n;
}

/* Returns the number of pixels of a colour in a box of the picture. */
static guint
count_in_box (cairo_surface_t *surface, LoomChartBox box, LoomColor color)
{
  guint n = 0;
  for (int x = (int) ceil (box.x); x < (int) (box.x + box.width); x++)
    n += count_in_column (surface, x, (int) ceil (box.y), (int) (box.y + box.height) - 1, color);
  return n;
}

/* In every theme, cells of a heat map without data are hatched, on a ground that is no colour of the scale, and the
 * colour scale in the legend is outlined, because its lowest colour is hard to tell from a dark background. */
static void
test_heat_without_data (void)
{
  for (guint i = 0; i < LOOM_N_THEMES; i++) {
    g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
    g_autoptr (LoomChart) chart = sample_charts_new_heat ();
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 480, 200, text);
    LoomChartOptions options = { loom_theme_get ((LoomThemeKind) i), text, LOOM_CHART_NONE, LOOM_CHART_NONE };
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 480, 200);
    cairo_t *cr = cairo_create (surface);
    loom_color_set_source (cr, options.theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
    cairo_paint (cr);
    loom_chart_layout_paint (cr, layout, &options);
    cairo_surface_flush (surface);
    LoomChartBox known, area = { layout->plot.x, layout->plot.y + layout->plot.height + 10, 200, 60 };
    g_assert_true (loom_chart_layout_get_box (layout, 5, &known));
    const LoomChartBox missing = { layout->plot.x, known.y, 4 * known.width, known.height }; /* the first four cells */
    LoomColor ground = options.theme->role[LOOM_COLOR_ROLE_NEUTRAL_SOFT];
    guint n_ground = count_in_box (surface, missing, ground);
    g_assert_cmpuint (n_ground, >, 0);
    g_assert_cmpuint (n_ground, <, (guint) (missing.width * missing.height * 0.95)); /* the rest are stripes */
    g_assert_cmpuint (count_in_box (surface, known, ground), ==, 0);
    g_assert_cmpuint (count_in_box (surface, area, options.theme->role[LOOM_COLOR_ROLE_NEUTRAL]), >, 300);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
}

/* The vertical lines of a bar chart do not cross the values beside the bars, in any theme and in both directions of
 * reading. The first bar ends just before the line at 10 ms, so its value lies across this line. */
static void
test_lines_and_values (void)
{
  for (guint i = 0; i < 2 * LOOM_N_THEMES; i++) {
    g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
    g_autoptr (LoomChart) chart = loom_chart_new_bars ("Time per rank", "ns", TRUE);
    loom_chart_add_bar_series (chart, "waiting", 0);
    loom_chart_add_bar_group (chart, "rank 0", (const double[]) { 9.7e6 });
    loom_chart_add_bar_group (chart, "rank 1", (const double[]) { 3e6 });
    loom_chart_add_bar_group (chart, "rank 2", (const double[]) { 20e6 });
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 120, text);
    if (i >= LOOM_N_THEMES)
      loom_chart_layout_mirror (layout);
    LoomChartOptions options = { loom_theme_get ((LoomThemeKind) (i % LOOM_N_THEMES)), text, LOOM_CHART_NONE,
                                 LOOM_CHART_NONE };
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 120);
    cairo_t *cr = cairo_create (surface);
    loom_color_set_source (cr, options.theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
    cairo_paint (cr);
    loom_chart_layout_paint (cr, layout, &options);
    cairo_surface_flush (surface);
    LoomColor color = options.theme->role[LOOM_COLOR_ROLE_SEPARATOR];
    LoomChartBox first, second;
    g_assert_true (loom_chart_layout_get_box (layout, 0, &first) && loom_chart_layout_get_box (layout, 1, &second));
    int x = (int) floor (loom_chart_layout_x (layout, 10e6)), middle = (int) (first.y + first.height / 2),
        other = (int) (second.y + second.height / 2);
    g_assert_cmpuint (count_in_column (surface, x, middle - 5, middle + 5, color), ==, 0);
    g_assert_cmpuint (count_in_column (surface, x, other - 5, other + 5, color), ==, 11);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
}

/* Charts that are tiny or empty are painted without errors. */
static void
test_small (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 300);
  cairo_t *cr = cairo_create (surface);
  LoomChartOptions options = { loom_theme_get (LOOM_THEME_LIGHT), text, 0, 0 };
  for (guint i = 0; i < SAMPLE_CHARTS_N; i++)
    for (double size = -10; size < 300; size += 9) {
      g_autoptr (LoomChart) chart = sample_charts_new (i);
      g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, size, 300 - size, text);
      loom_chart_layout_paint (cr, layout, &options);
      loom_chart_layout_hit (layout, 5, 30);
    }
  LoomChart *empty[] = { loom_chart_new_pie ("", "", ""),
                         loom_chart_new_histogram ("", "", "", "", 0, 0),
                         loom_chart_new_bars ("", "", TRUE),
                         loom_chart_new_lines ("", "", "", "", TRUE),
                         loom_chart_new_heat ("", "", "", "", 0, 0, 0),
                         loom_chart_new_matrix ("", "", 0),
                         loom_chart_new_waits ("", "") };
  for (guint i = 0; i < G_N_ELEMENTS (empty); i++) {
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (empty[i], 300, 200, text);
    loom_chart_layout_paint (cr, layout, &options);
    g_assert_cmpuint (loom_chart_layout_hit (layout, 150, 100), ==, LOOM_CHART_NONE);
    g_assert_cmpuint (loom_chart_layout_step (layout, LOOM_CHART_NONE, LOOM_CHART_RIGHT), ==, LOOM_CHART_NONE);
  }
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  for (guint i = 0; i < G_N_ELEMENTS (empty); i++)
    loom_chart_unref (empty[i]);
}

/* The parts of a stacked column lie on top of each other, beginning with the first series at the bottom. If columns are
 * narrower than a pixel, the highest of the columns that share a column of pixels is drawn. */
static void
test_stacks (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) few = sample_charts_new_stacks (8), many = sample_charts_new_stacks (4000);
  g_autoptr (LoomChartLayout) of_few = loom_chart_layout_new (few, 400, 200, text),
                              of_many = loom_chart_layout_new (many, 400, 200, text);
  LoomChartBox low, middle, high, twice, hidden;
  g_assert_true (loom_chart_layout_get_box (of_few, 0, &low));
  g_assert_true (loom_chart_layout_get_box (of_few, 8, &middle));
  g_assert_true (loom_chart_layout_get_box (of_few, 16, &high));
  g_assert_true (loom_chart_layout_get_box (of_few, 4, &twice));
  g_assert_cmpfloat_with_epsilon (low.y, middle.y + middle.height, 1e-6);
  g_assert_cmpfloat_with_epsilon (middle.y, high.y + high.height, 1e-6);
  g_assert_cmpfloat_with_epsilon (twice.height, 2 * low.height, 1e-6);
  g_assert_cmpfloat_with_epsilon (low.height / middle.height, 8.0 / 3, 1e-6);
  g_assert_cmpuint (loom_chart_layout_step (of_few, 0, LOOM_CHART_UP), ==, 8);
  g_assert_cmpuint (loom_chart_layout_step (of_few, 8, LOOM_CHART_DOWN), ==, 0);
  g_assert_cmpuint (loom_chart_layout_step (of_few, 7, LOOM_CHART_RIGHT), ==, 7);
  g_assert_cmpuint (of_many->path->len, <=, 3 * 400);
  /* of the columns that share a column of pixels, the highest one (column 4) is drawn */
  g_assert_true (loom_chart_layout_get_box (of_many, 4, &twice));
  g_assert_cmpfloat (twice.height, >, 10);
  g_assert_true (loom_chart_layout_get_box (of_many, 5, &hidden));
  g_assert_cmpfloat_with_epsilon (hidden.height, 0, 1e-6);
}

/* On a logarithmic axis, equal factors are equally far apart, and names and labels show the values themselves. */
static void
test_log_axis (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = loom_chart_new_dots ("Bandwidth", "size", "B", "B/s");
  LoomChartBox first, second, third;
  loom_chart_use_log_x (chart);
  loom_chart_add_line (chart, "allreduce", 0);
  loom_chart_add_point (chart, 1024, 1e9, FALSE);
  loom_chart_add_point (chart, 16384, 4e9, FALSE);
  loom_chart_add_point (chart, 262144, 9e9, FALSE);
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 400, 200, text);
  g_assert_true (loom_chart_layout_get_box (layout, 0, &first));
  g_assert_true (loom_chart_layout_get_box (layout, 1, &second));
  g_assert_true (loom_chart_layout_get_box (layout, 2, &third));
  g_assert_cmpfloat_with_epsilon (second.x - first.x, third.x - second.x, 1e-6);
  check_element (chart, 1, "allreduce · size 16 KiB", "4 GB/s");
  g_assert_cmpstr (g_array_index (layout->x_ticks, LoomChartTick, 0).label, ==, "1 KiB");
}

/* The cells of a map are named after their row, column and text; a framed cell has an entry in the legend. */
static void
test_map (void)
{
  g_autoptr (LoomChart) map = sample_charts_new_map ();
  g_autofree char *tsv = loom_chart_dup_tsv (map);
  check_element (map, 6, "tensor 1 · data 2 · rank 5", "23.0 ms");
  g_assert_true (g_str_has_prefix (tsv, "Ranks by axis\tdata 0\tdata 1\tdata 2\tdata 3\n"));
}

/* Each box of a diagram of waits is one column after the box for which it waits, and below earlier boxes of its own
 * column. */
static void
test_waits (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomChart) chart = sample_charts_new_waits ();
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, 700, 260, text);
  static const struct {
    guint column, row;
  } places[] = { { 0, 0 }, { 1, 0 }, { 1, 2 }, { 2, 0 }, { 2, 1 }, { 2, 2 } };
  LoomChartBox first, box;
  g_assert_true (loom_chart_layout_get_box (layout, 0, &first));
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_assert_true (loom_chart_layout_get_box (layout, i, &box));
    g_assert_cmpfloat_with_epsilon (box.x, places[i].column * layout->column_px, 1e-6);
    g_assert_cmpfloat_with_epsilon (box.y - first.y, places[i].row * 54.0, 1e-6);
  }
  check_element (chart, 3, "ranks 1, 9 · all_reduce · waits for ranks 13, 15", "ranks: 2");
  check_element (chart, 2, "rank 3 · waits for rank 12", "ranks: 1");
}

/* --- golden pictures --- */

static void
paint_all (cairo_t *cr, double width, LoomTextCache *text, LoomThemeKind theme, guint n_columns, gboolean mirrored)
{
  double y[2] = { 12, 12 };
  loom_color_set_source (cr, loom_theme_get (theme)->role[LOOM_COLOR_ROLE_BACKGROUND]);
  cairo_paint (cr);
  for (guint i = 0; i < SAMPLE_CHARTS_N; i++) {
    guint column = n_columns > 1 && y[1] < y[0] ? 1 : 0;
    g_autoptr (LoomChart) chart = sample_charts_new (i);
    double height = loom_chart_layout_natural_height (chart, width, text);
    g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width, height, text);
    LoomChartOptions options = { loom_theme_get (theme), text, 1, 3 };
    if (mirrored)
      loom_chart_layout_mirror (layout);
    cairo_save (cr);
    cairo_translate (cr, 12 + column * (width + 24), y[column]);
    loom_chart_layout_paint (cr, layout, &options);
    cairo_restore (cr);
    y[column] += height + 20;
  }
}

static void
check_picture_of (LoomThemeKind theme, int width, int height, guint n_columns, gboolean mirrored, const char *name)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  paint_all (cr, n_columns > 1 ? (width - 48) / 2.0 : width - 24, text, theme, n_columns, mirrored);
  golden_compare (surface, name);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
check_picture (LoomThemeKind theme, int width, int height, guint n_columns, const char *name)
{
  check_picture_of (theme, width, height, n_columns, FALSE, name);
}

/* Compares the golden picture of a chart in the layout for right-to-left languages. */
static void
test_mirrored_picture (void)
{
  check_picture_of (LOOM_THEME_LIGHT, 848, 1400, 2, TRUE, "charts-mirrored");
}

static void
test_pictures (void)
{
  check_picture (LOOM_THEME_LIGHT, 848, 1400, 2, "charts-light");
  check_picture (LOOM_THEME_DARK, 848, 1400, 2, "charts-dark");
  check_picture (LOOM_THEME_LIGHT_CONTRAST, 848, 1400, 2, "charts-light-contrast");
  check_picture (LOOM_THEME_DARK_CONTRAST, 848, 1400, 2, "charts-dark-contrast");
  check_picture (LOOM_THEME_LIGHT, 264, 2960, 1, "charts-narrow");
}

static void
check_file (const char *folder, const char *name, const char *magic)
{
  g_autoptr (LoomChart) chart = sample_charts_new_pie ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
  gsize length;
  g_assert_true (loom_chart_layout_to_file (chart, path, 400, 180, LOOM_THEME_LIGHT, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_cmpuint (length, >, 1000);
  g_assert_nonnull (g_strstr_len (text, 64, magic));
  g_unlink (path);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-charts-XXXXXX", NULL);
  g_autoptr (LoomChart) chart = sample_charts_new_pie ();
  g_autoptr (GError) error = NULL;
  check_file (folder, "chart.png", "PNG");
  check_file (folder, "chart.svg", "<svg");
  check_file (folder, "chart.pdf", "%PDF");
  g_assert_false (loom_chart_layout_to_file (chart, "chart.gif", 400, 180, LOOM_THEME_LIGHT, &error));
  g_assert_nonnull (strstr (error->message, ".svg"));
  g_rmdir (folder);
}

/* All cells of a colour are one path. The number of paths, whose square determines how long an SVG takes, is limited by
 * the number of colours, not of cells. */
static void
test_paths (void)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  gsize sizes[2];
  for (guint i = 0; i < 2; i++) {
    guint n_paths = 0, n_rows = i == 0 ? 100 : 200;
    double values[100];
    g_autoptr (LoomChart) chart = loom_chart_new_heat ("busy", "%", "step", "", 100, 0, 100);
    for (guint row = 0; row < n_rows; row++) {
      for (guint k = 0; k < 100; k++)
        values[k] = (double) ((row + 7 * k) % 100);
      loom_chart_add_heat_row (chart, "", values);
    }
    g_autoptr (GBytes) svg = loom_chart_layout_to_svg (
      chart, 1000, loom_chart_layout_natural_height (chart, 1000, text), LOOM_THEME_LIGHT, text);
    const char *at = g_bytes_get_data (svg, &sizes[i]);
    for (gsize k = 0; k + 5 < sizes[i]; k++)
      n_paths += strncmp (at + k, "<path", 5) == 0 || strncmp (at + k, "<rect", 5) == 0;
    g_assert_cmpuint (n_paths, <, 500);
  }
  g_assert_cmpuint (sizes[1], >, sizes[0]);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/charts/words", test_words);
  g_test_add_func ("/charts/shared-axes", test_shared_axes);
  g_test_add_func ("/charts/shared-bars", test_shared_bars);
  g_test_add_func ("/charts/bar-unit", test_bar_unit);
  g_test_add_func ("/charts/tsv", test_tsv);
  g_test_add_func ("/charts/odd-labels", test_odd_labels);
  g_test_add_func ("/charts/exact", test_exact);
  g_test_add_func ("/charts/shorten", test_shorten);
  g_test_add_func ("/charts/shorten-all", test_shorten_all);
  g_test_add_func ("/charts/hit", test_hit);
  g_test_add_func ("/charts/labels", test_labels);
  g_test_add_func ("/charts/ring", test_ring);
  g_test_add_func ("/charts/step", test_step);
  g_test_add_func ("/charts/negative-bars", test_negative_bars);
  g_test_add_func ("/charts/lines-and-values", test_lines_and_values);
  g_test_add_func ("/charts/heat-without-data", test_heat_without_data);
  g_test_add_func ("/charts/dense", test_dense);
  g_test_add_func ("/charts/dots", test_dots);
  g_test_add_func ("/charts/log-dots", test_log_dots);
  g_test_add_func ("/charts/dots/pictures", test_dots_picture);
  g_test_add_func ("/charts/stacks", test_stacks);
  g_test_add_func ("/charts/log-axis", test_log_axis);
  g_test_add_func ("/charts/map", test_map);
  g_test_add_func ("/charts/waits", test_waits);
  g_test_add_func ("/charts/small", test_small);
  g_test_add_func ("/charts/pictures", test_pictures);
  g_test_add_func ("/charts/mirrored", test_mirrored);
  g_test_add_func ("/charts/mirrored-picture", test_mirrored_picture);
  g_test_add_func ("/charts/paths", test_paths);
  g_test_add_func ("/charts/files", test_files);
  return g_test_run ();
}
