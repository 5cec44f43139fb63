/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: a rectangle that a pointer draws over the tracks. Where it began it stays with what lies there, an
 * instant and a row, so the view may move meanwhile; the other corner is the pointer's.
 */
#pragma once

#include "loom-shown-spans.h"

#include <cairo.h>

G_BEGIN_DECLS

typedef struct {
  gint64 time_ns;
  gboolean pinned; /* began among the pinned rows */
  double row_y;    /* from the top of these, or of what scrolls */
  double x, y;     /* of the pointer, within the tracks */
} LoomDragBox;

void loom_drag_box_begin (LoomDragBox *box, LoomViewState *state, double x, double y);
void loom_drag_box_move (LoomDragBox *box, LoomViewState *state, double x, double y);

/* As it stands now; it may reach beyond the tracks. */
cairo_rectangle_t loom_drag_box_get_rectangle (const LoomDragBox *box, LoomViewState *state);
/* What it covers: at least an instant, and a pixel of the rows. */
LoomShownBox loom_drag_box_get_shown (const LoomDragBox *box, LoomViewState *state);

G_END_DECLS
