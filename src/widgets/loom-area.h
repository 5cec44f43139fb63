/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows one painter's picture of the scene. Subclasses say what is painted and listen to the pointer;
 * redrawing after a change of state or scene happens here.
 */
#pragma once

#include "loom-scene.h"

G_BEGIN_DECLS

#define LOOM_TYPE_AREA (loom_area_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomArea, loom_area, LOOM, AREA, GtkWidget)

struct _LoomAreaClass {
  GtkWidgetClass parent_class;
  /* Paints an area of that size, in logical pixels, into a clean surface. */
  void (*paint) (LoomArea *area, cairo_t *cr, int width, int height);
};

/* To be called once, right after construction; takes a reference. */
void loom_area_set_scene (LoomArea *area, LoomScene *scene);
LoomScene *loom_area_get_scene (LoomArea *area);
LoomViewState *loom_area_get_state (LoomArea *area);

/* The natural size; −1 leaves it open. */
void loom_area_set_natural_size (LoomArea *area, int width, int height);

G_END_DECLS
