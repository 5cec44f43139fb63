/* SPDX-License-Identifier: Apache-2.0
 *
 * The small legend beside the overview: the kinds of work that the timeline shows now. Empty while colours show something
 * else than the kind of work. A click opens the legend of all colours. Main thread only.
 */
#pragma once

#include "loom-timeline-area.h"

#define LOOM_TYPE_COLOR_KEY (loom_color_key_get_type ())
G_DECLARE_FINAL_TYPE (LoomColorKey, loom_color_key, LOOM, COLOR_KEY, LoomTimelineArea)

/* Sets the scene; call it once. Takes a reference. */
void loom_color_key_set_scene (LoomColorKey *self, LoomRenderContext *scene);
/* Returns the families of work whose colours were used when spans were painted last, as bits 1 << LoomWorkFamily. */
guint loom_color_key_get_families (LoomColorKey *self);
