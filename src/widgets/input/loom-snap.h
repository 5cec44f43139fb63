/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: edges that attract a pointer over the tracks.
 */
#pragma once

#include "loom-render-context.h"

/* Which end of the selected range is at x: −1 the beginning, 1 the end, 0 none. */
int loom_snap_edge_at (LoomTimelineState *state, double x);

/* The instant at x, or, with `snap`, the edge of the span there when it is near. */
gint64 loom_snap_time (LoomRenderContext *scene, double x, double y, gboolean snap);
