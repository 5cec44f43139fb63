/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the notes of rows (LoomRowNote) over the left part of the row's lane. A note is a message about the events of
 * a rank, for example that they could not be read.
 */
#include <math.h>

#include "loom-paint-private.h"

#define LEFT_PX 6.0
#define INNER_PX 6.0 /* padding around the text */
#define HEIGHT_PX 16.0

static void
paint_note (LoomPaintContext *paint, const LoomTimelineRow *row, double top)
{
  LoomTextCache *text = paint->options->text;
  double room = paint->viewport->width_px - 2 * (LEFT_PX + INNER_PX),
         width = MIN (loom_text_cache_width (text, LOOM_TEXT_SMALL, row->note.text), room),
         y = floor (top + (MIN (row->height, LOOM_GROUP_PX) - HEIGHT_PX) / 2);
  if (room < loom_text_cache_minimum (text, LOOM_TEXT_SMALL))
    return;
  loom_color_fill_rectangle (paint->cr, loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_HEADER], 0.94),
                             LEFT_PX, y, width + 2 * INNER_PX, HEIGHT_PX);
  loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SMALL, row->note.text, LEFT_PX + INNER_PX, y + HEIGHT_PX / 2, room,
                         paint->theme->role[row->note.is_error ? LOOM_COLOR_ROLE_TEXT : LOOM_COLOR_ROLE_TEXT_DIM]);
}

static void
paint_row (LoomPaintContext *paint, guint number, double least_y)
{
  const LoomTimelineRow *row = loom_row_list_get_row (paint->outline, number);
  double top = loom_row_list_row_top (paint->outline, number, paint->viewport->scroll_px);
  if (row->note.text != NULL && top >= least_y && top < paint->viewport->height_px)
    paint_note (paint, row, top);
}

void
loom_paint_notes (LoomPaintContext *paint)
{
  const LoomViewport *view = paint->viewport;
  double pinned_px = loom_row_list_get_pinned_height (paint->outline),
         cover_px = loom_row_list_get_cover (paint->outline, view->scroll_px);
  guint n = loom_row_list_get_n_rows (paint->outline), n_pinned = loom_row_list_get_n_pinned (paint->outline),
        sticky = loom_row_list_get_sticky (paint->outline, view->scroll_px);
  for (guint i = 0; i < n_pinned; i++)
    paint_row (paint, i, 0);
  if (sticky != G_MAXUINT)
    paint_row (paint, sticky, pinned_px);
  for (guint i = loom_row_list_first_below (paint->outline, view->scroll_px + cover_px - pinned_px); i < n; i++) {
    if (loom_row_list_row_top (paint->outline, i, view->scroll_px) >= view->height_px)
      break;
    if (i != sticky)
      paint_row (paint, i, cover_px);
  }
}
