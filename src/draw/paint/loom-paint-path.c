/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the critical path: a thick line along the lower edges of the spans through which it runs, and links from track
 * to track. Together they look like one line. An outline in the colour of the background separates the line from fills
 * of any colour. So even users who cannot see its hue can recognize the line.
 */
#include <math.h>

#include "loom-paint-private.h"

#define GAP_PX 1.0 /* gap below each level of nesting of a row; must equal GAP_PX in loom-paint-spans.c */
#define BAR_PX 3.0
#define RIM_PX 1.0
#define NEAR_PX 4.0
#define LINK_PX 2.0
#define HEAD_PX 6.0
#define STEEP_PX 12.0 /* minimum width of a link that is painted as a curve; steeper links are painted as two boxes */
#define TALL_PX 160.0 /* maximum height of a curve; painting a curve takes time for each line of pixels */
#define MOST_CURVES 48
#define MAX_BEND_PX 60.0

/* Minimum strength of the colour of a bar, so that a bar is visible even where the critical path is in this row for
 * only a small share of the pixel's time. */
#define FAINTEST 0.45

static double
get_bottom (const LoomDepthRow *strip)
{
  return strip->y + strip->height - GAP_PX;
}

/* Paints the outlines of bars. An outline is wider than its bar, so that a narrow bar within a wide span is noticed.
 * Bars that are close together share an outline, because many separate outlines would flicker. */
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

/* --- links -------------------------------------------------------------------------------------------------------- */

/* Sets `y` to the middle of the bar that shows the critical path in the row of a span. If this row is folded away, uses
 * the bar in the lane of its group. Returns FALSE if the list contains neither this row nor this lane. */
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

typedef struct {
  double x0, y0, x1, y1;
  gboolean is_wide, is_curve;
} Ends;

/* Draws a link that is not a curve as two boxes: a horizontal one in the row where the link begins, and a vertical one
 * to the row where the link ends. Filling the boxes of all links one by one is much faster than drawing curves, and
 * also faster than filling many boxes as one path. `rim`: the boxes are enlarged by this many px. */
static void
fill_boxes (const LoomPaintContext *paint, const Ends *ends, double rim, LoomColor color)
{
  double x0 = floor (ends->x0), x1 = floor (ends->x1), half = LINK_PX / 2, y0 = floor (ends->y0), y1 = floor (ends->y1);
  if (ends->is_curve || x1 < -LINK_PX || x0 > paint->viewport->width_px)
    return;
  if (x1 > x0)
    loom_color_fill_rectangle (paint->cr, color, x0, y0 - half - rim, x1 - x0, LINK_PX + 2 * rim);
  loom_color_fill_rectangle (paint->cr, color, x1 - rim, MIN (y0, y1) - half, LINK_PX + 2 * rim,
                             fabs (y1 - y0) + LINK_PX);
}

static void
fill_all_boxes (const LoomPaintContext *paint, const GArray *all, double rim, LoomColorRole role)
{
  for (guint i = 0; i < all->len; i++)
    fill_boxes (paint, &g_array_index (all, Ends, i), rim, paint->theme->role[role]);
}

static void
add_curve (cairo_t *cr, const Ends *ends)
{
  if (!ends->is_curve)
    return;
  double bend = MIN ((ends->x1 - ends->x0) / 2, MAX_BEND_PX);
  cairo_move_to (cr, ends->x0, ends->y0);
  cairo_curve_to (cr, ends->x0 + bend, ends->y0, ends->x1 - bend, ends->y1, ends->x1, ends->y1);
}

/* Adds the head of a link: a triangle whose tip is at the bar of the critical path where the link ends. It points right
 * if the link is a curve, else up or down. */
static void
add_head (cairo_t *cr, const Ends *ends)
{
  if (!ends->is_wide)
    return;
  if (!ends->is_curve) {
    double way = ends->y1 > ends->y0 ? 1 : -1, x = floor (ends->x1) + LINK_PX / 2, tip = ends->y1 - way * BAR_PX / 2;
    cairo_move_to (cr, x, tip);
    cairo_line_to (cr, x - HEAD_PX / 2, tip - way * HEAD_PX);
    cairo_line_to (cr, x + HEAD_PX / 2, tip - way * HEAD_PX);
  } else {
    cairo_move_to (cr, ends->x1, ends->y1);
    cairo_line_to (cr, ends->x1 - HEAD_PX, ends->y1 - HEAD_PX / 2);
    cairo_line_to (cr, ends->x1 - HEAD_PX, ends->y1 + HEAD_PX / 2);
  }
  cairo_close_path (cr);
}

static gboolean
find_ends (const LoomPaintContext *paint, const LoomPathLink *link, Ends *ends)
{
  const double far = paint->viewport->width_px + 2000;
  if (!find_y (paint, link->from, &ends->y0) || !find_y (paint, link->to, &ends->y1) || ends->y0 == ends->y1 ||
      MAX (ends->y0, ends->y1) < -HEAD_PX || MIN (ends->y0, ends->y1) > paint->viewport->height_px + HEAD_PX)
    return FALSE;
  ends->x0 = CLAMP (loom_viewport_x (paint->viewport, link->begin_ns), -far, far);
  ends->x1 = CLAMP (loom_viewport_x (paint->viewport, link->end_ns), -far, far);
  ends->is_wide = link->is_wide;
  ends->is_curve = ends->x1 - ends->x0 >= STEEP_PX && fabs (ends->y1 - ends->y0) <= TALL_PX;
  return TRUE;
}

/* Returns the ends of the links in view (Ends). If more than MOST_CURVES links would be curves, all links are painted
 * as boxes instead. So many curves could not be distinguished, and painting them would take longer than everything
 * else. */
static GArray *
list_ends (const LoomPaintContext *paint)
{
  guint n, n_curves = 0;
  const LoomPathLink *links = loom_draw_list_get_path_links (paint->list, &n);
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (Ends), n);
  for (guint i = 0; i < n; i++) {
    Ends ends;
    if (!find_ends (paint, &links[i], &ends))
      continue;
    n_curves += ends.is_curve;
    g_array_append_val (all, ends);
  }
  for (guint i = 0; n_curves > MOST_CURVES && i < all->len; i++)
    g_array_index (all, Ends, i).is_curve = FALSE;
  return all;
}

typedef void (*AddShape) (cairo_t *cr, const Ends *ends);

/* Replaces the path of `cr` by the shapes of all links, and sets the colour of `role` as the source of `cr`. */
static void
add_shapes (const LoomPaintContext *paint, const GArray *all, AddShape add, LoomColorRole role)
{
  cairo_new_path (paint->cr);
  loom_color_set_source (paint->cr, paint->theme->role[role]);
  for (guint i = 0; i < all->len; i++)
    add (paint->cr, &g_array_index (all, Ends, i));
}

/* Paints the links. Paints all outlines first, so that no outline covers another link. */
void
loom_paint_path_links (LoomPaintContext *paint)
{
  cairo_t *cr = paint->cr;
  g_autoptr (GArray) all = list_ends (paint);
  if (all->len == 0)
    return;
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  fill_all_boxes (paint, all, RIM_PX, LOOM_COLOR_ROLE_BACKGROUND);
  add_shapes (paint, all, add_curve, LOOM_COLOR_ROLE_BACKGROUND);
  cairo_set_line_width (cr, LINK_PX + 2 * RIM_PX);
  cairo_stroke_preserve (cr);
  loom_color_set_source (cr, paint->theme->role[LOOM_COLOR_ROLE_PATH]);
  cairo_set_line_width (cr, LINK_PX);
  cairo_stroke (cr);
  fill_all_boxes (paint, all, 0, LOOM_COLOR_ROLE_PATH);
  add_shapes (paint, all, add_head, LOOM_COLOR_ROLE_PATH);
  cairo_fill (cr);
}
