/* SPDX-License-Identifier: Apache-2.0
 *
 * The color legend: a small window that shows the color of the spans of each kind of work.
 */
#pragma once

#include "loom-render-context.h"

/* Shows the legend in the colours of `scene`, to which it takes a reference. */
void loom_color_legend_present (GtkWindow *parent, LoomRenderContext *scene);
