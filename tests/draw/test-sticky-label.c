/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the name of a row with many strips (lines of spans, one for each nesting depth) stays visible in the
 * header column while the row is scrolled.
 */
#include <string.h>

#include "fake-run.h"
#include "loom-timeline-painter.h"
#include "open-ranks.h"

#define WIDTH 160
#define HEIGHT 300
#define LABEL_PX \
  (LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX - 1) /* height of the place of a label, without the line below */

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomTextCache *text;
  LoomViewport view;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  FakeShape shape = { 2, 2, 3, 6, 5, TRUE };
  LoomRange extent;
  fixture->timeline = fake_run_new (&shape);
  fixture->outline = loom_row_list_new ();
  fixture->list = loom_draw_list_new ();
  fixture->text = loom_text_cache_new ("DejaVu Sans");
  loom_row_list_set_timeline (fixture->outline, fixture->timeline);
  open_ranks (fixture->outline);
  g_assert_true (loom_timeline_get_extent (fixture->timeline, &extent));
  loom_viewport_init (&fixture->view, extent, 400, HEIGHT);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  loom_draw_list_free (fixture->list);
  loom_row_list_free (fixture->outline);
  loom_text_cache_free (fixture->text);
  loom_timeline_unref (fixture->timeline);
}

/* Returns the first row that is inside an unfolded group and has at least four strips (lines of spans). */
static guint
find_tall_row (LoomRowList *outline)
{
  guint i = 0;
  while (i < loom_row_list_get_n_rows (outline) &&
         (loom_row_list_get_row (outline, i)->sticky == G_MAXUINT || loom_row_list_get_row (outline, i)->n_strips < 4))
    i++;
  g_assert_cmpuint (i, <, loom_row_list_get_n_rows (outline));
  return i;
}

/* Paints the header column while the upper edge of the row is `hidden_px` above the lower edge of its sticky group. */
static cairo_surface_t *
take (Fixture *fixture, guint row, double hidden_px)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (LOOM_THEME_LIGHT), fixture->text);
  fixture->view.scroll_px = loom_row_list_get_row (fixture->outline, row)->y -
                            loom_row_list_get_cover_of_row (fixture->outline, row) + hidden_px;
  loom_draw_list_build (fixture->list, fixture->outline, &fixture->view, NULL);
  loom_timeline_painter_paint_headers (cr, fixture->list, WIDTH, &options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Compares LABEL_PX lines of both pictures, from `a_y` and `b_y` on. */
static gboolean
looks_alike (cairo_surface_t *a, int a_y, cairo_surface_t *b, int b_y)
{
  int stride = cairo_image_surface_get_stride (a);
  return memcmp (cairo_image_surface_get_data (a) + a_y * stride, cairo_image_surface_get_data (b) + b_y * stride,
                 (gsize) (stride * LABEL_PX)) == 0;
}

static void
test_scrolled (Fixture *fixture, gconstpointer data)
{
  guint row = find_tall_row (fixture->outline);
  int cover = (int) loom_row_list_get_cover_of_row (fixture->outline, row),
      height = (int) loom_row_list_get_row (fixture->outline, row)->height;
  cairo_surface_t *whole = take (fixture, row, 0), *part = take (fixture, row, LOOM_STRIP_PX + 7),
                  *end = take (fixture, row, height - LOOM_STRIP_PX);
  g_assert_true (looks_alike (whole, cover, part, cover));
  /* when the row leaves the view, its name leaves with it */
  g_assert_false (looks_alike (whole, cover, end, cover));
  cairo_surface_destroy (whole);
  cairo_surface_destroy (part);
  cairo_surface_destroy (end);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/draw/sticky-label/scrolled", Fixture, NULL, set_up, test_scrolled, tear_down);
  return g_test_run ();
}
