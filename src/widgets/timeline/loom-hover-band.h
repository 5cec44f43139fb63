/* SPDX-License-Identifier: Apache-2.0
 *
 * Highlights on the timeline what the user points at elsewhere, for example the rank of a table row on an analysis
 * page: its time range and its rows, over the overview bar, the tracks and their headers. The widget is a transparent
 * layer above these widgets, so that they are not redrawn when the highlight moves. It receives no input. Main thread
 * only.
 */
#pragma once

#include "loom-overview-bar.h"
#include "loom-render-context.h"

#define LOOM_TYPE_HOVER_BAND (loom_hover_band_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoverBand, loom_hover_band, LOOM, HOVER_BAND, GtkWidget)

/* Sets the scene (takes a reference), and the widgets over which targets under the pointer are highlighted: `overview`,
 * and `tracks` with `headers` beside them. `tracks` and `headers` are NULL if there is only an overview bar. The
 * widgets must have the same parent as the band, and live as long. `own`: targets that this object has set
 * (LoomHoveredPlace) are not highlighted, because the pointer is then over the timeline itself. Call it once. */
void loom_hover_band_set_scene (LoomHoverBand *self, LoomRenderContext *scene, GtkWidget *overview, GtkWidget *tracks,
                                GtkWidget *headers, gconstpointer own);
