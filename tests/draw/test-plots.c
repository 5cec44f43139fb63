/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests plots of counters with several series: every series is visible, and the legend names all of them.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fake-run.h"
#include "loom-timeline-image.h"
#include "loom-trace-builder.h"

#define WIDTH 1000
#define HEIGHT 240
#define HEADER 215
#define N_SERIES 4

typedef double (*Wave) (guint series, guint i);

static LoomTimeline *
new_run (const char *const *names, guint n_samples, Wave wave)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("memory.json"), clock);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, "memory", 6, "", 0);
  for (guint k = 0; k < N_SERIES; k++) {
    guint32 series = loom_trace_builder_series (builder, counter, names[k], strlen (names[k]));
    for (guint i = 0; i < n_samples; i++)
      loom_trace_builder_sample (builder, series, FAKE_BEGIN_NS + (gint64) i * (LOOM_NS_PER_S / n_samples), wave (k, i),
                                 LOOM_REF_NONE);
  }
  return fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
}

static cairo_surface_t *
draw (LoomTimeline *timeline)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("loom-plots-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  loom_timeline_image_to_file (timeline, path, WIDTH, HEIGHT, LOOM_THEME_LIGHT, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  g_unlink (path);
  g_rmdir (folder);
  return surface;
}

static int
distance (guint32 pixel, LoomColor color)
{
  int off = 0;
  for (guint shift = 0; shift < 24; shift += 8)
    off += abs ((int) (pixel >> shift & 0xFF) - (int) (color >> shift & 0xFF));
  return off;
}

/* Returns TRUE if, of the colours of all series, that of `series` is the nearest one to the colour of the pixel. The
 * edges of lines are antialiased, so their colour is only similar to that of the series. */
static gboolean
is_of (guint32 pixel, guint series)
{
  const LoomColor *colors = loom_theme_get (LOOM_THEME_LIGHT)->series;
  int off = distance (pixel, colors[series]);
  for (guint k = 0; k < N_SERIES; k++)
    if (k != series && distance (pixel, colors[k]) <= off)
      return FALSE;
  return off < 110;
}

/* Returns the number of pixels with the colour of a series, in the row header or in the plot. */
static guint
count (cairo_surface_t *surface, guint series, gboolean header)
{
  guint n = 0;
  for (int y = LOOM_OVERVIEW_PX + LOOM_RULER_PX; y < HEIGHT; y++) {
    const guint8 *line = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
    const guint32 *pixels = (const guint32 *) (gconstpointer) line;
    for (int x = header ? 0 : HEADER; x < (header ? HEADER : WIDTH); x++)
      n += is_of (pixels[x], series);
  }
  return n;
}

static void
assert_all_visible (const char *const *names, guint n_samples, Wave wave, guint at_least)
{
  g_autoptr (LoomTimeline) timeline = new_run (names, n_samples, wave);
  cairo_surface_t *surface = draw (timeline);
  for (guint k = 0; k < N_SERIES; k++) {
    g_test_message ("series %u: %u pixels, %u in the legend", k, count (surface, k, FALSE), count (surface, k, TRUE));
    g_assert_cmpuint (count (surface, k, FALSE), >=, at_least);
  }
  cairo_surface_destroy (surface);
}

static const char *const short_names[N_SERIES] = { "a", "b", "c", "d" };

static double
flat (guint series, guint i)
{
  return i < 3 ? 0 : 80;
}

static void
test_same_values (void)
{
  assert_all_visible (short_names, 10, flat, 60);
}

static double
wild (guint series, guint i)
{
  return (i * 7919u + series * 104729u) % 101;
}

static void
test_dense (void)
{
  assert_all_visible (short_names, 50000, wild, 60);
}

static void
test_legend (void)
{
  static const char *const cases[][N_SERIES] = {
    { "a", "b", "c", "d" },
    { "now_bytes", "max_bytes", "old_bytes", "big_bytes" },
    { "gpu0", "gpu1", "gpu2", "gpu3" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (LoomTimeline) timeline = new_run (cases[i], 10, flat);
    cairo_surface_t *surface = draw (timeline);
    for (guint k = 0; k < N_SERIES; k++) {
      g_test_message ("%s: %u", cases[i][k], count (surface, k, TRUE));
      g_assert_cmpuint (count (surface, k, TRUE), >=, 40);
    }
    cairo_surface_destroy (surface);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/plots/same-values", test_same_values);
  g_test_add_func ("/draw/plots/dense", test_dense);
  g_test_add_func ("/draw/plots/legend", test_legend);
  return g_test_run ();
}
