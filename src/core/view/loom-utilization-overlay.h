/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws a utilization counter, such as that of the GPU, over the spans of its node, for all nodes at once.
 */
#pragma once

#include "loom-timeline-state.h"

/* If `overlays` is TRUE, draws a utilization counter of each node over the spans of the node; else removes all counters
 * that are drawn over spans. */
void loom_utilization_overlay_set (LoomTimelineState *state, gboolean overlays);
/* Returns TRUE if any visible counter is drawn over spans, including counters for which the user chose this in the menu
 * of their row. */
gboolean loom_utilization_overlay_are_on (LoomTimelineState *state);
