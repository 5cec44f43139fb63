/* SPDX-License-Identifier: Apache-2.0
 *
 * Adapts the colors of the charts and the timeline to the style of the desktop, such as light or dark.
 */
#pragma once

#include "loom-render-context.h"

/* Sets the colors of `scene` to those of the current style of `widget`. Called on the main thread. */
void loom_scene_theme_update (LoomRenderContext *scene, GtkWidget *widget);
