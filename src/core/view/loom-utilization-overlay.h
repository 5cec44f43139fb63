/* SPDX-License-Identifier: Apache-2.0
 *
 * Utilization over the spans it was made by: for all nodes at once.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* Draws each node's utilization over its spans; or no counter over any. */
void loom_utilization_overlay_set (LoomTimelineState *state, gboolean overlays);
/* Whether a counter that shows is drawn over spans; another way to turn that on is the menu of a row. */
gboolean loom_utilization_overlay_are_on (LoomTimelineState *state);

G_END_DECLS
