/* SPDX-License-Identifier: Apache-2.0
 *
 * A rectangle that a pointer draws over the tracks. Where it began it stays with what lies there, an
 * instant and a row, so the view may move meanwhile; the other corner is the pointer's.
 */
#pragma once

#include "loom-visible-spans.h"

#include <cairo.h>

typedef struct {
  gint64 time_ns;
  gboolean pinned; /* began among the pinned rows */
  double row_y;    /* from the top of these, or of what scrolls */
  double x, y;     /* of the pointer, within the tracks */
} LoomRubberBand;

void loom_rubber_band_begin (LoomRubberBand *box, LoomTimelineState *state, double x, double y);
void loom_rubber_band_move (LoomRubberBand *box, LoomTimelineState *state, double x, double y);

/* As it stands now; it may reach beyond the tracks. */
cairo_rectangle_t loom_rubber_band_get_rectangle (const LoomRubberBand *box, LoomTimelineState *state);
/* What it covers: at least an instant, and a pixel of the rows. */
LoomVisibleBox loom_rubber_band_get_shown (const LoomRubberBand *box, LoomTimelineState *state);
