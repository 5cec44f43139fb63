/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-rubber-band.h: converts the corners of the rectangle between times, rows and pixels.
 */
#include "loom-rubber-band.h"

#include <math.h>

static double
pinned_height (LoomTimelineState *state)
{
  return loom_row_list_get_pinned_height (loom_timeline_state_get_row_list (state));
}

/* Returns the y at which the scrolled rows begin, relative to the top of the track area; negative if they are scrolled
 * up. */
static double
top_of_rows (LoomTimelineState *state)
{
  return pinned_height (state) - loom_timeline_state_get_viewport (state)->scroll_px;
}

void
loom_rubber_band_begin (LoomRubberBand *box, LoomTimelineState *state, double x, double y)
{
  gboolean pinned = y < pinned_height (state);
  gint64 time_ns = loom_viewport_time (loom_timeline_state_get_viewport (state), x);
  *box = (LoomRubberBand) { time_ns, pinned, pinned ? y : y - top_of_rows (state), x, y };
}

void
loom_rubber_band_move (LoomRubberBand *box, LoomTimelineState *state, double x, double y)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  box->x = CLAMP (x, 0, view->width_px);
  box->y = CLAMP (y, 0, view->height_px);
}

cairo_rectangle_t
loom_rubber_band_get_rectangle (const LoomRubberBand *box, LoomTimelineState *state)
{
  double x = loom_viewport_x (loom_timeline_state_get_viewport (state), box->time_ns);
  double y = box->pinned ? box->row_y : box->row_y + top_of_rows (state);
  return (cairo_rectangle_t) { MIN (x, box->x), MIN (y, box->y), fabs (x - box->x), fabs (y - box->y) };
}

/* Returns the times and rows that the box covers. If one corner is in a pinned row and the other in a scrolled row, the
 * box contains only those scrolled rows that are visible below the pinned rows. */
LoomVisibleBox
loom_rubber_band_get_shown (const LoomRubberBand *box, LoomTimelineState *state)
{
  gint64 time_ns = loom_viewport_time (loom_timeline_state_get_viewport (state), box->x);
  double split = pinned_height (state), top = top_of_rows (state);
  gboolean to_pinned = box->y < split;
  LoomVisibleBox shown = { .range = { MIN (time_ns, box->time_ns), MAX (time_ns, box->time_ns) + 1 } };
  if (box->pinned || to_pinned) {
    double from = box->pinned ? box->row_y : split, to = MIN (box->y, split);
    shown.pinned_y0 = MIN (from, to), shown.pinned_y1 = MAX (MAX (from, to), shown.pinned_y0 + 1);
  }
  if (!box->pinned || !to_pinned) {
    double from = box->pinned ? split - top : box->row_y, to = MAX (box->y, split) - top;
    shown.y0 = MIN (from, to), shown.y1 = MAX (MAX (from, to), shown.y0 + 1);
  }
  return shown;
}
