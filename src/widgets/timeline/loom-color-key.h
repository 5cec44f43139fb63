/* SPDX-License-Identifier: Apache-2.0
 *
 * The small legend beside the overview bar: the colours of the kinds of work that are visible on the timeline. It is
 * empty if the colours of spans represent something other than the kind of work. A click opens the legend of all
 * colours. The functions must be called on the main thread.
 */
#pragma once

#include "loom-timeline-area.h"

#define LOOM_TYPE_COLOR_KEY (loom_color_key_get_type ())
G_DECLARE_FINAL_TYPE (LoomColorKey, loom_color_key, LOOM, COLOR_KEY, LoomTimelineArea)

/* Sets the scene, which provides the colours, and takes a reference to it. Must be called once, before use. */
void loom_color_key_set_scene (LoomColorKey *self, LoomRenderContext *scene);
/* Returns the families of work whose colours were used when spans were painted last, as bits 1 << LoomWorkFamily. */
guint loom_color_key_get_families (LoomColorKey *self);
