/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the fast functions of the box canvas, which fill rectangles, paint the same pixels as its simple
 * functions. Also tests hatching.
 */
#include "loom-box-canvas.h"

#include <math.h>
#include <string.h>

#define WIDTH 203
#define HEIGHT 61

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  LoomBoxCanvas canvas;
} Sheet;

static void
sheet_begin (Sheet *sheet, double scale)
{
  sheet->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (WIDTH * scale), (int) (HEIGHT * scale));
  cairo_surface_set_device_scale (sheet->surface, scale, scale);
  sheet->cr = cairo_create (sheet->surface);
  loom_box_canvas_begin (&sheet->canvas, sheet->cr, WIDTH, HEIGHT, scale, FALSE);
  loom_box_canvas_box (&sheet->canvas, 0, 0, WIDTH, HEIGHT, LOOM_COLOR_RGB (0x203050));
  for (int i = 0; i < WIDTH; i += 7)
    loom_box_canvas_box (&sheet->canvas, i, 0, i + 3, HEIGHT, LOOM_COLOR_RGB (0xE0D010));
}

static void
assert_equal (Sheet *a, Sheet *b)
{
  loom_box_canvas_end (&a->canvas);
  loom_box_canvas_end (&b->canvas);
  int stride = cairo_image_surface_get_stride (a->surface), height = cairo_image_surface_get_height (a->surface);
  g_assert_cmpmem (cairo_image_surface_get_data (a->surface), (gsize) (stride * height),
                   cairo_image_surface_get_data (b->surface), (gsize) (stride * height));
  for (guint i = 0; i < 2; i++) {
    Sheet *sheet = i == 0 ? a : b;
    cairo_destroy (sheet->cr);
    cairo_surface_destroy (sheet->surface);
  }
}

/* Paints adjacent bars with loom_box_canvas_soft_box(), one at a time, and with
 * loom_box_canvas_columns_box(), which is faster, and compares the pictures. The left and right
 * borders of the bars are on whole pixels, so that no two bars share a pixel; their heights range
 * from 0 to more than the clipped area. */
static void
paint_curve (double scale, LoomColor color, guint32 seed)
{
  Sheet plain, quick;
  LoomBoxCanvasColumns columns;
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  sheet_begin (&plain, scale);
  sheet_begin (&quick, scale);
  loom_box_canvas_clip_y (&plain.canvas, 5, 50);
  loom_box_canvas_clip_y (&quick.canvas, 5, 50);
  loom_box_canvas_columns_begin (&quick.canvas, &columns, color);
  for (double x = -4; x < WIDTH + 4;) {
    double x1 = x + g_rand_int_range (dice, 1, seed % 2 == 0 ? 2 : 9);
    double y0 = g_rand_double_range (dice, -5, HEIGHT), y1 = y0 + g_rand_double_range (dice, 0, seed % 3 == 0 ? 3 : 40);
    if (g_rand_int_range (dice, 0, 10) > 0) {
      loom_box_canvas_soft_box (&plain.canvas, x, y0, x1, y1, color);
      loom_box_canvas_columns_box (&columns, x, y0, x1, y1);
    }
    x = x1;
  }
  loom_box_canvas_columns_end (&columns);
  assert_equal (&plain, &quick);
}

static void
test_columns (void)
{
  for (guint32 seed = 1; seed < 40; seed++) {
    paint_curve (1, LOOM_COLOR_RGB (0x80FF40), seed);
    paint_curve (2, LOOM_COLOR_RGB (0x80FF40), seed);
    paint_curve (1, 0x50FF3010u, seed);
    paint_curve (2, 0x01FFFFFFu, seed);
  }
}

static LoomColor
pixel (const Sheet *sheet, int x, int y)
{
  return sheet->canvas.pixels[y * sheet->canvas.stride + x] & 0xFFFFFF;
}

/* A pixel that is shared by two adjacent half-transparent boxes is not darker than the others. */
static void
test_columns_meet (void)
{
  Sheet sheet, once;
  LoomBoxCanvasColumns columns;
  sheet_begin (&sheet, 1);
  sheet_begin (&once, 1);
  loom_box_canvas_columns_begin (&sheet.canvas, &columns, 0x80FFFFFFu);
  loom_box_canvas_columns_box (&columns, 20.1, 10, 20.3, 30);
  loom_box_canvas_columns_box (&columns, 20.3, 20, 20.4, 40);
  loom_box_canvas_columns_end (&columns);
  loom_box_canvas_soft_box (&once.canvas, 20, 10, 21, 40, 0x80FFFFFFu);
  g_assert_cmphex (pixel (&sheet, 20, 25), !=, 0x203050);
  assert_equal (&sheet, &once);
}

/* Opaque boxes of any width look the same whether they are filled line by line or pixel by pixel. */
static void
test_narrow (void)
{
  for (guint32 seed = 1; seed < 20; seed++) {
    Sheet plain, quick;
    double scale = 1 + seed % 2;
    g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
    sheet_begin (&plain, scale);
    sheet_begin (&quick, scale);
    for (int x = -3; x < WIDTH + 3;) {
      int width = g_rand_int_range (dice, 1, 9);
      double top = g_rand_double_range (dice, -5, HEIGHT);
      LoomColor color = LOOM_COLOR_RGB (g_rand_int_range (dice, 0, 0xFFFFFF));
      loom_box_canvas_box (&quick.canvas, x, top, x + width, HEIGHT + 2, color);
      for (double at = x; at < x + width; at += 1 / scale)
        loom_box_canvas_box (&plain.canvas, at, top, at + 1 / scale, HEIGHT + 2, color);
      x += width;
    }
    assert_equal (&plain, &quick);
  }
}

/* Half-transparent boxes of any width look the same whether they are painted four pixels at a time or one at a time. */
static void
test_widths (void)
{
  for (int width = 2; width < 40; width++) {
    Sheet plain, quick;
    sheet_begin (&plain, 1);
    sheet_begin (&quick, 1);
    loom_box_canvas_box (&quick.canvas, 3, 3, 3 + width, 40, 0x4D20C0F0u);
    for (int x = 3; x < 3 + width; x++)
      loom_box_canvas_box (&plain.canvas, x, 3, x + 1, 40, 0x4D20C0F0u);
    assert_equal (&plain, &quick);
  }
}

/* If the pixels of the target are not accessible, as in the window, the canvas paints to an intermediate picture, and
 * the result looks the same. */
static void
test_recorded (void)
{
  for (int covers = 0; covers < 2; covers++) {
    Sheet direct;
    LoomBoxCanvas canvas;
    sheet_begin (&direct, 1);
    cairo_surface_t *record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *cr = cairo_create (record);
    loom_box_canvas_begin (&canvas, cr, WIDTH, HEIGHT, 1, covers);
    loom_box_canvas_box (&canvas, 0, 0, WIDTH, HEIGHT, LOOM_COLOR_RGB (0x203050));
    loom_box_canvas_box (&canvas, 9, 9, 50, 50, 0x80FFFFFFu);
    loom_box_canvas_end (&canvas);
    cairo_destroy (cr);
    Sheet shown;
    sheet_begin (&shown, 1);
    loom_box_canvas_box (&direct.canvas, 0, 0, WIDTH, HEIGHT, LOOM_COLOR_RGB (0x203050));
    loom_box_canvas_box (&direct.canvas, 9, 9, 50, 50, 0x80FFFFFFu);
    cairo_surface_mark_dirty (shown.surface);
    cairo_set_source_surface (shown.cr, record, 0, 0);
    cairo_paint (shown.cr);
    cairo_surface_flush (shown.surface);
    cairo_surface_destroy (record);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmphex (pixel (&shown, x, y), ==, pixel (&direct, x, y));
    assert_equal (&direct, &shown);
  }
}

/* --- hatching --- */

static void
hatch (Sheet *sheet, double y, const cairo_rectangle_t *boxes, guint n)
{
  LoomBoxCanvasHatching *hatching = loom_box_canvas_hatching_begin (&sheet->canvas, y, LOOM_COLOR_RGB (0xFFFFFF));
  for (guint i = 0; i < n; i++)
    loom_box_canvas_hatching_box (hatching, boxes[i].x, boxes[i].y, boxes[i].x + boxes[i].width,
                                  boxes[i].y + boxes[i].height);
  loom_box_canvas_hatching_end (hatching);
}

/* Compares one hatched box with two boxes that cover the same area: the lines must continue from box to box. Also
 * checks that a box outside the clip changes nothing. */
static void
test_hatching_continues (void)
{
  for (int scale = 1; scale <= 3; scale++) {
    Sheet one, several;
    sheet_begin (&one, scale);
    sheet_begin (&several, scale);
    loom_box_canvas_clip_y (&several.canvas, 0, 50);
    hatch (&one, 40, (cairo_rectangle_t[]) { { 10, 4, 80, 36 } }, 1);
    hatch (&several, 40,
           (cairo_rectangle_t[]) { { 10, 4, 33, 36 }, { 43, 4, 47, 11 }, { 43, 15, 47, 25 }, { 10, 52, 80, 9 } }, 4);
    assert_equal (&one, &several);
  }
}

/* Checks the lines: along a diagonal from the lower left to the upper right, all pixels are alike; from line to line,
 * the distance is 5 logical pixels; and the hatching moves with `y`. */
static void
test_hatching_lines (void)
{
  for (int scale = 1; scale <= 2; scale++) {
    Sheet sheet;
    sheet_begin (&sheet, scale);
    loom_box_canvas_box (&sheet.canvas, 0, 0, WIDTH, HEIGHT, LOOM_COLOR_RGB (0));
    hatch (&sheet, 30, (cairo_rectangle_t[]) { { 0, 0, 100, 30 } }, 1);
    hatch (&sheet, 33, (cairo_rectangle_t[]) { { 100, 3, 100, 30 } }, 1);
    guint n_white = 0;
    for (int y = 5 * scale; y < 25 * scale; y++)
      for (int x = 5 * scale; x < 90 * scale; x++) {
        g_assert_cmphex (pixel (&sheet, x, y), ==, pixel (&sheet, x + 1, y - 1));
        g_assert_cmphex (pixel (&sheet, x, y), ==, pixel (&sheet, x + 5 * scale, y));
        g_assert_cmphex (pixel (&sheet, x, y), ==, pixel (&sheet, x + 100 * scale, y + 3 * scale));
        n_white += pixel (&sheet, x, y) & 0xFF;
      }
    /* a line of 1.5 px at 45° is 2.12 px wide horizontally, of 5 px */
    double share = n_white / 255.0 / (85.0 * scale * 20 * scale);
    g_assert_cmpfloat_with_epsilon (share, 1.5 * G_SQRT2 / 5, 0.03);
    loom_box_canvas_end (&sheet.canvas);
    cairo_destroy (sheet.cr);
    cairo_surface_destroy (sheet.surface);
  }
}

/* Hatching in files consists of lines; in images, it consists of pixels. Draws the lines that files have onto an image,
 * and compares. */
static void
test_hatching_in_files (void)
{
  const cairo_rectangle_t boxes[] = { { 10, 4, 33, 36 }, { 43, 8, 47, 32 } };
  cairo_rectangle_t extents = { 0, 0, WIDTH, HEIGHT };
  for (int scale = 1; scale <= 2; scale++) {
    Sheet pixels, lines;
    sheet_begin (&pixels, scale);
    sheet_begin (&lines, scale);
    hatch (&pixels, 40, boxes, 2);
    cairo_surface_t *record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);
    LoomBoxCanvas file = { .cr = cairo_create (record), .scale = 1, .bottom = HEIGHT, .right = WIDTH };
    Sheet as_file = { .canvas = file };
    hatch (&as_file, 40, boxes, 2);
    cairo_surface_mark_dirty (lines.surface);
    cairo_set_source_surface (lines.cr, record, 0, 0);
    cairo_paint (lines.cr);
    cairo_surface_flush (lines.surface);
    cairo_destroy (file.cr);
    cairo_surface_destroy (record);
    double sum = 0;
    for (int y = 0; y < HEIGHT * scale; y++)
      for (int x = 0; x < WIDTH * scale; x++) {
        int difference = (int) (pixel (&pixels, x, y) & 0xFF) - (int) (pixel (&lines, x, y) & 0xFF);
        sum += ABS (difference);
      }
    /* lines that are displaced by half a pixel differ by 39 on average */
    g_assert_cmpfloat (sum / (80.0 * 34 * scale * scale), <, 8);
    loom_box_canvas_end (&lines.canvas);
    loom_box_canvas_end (&pixels.canvas);
    cairo_destroy (lines.cr);
    cairo_destroy (pixels.cr);
    cairo_surface_destroy (lines.surface);
    cairo_surface_destroy (pixels.surface);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/box-canvas/columns", test_columns);
  g_test_add_func ("/draw/box-canvas/columns-meet", test_columns_meet);
  g_test_add_func ("/draw/box-canvas/narrow", test_narrow);
  g_test_add_func ("/draw/box-canvas/widths", test_widths);
  g_test_add_func ("/draw/box-canvas/recorded", test_recorded);
  g_test_add_func ("/draw/box-canvas/hatching-continues", test_hatching_continues);
  g_test_add_func ("/draw/box-canvas/hatching-lines", test_hatching_lines);
  g_test_add_func ("/draw/box-canvas/hatching-in-files", test_hatching_in_files);
  return g_test_run ();
}
