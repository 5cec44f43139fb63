/* SPDX-License-Identifier: Apache-2.0
 *
 * A button in the header of a rank that was loaded from an index (a small file that is opened in place of a trace and
 * has no single events). It is shown if the trace of the rank is not on this machine. Activating the button opens a
 * dialog for a command that reads the events in the visible range on the machine with the trace (action
 * win.read-elsewhere). The functions must be called on the main thread.
 */
#pragma once

#include "loom-render-context.h"

/* If the events of a visible rank could not be read (LoomRowNote.is_error), shows the button and assigns it to the
 * first such rank; otherwise hides the button. O(visible rows). */
void loom_range_button_update (GtkButton *button, LoomTimelineState *state);
/* Sets `place` to the position and size of the visible button in the header column, which is `width` px wide: at the
 * end of the header of the button's rank. If the header is wide enough, the button does not cover the name of the
 * rank. */
void loom_range_button_place (GtkButton *button, LoomTimelineState *state, LoomRenderContext *scene, int width,
                              GdkRectangle *place);
