/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapping: finds what is near the pointer, so that the user need not point exactly. It finds the end of the selected
 * range that a drag moves, and the start or end of a span whose exact time is taken as the time at the pointer. Private
 * to src/widgets.
 */
#pragma once

#include "loom-render-context.h"

/* Returns which end of the selected range is near x: −1 for the start, 1 for the end, 0 if neither is near. */
int loom_snap_edge_at (LoomTimelineState *state, double x);

/* Returns the time at x. If `snap` is TRUE and a span near (x, y) starts or ends near x, returns the time of that start
 * or end. */
gint64 loom_snap_time (LoomRenderContext *scene, double x, double y, gboolean snap);
