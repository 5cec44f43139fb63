/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the element at a point and the box of an element, moves between elements by keys, and mirrors layouts for
 * right-to-left languages. The layouts of the single kinds of charts are in loom-chart-layout-kinds.c and
 * loom-chart-layout-pie.c.
 */
#include "loom-chart-layout.h"

#include "loom-chart-private.h"

#include <math.h>

#define NEAR_PX 14.0 /* maximum distance between the pointer and a point of a line chart that counts as a hit */
#define MIN_WIDTH_PX 40.0

typedef void (*LayoutFunc) (LoomChartLayout *layout, LoomTextCache *text);

static const LayoutFunc layouts[LOOM_N_CHARTS] = {
  [LOOM_CHART_PIE] = loom_chart_layout_pie,     [LOOM_CHART_HISTOGRAM] = loom_chart_layout_histogram,
  [LOOM_CHART_BARS] = loom_chart_layout_bars,   [LOOM_CHART_LINES] = loom_chart_layout_lines,
  [LOOM_CHART_HEAT] = loom_chart_layout_heat,   [LOOM_CHART_MATRIX] = loom_chart_layout_heat,
  [LOOM_CHART_WAITS] = loom_chart_layout_waits,
};

LoomChartLayout *
loom_chart_layout_new (LoomChart *chart, double width_px, double height_px, LoomTextCache *text)
{
  g_return_val_if_fail (chart != NULL && text != NULL, NULL);
  LoomChartLayout *layout = g_new0 (LoomChartLayout, 1);
  layout->chart = loom_chart_ref (chart);
  layout->width = width_px;
  layout->height = height_px;
  layout->single = LOOM_CHART_NONE;
  layout->x_ticks = g_array_new (FALSE, TRUE, sizeof (LoomChartTick));
  layout->y_ticks = g_array_new (FALSE, TRUE, sizeof (LoomChartTick));
  layout->keys = g_array_new (FALSE, TRUE, sizeof (LoomChartKey));
  layout->angles = g_array_new (FALSE, TRUE, sizeof (double));
  layout->path = g_array_new (FALSE, TRUE, sizeof (LoomChartVertex));
  layout->title_is_cut = loom_text_cache_width (text, LOOM_TEXT_HEADER_BOLD, chart->title) > width_px;
  if (width_px >= MIN_WIDTH_PX)
    layouts[chart->kind](layout, text);
  if (!(layout->plot.width > 0) || !(layout->plot.height > 0))
    layout->plot = (LoomChartBox) { 0, 0, 0, 0 };
  return layout;
}

/* Mirrors a pie whose labels are next to its slices, for right-to-left languages: moves the pie to the right edge. Each
 * label stays on the same side of the ring. */
static void
mirror_direct (LoomChartLayout *layout)
{
  double right = layout->center_x + layout->radius;
  for (guint i = 0; i < layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (layout->keys, LoomChartKey, i);
    right = MAX (right, key->x + key->room);
  }
  layout->center_x += layout->width - right;
  for (guint i = 0; i < layout->keys->len; i++)
    g_array_index (layout->keys, LoomChartKey, i).x += layout->width - right;
}

void
loom_chart_layout_mirror (LoomChartLayout *layout)
{
  g_return_if_fail (layout != NULL && !layout->mirrored);
  double by = layout->width - layout->plot.width - layout->rest_px - 2 * layout->plot.x;
  layout->mirrored = TRUE;
  if (layout->direct) {
    mirror_direct (layout);
    return;
  }
  if (layout->plot.width > 0)
    layout->plot.x += by;
  layout->center_x = layout->width - layout->center_x;
  for (guint i = 0; i < layout->path->len; i++)
    g_array_index (layout->path, LoomChartVertex, i).x += by;
  for (guint i = 0; i < layout->keys->len; i++) {
    LoomChartKey *key = &g_array_index (layout->keys, LoomChartKey, i);
    key->x = layout->width - key->x - loom_chart_key_width (key);
  }
  for (guint i = 0; layout->chart->kind == LOOM_CHART_BARS && i < layout->x_ticks->len; i++) {
    LoomChartTick *tick = &g_array_index (layout->x_ticks, LoomChartTick, i);
    tick->at = layout->plot.width - tick->at;
  }
}

void
loom_chart_layout_free (LoomChartLayout *layout)
{
  if (layout == NULL)
    return;
  g_array_unref (layout->x_ticks);
  g_array_unref (layout->y_ticks);
  g_array_unref (layout->keys);
  g_array_unref (layout->angles);
  g_array_unref (layout->path);
  loom_chart_unref (layout->chart);
  g_free (layout);
}

/* --- element under the pointer ------------------------------------------------------------------------------------ */

LoomChartBox
loom_chart_layout_slice_label (const LoomChartLayout *layout, guint slice)
{
  const LoomChartKey *key = &g_array_index (layout->keys, LoomChartKey, slice);
  double height = layout->direct ? LOOM_CHART_LABEL_PX : LOOM_CHART_LEGEND_ROW_PX,
         width = key->room <= 0 ? 0 : (layout->direct ? key->room : loom_chart_key_width (key));
  return (LoomChartBox) { key->x, key->middle_y - height / 2, width, height };
}

static guint
hit_pie (const LoomChartLayout *layout, double x, double y)
{
  double dx = x - layout->center_x, dy = y - layout->center_y, distance = hypot (dx, dy);
  guint n = layout->chart->pie.slices->len;
  if (distance <= layout->radius && distance >= layout->hole && layout->radius > 0 &&
      loom_chart_get_total (layout->chart) > 0) {
    double angle = atan2 (dy, dx);
    if (angle < -G_PI / 2)
      angle += 2 * G_PI;
    for (guint i = 0; i < n; i++)
      if (angle >= g_array_index (layout->angles, double, i) && angle < g_array_index (layout->angles, double, i + 1))
        return i;
  }
  for (guint i = 0; i < layout->keys->len; i++) {
    LoomChartBox box = loom_chart_layout_slice_label (layout, i);
    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height)
      return i;
  }
  return LOOM_CHART_NONE;
}

static guint
hit_bars (const LoomChartLayout *layout, double x, double y)
{
  guint n_series = layout->chart->bars.series->len, group = (guint) ((y - layout->plot.y) / layout->row_px);
  if (group >= layout->chart->bars.groups->len)
    return LOOM_CHART_NONE;
  if (!layout->chart->bars.stacked)
    return group * n_series +
           MIN ((guint) ((y - layout->plot.y - group * layout->row_px) / layout->bar_px), n_series - 1);
  for (guint k = 0; k < n_series; k++) {
    double from, to;
    loom_chart_bar_extent (layout, group * n_series + k, &from, &to);
    double begin = loom_chart_layout_x (layout, from), end = loom_chart_layout_x (layout, to);
    if (to > from && x >= MIN (begin, end) && x < MAX (begin, end))
      return group * n_series + k;
  }
  return LOOM_CHART_NONE;
}

/* Returns the point whose column is nearest to x. If several columns have the same x, returns the point of that column
 * whose top is nearest to y. LOOM_CHART_NONE if no column is near. */
static guint
hit_columns (const LoomChartLayout *layout, double x, double y)
{
  guint found = LOOM_CHART_NONE;
  double best = G_MAXDOUBLE;
  if (layout->chart->lines.stacked)
    return loom_chart_stack_hit (layout, x, y);
  for (guint i = 0; i < layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
    double distance = fabs (vertex->x - x) * 1e4 + fabs (vertex->y - y);
    if (fabs (vertex->x - x) <= MAX (layout->column_px / 2, NEAR_PX) && distance < best) {
      best = distance;
      found = vertex->point;
    }
  }
  return found;
}

/* Returns the point of the lines that is nearest to the pointer. In connected lines, the horizontal distance counts
 * more than the vertical one, because users move sideways along a line. */
static guint
hit_lines (const LoomChartLayout *layout, double x, double y)
{
  guint found = LOOM_CHART_NONE;
  double best = G_MAXDOUBLE;
  for (guint i = 0; i < layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (layout->path, LoomChartVertex, i);
    double dx = fabs (vertex->x - x), dy = fabs (vertex->y - y),
           distance = dx * (layout->chart->lines.dots ? 1 : 4) + dy;
    if (dx <= NEAR_PX && distance < best) {
      best = distance;
      found = vertex->point;
    }
  }
  return found;
}

static guint
hit_heat (const LoomChartLayout *layout, double x, double y)
{
  const LoomChartHeat *heat = &layout->chart->heat;
  guint row = (guint) ((y - layout->plot.y) / layout->row_px);
  guint column = (guint) ((x - layout->plot.x) / layout->plot.width * heat->n_columns);
  return row < heat->rows->len && column < heat->n_columns ? row * heat->n_columns + column : LOOM_CHART_NONE;
}

static guint
hit_histogram (const LoomChartLayout *layout, double x)
{
  guint n = loom_chart_get_n_bins (layout->chart);
  double at = (x - layout->plot.x) / layout->plot.width;
  if (at < 1)
    return MIN ((guint) (at * n), n - 1);
  if (layout->rest_px > 0 && x >= loom_chart_layout_rest_box (layout).x)
    return n;
  return LOOM_CHART_NONE;
}

/* Distance in px from the plot of a line chart within which the pointer still hits points at the edge of the plot. */
#define HIT_SLACK_PX 8

guint
loom_chart_layout_hit (const LoomChartLayout *layout, double x, double y)
{
  const LoomChartBox *plot = &layout->plot;
  guint n = loom_chart_get_n_elements (layout->chart);
  if (layout->chart->kind == LOOM_CHART_PIE)
    return hit_pie (layout, x, y);
  gboolean bars = layout->chart->kind == LOOM_CHART_BARS;
  double left = bars && (layout->mirrored || !layout->chart->bars.stacked) ? 0 : plot->x,
         right = bars ? layout->width : plot->x + plot->width + layout->rest_px;
  double slack = layout->chart->kind == LOOM_CHART_LINES ? HIT_SLACK_PX : 0;
  if (plot->width <= 0 || n == 0 || x < left - slack || x >= right + slack || y < plot->y - slack ||
      y >= plot->y + plot->height + slack)
    return LOOM_CHART_NONE;
  switch (layout->chart->kind) {
  case LOOM_CHART_HISTOGRAM: return hit_histogram (layout, x);
  case LOOM_CHART_BARS: return hit_bars (layout, x, y);
  case LOOM_CHART_LINES: return layout->chart->lines.columns ? hit_columns (layout, x, y) : hit_lines (layout, x, y);
  case LOOM_CHART_WAITS: return loom_chart_layout_hit_waits (layout, x, y);
  default: return hit_heat (layout, x, y);
  }
}

static const GArray *
get_row_names (const LoomChart *chart)
{
  switch (chart->kind) {
  case LOOM_CHART_BARS: return chart->bars.groups;
  case LOOM_CHART_HEAT:
  case LOOM_CHART_MATRIX: return chart->heat.rows;
  default: return NULL;
  }
}

const char *
loom_chart_layout_get_label (const LoomChartLayout *layout, double x, double y)
{
  const GArray *rows = get_row_names (layout->chart);
  double from_side = layout->mirrored ? layout->width - x : x;
  if (layout->title_is_cut && y < LOOM_CHART_TITLE_PX)
    return layout->chart->title;
  for (guint i = 0; layout->chart->kind != LOOM_CHART_PIE && i < layout->keys->len; i++) {
    const LoomChartKey *key = &g_array_index (layout->keys, LoomChartKey, i);
    if (x >= key->x && x < key->x + loom_chart_key_width (key) &&
        fabs (y - key->middle_y) <= LOOM_CHART_LEGEND_ROW_PX / 2)
      return key->label;
  }
  if (rows == NULL || !(layout->row_px > 0) || from_side >= layout->label_px || y < layout->plot.y ||
      y >= layout->plot.y + layout->plot.height)
    return NULL;
  return g_array_index (rows, const char *, MIN ((guint) ((y - layout->plot.y) / layout->row_px), rows->len - 1));
}

/* --- box of an element -------------------------------------------------------------------------------------------- */

LoomChartBox
loom_chart_layout_rest_box (const LoomChartLayout *layout)
{
  guint last = loom_chart_get_n_bins (layout->chart);
  double top = loom_chart_layout_y (layout, loom_chart_bin_value (layout->chart, last));
  return (LoomChartBox) { layout->plot.x + layout->plot.width + layout->rest_gap_px, top, LOOM_CHART_REST_BAR_PX,
                          layout->plot.y + layout->plot.height - top };
}

static LoomChartBox
bin_box (const LoomChartLayout *layout, guint element)
{
  guint n = loom_chart_get_n_bins (layout->chart);
  double width = layout->plot.width / n,
         top = loom_chart_layout_y (layout, loom_chart_bin_value (layout->chart, element));
  if (element == n)
    return loom_chart_layout_rest_box (layout);
  return (LoomChartBox) { layout->plot.x + element * width, top, width, layout->plot.y + layout->plot.height - top };
}

static LoomChartBox
bar_box (const LoomChartLayout *layout, guint element)
{
  const LoomChartBars *bars = &layout->chart->bars;
  guint n_series = bars->series->len, group = element / n_series, series = bars->stacked ? 0 : element % n_series;
  double from, to, inset = (layout->row_px - layout->bar_px * (bars->stacked ? 1 : n_series)) / 2;
  loom_chart_bar_extent (layout, element, &from, &to);
  double begin = loom_chart_layout_x (layout, from), end = loom_chart_layout_x (layout, to),
         width = MAX (fabs (end - begin), 1);
  double y = layout->plot.y + group * layout->row_px + inset + series * layout->bar_px;
  return (LoomChartBox) { layout->mirrored != (to < from) ? begin - width : begin, y, width, layout->bar_px };
}

static LoomChartBox
cell_box (const LoomChartLayout *layout, guint element)
{
  const LoomChartHeat *heat = &layout->chart->heat;
  double width = layout->plot.width / heat->n_columns;
  return (LoomChartBox) { layout->plot.x + element % heat->n_columns * width,
                          layout->plot.y + element / heat->n_columns * layout->row_px, width, layout->row_px };
}

/* Returns the box of a column. If the column is not drawn because a taller column covers the same pixels, returns a box
 * at the x of its point. */
static LoomChartBox
column_box (const LoomChartLayout *layout, guint element, double y)
{
  double x = loom_chart_layout_x (layout, g_array_index (layout->chart->lines.points, LoomChartPoint, element).x);
  for (guint i = 0; i < layout->path->len; i++)
    if (g_array_index (layout->path, LoomChartVertex, i).point == element)
      x = g_array_index (layout->path, LoomChartVertex, i).x;
  return (LoomChartBox) { x - layout->column_px / 2, y, layout->column_px, layout->plot.y + layout->plot.height - y };
}

static LoomChartBox
point_box (const LoomChartLayout *layout, guint element)
{
  const LoomChartPoint *point = &g_array_index (layout->chart->lines.points, LoomChartPoint, element);
  double y = CLAMP (loom_chart_layout_y (layout, point->y), layout->plot.y, layout->plot.y + layout->plot.height);
  if (layout->chart->lines.stacked)
    return loom_chart_stack_box (layout, element);
  if (layout->chart->lines.columns)
    return column_box (layout, element, y);
  return (LoomChartBox) { loom_chart_layout_x (layout, point->x) - 4, y - 4, 8, 8 };
}

/* Returns TRUE if the element has a value that its axes can show. */
static gboolean
has_place (const LoomChart *chart, guint element)
{
  gboolean has_text = chart->kind == LOOM_CHART_HEAT && chart->heat.texts->len > element;
  if (element >= loom_chart_get_n_elements (chart) || (!has_text && !isfinite (loom_chart_get_value (chart, element))))
    return FALSE;
  if (chart->kind != LOOM_CHART_LINES || !chart->lines.logarithmic)
    return TRUE;
  const LoomChartPoint *point = &g_array_index (chart->lines.points, LoomChartPoint, element);
  return point->x > 0 && point->y > 0;
}

gboolean
loom_chart_layout_get_box (const LoomChartLayout *layout, guint element, LoomChartBox *box)
{
  if (!has_place (layout->chart, element))
    return FALSE;
  if (layout->chart->kind == LOOM_CHART_PIE) {
    if (element >= layout->keys->len)
      return FALSE;
    *box = loom_chart_layout_slice_label (layout, element);
    return box->width > 0;
  }
  if (layout->plot.width <= 0)
    return FALSE;
  switch (layout->chart->kind) {
  case LOOM_CHART_HISTOGRAM: *box = bin_box (layout, element); break;
  case LOOM_CHART_BARS: *box = bar_box (layout, element); break;
  case LOOM_CHART_LINES: *box = point_box (layout, element); break;
  case LOOM_CHART_WAITS: *box = loom_chart_layout_wait_box (layout, element); break;
  default: *box = cell_box (layout, element);
  }
  return TRUE;
}

/* --- moving with the keyboard ------------------------------------------------------------------------------------- */

/* Returns by how many elements the keys Up and Down move the focus. In a heat map, this is the number of cells in a
 * row; in stacked bars, the number of bars in a group; in stacked columns, the number of points in a line; in other
 * charts, 1. */
static guint
row_length (const LoomChart *chart)
{
  if (chart->kind == LOOM_CHART_HEAT || chart->kind == LOOM_CHART_MATRIX)
    return chart->heat.n_columns;
  if (chart->kind == LOOM_CHART_LINES && chart->lines.stacked && chart->lines.lines->len > 0)
    return chart->lines.points->len / chart->lines.lines->len;
  return chart->kind == LOOM_CHART_BARS && chart->bars.stacked ? chart->bars.series->len : 1;
}

guint
loom_chart_layout_step (const LoomChartLayout *layout, guint element, LoomChartStep step)
{
  guint n = loom_chart_get_n_elements (layout->chart), row = row_length (layout->chart);
  if (n == 0)
    return LOOM_CHART_NONE;
  if (step == LOOM_CHART_LAST)
    return n - 1;
  if (step == LOOM_CHART_FIRST || element >= n)
    return 0;
  guint by = step == LOOM_CHART_UP || step == LOOM_CHART_DOWN ? row : 1;
  /* element numbers increase upwards in stacked columns, but downwards in rows of cells */
  gboolean rises = layout->chart->kind == LOOM_CHART_LINES && layout->chart->lines.stacked,
           back = step == LOOM_CHART_LEFT || step == (rises ? LOOM_CHART_DOWN : LOOM_CHART_UP);
  if (by == 1 && row > 1 && element / row != (back ? element - 1 : element + 1) / row)
    return element;
  if (back)
    return element >= by ? element - by : element;
  return element + by < n ? element + by : element;
}
