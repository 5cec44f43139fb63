/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows one chart. The tooltip shows the value under the pointer. The arrow keys, Home and End move
 * between elements, and Enter activates one. A menu copies the values and saves the picture. Screen readers receive the
 * chart's title, a sentence with its values, and the focused element. The functions must be called on the main thread.
 *
 * Signals:
 *   "element-activated" (guint element)  on a click or Enter
 *   "element-hovered" (guint element)    when the pointer or the focus moves to another element; LOOM_CHART_NONE: none
 *   "save-requested"                     when the user chooses to save the picture: the handler opens a file dialog and
 *                                        calls loom_chart_view_save()
 */
#pragma once

#include "loom-chart-layout.h"
#include "loom-render-context.h"

#define LOOM_TYPE_CHART_VIEW (loom_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomChartView, loom_chart_view, LOOM, CHART_VIEW, GtkWidget)

/* Makes a chart view that paints with the colours and the font of `scene`. Takes a reference to the scene. */
GtkWidget *loom_chart_view_new (LoomRenderContext *scene);

/* Sets the chart to show, and takes a reference to it; if `chart` is NULL, the view is empty. Ends the highlight of
 * loom_chart_view_set_highlighted(). The element with the keyboard focus keeps its index; if the new chart has fewer
 * elements, no element has the focus. */
void loom_chart_view_set_chart (LoomChartView *self, LoomChart *chart);
LoomChart *loom_chart_view_get_chart (LoomChartView *self); /* borrowed; NULL: no chart is set */

/* These functions set and return the index of the element with the keyboard focus; LOOM_CHART_NONE: no element. */
void loom_chart_view_set_focused (LoomChartView *self, guint element);
guint loom_chart_view_get_focused (LoomChartView *self);

/* Highlights an element as if the pointer were over it, but without a tooltip. LOOM_CHART_NONE, or setting another
 * chart, ends the highlight. While the pointer or the keyboard focus is on an element of the chart, that element is
 * highlighted instead. */
void loom_chart_view_set_highlighted (LoomChartView *self, guint element);
guint loom_chart_view_get_highlighted (LoomChartView *self);

/* Returns the layout for the current size of the widget. Its lengths do not include the desktop's text scaling, which
 * is applied to the whole chart when it is painted. Borrowed; NULL before the first layout. */
const LoomChartLayout *loom_chart_view_get_layout (LoomChartView *self);

/* Returns a description of the chart for screen readers, for example "Step durations: 20 values, lowest 0, median 1,
 * highest 30; …". Owned by the caller. */
char *loom_chart_view_dup_description (LoomChart *chart);

/* Saves the chart as it looks on the screen. The suffix of the path determines the format of the file. Returns FALSE
 * with `error` if the file cannot be written. */
gboolean loom_chart_view_save (LoomChartView *self, const char *path, GError **error);
