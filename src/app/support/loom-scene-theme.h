/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours of a scene as the desktop wants them.
 */
#pragma once

#include "loom-render-context.h"

/* Takes the scene's colors from the current style of `widget`. Main thread. */
void loom_scene_theme_update (LoomRenderContext *scene, GtkWidget *widget);
