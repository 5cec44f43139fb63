/* SPDX-License-Identifier: Apache-2.0
 *
 * The button in the header of a rank of which only the index is shown: it reads the events of the visible range through the
 * action win.read-range. Main thread only.
 */
#pragma once

#include "loom-render-context.h"

/* Shows the button if the events of a visible rank could not be read (LoomRowNote.is_error), and sets it to read them
 * elsewhere for the first such rank; otherwise hides it. O(visible rows). */
void loom_range_button_update (GtkButton *button, LoomTimelineState *state);
/* Sets `place` to the position and size of the visible button in the header column, which is `width` px wide: at the
 * end of the header of the button's rank. The button does not cover the name if the header is wide enough for both. */
void loom_range_button_place (GtkButton *button, LoomTimelineState *state, LoomRenderContext *scene, int width,
                              GdkRectangle *place);
