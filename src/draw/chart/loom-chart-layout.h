/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout of a chart: the positions of all its parts in a given size. Painting, hit testing and keyboard navigation
 * use the same positions. Making a layout is O(elements). The time of painting depends on the number of pixels and not
 * on the number of elements, except for heat maps, which paint all cells. Charts that share a text cache must not be
 * used by several threads at a time.
 */
#pragma once

#include "loom-chart.h"
#include "loom-text-cache.h"
#include "loom-theme.h"

typedef struct {
  double x, y, width, height;
} LoomChartBox;

typedef struct _LoomChartLayout LoomChartLayout;

/* Returns the height in px that a chart of this width needs to show all its parts. */
double loom_chart_layout_natural_height (const LoomChart *chart, double width_px, LoomTextCache *text);

/* Lays the chart out. Takes a reference to the chart; uses `text` only during the call. If even the smallest parts
 * don't fit into the size, the layout is empty. */
LoomChartLayout *loom_chart_layout_new (LoomChart *chart, double width_px, double height_px, LoomTextCache *text);
/* Mirrors the layout for right-to-left languages: titles, legends and names of rows change sides, and bars begin at the
 * right. Time scales are not mirrored, because time goes from left to right in all languages. Must be called only
 * once. */
void loom_chart_layout_mirror (LoomChartLayout *layout);
void loom_chart_layout_free (LoomChartLayout *layout);

/* Returns the element at a point; LOOM_CHART_NONE if there is none. The whole row of a bar, the whole column of a bin
 * and the legend entry of a slice belong to the element too. In a line chart, the nearest point is returned. */
guint loom_chart_layout_hit (const LoomChartLayout *layout, double x, double y);

/* Returns the complete text of the label at a point, because the label may be painted shortened. Labels are the names
 * of rows, the entries of the legend, and the title. Borrowed from the chart. NULL if there is no label. */
const char *loom_chart_layout_get_label (const LoomChartLayout *layout, double x, double y);

/* Sets `box` to the bounding box of an element. Returns FALSE if the element has neither a value nor a text. */
gboolean loom_chart_layout_get_box (const LoomChartLayout *layout, guint element, LoomChartBox *box);

typedef enum {
  LOOM_CHART_LEFT,
  LOOM_CHART_RIGHT,
  LOOM_CHART_UP,
  LOOM_CHART_DOWN,
  LOOM_CHART_FIRST,
  LOOM_CHART_LAST
} LoomChartStep;

/* Returns the element to which a key moves from `element`: `element` itself if there is no further element in this
 * direction; the first element if `element` is LOOM_CHART_NONE. */
guint loom_chart_layout_step (const LoomChartLayout *layout, guint element, LoomChartStep step);

typedef struct {
  const LoomTheme *theme;
  LoomTextCache *text; /* the text cache used for the layout, or another cache with the same fonts */
  guint hover;         /* element under the pointer; LOOM_CHART_NONE: there is none */
  guint focused;
} LoomChartOptions;

/* Paints the chart with its upper left corner at (0, 0), without a background. */
void loom_chart_layout_paint (cairo_t *cr, const LoomChartLayout *layout, const LoomChartOptions *options);

/* Writes a file with the chart on the background of the theme: PNG (with two device pixels per pixel), SVG or PDF,
 * depending on the suffix of `path`. On errors, an existing file at `path` is not changed. Errors: as
 * loom_image_file_write(). */
gboolean loom_chart_layout_to_file (LoomChart *chart, const char *path, double width_px, double height_px,
                                    LoomThemeKind theme, GError **error);

/* Returns the chart as SVG without a background, to be embedded in documents. `text` is used only during the call.
 * Owned by the caller; NULL if the chart cannot be drawn. */
GBytes *loom_chart_layout_to_svg (LoomChart *chart, double width_px, double height_px, LoomThemeKind theme,
                                  LoomTextCache *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChartLayout, loom_chart_layout_free)
