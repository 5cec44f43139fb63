/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "loom-si-format.h"
#include "loom-text-cache.h"

typedef struct {
  LoomTextCache *cache;
  cairo_surface_t *surface;
  cairo_t *cr;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->cache = loom_text_cache_new ("DejaVu Sans");
  fixture->surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 400, 40);
  fixture->cr = cairo_create (fixture->surface);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  cairo_destroy (fixture->cr);
  cairo_surface_destroy (fixture->surface);
  loom_text_cache_free (fixture->cache);
}

/* Finds the first and the last column of the picture that contain text. Returns FALSE if it contains none. */
static gboolean
find_ink (Fixture *fixture, int *first, int *last)
{
  cairo_surface_flush (fixture->surface);
  const guint8 *pixels = cairo_image_surface_get_data (fixture->surface);
  int stride = cairo_image_surface_get_stride (fixture->surface);
  *first = 400, *last = -1;
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 400; x++)
      if (pixels[y * stride + x] > 40) {
        *first = MIN (*first, x);
        *last = MAX (*last, x);
      }
  return *last >= 0;
}

static void
wipe (Fixture *fixture)
{
  cairo_save (fixture->cr);
  cairo_set_operator (fixture->cr, CAIRO_OPERATOR_CLEAR);
  cairo_paint (fixture->cr);
  cairo_restore (fixture->cr);
}

static double
paint (Fixture *fixture, const char *text, double x, double width)
{
  wipe (fixture);
  return loom_text_cache_paint (fixture->cache, fixture->cr, LOOM_TEXT_SPAN, text, x, 20, width, 0xFF000000);
}

/* Text is never wider than its room; it is truncated only if the room is too small. */
static void
test_ellipsis (Fixture *fixture, gconstpointer data)
{
  const char *text = "ncclDevKernel_AllReduce_Sum";
  double whole = loom_text_cache_width (fixture->cache, LOOM_TEXT_SPAN, text), before = 0;
  for (double width = 0; width < whole + 20; width += 3.7) {
    int first, last;
    double painted = paint (fixture, text, 10, width);
    g_assert_cmpfloat (painted, <=, width);
    if (painted == 0) {
      g_assert_false (find_ink (fixture, &first, &last));
      continue;
    }
    g_assert_true (find_ink (fixture, &first, &last));
    g_assert_cmpfloat (last, <=, 10 + width + 1);
    g_assert_cmpfloat (painted, >=, before);
    before = painted;
  }
  g_assert_cmpfloat (before, ==, whole);
}

static void
test_three_letters (Fixture *fixture, gconstpointer data)
{
  double minimum = loom_text_cache_minimum (fixture->cache, LOOM_TEXT_SPAN);
  g_assert_cmpfloat (minimum, >, 20);
  g_assert_cmpfloat (minimum, <, 45);
  g_assert_cmpfloat (paint (fixture, "MMMMMMMM", 0, minimum / 2), ==, 0);
  g_assert_cmpfloat (paint (fixture, "ab", 0, 30), >, 0); /* a complete text may be narrower than the room */
  g_assert_cmpfloat (
    paint (fixture, "a b c d e f", 0, loom_text_cache_width (fixture->cache, LOOM_TEXT_SPAN, "a b…") + 1), ==, 0);
}

static void
test_odd_texts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *endless = g_strnfill (100000, 'x');
  g_assert_cmpfloat (paint (fixture, "", 0, 100), ==, 0);
  g_assert_cmpfloat (paint (fixture, endless, 0, 100), >, 50);
  g_assert_cmpfloat (paint (fixture, "\xff\xfe\x01 bad \x7f", 0, -1), >, 20);
  g_assert_cmpfloat (paint (fixture, "first\nsecond", 0, -1), ==,
                     loom_text_cache_width (fixture->cache, LOOM_TEXT_SPAN, "first"));
  g_assert_cmpfloat (paint (fixture, "数据加载 𝛼 שלום", 0, -1), >, 20);
  g_assert_cmpfloat (paint (fixture, "數據加載數據加載數據加載", 0, 60), >, 20);
}

/* Texts that are collected and painted in batches look like texts that are painted immediately. */
static void
test_batches (Fixture *fixture, gconstpointer data)
{
  gsize n = (gsize) cairo_image_surface_get_stride (fixture->surface) * 40;
  static const char *const words[] = { "forward", "backward", "optimizer" };
  for (guint i = 0; i < 3; i++)
    loom_text_cache_paint (fixture->cache, fixture->cr, LOOM_TEXT_HEADER, words[i], 5 + 80 * i, 20, -1, 0xFF000000);
  cairo_surface_flush (fixture->surface);
  g_autofree guint8 *single = g_memdup2 (cairo_image_surface_get_data (fixture->surface), n);
  wipe (fixture);
  loom_text_cache_begin (fixture->cache, fixture->cr);
  for (guint i = 0; i < 3; i++)
    loom_text_cache_paint (fixture->cache, fixture->cr, LOOM_TEXT_HEADER, words[i], 5 + 80 * i, 20, -1, 0xFF000000);
  loom_text_cache_end (fixture->cache);
  cairo_surface_flush (fixture->surface);
  g_assert_cmpmem (single, n, cairo_image_surface_get_data (fixture->surface), n);
}

/* If far more texts are painted than the cache holds, its size stays bounded and the texts are correct. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  double width = loom_text_cache_width (fixture->cache, LOOM_TEXT_SMALL, "text 77");
  for (guint i = 0; i < 40000; i++) {
    char text[32];
    g_snprintf (text, sizeof text, "text %u", i);
    loom_text_cache_width (fixture->cache, LOOM_TEXT_SMALL, text);
  }
  g_assert_cmpfloat (loom_text_cache_width (fixture->cache, LOOM_TEXT_SMALL, "text 77"), ==, width);
}

static void
test_scaling (Fixture *fixture, gconstpointer data)
{
  double width = loom_text_cache_width (fixture->cache, LOOM_TEXT_SPAN, "backward");
  loom_text_cache_set_font (fixture->cache, "DejaVu Sans", 1.5);
  g_assert_cmpfloat_with_epsilon (loom_text_cache_width (fixture->cache, LOOM_TEXT_SPAN, "backward"), 1.5 * width, 2.5);
}

static void
test_values (void)
{
  static const struct {
    double value;
    const char *unit, *text;
  } cases[] = {
    { 93.7, "%", "93.7 %" },
    { 100, "%", "100 %" },
    { 73.98, "%", "74.0 %" },
    { 74, "%", "74 %" },
    { 0, "%", "0 %" },
    { 1.25 * 1073741824, "B", "1.25 GiB" },
    { 310e6, "B/s", "310 MB/s" },
    { 2.5e9, "B/s", "2.5 GB/s" },
    { 12400, "", "12.4 k" },
    { 0.25, "", "0.25" },
    { 999.4, "", "999" },
    { 999.6, "", "1 k" },
    { -1500, "", "−1.5 k" },
    { -12.3, "%", "−12.3 %" },
    { -0.0001, "%", "0 %" },
    { -4, "", "−4" },
    { 0.0476, "", "0.0476" },
    { 0.0003, "", "0.0003" },
    { -0.00012345, "V", "−0.000123 V" },
    { 0.0999, "", "0.0999" },
    { 3e-5, "", "3e−5" },
    { -1.234e-7, "", "−1.23e−7" },
    { 0.00009999, "", "1e−4" },
    { 0.25, "1/s", "0.25/s" },
    { 1200, "1/s", "1.2 k/s" },
    { 850, "1/s", "850/s" },
    { NAN, "%", "–" },
    { 1e20, "", "100 E" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = loom_si_format_value (cases[i].value, cases[i].unit);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/draw/text-cache/ellipsis", test_ellipsis);
  ADD ("/draw/text-cache/three-letters", test_three_letters);
  ADD ("/draw/text-cache/odd-texts", test_odd_texts);
  ADD ("/draw/text-cache/batches", test_batches);
  ADD ("/draw/text-cache/many", test_many);
  ADD ("/draw/text-cache/scaling", test_scaling);
  g_test_add_func ("/draw/text-cache/values", test_values);
  return g_test_run ();
}
