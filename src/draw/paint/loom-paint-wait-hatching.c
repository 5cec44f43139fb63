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

#define LEAST_PX 3.0 /* marks narrower than this are not hatched, because a hatching line would not fit */
/* in lanes, bars whose height is less than this are not hatched, because there is no room for oblique lines */
#define LEAST_BAR_PX 8.0
#define LEAST_RUN_PX 4.0 /* in lanes, waits that are narrower than this are not hatched; a column is 2 px wide */
#define GAP_PX 1.0       /* gap below each level of nesting of a row; must equal GAP_PX in loom-paint-spans.c */

/* The hatching of the boxes of a strip that have the same colour. `hatching` is NULL before the first box. */
typedef struct {
  LoomPaintContext *paint;
  const LoomDepthRow *strip;
  LoomBoxCanvasHatching *hatching;
  LoomColor color;
} Brush;

static void
end (Brush *brush)
{
  g_clear_pointer (&brush->hatching, loom_box_canvas_hatching_end);
}

static void
hatch (Brush *brush, double x0, double y0, double x1, double y1, LoomColor color)
{
  if (brush->hatching != NULL && brush->color != color)
    end (brush);
  if (brush->hatching == NULL)
    brush->hatching =
      loom_box_canvas_hatching_begin (&brush->paint->canvas, brush->strip->y + brush->strip->height - GAP_PX, color);
  brush->color = color;
  loom_box_canvas_hatching_box (brush->hatching, x0, y0, x1, y1);
}

static LoomColor
color_of_lines (const LoomTheme *theme, const LoomDrawItem *mark, LoomPaintTone tone)
{
  gboolean light = theme->span_text[mark->color] == theme->role[LOOM_COLOR_ROLE_SPAN_TEXT_DARK];
  LoomColor lines = theme->role[light ? LOOM_COLOR_ROLE_SPAN_TEXT_LIGHT : LOOM_COLOR_ROLE_SPAN_TEXT_DARK];
  return loom_color_with_alpha (lines, (theme->contrast ? 0.85 : 0.6) * (tone == LOOM_PAINT_TONE_FULL ? 1 : 0.5));
}

static void
paint_mark (Brush *brush, const LoomDrawItem *mark, LoomPaintTone tone)
{
  LoomPaintContext *paint = brush->paint;
  double y0 = brush->strip->y, y1 = y0 + brush->strip->height - GAP_PX;
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) != 0) {
    LoomColor lines =
      loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_NEUTRAL], tone == LOOM_PAINT_TONE_FULL ? 0.5 : 0.25);
    hatch (brush, MAX (mark->x0, 0), y0, MIN (mark->x1, paint->viewport->width_px), y1, lines);
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
  hatch (brush, x0, y0, x1, y1, color_of_lines (paint->theme, mark, tone));
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
 * it is FALSE. The hatching has the colour of these bars. */
static void
hatch_lane (Brush *brush, const LoomDrawItem *marks, gboolean for_data)
{
  const LoomPaintContext *paint = brush->paint;
  const LoomDepthRow *strip = brush->strip;
  double full = strip->height - GAP_PX, bottom = strip->y + full;
  Run run = { 0 };
  while (find_run (marks, strip->n, for_data, &run))
    for (guint32 i = run.x1 - run.x0 < LEAST_RUN_PX ? run.end : run.first; i < run.end; i++) {
      double height = full * marks[i].fill / 255.0, y1 = bottom - full * marks[i].base / 255.0;
      if (shows_wait (&marks[i], for_data) && height >= LEAST_BAR_PX)
        hatch (brush, marks[i].x0, y1 - height, marks[i].x1, y1,
               paint->soft[loom_paint_tone (paint, strip->first + i)][marks[i].color]);
    }
}

static void
hatch_spans (Brush *brush, const LoomDrawItem *marks)
{
  const LoomDepthRow *strip = brush->strip;
  for (guint32 i = 0; i < strip->n; i++)
    if ((marks[i].flags & (LOOM_DRAW_ITEM_DENSE | LOOM_DRAW_ITEM_INSTANT)) == 0 &&
        marks[i].x1 - marks[i].x0 >= LEAST_PX)
      paint_mark (brush, &marks[i], loom_paint_tone (brush->paint, strip->first + i));
}

void
loom_paint_waiting (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  Brush brush = { .paint = paint, .strip = strip };
  if (strip->group) {
    hatch_lane (&brush, marks, FALSE);
    hatch_lane (&brush, marks, TRUE);
  } else
    hatch_spans (&brush, marks);
  end (&brush);
}
