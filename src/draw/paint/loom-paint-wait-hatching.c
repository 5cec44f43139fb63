/* SPDX-License-Identifier: Apache-2.0
 *
 * Hatches waiting, in spans and in the lanes of folded groups.
 *
 * A collective or message begins with a wait: the rank waits for the last member. Only this part of the span is
 * hatched, so that it differs from the transfer. In the lane of a rank, waits for data are hatched, too. Spans in which
 * a stream of a device waits for another stream or for the host are hatched completely: they are not work, and without
 * hatching they would be the most striking marks of the device.
 *
 * The lines of the hatching differ enough from letters that the name of the span remains readable.
 */
#include <math.h>

#include "loom-paint-private.h"
#include "loom-span-waits.h"

#define HATCH_PX 5.0
#define LEAST_PX 3.0 /* marks narrower than this are not hatched, because a hatching line would not fit */
/* in lanes, bars whose height is less than this are not hatched, because there is no room for oblique lines */
#define LEAST_BAR_PX 8.0
#define LEAST_RUN_PX 10.0 /* in lanes, waits that are shorter than this are not hatched, see hatch_lane() */
#define GAP_PX 1.0        /* gap below each level of nesting of a row; must equal GAP_PX in loom-paint-spans.c */

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

/* Returns TRUE if the bar shows that the training loop waits for data, FALSE if the rank waits for other ranks. */
static gboolean
is_data_wait (const LoomDrawItem *mark)
{
  return loom_theme_family_of_index (mark->color) == LOOM_WORK_FAMILY_DATA;
}

/* A sequence of adjacent columns of a lane that show the same kind of wait. */
typedef struct {
  /* range of the marks of this sequence; other bars of the same columns may be between these marks */
  guint32 first, end;
  double x0, x1;
} Run;

static gboolean
shows_wait (const LoomDrawItem *mark, gboolean for_data)
{
  return (mark->flags & LOOM_DRAW_ITEM_WAITING) != 0 && is_data_wait (mark) == for_data;
}

/* Finds the next sequence of marks that show waits, at or after the mark run->end, and stores it in `run`. `for_data`:
 * TRUE for waits for data, FALSE for waits for other ranks. Returns FALSE if there is no further sequence. */
static gboolean
find_run (const LoomDrawItem *marks, guint32 n, gboolean for_data, Run *run)
{
  guint32 i = run->end;
  while (i < n && !shows_wait (&marks[i], for_data))
    i++;
  if (i == n)
    return FALSE;
  *run = (Run) { i, i + 1, (double) marks[i].x0, (double) marks[i].x1 };
  for (i++; i < n && (double) marks[i].x0 <= run->x1; i++)
    if (shows_wait (&marks[i], for_data)) {
      run->end = i + 1;
      run->x1 = (double) marks[i].x1;
    }
  return TRUE;
}

/* Hatches the bars of a lane that show waits of a rank: waits for data if `for_data` is TRUE, waits for other ranks if
 * it is FALSE. The hatching has the colour of these bars. Short waits are not hatched, because many of them would draw
 * more attention than a single long wait. */
static void
hatch_lane (LoomPaintContext *paint, const LoomDepthRow *strip, const LoomDrawItem *marks, gboolean for_data)
{
  double full = strip->height - GAP_PX, bottom = strip->y + full, x0 = HUGE_VAL, x1 = 0;
  LoomColor color = 0;
  Run run = { 0 };
  while (find_run (marks, strip->n, for_data, &run))
    for (guint32 i = run.x1 - run.x0 < LEAST_RUN_PX ? run.end : run.first; i < run.end; i++) {
      double height = full * marks[i].fill / 255.0;
      if (!shows_wait (&marks[i], for_data) || height < LEAST_BAR_PX)
        continue;
      color = paint->soft[loom_paint_tone (paint, strip->first + i)][marks[i].color];
      cairo_rectangle (paint->cr, marks[i].x0, bottom - height - full * marks[i].base / 255.0,
                       marks[i].x1 - marks[i].x0, height);
      x0 = MIN (x0, run.x0);
      x1 = MAX (x1, run.x1);
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
  if (strip->group) {
    hatch_lane (paint, strip, marks, FALSE);
    hatch_lane (paint, strip, marks, TRUE);
    return;
  }
  for (guint32 i = 0; i < strip->n; i++)
    if ((marks[i].flags & (LOOM_DRAW_ITEM_DENSE | LOOM_DRAW_ITEM_INSTANT)) == 0 &&
        marks[i].x1 - marks[i].x0 >= LEAST_PX)
      paint_mark (paint, strip, &marks[i], loom_paint_tone (paint, strip->first + i));
}
