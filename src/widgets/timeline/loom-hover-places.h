/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the spans are that the hover card must not cover. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Appends rectangles (GdkRectangle, in coordinates of the track area) to `places`: first that of the hit item, then
 * those of the spans at both ends of the selection's arrows, and of the spans at the other ends of the hit span's
 * arrows. Skips spans outside the view. O(arrows · log n). */
void loom_hover_places_collect (LoomTimelineState *state, const LoomDrawHit *hit, GArray *places);
