/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the colors of the charts and the timeline to the style of the desktop.
 */
#pragma once

#include "loom-render-context.h"

/* Takes the scene's colors from the current style of `widget`. Called on the main thread. */
void loom_scene_theme_update (LoomRenderContext *scene, GtkWidget *widget);
