/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes boxes directly into pixels instead of painting them with cairo, because a frame has up to 100,000 boxes and
 * cairo takes 0.25 µs for each.
 */
#include "loom-canvas-pixels.h"

#include <math.h>
#include <string.h>

#define SEAM_PX 0.2

/* In device pixels: opaque boxes of at most this width are filled pixel by pixel. */
#define NARROW 4

static gboolean
is_paper (cairo_surface_t *target)
{
  cairo_surface_type_t type = cairo_surface_get_type (target);
  return type == CAIRO_SURFACE_TYPE_PDF || type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PS;
}

/* Sets the scale and the clip rectangle of the canvas to those of the target. Returns FALSE if boxes cannot be written
 * directly into the pixels of the target. Writing them directly requires that logical coordinates are only scaled and
 * shifted by whole device pixels, and that the clip is one rectangle. */
static gboolean
find_target (LoomBoxCanvas *canvas, cairo_surface_t *target, double width, double height)
{
  cairo_matrix_t matrix;
  double device_x, device_y, offset_x, offset_y, x = 0, y = 0;
  cairo_get_matrix (canvas->cr, &matrix);
  cairo_surface_get_device_scale (target, &device_x, &device_y);
  cairo_surface_get_device_offset (target, &offset_x, &offset_y);
  if (cairo_surface_get_type (target) != CAIRO_SURFACE_TYPE_IMAGE || matrix.xy != 0 || matrix.yx != 0 ||
      cairo_image_surface_get_format (target) > CAIRO_FORMAT_RGB24 || matrix.xx * device_x != canvas->scale ||
      matrix.yy * device_y != canvas->scale || cairo_get_group_target (canvas->cr) != target)
    return FALSE;
  cairo_user_to_device (canvas->cr, &x, &y);
  canvas->origin_x = x * device_x + offset_x;
  canvas->origin_y = y * device_y + offset_y;
  if (canvas->origin_x != floor (canvas->origin_x) || canvas->origin_y != floor (canvas->origin_y))
    return FALSE;
  cairo_rectangle_list_t *clip = cairo_copy_clip_rectangle_list (canvas->cr);
  gboolean simple = clip->status == CAIRO_STATUS_SUCCESS && clip->num_rectangles == 1;
  cairo_rectangle_t r = simple ? clip->rectangles[0] : (cairo_rectangle_t) { 0 };
  cairo_rectangle_list_destroy (clip);
  if (!simple)
    return FALSE;
  double x0 = MAX (r.x, 0), y0 = MAX (r.y, 0), x1 = MIN (r.x + r.width, width), y1 = MIN (r.y + r.height, height);
  canvas->left = MAX ((int) ceil (canvas->origin_x + x0 * canvas->scale), 0);
  canvas->top = MAX ((int) ceil (canvas->origin_y + y0 * canvas->scale), 0);
  canvas->right = MIN ((int) floor (canvas->origin_x + x1 * canvas->scale), cairo_image_surface_get_width (target));
  canvas->bottom = MIN ((int) floor (canvas->origin_y + y1 * canvas->scale), cairo_image_surface_get_height (target));
  return TRUE;
}

void
loom_box_canvas_begin (LoomBoxCanvas *canvas, cairo_t *cr, double width, double height, double scale, gboolean covers)
{
  cairo_surface_t *target = cairo_get_target (cr);
  *canvas = (LoomBoxCanvas) { .cr = cr, .scale = scale > 0 ? scale : 1 };
  cairo_save (cr);
  if (is_paper (target)) {
    cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
    canvas->top = 0, canvas->bottom = (int) ceil (height * canvas->scale);
    canvas->right = (int) ceil (width * canvas->scale);
  } else if (find_target (canvas, target, width, height)) {
    cairo_surface_flush (target);
    canvas->image = target;
    canvas->direct = TRUE;
  } else {
    canvas->origin_x = canvas->origin_y = 0;
    canvas->left = canvas->top = 0;
    canvas->right = (int) ceil (width * canvas->scale), canvas->bottom = (int) ceil (height * canvas->scale);
    /* the boxes may cover the pixels at the right and lower edge of the image only partly; the image then needs an
     * alpha channel, so that earlier painting below these pixels remains visible */
    gboolean whole = canvas->right == width * canvas->scale && canvas->bottom == height * canvas->scale;
    cairo_format_t format = covers && whole ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32;
    canvas->image = cairo_image_surface_create (format, MAX (canvas->right, 1), MAX (canvas->bottom, 1));
  }
  if (canvas->image != NULL) {
    canvas->pixels = (guint32 *) (gpointer) cairo_image_surface_get_data (canvas->image);
    canvas->stride = cairo_image_surface_get_stride (canvas->image) / 4;
  }
  if (canvas->image != NULL && canvas->pixels == NULL)
    canvas->right = canvas->left;
  canvas->full_left = canvas->left, canvas->full_right = canvas->right;
  canvas->full_top = canvas->top, canvas->full_bottom = canvas->bottom;
}

void
loom_box_canvas_end (LoomBoxCanvas *canvas)
{
  if (canvas->image != NULL)
    cairo_surface_mark_dirty (canvas->image);
  if (canvas->image != NULL && !canvas->direct) {
    cairo_surface_set_device_scale (canvas->image, canvas->scale, canvas->scale);
    cairo_set_source_surface (canvas->cr, canvas->image, 0, 0);
    cairo_pattern_set_filter (cairo_get_source (canvas->cr), CAIRO_FILTER_NEAREST);
    cairo_paint (canvas->cr);
    cairo_surface_destroy (canvas->image);
  }
  cairo_restore (canvas->cr);
  loom_box_canvas_scratch_free (canvas->scratch);
  *canvas = (LoomBoxCanvas) { 0 };
}

void
loom_box_canvas_clip_y (LoomBoxCanvas *canvas, double y0, double y1)
{
  canvas->top = CLAMP (loom_canvas_pixels_device_y (canvas, y0), canvas->full_top, canvas->full_bottom);
  canvas->bottom = CLAMP (loom_canvas_pixels_device_y (canvas, y1), canvas->top, canvas->full_bottom);
}

gboolean
loom_box_canvas_shows_y (const LoomBoxCanvas *canvas, double y0, double y1)
{
  double top = canvas->origin_y + y0 * canvas->scale, bottom = canvas->origin_y + y1 * canvas->scale;
  return canvas->image == NULL || (top < canvas->bottom + 1 && bottom > canvas->top - 1);
}

/* --- pixels ----------------------------------------------------------------------------------------------------- */

/* Fills a box that is only a few pixels wide. With memcpy() for each line instead, the tracks of 78 million spans took
 * 1.1 to 1.2 times as long (median of the frames). */
static inline void
fill_narrow (guint32 *to, int stride, int width, int height, guint32 source)
{
  for (int y = 0; y < height; y++, to += stride)
    for (int x = 0; x < width; x++)
      to[x] = source;
}

static void
fill_pixels (LoomBoxCanvas *canvas, int x0, int y0, int x1, int y1, guint32 source)
{
  x0 = MAX (x0, canvas->left), x1 = MIN (x1, canvas->right);
  y0 = MAX (y0, canvas->top), y1 = MIN (y1, canvas->bottom);
  if (source == 0 || x1 <= x0 || y1 <= y0)
    return;
  guint32 *first = loom_canvas_pixels_line (canvas, y0) + x0;
  if (x1 - x0 == 1) {
    loom_canvas_pixels_blend_column (first, canvas->stride, y1 - y0, source);
    return;
  }
  if (x1 - x0 <= NARROW && source >> 24 == 0xFF) {
    fill_narrow (first, canvas->stride, x1 - x0, y1 - y0, source);
    return;
  }
  loom_canvas_pixels_blend_line (first, x1 - x0, source);
  for (int y = y0 + 1; y < y1; y++) {
    guint32 *line = loom_canvas_pixels_line (canvas, y) + x0;
    if (source >> 24 == 0xFF)
      memcpy (line, first, sizeof *line * (gsize) (x1 - x0));
    else
      loom_canvas_pixels_blend_line (line, x1 - x0, source);
  }
}

/* --- rectangles ------------------------------------------------------------------------------------------------- */

static void
fill_rectangle (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color)
{
  x0 = MAX (x0, canvas->left / canvas->scale), x1 = MIN (x1, canvas->right / canvas->scale);
  y0 = MAX (y0, canvas->top / canvas->scale), y1 = MIN (y1, canvas->bottom / canvas->scale);
  if (x1 <= x0 || y1 <= y0)
    return;
  /* Opaque boxes overlap their neighbours slightly, because viewers of SVG and PDF files antialias edges and would
   * show a seam. */
  double overlap = color >> 24 == 0xFF ? SEAM_PX : 0;
  loom_color_fill_rectangle (canvas->cr, color, x0, y0, x1 - x0 + overlap, y1 - y0);
}

void
loom_box_canvas_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color)
{
  if (canvas->image == NULL) {
    double pixel = 1 / canvas->scale;
    fill_rectangle (canvas, x0, y0, MAX (x1, x0 + pixel), MAX (y1, y0 + pixel), color);
    return;
  }
  int left = loom_canvas_pixels_device_x (canvas, x0), top = loom_canvas_pixels_device_y (canvas, y0);
  int right = MAX (loom_canvas_pixels_device_x (canvas, x1), left + 1),
      bottom = MAX (loom_canvas_pixels_device_y (canvas, y1), top + 1);
  fill_pixels (canvas, left, top, right, bottom, loom_canvas_pixels_premultiply (color, 1));
}

void
loom_box_canvas_soft_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color)
{
  if (canvas->image == NULL) {
    fill_rectangle (canvas, x0, y0, x1, y1, color);
    return;
  }
  double top = canvas->origin_y + y0 * canvas->scale, bottom = canvas->origin_y + y1 * canvas->scale;
  int left = loom_canvas_pixels_device_x (canvas, x0), right = MAX (loom_canvas_pixels_device_x (canvas, x1), left + 1);
  int first = loom_canvas_pixels_floor (top), last = loom_canvas_pixels_floor (bottom), whole = first + (top > first);
  if (first == last) {
    fill_pixels (canvas, left, first, right, first + 1, loom_canvas_pixels_premultiply (color, bottom - top));
    return;
  }
  if (whole > first)
    fill_pixels (canvas, left, first, right, whole, loom_canvas_pixels_premultiply (color, whole - top));
  fill_pixels (canvas, left, whole, right, last, loom_canvas_pixels_premultiply (color, 1));
  fill_pixels (canvas, left, last, right, last + 1, loom_canvas_pixels_premultiply (color, bottom - last));
}

/* --- strips ----------------------------------------------------------------------------------------------------- */

void
loom_box_canvas_strip_begin (LoomBoxCanvas *canvas, LoomBoxCanvasStrip *strip, double y0, double y1)
{
  *strip = (LoomBoxCanvasStrip) { .canvas = canvas, .y0 = y0, .y1 = y1 };
  if (canvas->image == NULL)
    return;
  strip->top = MAX (loom_canvas_pixels_device_y (canvas, y0), canvas->top);
  strip->bottom = MIN (loom_canvas_pixels_device_y (canvas, y1), canvas->bottom);
  if (strip->top < strip->bottom && canvas->left < canvas->right)
    strip->line = canvas->pixels + (gsize) strip->top * (gsize) canvas->stride;
}

void
loom_box_canvas_strip_box (LoomBoxCanvasStrip *strip, double x0, double x1, LoomColor color)
{
  LoomBoxCanvas *canvas = strip->canvas;
  if (canvas->image == NULL) {
    fill_rectangle (canvas, x0, strip->y0, MAX (x1, x0 + 1 / canvas->scale), strip->y1, color);
    return;
  }
  if (strip->line == NULL)
    return;
  int left = loom_canvas_pixels_device_x (canvas, x0), right = MAX (loom_canvas_pixels_device_x (canvas, x1), left + 1);
  left = MAX (left, canvas->left), right = MIN (right, canvas->right);
  if (left < right)
    loom_canvas_pixels_blend_line (strip->line + left, right - left, loom_canvas_pixels_premultiply (color, 1));
}

void
loom_box_canvas_strip_end (LoomBoxCanvasStrip *strip)
{
  const LoomBoxCanvas *canvas = strip->canvas;
  if (strip->line == NULL)
    return;
  for (int y = strip->top + 1; y < strip->bottom; y++)
    memcpy (canvas->pixels + (gsize) y * (gsize) canvas->stride + canvas->left, strip->line + canvas->left,
            sizeof (guint32) * (gsize) (canvas->right - canvas->left));
}
