/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the spans are that the hover card must not cover. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Appends the place of the hit, then those of the spans at the other ends of its arrows and of the arrows of the selection, to
 * `places` (GdkRectangle, in coordinates of the track area). Spans outside the view are skipped. O(arrows · log n). */
void loom_hover_places_collect (LoomTimelineState *state, const LoomDrawHit *hit, GArray *places);
