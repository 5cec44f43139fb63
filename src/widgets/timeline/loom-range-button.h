/* SPDX-License-Identifier: Apache-2.0
 *
 * The button in the header of a rank of which only the index is shown: it reads the events of the visible range through the
 * action win.read-range. Main thread only.
 */
#pragma once

#include "loom-render-context.h"

/* Shows the button if the visible range of a rank can be read, else hides it. O(visible rows). */
void loom_range_button_update (GtkButton *button, LoomTimelineState *state);
/* Sets `place` to the position of the visible button in headers of this width (px): at the end of the header of its
 * rank. It does not cover the name if the header is wide enough for both. */
void loom_range_button_place (GtkButton *button, LoomTimelineState *state, LoomRenderContext *scene, int width,
                              GdkRectangle *place);
