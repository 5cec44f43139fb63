/* SPDX-License-Identifier: Apache-2.0
 *
 * A small window that names the colours of kinds of work.
 */
#pragma once

#include "loom-render-context.h"

/* Shows the legend in the colours of `scene`, to which it takes a reference. */
void loom_color_legend_present (GtkWindow *parent, LoomRenderContext *scene);
