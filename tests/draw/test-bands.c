/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that several threads can build and paint a view with very many marks: the draw list and the picture are the
 * same as with one thread.
 */
#include <string.h>

#include "fake-run.h"
#include "loom-timeline-painter.h"

#define WIDTH 1500
#define HEIGHT 1400

static const FakeShape shape = { 1, 4, 40, 24, 20, TRUE };

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomTextCache *text;
  LoomViewport view;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  LoomRange extent;
  fixture->timeline = fake_run_new (&shape);
  fixture->outline = loom_row_list_new ();
  fixture->text = loom_text_cache_new (NULL);
  loom_row_list_set_timeline (fixture->outline, fixture->timeline);
  loom_row_list_fold_all (fixture->outline, FALSE);
  g_assert_true (loom_timeline_get_extent (fixture->timeline, &extent));
  loom_viewport_init (&fixture->view, extent, WIDTH, HEIGHT);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  loom_row_list_free (fixture->outline);
  loom_text_cache_free (fixture->text);
  loom_timeline_unref (fixture->timeline);
}

/* Pins the last row that shows spans and is not pinned. */
static void
pin_one (Fixture *fixture)
{
  for (guint i = loom_row_list_get_n_rows (fixture->outline); i-- > loom_row_list_get_n_pinned (fixture->outline);) {
    const LoomTimelineRow *row = loom_row_list_get_row (fixture->outline, i);
    if (row->kind != LOOM_ROW_SPANS)
      continue;
    loom_row_list_set_pinned (fixture->outline, row->key, TRUE);
    return;
  }
  g_assert_not_reached ();
}

static void
check_marks (const LoomDrawItem *marks, const LoomDrawItem *others, guint32 n)
{
  for (guint32 i = 0; i < n; i++) {
    g_assert_cmpfloat (marks[i].x0, ==, others[i].x0);
    g_assert_cmpfloat (marks[i].x1, ==, others[i].x1);
    g_assert_true (loom_timeline_span_id_equal (marks[i].span, others[i].span));
    g_assert_cmpuint (marks[i].name_id, ==, others[i].name_id);
    g_assert_cmpuint (marks[i].count, ==, others[i].count);
    g_assert_cmpuint (marks[i].color, ==, others[i].color);
    g_assert_cmpuint (marks[i].fill, ==, others[i].fill);
    g_assert_cmpuint (marks[i].flags, ==, others[i].flags);
  }
}

/* The first draw list is built by one thread. If it contains very many marks, the next list is built by all available
 * threads; both are equal. */
static void
check_lists (Fixture *fixture)
{
  LoomDrawList *one = loom_draw_list_new (), *many = loom_draw_list_new ();
  LoomViewport before = fixture->view;
  before.end_ns -= 1000;
  loom_draw_list_build (one, fixture->outline, &fixture->view, NULL);
  loom_draw_list_build (many, fixture->outline, &before, NULL);
  loom_draw_list_build (many, fixture->outline, &fixture->view, NULL);
  guint n, n_many;
  const LoomDepthRow *strips = loom_draw_list_get_strips (one, &n), *others = loom_draw_list_get_strips (many, &n_many);
  g_assert_cmpuint (n, ==, n_many);
  guint n_marks, n_other_marks;
  const LoomDrawItem *marks = loom_draw_list_get_marks (one, &n_marks),
                     *other_marks = loom_draw_list_get_marks (many, &n_other_marks);
  g_assert_cmpuint (n_marks, >, 5000);
  g_assert_cmpuint (n_marks, ==, n_other_marks);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (strips[i].row, ==, others[i].row);
    g_assert_cmpuint (strips[i].index, ==, others[i].index);
    g_assert_cmpfloat (strips[i].y, ==, others[i].y);
    g_assert_cmpuint (strips[i].n, ==, others[i].n);
    check_marks (marks + strips[i].first, other_marks + others[i].first, strips[i].n);
  }
  loom_draw_list_free (one);
  loom_draw_list_free (many);
}

static void
test_lists (Fixture *fixture, gconstpointer data)
{
  check_lists (fixture);
  pin_one (fixture);
  check_lists (fixture);
  fixture->view.scroll_px = 313;
  while (loom_row_list_get_pinned_height (fixture->outline) < 0.6 * HEIGHT)
    pin_one (fixture);
  check_lists (fixture);
}

static cairo_surface_t *
paint (Fixture *fixture, const LoomDrawList *list, guint n_threads)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (LOOM_THEME_LIGHT), fixture->text);
  options.n_threads = n_threads;
  loom_timeline_painter_paint (cr, list, NULL, &options);
  cairo_destroy (cr);
  return surface;
}

static void
test_pictures (Fixture *fixture, gconstpointer data)
{
  LoomDrawList *list = loom_draw_list_new ();
  pin_one (fixture);
  fixture->view.scroll_px = 57;
  loom_draw_list_build (list, fixture->outline, &fixture->view, NULL);
  cairo_surface_t *one = paint (fixture, list, 1);
  gsize n_bytes = (gsize) cairo_image_surface_get_stride (one) * HEIGHT;
  for (guint n_threads = 2; n_threads <= 7; n_threads++) {
    cairo_surface_t *many = paint (fixture, list, n_threads);
    g_assert_cmpmem (cairo_image_surface_get_data (one), n_bytes, cairo_image_surface_get_data (many), n_bytes);
    cairo_surface_destroy (many);
  }
  cairo_surface_destroy (one);
  loom_draw_list_free (list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/draw/bands/lists", Fixture, NULL, set_up, test_lists, tear_down);
  g_test_add ("/draw/bands/pictures", Fixture, NULL, set_up, test_pictures, tear_down);
  return g_test_run ();
}
