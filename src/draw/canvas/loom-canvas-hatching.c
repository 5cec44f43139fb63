/* SPDX-License-Identifier: Apache-2.0
 *
 * Hatches boxes with oblique lines. In images, the lines are written directly into pixels, because cairo clips lines to
 * many boxes slowly: with the lanes of eight ranks, this took more than half of the processor time while the view
 * moved.
 */
#include <math.h>

#include "loom-canvas-pixels.h"

/* Horizontal distance between lines, and width of lines, in logical pixels. */
#define PERIOD_PX 5.0
#define LINE_PX 1.5

/* Number of phases of a period for which colours are computed. */
#define N_PHASES 128
#define PHASE (G_MAXUINT32 / N_PHASES + 1)

struct _LoomBoxCanvasHatching {
  LoomBoxCanvas *canvas;
  LoomColor color;
  double y; /* at this y, the middles of the lines are at x = 0, ±PERIOD_PX, ±2 × PERIOD_PX, … */
  /* for images: the premultiplied colours of pixels by phase. A pixel's phase is x + y in periods, times 2³² */
  guint32 colors[N_PHASES];
  guint32 step, begin;   /* difference in phase between neighbouring pixels; phase of pixel (0, 0) */
  double x0, y0, x1, y1; /* for files: bounds of the boxes */
};

/* Computes by how much a line covers a pixel with this phase, 0 … 1. */
static double
get_coverage (double phase, double scale)
{
  double distance = MIN (phase, 1 - phase) * PERIOD_PX * scale * M_SQRT1_2;
  return CLAMP (LINE_PX * scale / 2 + 0.5 - distance, 0, 1);
}

LoomBoxCanvasHatching *
loom_box_canvas_hatching_begin (LoomBoxCanvas *canvas, double y, LoomColor color)
{
  LoomBoxCanvasHatching *hatching = g_new (LoomBoxCanvasHatching, 1);
  *hatching = (LoomBoxCanvasHatching) { .canvas = canvas, .color = color, .y = y, .x0 = HUGE_VAL, .y0 = HUGE_VAL };
  for (guint i = 0; i < N_PHASES; i++)
    hatching->colors[i] = loom_canvas_pixels_premultiply (color, get_coverage ((double) i / N_PHASES, canvas->scale));
  double period = MAX (PERIOD_PX * canvas->scale, 2);
  hatching->step = (guint32) (0x1p32 / period);
  int origin = loom_canvas_pixels_device_x (canvas, 0) + loom_canvas_pixels_device_y (canvas, y);
  /* Pixels are sampled at their centres: ½ pixel is added to x, and ½ pixel to y, which together add one step to the
   * phase. PHASE / 2 makes the division by PHASE round to the nearest colour. */
  hatching->begin = hatching->step + PHASE / 2 - (guint32) origin * hatching->step;
  return hatching;
}

static void
hatch_pixels (const LoomBoxCanvasHatching *hatching, int x0, int y0, int x1, int y1)
{
  const LoomBoxCanvas *canvas = hatching->canvas;
  x0 = MAX (x0, canvas->left), x1 = MIN (x1, canvas->right);
  y0 = MAX (y0, canvas->top), y1 = MIN (y1, canvas->bottom);
  for (int y = y0; y < y1; y++) {
    guint32 *line = loom_canvas_pixels_line (canvas, y), phase = hatching->begin + (guint32) (x0 + y) * hatching->step;
    for (int x = x0; x < x1; x++, phase += hatching->step) {
      guint32 source = hatching->colors[phase / PHASE];
      if (source != 0)
        line[x] = loom_canvas_pixels_blend (line[x], source, 255 - (source >> 24));
    }
  }
}

void
loom_box_canvas_hatching_box (LoomBoxCanvasHatching *hatching, double x0, double y0, double x1, double y1)
{
  LoomBoxCanvas *canvas = hatching->canvas;
  if (canvas->image != NULL) {
    hatch_pixels (hatching, loom_canvas_pixels_device_x (canvas, x0), loom_canvas_pixels_device_y (canvas, y0),
                  loom_canvas_pixels_device_x (canvas, x1), loom_canvas_pixels_device_y (canvas, y1));
    return;
  }
  y0 = MAX (y0, canvas->top / canvas->scale), y1 = MIN (y1, canvas->bottom / canvas->scale);
  if (x1 <= x0 || y1 <= y0)
    return;
  cairo_rectangle (canvas->cr, x0, y0, x1 - x0, y1 - y0);
  hatching->x0 = MIN (hatching->x0, x0), hatching->y0 = MIN (hatching->y0, y0);
  hatching->x1 = MAX (hatching->x1, x1), hatching->y1 = MAX (hatching->y1, y1);
}

/* Draws lines over the bounds of the boxes, clipped to the boxes, which are the current path of the canvas. */
static void
draw_lines (const LoomBoxCanvasHatching *hatching)
{
  cairo_t *cr = hatching->canvas->cr;
  double rise = hatching->y1 - hatching->y0, shift = hatching->y - hatching->y1;
  cairo_save (cr);
  cairo_clip (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_line_width (cr, LINE_PX);
  loom_color_set_source (cr, hatching->color);
  for (double x = floor ((hatching->x0 - rise - shift) / PERIOD_PX) * PERIOD_PX + shift; x < hatching->x1;
       x += PERIOD_PX) {
    cairo_move_to (cr, x, hatching->y1);
    cairo_line_to (cr, x + rise, hatching->y0);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
loom_box_canvas_hatching_end (LoomBoxCanvasHatching *hatching)
{
  if (hatching->x1 > hatching->x0)
    draw_lines (hatching);
  g_free (hatching);
}
