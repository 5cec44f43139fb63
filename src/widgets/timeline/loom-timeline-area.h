/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows one painter's picture of the scene. Subclasses say what is painted and listen to the pointer;
 * redrawing after a change of state or scene happens here.
 */
#pragma once

#include "loom-render-context.h"

#define LOOM_TYPE_TIMELINE_AREA (loom_timeline_area_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTimelineArea, loom_timeline_area, LOOM, TIMELINE_AREA, GtkWidget)

struct _LoomTimelineAreaClass {
  GtkWidgetClass parent_class;
  /* Paints an area of that size, in logical pixels, into a clean surface. */
  void (*paint) (LoomTimelineArea *area, cairo_t *cr, int width, int height);
};

/* To be called once, right after construction; takes a reference. */
void loom_timeline_area_set_scene (LoomTimelineArea *self, LoomRenderContext *scene);
LoomRenderContext *loom_timeline_area_get_scene (LoomTimelineArea *self);
LoomTimelineState *loom_timeline_area_get_state (LoomTimelineArea *self);

/* The natural size; −1 leaves it open. */
void loom_timeline_area_set_natural_size (LoomTimelineArea *self, int width, int height);
