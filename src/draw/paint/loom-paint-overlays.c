/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints what lies on top of spans and plots: the selection, the cursor, the marks of the user and of analyses, and the
 * arrows of the selected spans.
 */
#include <math.h>
#include <string.h>

#include "loom-paint-private.h"

#define ARROW_PX 5.0
#define CASING_PX 1.25 /* width of the outline on both sides of an arrow's line */
#define FLAG_PX 6.0
#define MIN_BEND_PX 12.0
#define MAX_BEND_PX 90.0

void
loom_paint_vertical (cairo_t *cr, double x, double y0, double y1, double width, double scale)
{
  double pixel = 1 / MAX (scale, 1), w = MAX (width, pixel);
  double left = floor ((x - w / 2) * scale + 0.5) / scale;
  cairo_rectangle (cr, left, y0, w, y1 - y0);
  cairo_fill (cr);
}

void
loom_paint_frame (cairo_t *cr, double x0, double y0, double x1, double y1, double width)
{
  cairo_rectangle (cr, x0 + width / 2, y0 + width / 2, x1 - x0 - width, y1 - y0 - width);
  cairo_set_line_width (cr, width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_stroke (cr);
}

gboolean
loom_paint_locate (const LoomPaintContext *paint, LoomSpanId span, double *x0, double *x1, double *y, double *height)
{
  guint row, strip;
  gint64 begin, end;
  gboolean itself = loom_row_list_find_span (paint->outline, span, &row, &strip);
  if (row == G_MAXUINT)
    return FALSE;
  loom_timeline_get_span (loom_row_list_get_timeline (paint->outline), span, &begin, &end);
  *x0 = loom_viewport_x (paint->viewport, begin);
  *x1 = loom_viewport_x (paint->viewport, end);
  *y = loom_row_list_row_top (paint->outline, row, paint->viewport->scroll_px) + LOOM_ROW_PADDING_PX;
  *height =
    itself ? LOOM_STRIP_PX - 1 : loom_row_list_get_row (paint->outline, row)->height - 2 * LOOM_ROW_PADDING_PX - 1;
  if (itself)
    *y += strip * LOOM_STRIP_PX;
  return itself;
}

/* --- flows ------------------------------------------------------------------------------------------------------ */

/* The style of arrows. `cased` is TRUE in themes of high contrast: arrows then have an outline. Without it, they would
 * be invisible on spans that are nearly as dark or as light as arrows. */
typedef struct {
  double width;
  LoomColor color, casing;
  gboolean cased;
} Pen;

static void
stroke (cairo_t *cr, const Pen *pen)
{
  if (pen->cased) {
    loom_color_set_source (cr, pen->casing);
    cairo_set_line_width (cr, pen->width + 2 * CASING_PX);
    cairo_stroke_preserve (cr);
  }
  loom_color_set_source (cr, pen->color);
  cairo_set_line_width (cr, pen->width);
  cairo_stroke (cr);
}

static void
paint_head (cairo_t *cr, const Pen *pen, double x, double y, double dx, double dy)
{
  double length = hypot (dx, dy);
  if (length <= 0)
    return;
  dx *= ARROW_PX / length, dy *= ARROW_PX / length;
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - dx - dy * 0.6, y - dy + dx * 0.6);
  cairo_line_to (cr, x - dx + dy * 0.6, y - dy - dx * 0.6);
  cairo_close_path (cr);
  if (pen->cased) {
    loom_color_set_source (cr, pen->casing);
    cairo_set_line_width (cr, 2 * CASING_PX);
    cairo_stroke_preserve (cr);
  }
  loom_color_set_source (cr, pen->color);
  cairo_fill (cr);
}

/* Paints an arrow from the end of a span to the start of the span that follows it in the flow. If the second span
 * starts before the first one ends, the arrow begins inside the first span, at the start time of the second one. The
 * arrow is horizontal at both ends. */
static void
paint_flow (LoomPaintContext *paint, const Pen *pen, const LoomFlowLine *flow)
{
  double ax0, ax1, ay, ah, bx0, bx1, by, bh;
  cairo_t *cr = paint->cr;
  const double far = 4 * paint->viewport->width_px + 4000;
  loom_paint_locate (paint, flow->from, &ax0, &ax1, &ay, &ah);
  loom_paint_locate (paint, flow->to, &bx0, &bx1, &by, &bh);
  double x0 = CLAMP (MIN (ax1, MAX (bx0, ax0)), -far, far), y0 = ay + ah / 2;
  double x1 = CLAMP (bx0, -far, far), y1 = by + bh / 2;
  double bend = CLAMP (fabs (x1 - x0) / 2, MIN_BEND_PX, MAX_BEND_PX);
  cairo_move_to (cr, x0, y0);
  cairo_curve_to (cr, x0 + bend, y0, x1 - bend, y1, x1 - ARROW_PX, y1);
  stroke (cr, pen);
  paint_head (cr, pen, x1, y1, 1, 0);
}

/* Paints the vertical arrow of a flow that happens at one instant. The arrow ends at the edge of the strip (level of
 * nesting) that contains the second span. */
static void
paint_instant_flow (LoomPaintContext *paint, const Pen *pen, const LoomFlowLine *flow)
{
  double ax0, ax1, ay, ah, bx0, bx1, by, bh;
  loom_paint_locate (paint, flow->from, &ax0, &ax1, &ay, &ah);
  loom_paint_locate (paint, flow->to, &bx0, &bx1, &by, &bh);
  double x = loom_viewport_x (paint->viewport, flow->at_ns), way = by > ay ? 1 : -1;
  if (x < -ARROW_PX || x > paint->viewport->width_px + ARROW_PX || by == ay)
    return;
  double y0 = ay + ah / 2, y1 = way > 0 ? by : by + bh;
  cairo_move_to (paint->cr, x, y0);
  cairo_line_to (paint->cr, x, y1 - way * ARROW_PX);
  stroke (paint->cr, pen);
  paint_head (paint->cr, pen, x, y1, 0, way);
}

static gboolean
can_locate (LoomPaintContext *paint, LoomSpanId span)
{
  guint row, strip;
  loom_row_list_find_span (paint->outline, span, &row, &strip);
  return row != G_MAXUINT;
}

static void
paint_flows (LoomPaintContext *paint, const LoomFlowLine *flows, guint n, const Pen *pen)
{
  for (guint i = 0; i < n; i++)
    if (can_locate (paint, flows[i].from) && can_locate (paint, flows[i].to))
      flows[i].at_once ? paint_instant_flow (paint, pen, &flows[i]) : paint_flow (paint, pen, &flows[i]);
}

void
loom_paint_flows (LoomPaintContext *paint)
{
  const LoomPaintOptions *options = paint->options;
  gboolean contrast = paint->theme->contrast;
  LoomColor color = paint->theme->role[LOOM_COLOR_ROLE_FLOW], casing = paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND];
  Pen all = { 1, loom_color_with_alpha (color, contrast ? 1 : 0.5), casing, contrast },
      own = { 1.5, color, casing, TRUE };
  paint_flows (paint, options->all_flows, options->n_all_flows, &all);
  paint_flows (paint, options->flows, options->n_flows, &own);
}

/* --- selection, cursor, marks ----------------------------------------------------------------------------------- */

void
loom_paint_selection (LoomPaintContext *paint, double height)
{
  const LoomPaintOptions *options = paint->options;
  double width = paint->viewport->width_px;
  if (options->selection.end_ns <= options->selection.begin_ns)
    return;
  double x0 = loom_viewport_x (paint->viewport, options->selection.begin_ns);
  double x1 = loom_viewport_x (paint->viewport, options->selection.end_ns);
  if (x1 < 0 || x0 > width)
    return;
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_SELECTION], MAX (x0, 0), 0,
                             MIN (x1, width) - MAX (x0, 0), height);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_ACCENT]);
  if (x0 >= 0)
    loom_paint_vertical (paint->cr, x0, 0, height, 1, options->device_scale);
  if (x1 <= width)
    loom_paint_vertical (paint->cr, x1, 0, height, 1, options->device_scale);
}

/* --- bands behind the data --------------------------------------------------------------------------------------- */

/* Maximum number of bands of one kind (ranges, or bottlenecks) that are painted through all rows. More bands would
 * cover the whole view, so all bands of this kind are then painted only at the upper edge of the track area. */
#define MAX_TINTS 400

/* Appends a band from x0 to x1 px. If the band touches the previous one and has the same colour, extends the previous
 * band instead. Ignores bands outside of the view. */
static void
add_tint (const LoomPaintContext *paint, GArray *tints, double x0, double x1, LoomColor color)
{
  LoomPaintTint *last = tints->len > 0 ? &g_array_index (tints, LoomPaintTint, tints->len - 1) : NULL;
  LoomPaintTint tint = { MAX (x0, 0), MIN (x1, paint->viewport->width_px), color };
  if (last != NULL && last->color == color && tint.x0 <= last->x1)
    last->x1 = MAX (last->x1, tint.x1);
  else if (tint.x1 > tint.x0)
    g_array_append_val (tints, tint);
}

/* Adds a band for each range to which the selected element of a panel refers. Each band is at least a pixel wide. */
static void
add_stretches (const LoomPaintContext *paint, GArray *tints, LoomColor color)
{
  const LoomPaintOptions *options = paint->options;
  for (guint i = 0; i < options->n_stretches; i++) {
    double x0 = floor (loom_viewport_x (paint->viewport, options->stretches[i].begin_ns));
    add_tint (paint, tints, x0, MAX (ceil (loom_viewport_x (paint->viewport, options->stretches[i].end_ns)), x0 + 1),
              color);
  }
}

static void
add_bottlenecks (const LoomPaintContext *paint, GArray *tints, double width, LoomColor color)
{
  const LoomPaintOptions *options = paint->options;
  for (guint i = 0; i < options->n_bottlenecks; i++) {
    double x = floor (loom_viewport_x (paint->viewport, options->bottlenecks_ns[i]));
    add_tint (paint, tints, x, x + width, color);
  }
}

GArray *
loom_paint_list_tints (const LoomPaintContext *paint)
{
  GArray *tints = g_array_new (FALSE, FALSE, sizeof (LoomPaintTint));
  const LoomColor *role = paint->theme->role;
  add_stretches (paint, tints, loom_color_with_alpha (role[LOOM_COLOR_ROLE_HIT], paint->theme->contrast ? 0.5 : 0.3));
  if (tints->len > MAX_TINTS)
    g_array_set_size (tints, 0);
  guint n = tints->len;
  add_bottlenecks (paint, tints, 1,
                   loom_color_with_alpha (role[LOOM_COLOR_ROLE_WARNING], paint->theme->contrast ? 0.8 : 0.35));
  if (tints->len - n > MAX_TINTS)
    g_array_set_size (tints, n);
  return tints;
}

static void
paint_at_top (LoomPaintContext *paint, const GArray *bands, double height)
{
  for (guint i = 0; i < bands->len; i++) {
    const LoomPaintTint *band = &g_array_index (bands, LoomPaintTint, i);
    loom_color_fill_rectangle (paint->cr, band->color, band->x0, 0, band->x1 - band->x0, height);
  }
}

void
loom_paint_stretches (LoomPaintContext *paint)
{
  g_autoptr (GArray) bands = g_array_new (FALSE, FALSE, sizeof (LoomPaintTint));
  add_stretches (paint, bands, paint->theme->role[LOOM_COLOR_ROLE_HIT]);
  paint_at_top (paint, bands, FLAG_PX / 2);
}

/* Paints a flag at the top for each bottleneck. The flag is wider than the line of the bottleneck, so that it differs
 * from a mark of the user in more than the colour. */
void
loom_paint_bottlenecks (LoomPaintContext *paint)
{
  g_autoptr (GArray) bands = g_array_new (FALSE, FALSE, sizeof (LoomPaintTint));
  add_bottlenecks (paint, bands, FLAG_PX, paint->theme->role[LOOM_COLOR_ROLE_WARNING]);
  paint_at_top (paint, bands, FLAG_PX / 2);
}

void
loom_paint_marks (LoomPaintContext *paint, double height)
{
  const LoomPaintOptions *options = paint->options;
  for (guint i = 0; i < options->n_marks; i++) {
    double x = loom_viewport_x (paint->viewport, options->marks[i].time_ns);
    if (x < 0 || x > paint->viewport->width_px)
      continue;
    LoomColor accent = paint->theme->role[LOOM_COLOR_ROLE_ACCENT];
    loom_color_set_source (paint->cr, options->marks[i].temporary ? loom_color_with_alpha (accent, 0.6) : accent);
    loom_paint_vertical (paint->cr, x, 0, height, 1, options->device_scale);
  }
  if (options->cursor_ns == LOOM_TIME_NONE)
    return;
  double x = loom_viewport_x (paint->viewport, options->cursor_ns);
  loom_color_set_source (paint->cr, loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_ACCENT], 0.75));
  if (x >= 0 && x <= paint->viewport->width_px)
    loom_paint_vertical (paint->cr, x, 0, height, 1, options->device_scale);
}

/* Paints the rectangle that the user drags to select, aligned to device pixels. Its line is wider in themes of high
 * contrast. */
void
loom_paint_box (LoomPaintContext *paint)
{
  const cairo_rectangle_t *box = paint->options->box;
  if (box == NULL)
    return;
  double x0 = floor (box->x), y0 = floor (box->y), width = paint->theme->contrast ? 2 : 1;
  double x1 = MAX (ceil (box->x + box->width), x0 + 2 * width), y1 = MAX (ceil (box->y + box->height), y0 + 2 * width);
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_SELECTION], x0, y0, x1 - x0, y1 - y0);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_ACCENT]);
  loom_paint_frame (paint->cr, x0, y0, x1, y1, width);
}
