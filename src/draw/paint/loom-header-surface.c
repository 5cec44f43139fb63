/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-header-surface.h"

#define MARKED_PX 3.0 /* width of the bar at the left edge of the header of a row to which a finding refers */

static gboolean
is_marked (const LoomPaintOptions *options, guint number)
{
  for (guint i = 0; i < options->n_marked_rows; i++)
    if (options->marked_rows[i] == number)
      return TRUE;
  return FALSE;
}

void
loom_header_surface_paint (LoomPaintContext *paint, const LoomTimelineRow *row, guint number, double top, double width)
{
  LoomColorRole role = row->kind == LOOM_ROW_GROUP ? LOOM_COLOR_ROLE_HEADER_GROUP : LOOM_COLOR_ROLE_HEADER;
  if (number == paint->options->hover_row)
    role = LOOM_COLOR_ROLE_HEADER_HOVER;
  double pixel = 1 / MAX (paint->options->device_scale, 1);
  loom_color_fill_rectangle (paint->cr, paint->theme->role[role], 0, top, width, row->height);
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_SEPARATOR], 0, top + row->height - pixel,
                             width, pixel);
  if (!is_marked (paint->options, number))
    return;
  loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_ACCENT], 0, top, MARKED_PX,
                             row->height - pixel);
}
