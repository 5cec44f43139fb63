/* SPDX-License-Identifier: Apache-2.0
 *
 * Hatches waiting, in spans and in the lanes of folded groups. In a collective or message, this is the first part, in
 * which the rank waits for the last member; the hatching distinguishes it from the transfer. Spans in which a stream of
 * a device waits for another stream or for the host are hatched completely: they are not work, and without hatching
 * they would be the most striking marks of the device. The lines of the hatching differ enough from letters that the
 * name of the span remains readable.
 */
#include <math.h>

#include "loom-paint-private.h"
#include "loom-span-waits.h"

#define HATCH_PX 5.0
#define LEAST_PX 3.0 /* marks narrower than this are not hatched, because a hatching line would not fit */
/* bars of lanes that are less high than this are not hatched, because there is no room for oblique lines */
#define LEAST_BAR_PX 8.0
#define GAP_PX 1.0 /* gap between the bottom of a strip and the next strip; must equal GAP_PX in loom-paint-spans.c */

/* Hatches the part of the current path that is between x0 and x1, y0 and y1. */
static void
hatch_path (cairo_t *cr, double x0, double x1, double y0, double y1)
{
  double height = y1 - y0;
  cairo_save (cr);
  cairo_clip (cr);
  /* The pattern is aligned to multiples of HATCH_PX, so that it continues in neighbouring marks. */
  for (double x = (double) ((gint64) ((x0 - height) / HATCH_PX)) * HATCH_PX; x < x1; x += HATCH_PX) {
    cairo_move_to (cr, x, y1);
    cairo_line_to (cr, x + height, y0);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
hatch (cairo_t *cr, double x0, double x1, double y0, double y1)
{
  cairo_rectangle (cr, x0, y0, x1 - x0, y1 - y0);
  hatch_path (cr, x0, x1, y0, y1);
}

static LoomColor
color_of_lines (const LoomTheme *theme, const LoomDrawItem *mark, LoomPaintTone tone)
{
  gboolean light = theme->span_text[mark->color] == theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_DARK];
  LoomColor lines = theme->role[light ? LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT : LOOM_COLOR_ROLE_SPAN_TEXT_DARK];
  return loom_color_with_alpha (lines, (theme->contrast ? 0.85 : 0.6) * (tone == LOOM_PAINT_TONE_FULL ? 1 : 0.5));
}

static void
paint_mark (LoomPaintContext *paint, const LoomDepthRow *strip, const LoomDrawItem *mark, LoomPaintTone tone)
{
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) != 0) {
    LoomColor lines =
      loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_NEUTRAL], tone == LOOM_PAINT_TONE_FULL ? 0.5 : 0.25);
    loom_color_set_source (paint->cr, lines);
    hatch (paint->cr, MAX (mark->x0, 0), MIN (mark->x1, paint->viewport->width_px), strip->y,
           strip->y + strip->height - GAP_PX);
    return;
  }
  if (paint->options->collectives == NULL)
    return;
  gint64 until_ns;
  if (!loom_span_waits_find (paint->options->collectives, mark->span, &until_ns) || until_ns == G_MININT64)
    return;
  double x0 = MAX (mark->x0, 0),
         x1 = MIN (loom_viewport_x (paint->viewport, until_ns), MIN (mark->x1, paint->viewport->width_px));
  if (x1 - x0 < 1)
    return;
  double y0 = strip->y, y1 = strip->y + strip->height - GAP_PX;
  loom_color_set_source (paint->cr, color_of_lines (paint->theme, mark, tone));
  hatch (paint->cr, x0, x1, y0, y1);
}

/* Hatches those bars of a lane that show for how long ranks wait. The hatching has the colour of the bars that show
 * transfers. */
static void
hatch_lane (LoomPaintContext *paint, const LoomDepthRow *strip, const LoomDrawItem *marks)
{
  double full = strip->height - GAP_PX, bottom = strip->y + full, x0 = HUGE_VAL, x1 = 0;
  LoomColor color = 0;
  for (guint32 i = 0; i < strip->n; i++) {
    double height = full * marks[i].fill / 255.0;
    if ((marks[i].flags & LOOM_DRAW_ITEM_WAITING) == 0 || height < LEAST_BAR_PX)
      continue;
    color = paint->soft[loom_paint_tone (paint, strip->first + i)][marks[i].color];
    cairo_rectangle (paint->cr, marks[i].x0, bottom - height - full * marks[i].base / 255.0, marks[i].x1 - marks[i].x0,
                     height);
    x0 = MIN (x0, marks[i].x0);
    x1 = MAX (x1, marks[i].x1);
  }
  if (x1 <= x0)
    return;
  loom_color_set_source (paint->cr, color);
  hatch_path (paint->cr, x0, x1, strip->y, bottom);
}

void
loom_paint_waiting (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  cairo_set_line_width (paint->cr, 1.5);
  if (strip->group && paint->options->collectives == NULL)
    return;
  if (strip->group) {
    hatch_lane (paint, strip, marks);
    return;
  }
  for (guint32 i = 0; i < strip->n; i++)
    if ((marks[i].flags & (LOOM_DRAW_ITEM_DENSE | LOOM_DRAW_ITEM_INSTANT)) == 0 &&
        marks[i].x1 - marks[i].x0 >= LEAST_PX)
      paint_mark (paint, strip, &marks[i], loom_paint_tone (paint, strip->first + i));
}
