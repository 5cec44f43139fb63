/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws utilization over the spans that caused it, for all nodes at once.
 */
#pragma once

#include "loom-timeline-state.h"

/* Draws a utilization counter of each node over its spans; FALSE: removes all counters drawn over spans. */
void loom_utilization_overlay_set (LoomTimelineState *state, gboolean overlays);
/* Returns TRUE if a visible counter is drawn over spans, which can also be enabled in the menu of its row. */
gboolean loom_utilization_overlay_are_on (LoomTimelineState *state);
