/* SPDX-License-Identifier: Apache-2.0
 *
 * The base class of the widgets that paint a part of the timeline, such as the ruler or the tracks. The base class
 * redraws the widget after changes of the state or the scene. Subclasses paint the widget, and handle the pointer.
 */
#pragma once

#include "loom-render-context.h"

#define LOOM_TYPE_TIMELINE_AREA (loom_timeline_area_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTimelineArea, loom_timeline_area, LOOM, TIMELINE_AREA, GtkWidget)

struct _LoomTimelineAreaClass {
  GtkWidgetClass parent_class;
  /* Paints the area on `cr`; nothing was painted on the surface before. `width` and `height`: size of the area in
   * logical px. */
  void (*paint) (LoomTimelineArea *area, cairo_t *cr, int width, int height);
};

/* Sets the scene, and takes a reference to it. Must be called once, directly after construction. */
void loom_timeline_area_set_scene (LoomTimelineArea *self, LoomRenderContext *scene);
LoomRenderContext *loom_timeline_area_get_scene (LoomTimelineArea *self);
LoomTimelineState *loom_timeline_area_get_state (LoomTimelineArea *self);

/* Sets the natural size in px; −1: the area has no natural size in this direction. */
void loom_timeline_area_set_natural_size (LoomTimelineArea *self, int width, int height);
