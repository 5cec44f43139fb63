/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path: a thick line along the lower edges of the spans that it runs through, and links from track to track, as
 * one line that can be followed. A rim in the colour of the background parts it from fills of any colour, so that it does not
 * depend on hue.
 */
#include <math.h>

#include "loom-paint-private.h"

#define GAP_PX 1.0 /* below a depth row, as for spans */
#define BAR_PX 3.0
#define RIM_PX 1.0
#define NEAR_PX 4.0
#define LINK_PX 2.0
#define HEAD_PX 6.0
#define STEEP_PX 4.0 /* narrower links are vertical lines */
#define MAX_BEND_PX 60.0

/* The faintest bar, of a pixel in which the path is elsewhere for most of the time. */
#define FAINTEST 0.45

static double
get_bottom (const LoomDepthRow *strip)
{
  return strip->y + strip->height - GAP_PX;
}

/* A rim is wider than its bar, so that a narrow bar in a wide span is seen too; bars that are near each other share one, so that
 * many do not flicker. */
static void
paint_rims (LoomPaintContext *paint, const LoomPathBar *bars, guint32 n, double bottom)
{
  LoomBoxCanvasStrip line;
  loom_box_canvas_strip_begin (&paint->canvas, &line, bottom - BAR_PX - RIM_PX, bottom);
  for (guint32 i = 0; i < n;) {
    double x0 = floor (bars[i].x0), x1 = x0;
    for (; i < n && floor (bars[i].x0) <= x1 + NEAR_PX; i++)
      x1 = MAX (x1, MAX (ceil (bars[i].x1), floor (bars[i].x0) + 1));
    loom_box_canvas_strip_box (&line, x0 - RIM_PX, x1 + RIM_PX, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  }
  loom_box_canvas_strip_end (&line);
}

void
loom_paint_path_bars (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomPathBar *bars = loom_draw_list_get_path_bars (paint->list, &n) + strip->first_bar;
  if (strip->n_bars == 0)
    return;
  double bottom = get_bottom (strip), end = -HUGE_VAL;
  LoomColor color = paint->theme->role[LOOM_COLOR_ROLE_PATH];
  LoomBoxCanvasStrip line;
  paint_rims (paint, bars, strip->n_bars, bottom);
  loom_box_canvas_strip_begin (&paint->canvas, &line, bottom - BAR_PX, bottom);
  for (guint32 i = 0; i < strip->n_bars; i++) {
    double x0 = MAX (bars[i].x0, end), x1 = MAX (bars[i].x1, floor (bars[i].x0) + 1);
    double alpha = paint->theme->contrast ? 1 : FAINTEST + (1 - FAINTEST) * bars[i].share / 255.0;
    if (x1 > x0)
      loom_box_canvas_strip_box (&line, x0, x1, loom_color_with_alpha (color, alpha));
    end = MAX (end, x1);
  }
  loom_box_canvas_strip_end (&line);
}

/* --- links ----------------------------------------------------------------------------------------------------------- */

/* Finds the place of the bar of a span, in its row or in the group that it is folded into. */
static gboolean
find_y (const LoomPaintContext *paint, LoomSpanId span, double *y)
{
  guint row, strip;
  double x0, x1, top, height;
  loom_row_list_find_span (paint->outline, span, &row, &strip);
  if (row == G_MAXUINT)
    return FALSE;
  loom_paint_locate (paint, span, &x0, &x1, &top, &height);
  *y = top + height - BAR_PX / 2;
  return TRUE;
}

static void
add_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  if (x1 - x0 < STEEP_PX) {
    cairo_move_to (cr, floor (x1) + LINK_PX / 2, y0);
    cairo_line_to (cr, floor (x1) + LINK_PX / 2, y1);
    return;
  }
  double bend = MIN ((x1 - x0) / 2, MAX_BEND_PX);
  cairo_move_to (cr, x0, y0);
  cairo_curve_to (cr, x0 + bend, y0, x1 - bend, y1, x1, y1);
}

/* A triangle before the bar at which the link arrives: from above or below if it is steep, else from the left. */
static void
add_head (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  if (x1 - x0 < STEEP_PX) {
    double way = y1 > y0 ? 1 : -1, x = floor (x1) + LINK_PX / 2, tip = y1 - way * BAR_PX / 2;
    cairo_move_to (cr, x, tip);
    cairo_line_to (cr, x - HEAD_PX / 2, tip - way * HEAD_PX);
    cairo_line_to (cr, x + HEAD_PX / 2, tip - way * HEAD_PX);
  } else {
    cairo_move_to (cr, x1, y1);
    cairo_line_to (cr, x1 - HEAD_PX, y1 - HEAD_PX / 2);
    cairo_line_to (cr, x1 - HEAD_PX, y1 + HEAD_PX / 2);
  }
  cairo_close_path (cr);
}

typedef void (*AddShape) (cairo_t *cr, double x0, double y0, double x1, double y1);

/* Adds the shapes of all links, or only of wide ones, to the current path of `cr`. */
static void
add_shapes (const LoomPaintContext *paint, AddShape add, gboolean only_wide)
{
  guint n;
  const LoomPathLink *links = loom_draw_list_get_path_links (paint->list, &n);
  const double far = paint->viewport->width_px + 2000;
  cairo_new_path (paint->cr);
  for (guint i = 0; i < n; i++) {
    double y0, y1;
    if ((only_wide && !links[i].is_wide) || !find_y (paint, links[i].from, &y0) || !find_y (paint, links[i].to, &y1) ||
        y0 == y1 || MAX (y0, y1) < -HEAD_PX || MIN (y0, y1) > paint->viewport->height_px + HEAD_PX)
      continue;
    double x0 = CLAMP (loom_viewport_x (paint->viewport, links[i].begin_ns), -far, far),
           x1 = CLAMP (loom_viewport_x (paint->viewport, links[i].end_ns), -far, far);
    add (paint->cr, x0, y0, x1, y1);
  }
}

/* All rims first: a rim does not cut another link. */
void
loom_paint_path_links (LoomPaintContext *paint)
{
  guint n;
  cairo_t *cr = paint->cr;
  loom_draw_list_get_path_links (paint->list, &n);
  if (n == 0)
    return;
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  add_shapes (paint, add_line, FALSE);
  loom_color_set_source (cr, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  cairo_set_line_width (cr, LINK_PX + 2 * RIM_PX);
  cairo_stroke_preserve (cr);
  loom_color_set_source (cr, paint->theme->role[LOOM_COLOR_ROLE_PATH]);
  cairo_set_line_width (cr, LINK_PX);
  cairo_stroke (cr);
  add_shapes (paint, add_head, TRUE);
  cairo_fill (cr);
}
