/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows one chart: values on hover, elements by keyboard (arrows, Home, End; Enter activates), a menu
 * that copies the figures and saves the picture. Screen readers get the chart's title, its figures in a sentence, and
 * the element that has the focus. Main thread.
 *
 * Signals: "element-activated" (guint element) by a click or Enter; "save-requested" when the person wants a file:
 * whoever can ask for a name answers it with loom_chart_view_save().
 */
#pragma once

#include "loom-chart-layout.h"
#include "loom-render-context.h"

#define LOOM_TYPE_CHART_VIEW (loom_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomChartView, loom_chart_view, LOOM, CHART_VIEW, GtkWidget)

/* Colours and font come from the scene; a reference is taken. */
GtkWidget *loom_chart_view_new (LoomRenderContext *scene);

/* A reference is taken; NULL for none. The focused element stays where the new chart has as many. */
void loom_chart_view_set_chart (LoomChartView *self, LoomChart *chart);
LoomChart *loom_chart_view_get_chart (LoomChartView *self); /* borrowed */

/* Lets a chart with two axes be less tall than it would like, for places that have no room to scroll. */
void loom_chart_view_set_shrinks (LoomChartView *self, gboolean shrinks);

/* The element with the keyboard's focus, LOOM_CHART_NONE. */
void loom_chart_view_set_focused (LoomChartView *self, guint element);
guint loom_chart_view_get_focused (LoomChartView *self);

/* Where elements stand at the present size, before it grows with the text of the desktop; borrowed, NULL before there is one. */
const LoomChartLayout *loom_chart_view_get_layout (LoomChartView *self);

/* "Step durations: 20 values, lowest 0, median 1, highest 30; …". Owned. */
char *loom_chart_view_dup_description (LoomChart *chart);

/* As it is on screen; the kind by the suffix. */
gboolean loom_chart_view_save (LoomChartView *self, const char *path, GError **error);
