/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapping: finds an end of the selected range near the pointer, so that a drag moves it, and the edge of a span near
 * the pointer, so that a time can be set exactly to it. Private to src/widgets.
 */
#pragma once

#include "loom-render-context.h"

/* Returns which end of the selected range is near x: −1: the start, 1: the end, 0: none. */
int loom_snap_edge_at (LoomTimelineState *state, double x);

/* Returns the time at x. If `snap` is TRUE and a span near (x, y) starts or ends near x, returns the time of that start
 * or end. */
gint64 loom_snap_time (LoomRenderContext *scene, double x, double y, gboolean snap);
