/* SPDX-License-Identifier: Apache-2.0
 *
 * Highlights on the timeline what the user points at elsewhere. For example, if the pointer is over the table row of a
 * rank on an analysis page, the time range and the rows of this rank are highlighted on the overview bar, the tracks
 * and their headers. The widget is a transparent layer above these widgets, so that they need not be redrawn when the
 * highlight moves. The layer receives no input. The functions must be called on the main thread.
 */
#pragma once

#include "loom-overview-bar.h"
#include "loom-render-context.h"

#define LOOM_TYPE_HOVER_BAND (loom_hover_band_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverBand, loom_hover_band, LOOM, HOVER_BAND, GtkWidget)

/* Sets the scene, to which the band takes a reference, and the widgets over which it draws: the overview bar
 * `overview`, and `tracks` with `headers` beside them. `tracks` and `headers` are NULL if there is only an overview
 * bar. The widgets must have the same parent as the band, and live as long as it. Targets that the object `own` has set
 * (LoomHoveredPlace) are not highlighted, because the pointer is then over one of these widgets. Must be called
 * once. */
void loom_hover_band_set_scene (LoomHoverBand *self, LoomRenderContext *scene, GtkWidget *overview, GtkWidget *tracks,
                                GtkWidget *headers, gconstpointer own);
