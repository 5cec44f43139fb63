/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans that the hover card must not cover. The hover card (loom-hover-card.h) describes the span under the
 * pointer. The functions must be called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Appends rectangles (GdkRectangle, in coordinates of the track area) to `places`: first the rectangle of the item
 * under the pointer, then those of the spans at both ends of the selection's arrows, then those of the spans that
 * arrows connect with the hovered span. Skips spans outside of the view. O(arrows · log n). */
void loom_hover_places_collect (LoomTimelineState *state, const LoomDrawHit *hit, GArray *places);
