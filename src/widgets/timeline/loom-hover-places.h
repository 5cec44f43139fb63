/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the spans are that the hover card must not cover. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Appends rectangles (GdkRectangle, in coordinates of the track area) to `places`: first of the item that was hit,
 * then of the spans at the other ends of its arrows, and at the ends of the arrows of the selection. Skips spans
 * outside of the view. O(arrows · log n). */
void loom_hover_places_collect (LoomTimelineState *state, const LoomDrawHit *hit, GArray *places);
