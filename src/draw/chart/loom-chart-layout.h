/* SPDX-License-Identifier: Apache-2.0
 *
 * Where everything of a chart stands in a given size: what is painted, what is under the pointer and where the keyboard
 * goes next are answered from the same places. Cost of making one O(elements), of painting it what can be told apart at
 * that size (but for the cells of heat maps). One thread at a time per text cache.
 */
#pragma once

#include "loom-chart.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

G_BEGIN_DECLS

typedef struct {
  double x, y, width, height;
} LoomChartBox;

typedef struct _LoomChartLayout LoomChartLayout;

/* The height at which nothing is left out, for a width. */
double loom_chart_layout_natural_height (const LoomChart *chart, double width_px, LoomTextCache *text);

/* Takes a reference to the chart; `text` is used during the call. A size in which nothing fits gives an empty layout. */
LoomChartLayout *loom_chart_layout_new (LoomChart *chart, double width_px, double height_px, LoomTextCache *text);
/* For languages that are read from right to left, once: titles, legends and names of rows change sides, bars begin at the
 * right. Scales stay as they are: time goes from left to right everywhere. */
void loom_chart_layout_mirror (LoomChartLayout *layout);
void loom_chart_layout_free (LoomChartLayout *layout);

/* The element at a point, LOOM_CHART_NONE where there is none. Bars and bins are hit along their whole row or column, a
 * slice also at its line of the legend, of points the nearest. */
guint loom_chart_layout_hit (const LoomChartLayout *layout, double x, double y);

/* What surrounds the element; FALSE when it has no place (a value that is not there). */
gboolean loom_chart_layout_get_box (const LoomChartLayout *layout, guint element, LoomChartBox *box);

typedef enum {
  LOOM_CHART_LEFT,
  LOOM_CHART_RIGHT,
  LOOM_CHART_UP,
  LOOM_CHART_DOWN,
  LOOM_CHART_FIRST,
  LOOM_CHART_LAST
} LoomChartStep;

/* Where the keyboard goes from an element; the element itself at the edge. From LOOM_CHART_NONE: the first. */
guint loom_chart_layout_step (const LoomChartLayout *layout, guint element, LoomChartStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text; /* the one the layout was made with, or an equal one */
  guint hover;         /* elements; LOOM_CHART_NONE */
  guint focused;
} LoomChartOptions;

/* Paints from (0, 0); the background is left to whoever paints what is below. */
void loom_chart_layout_paint (cairo_t *cr, const LoomChartLayout *layout, const LoomChartOptions *options);

/* A file with the chart on the theme's background: PNG (at double density), SVG or PDF by the suffix of `path`. Whole or
 * absent. Errors: those of loom_image_file_write(). */
gboolean loom_chart_layout_to_file (LoomChart *chart, const char *path, double width_px, double height_px,
                                    LoomThemeKind theme, GError **error);

/* The chart as SVG without a background, for documents that have one of their own. `text` is used during the call. Owned;
 * NULL when it cannot be drawn. */
GBytes *loom_chart_layout_to_svg (LoomChart *chart, double width_px, double height_px, LoomThemeKind theme,
                                  LoomTextCache *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChartLayout, loom_chart_layout_free)

G_END_DECLS
