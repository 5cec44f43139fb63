/* SPDX-License-Identifier: Apache-2.0
 *
 * The rectangle that the user drags over the tracks. Its first corner is stored as a time and a position in the rows,
 * so this corner moves together with the rows if the view moves during the drag; the opposite corner follows the
 * pointer.
 */
#pragma once

#include "loom-visible-spans.h"

#include <cairo.h>

typedef struct {
  gint64 time_ns;
  gboolean pinned; /* TRUE if the first corner is in a pinned row */
  /* y of the first corner in px, from the top of the pinned rows if `pinned`, else from the top of the scrolled rows */
  double row_y;
  /* position of the pointer in px, from the upper left corner of the track area, and limited to this area */
  double x, y;
} LoomRubberBand;

void loom_rubber_band_begin (LoomRubberBand *box, LoomTimelineState *state, double x, double y);
void loom_rubber_band_move (LoomRubberBand *box, LoomTimelineState *state, double x, double y);

/* Returns the rectangle between the first corner and the pointer, in px of the track area. It may extend beyond the
 * area. */
cairo_rectangle_t loom_rubber_band_get_rectangle (const LoomRubberBand *box, LoomTimelineState *state);
/* Returns the box of times and rows that the rectangle covers. The box is at least 1 ns long and 1 px high. */
LoomVisibleBox loom_rubber_band_get_shown (const LoomRubberBand *box, LoomTimelineState *state);
