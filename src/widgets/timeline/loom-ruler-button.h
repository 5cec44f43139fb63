/* SPDX-License-Identifier: Apache-2.0
 *
 * The button in the corner of the timeline that names the unit of the ruler, such as time since the start. Its menu
 * changes the unit with the action win.ruler. The functions must be called on the main thread.
 */
#pragma once

#include "loom-render-context.h"

#define LOOM_TYPE_RULER_BUTTON (loom_ruler_button_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulerButton, loom_ruler_button, LOOM, RULER_BUTTON, GtkWidget)

/* Sets the scene, and takes a reference to it. Must be called once, directly after construction. */
void loom_ruler_button_set_scene (LoomRulerButton *self, LoomRenderContext *scene);
