/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapping: the user need not point exactly. If the pointer is near an end of the selected range, a drag moves this
 * end. If it is near the start or end of a span, the time of this start or end is used as the time at the pointer.
 * Private to src/widgets.
 */
#pragma once

#include "loom-render-context.h"

/* Returns which end of the selected range is near x: −1: the start, 1: the end, 0: neither. */
int loom_snap_edge_at (LoomTimelineState *state, double x);

/* Returns the time at x. If `snap` is TRUE, and a span near (x, y) has its start or end near x, returns the time of
 * this start or end instead. */
gint64 loom_snap_time (LoomRenderContext *scene, double x, double y, gboolean snap);
