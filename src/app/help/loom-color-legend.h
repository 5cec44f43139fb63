/* SPDX-License-Identifier: Apache-2.0
 *
 * The color legend: a small window that shows, for each kind of work, the color of its spans. Main thread only.
 */
#pragma once

#include "loom-render-context.h"

/* Shows the legend in the colors of `scene`. Takes a reference to `scene`. */
void loom_color_legend_present (GtkWindow *parent, LoomRenderContext *scene);
