/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the colors of the charts and of the timeline to suit the style of the desktop, such as light or dark.
 */
#pragma once

#include "loom-render-context.h"

/* Takes the scene's colors from the current style of `widget`. Called on the main thread. */
void loom_scene_theme_update (LoomRenderContext *scene, GtkWidget *widget);
