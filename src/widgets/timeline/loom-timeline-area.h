/* SPDX-License-Identifier: Apache-2.0
 *
 * Base class of widgets that show one painter's picture of the scene. It redraws after changes of state or scene;
 * subclasses implement the painting and handle the pointer.
 */
#pragma once

#include "loom-render-context.h"

#define LOOM_TYPE_TIMELINE_AREA (loom_timeline_area_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTimelineArea, loom_timeline_area, LOOM, TIMELINE_AREA, GtkWidget)

struct _LoomTimelineAreaClass {
  GtkWidgetClass parent_class;
  /* Paints the area on `cr`, whose surface is empty; `width` and `height` in logical px. */
  void (*paint) (LoomTimelineArea *area, cairo_t *cr, int width, int height);
};

/* Sets the scene; call it once, directly after construction. Takes a reference. */
void loom_timeline_area_set_scene (LoomTimelineArea *self, LoomRenderContext *scene);
LoomRenderContext *loom_timeline_area_get_scene (LoomTimelineArea *self);
LoomTimelineState *loom_timeline_area_get_state (LoomTimelineArea *self);

/* Sets the natural size in px; −1: none in this direction. */
void loom_timeline_area_set_natural_size (LoomTimelineArea *self, int width, int height);
