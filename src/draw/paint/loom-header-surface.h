/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the painters: paints what is behind the name of a row in the header column.
 */
#pragma once

#include "loom-paint-private.h"

/* Paints the background of a header and the line below it. A row to which a finding (a result of a rule) refers gets a
 * bar at its left edge. `number`: index of the row in the row list; `top`: y of its upper edge. */
void loom_header_surface_paint (LoomPaintContext *paint, const LoomTimelineRow *row, guint number, double top,
                                double width);
