/* SPDX-License-Identifier: Apache-2.0
 *
 * The button in the header of a rank of which only the index is shown: it reads the events of the visible range through the
 * action win.read-range. Main thread only.
 */
#pragma once

#include "loom-render-context.h"

/* Shows or hides the button according to what is visible now. O(visible rows). */
void loom_range_button_update (GtkButton *button, LoomTimelineState *state);
/* Sets the place of the visible button in headers of this width (px): the end of the header of its rank, without covering the name
 * as far as the width suffices for both. */
void loom_range_button_place (GtkButton *button, LoomTimelineState *state, LoomRenderContext *scene, int width,
                              GdkRectangle *place);
