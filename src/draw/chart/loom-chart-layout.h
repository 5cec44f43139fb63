/* SPDX-License-Identifier: Apache-2.0
 *
 * The positions of all parts of a chart in a given size; painting, hit testing and keyboard navigation use the same
 * positions. Making a layout is O(elements); painting it costs as much as can be distinguished at its size (but all
 * cells of heat maps). One thread at a time per text cache.
 */
#pragma once

#include "loom-chart.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

typedef struct {
  double x, y, width, height;
} LoomChartBox;

typedef struct _LoomChartLayout LoomChartLayout;

/* The height that shows everything, for a width. */
double loom_chart_layout_natural_height (const LoomChart *chart, double width_px, LoomTextCache *text);

/* Takes a reference to the chart; `text` is used only during the call. If nothing fits into the size, the layout is
 * empty. */
LoomChartLayout *loom_chart_layout_new (LoomChart *chart, double width_px, double height_px, LoomTextCache *text);
/* For right-to-left languages, call once: titles, legends and names of rows change sides, and bars begin at the right.
 * Scales are not mirrored: time goes from left to right in all languages. */
void loom_chart_layout_mirror (LoomChartLayout *layout);
void loom_chart_layout_free (LoomChartLayout *layout);

/* The element at a point, LOOM_CHART_NONE if there is none. Bars and bins extend over their whole row or column, slices
 * include their line of the legend; for points, the nearest. */
guint loom_chart_layout_hit (const LoomChartLayout *layout, double x, double y);

/* The complete text of the label at a point, which may be shortened in the picture: the name of a row, an entry of the
 * legend, or the title. Borrowed from the chart; NULL: there is no label. */
const char *loom_chart_layout_get_label (const LoomChartLayout *layout, double x, double y);

/* The bounding box of an element; FALSE if it has none (its value is missing). */
gboolean loom_chart_layout_get_box (const LoomChartLayout *layout, guint element, LoomChartBox *box);

typedef enum {
  LOOM_CHART_LEFT,
  LOOM_CHART_RIGHT,
  LOOM_CHART_UP,
  LOOM_CHART_DOWN,
  LOOM_CHART_FIRST,
  LOOM_CHART_LAST
} LoomChartStep;

/* The element to which the keyboard moves; `element` itself at the edge. From LOOM_CHART_NONE to the first element. */
guint loom_chart_layout_step (const LoomChartLayout *layout, guint element, LoomChartStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text; /* the cache used for the layout, or an equal one */
  guint hover;         /* element under the pointer; LOOM_CHART_NONE: none */
  guint focused;
} LoomChartOptions;

/* Paints from (0, 0) without a background. */
void loom_chart_layout_paint (cairo_t *cr, const LoomChartLayout *layout, const LoomChartOptions *options);

/* Writes a file with the chart on the theme's background: PNG (at double density), SVG or PDF, by the suffix of `path`.
 * The file is complete or absent. Errors: those of loom_image_file_write(). */
gboolean loom_chart_layout_to_file (LoomChart *chart, const char *path, double width_px, double height_px,
                                    LoomThemeKind theme, GError **error);

/* The chart as SVG without a background, for embedding in documents. `text` is used only during the call. Owned by the
 * caller; NULL if the chart cannot be drawn. */
GBytes *loom_chart_layout_to_svg (LoomChart *chart, double width_px, double height_px, LoomThemeKind theme,
                                  LoomTextCache *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChartLayout, loom_chart_layout_free)
