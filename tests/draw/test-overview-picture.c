/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the overview looks the same whether the picture of the run is kept from frame to frame or painted anew.
 */
#include "fake-run.h"
#include "loom-timeline-painter.h"

#include <string.h>

#define WIDTH 640

typedef struct {
  LoomMinimapData *overview;
  LoomTextCache *text;
  LoomViewport view;
} Fixture;

static cairo_surface_t *
paint (const Fixture *fixture, LoomOverviewPicture *picture, const LoomTheme *theme, double scale,
       const LoomViewport *view)
{
  int width = (int) (WIDTH * scale), height = (int) (LOOM_OVERVIEW_PX * scale);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_surface_set_device_scale (surface, scale, scale);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, theme, fixture->text);
  options.overview_picture = picture;
  options.device_scale = scale;
  cairo_t *cr = cairo_create (surface);
  loom_timeline_painter_paint_overview (cr, fixture->overview, WIDTH, LOOM_OVERVIEW_PX, view, &options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
assert_same (const Fixture *fixture, LoomOverviewPicture *picture, const LoomTheme *theme, double scale,
             const LoomViewport *view)
{
  cairo_surface_t *kept = paint (fixture, picture, theme, scale, view),
                  *anew = paint (fixture, NULL, theme, scale, view);
  gsize n = (gsize) cairo_image_surface_get_stride (kept) * (gsize) cairo_image_surface_get_height (kept);
  g_assert_cmpmem (cairo_image_surface_get_data (kept), n, cairo_image_surface_get_data (anew), n);
  cairo_surface_destroy (kept);
  cairo_surface_destroy (anew);
}

/* The view moves, then the theme and the scale change, and then change back. */
static void
test_same (void)
{
  FakeShape shape = { 1, 2, 2, 4, 5, TRUE };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, NULL, NULL);
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomOverviewPicture) picture = loom_overview_picture_new ();
  Fixture fixture = { .overview = overview, .text = text };
  LoomRange extent;
  g_assert_true (loom_timeline_get_extent (timeline, &extent));
  loom_viewport_init (&fixture.view, extent, WIDTH, 400);
  LoomViewport near = fixture.view;
  loom_viewport_zoom (&near, extent, 100, 0.2);
  static const LoomThemeKind kinds[] = { LOOM_THEME_LIGHT, LOOM_THEME_DARK, LOOM_THEME_LIGHT };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (double scale = 1; scale <= 2; scale++) {
      assert_same (&fixture, picture, loom_theme_get (kinds[i]), scale, &fixture.view);
      assert_same (&fixture, picture, loom_theme_get (kinds[i]), scale, &near);
    }
}

static void
count (cairo_t *cr, gpointer user_data)
{
  ++*(guint *) user_data;
}

/* The run is painted once, however often the picture is shown, and anew if the theme changes. */
static void
test_kept (void)
{
  FakeShape shape = { 1, 2, 2, 4, 5, TRUE };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, NULL, NULL);
  g_autoptr (LoomOverviewPicture) picture = loom_overview_picture_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, LOOM_OVERVIEW_PX);
  cairo_t *cr = cairo_create (surface);
  guint n = 0;
  for (guint i = 0; i < 5; i++)
    loom_overview_picture_paint (picture, cr, overview, WIDTH, LOOM_OVERVIEW_PX, 1, loom_theme_get (LOOM_THEME_LIGHT),
                                 count, &n);
  g_assert_cmpuint (n, ==, 1);
  loom_overview_picture_paint (picture, cr, overview, WIDTH, LOOM_OVERVIEW_PX, 1, loom_theme_get (LOOM_THEME_DARK),
                               count, &n);
  g_assert_cmpuint (n, ==, 2);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/overview-picture/same", test_same);
  g_test_add_func ("/draw/overview-picture/kept", test_kept);
  return g_test_run ();
}
