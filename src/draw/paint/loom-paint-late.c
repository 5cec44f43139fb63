/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints which ranks are late (LoomRowLateness): words and a bar in the header of the rank, and bars at the lower edge
 * of its lane where it is late. The words and bars have the colour of warnings, which the overview uses for these
 * times, too.
 */
#include <math.h>

#include "loom-paint-private.h"

#define BAR_PX 3.0        /* height of the bars, which begin at the lower edge of the lane */
#define GAP_PX 1.0        /* space below a lane; must equal GAP_PX in loom-paint-spans.c */
#define EDGE_PX 3.0       /* width of the bar at the edge of the header */
#define LEAST_BAR_PX 3.0  /* minimum width of a bar */
#define LINE_PX 15.0      /* distance from the middle of the name to the middle of the words below it */
#define TWO_LINES_PX 38.0 /* minimum height of a header with room for a second line */
#define SIGN_PX 9.0       /* width and height of the triangle before the text */
#define SIGN_GAP_PX 5.0   /* distance from the triangle to the text */

/* Paints a triangle, so that a late rank differs from others in more than the colour. */
static void
paint_sign (LoomPaintContext *paint, double x, double middle)
{
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_WARNING]);
  cairo_move_to (paint->cr, x, middle + SIGN_PX / 2);
  cairo_line_to (paint->cr, x + SIGN_PX / 2, middle - SIGN_PX / 2);
  cairo_line_to (paint->cr, x + SIGN_PX, middle + SIGN_PX / 2);
  cairo_close_path (paint->cr);
  cairo_fill (paint->cr);
}

/* Paints the triangle, and after it the label. If there is no room for the label, paints the triangle and the short
 * label. If there is no room for any text, paints only the triangle. */
static void
paint_words (LoomPaintContext *paint, const LoomRowLateness *late, double x, double middle, double room)
{
  LoomTextCache *text = paint->options->text;
  double left = room - SIGN_PX - SIGN_GAP_PX;
  gboolean fits = late->short_label == NULL || loom_text_cache_width (text, LOOM_TEXT_SMALL, late->label) <= left;
  const char *words = fits ? late->label : late->short_label;
  paint_sign (paint, x, middle);
  if (left >= loom_text_cache_minimum (text, LOOM_TEXT_SMALL))
    loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, words, x + SIGN_PX + SIGN_GAP_PX, middle, left,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT]);
}

/* Returns the width of the name of the rank with the gap after it. The whole name is painted; the words beside it get
 * the remaining room. */
static double
measure_name (LoomPaintContext *paint, const LoomTimelineRow *row)
{
  LoomTextStyle style = row->kind == LOOM_ROW_GROUP ? LOOM_TEXT_HEADER_BOLD : LOOM_TEXT_HEADER;
  const char *name = row->pinned ? row->detail : row->short_label != NULL ? row->short_label : row->label;
  return ceil (loom_text_cache_width (paint->options->text, style, name)) + SIGN_GAP_PX;
}

double
loom_paint_late_header (LoomPaintContext *paint, const LoomTimelineRow *row, double top, double x, double middle,
                        double right)
{
  if (row->late == NULL)
    return right;
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_WARNING], 0, top, EDGE_PX, row->height - 1);
  if (row->height >= TWO_LINES_PX) {
    paint_words (paint, row->late, x, middle + LINE_PX, right - x);
    return right;
  }
  double width =
    SIGN_PX + SIGN_GAP_PX + loom_text_cache_width (paint->options->text, LOOM_TEXT_SMALL, row->late->label);
  double left = MAX (right - width, x + measure_name (paint, row) + SIGN_GAP_PX);
  paint_words (paint, row->late, MIN (left, right - SIGN_PX), middle, right - left);
  return MIN (left, right - SIGN_PX) - SIGN_GAP_PX;
}

double
loom_paint_late_shift (const LoomTimelineRow *row)
{
  return row->late != NULL && row->height >= TWO_LINES_PX ? floor (LINE_PX / 2) : 0;
}

gboolean
loom_paint_late_is_line (const LoomTimelineRow *row, double middle, double y)
{
  double line = middle - loom_paint_late_shift (row) + LINE_PX;
  return row->late != NULL && row->height >= TWO_LINES_PX && fabs (y - line) <= LINE_PX / 2;
}

static void
paint_row (LoomPaintContext *paint, const LoomTimelineRow *row, double bottom)
{
  double width = paint->viewport->width_px;
  for (guint i = 0; i < row->late->n_ranges; i++) {
    double x0 = floor (loom_viewport_x (paint->viewport, row->late->ranges[i].begin_ns)),
           x1 = MAX (ceil (loom_viewport_x (paint->viewport, row->late->ranges[i].end_ns)), x0 + LEAST_BAR_PX);
    if (x1 > 0 && x0 < width)
      cairo_rectangle (paint->cr, MAX (x0, 0), bottom - BAR_PX, MIN (x1, width) - MAX (x0, 0), BAR_PX);
  }
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_WARNING]);
  cairo_fill (paint->cr);
}

void
loom_paint_late (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  const LoomTimelineRow *row = loom_row_list_get_row (paint->outline, strip->row);
  if (strip->group && row->late != NULL)
    paint_row (paint, row, strip->y + strip->height - GAP_PX + BAR_PX);
}
