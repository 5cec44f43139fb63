/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints heat maps and matrices, and the scale of their colours.
 */
#include "loom-chart-paint-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEVELS 128 /* number of different colours of the colour scale */
/* height of the upper part of a cell, which shows the highest value, as a share of the cell's height */
#define PEAK_PART 0.35
#define ROOMY_PX 9.0 /* minimum height of rows in which a line separates the highest value from the mean */

static int
level_of (const LoomChartPaint *paint, double value)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  if (!isfinite (value))
    return -1;
  return (int) (CLAMP ((value - heat->low) / (heat->high > heat->low ? heat->high - heat->low : 1), 0, 1) *
                  (LEVELS - 1) +
                0.5);
}

static void
fill_levels (const LoomChartPaint *paint, LoomColor *colors)
{
  for (int i = 0; i < LEVELS; i++)
    colors[i] = loom_color_heat ((double) i / (LEVELS - 1), paint->theme->dark);
}

/* Returns the colour of cells without data: a grey. The colour of the background would be wrong. In a dark theme, it
 * looks like the colour of the lowest value. In a light theme, the colour of the lowest value is dark, so the light
 * background would be more striking than the lowest value. */
static LoomColor
get_missing_color (const LoomTheme *theme)
{
  return theme->role[LOOM_COLOR_ROLE_NEUTRAL_SOFT];
}

/* Fills cells without data. Only the cells of heat maps over time are hatched; those of matrices contain text. */
static void
fill_missing (const LoomChartPaint *paint, LoomChartBox box)
{
  loom_color_fill_rectangle (paint->cr, get_missing_color (paint->theme), box.x, box.y, box.width, box.height);
  if (loom_chart_has_cells (paint->chart))
    return;
  loom_chart_paint_trace_stripes (paint, box);
  loom_color_set_source (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_NEUTRAL]);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

/* The cells that are painted next. All cells of a colour become one path, because the time for writing an SVG grows with
 * the square of the number of paths. */
typedef struct {
  const LoomChartPaint *paint;
  const LoomColor *colors;
  double gap;            /* distance of adjacent cells; if it is 0, adjacent cells of the same colour become one box */
  GArray *boxes[LEVELS]; /* LoomChartBox: the cells of each colour that are not painted yet */
} Cells;

static void
paint_boxes (Cells *cells)
{
  cairo_t *cr = cells->paint->cr;
  for (guint level = 0; level < LEVELS; level++) {
    GArray *boxes = cells->boxes[level];
    if (boxes->len == 0)
      continue;
    loom_color_set_source (cr, cells->colors[level]);
    for (guint i = 0; i < boxes->len; i++) {
      const LoomChartBox *box = &g_array_index (boxes, LoomChartBox, i);
      cairo_rectangle (cr, box->x, box->y, box->width, box->height);
    }
    cairo_fill (cr);
    g_array_set_size (boxes, 0);
  }
}

/* Adds a row of cells, or a horizontal strip of such a row. Cells without data are painted at once. */
static void
add_strip (Cells *cells, const double *values, double top, double height)
{
  const LoomChartPaint *paint = cells->paint;
  const LoomChartHeat *heat = &paint->chart->heat;
  const LoomChartBox *plot = &paint->layout->plot;
  double width = plot->width / heat->n_columns;
  for (guint column = 0, end; column < heat->n_columns; column = end) {
    int level = level_of (paint, values[column]);
    for (end = column + 1; cells->gap == 0 && end < heat->n_columns && level_of (paint, values[end]) == level;)
      end++;
    double left = floor (plot->x + column * width), right = floor (plot->x + end * width) - cells->gap;
    const LoomChartBox box = { left, top, MAX (right - left, 1), height };
    if (level < 0)
      fill_missing (paint, box);
    else
      g_array_append_val (cells->boxes[level], box);
  }
}

/* Returns the height of a row, without the gap to the next row. Sets `top`. */
static double
get_row_height (const LoomChartPaint *paint, guint row, double *top)
{
  double row_px = paint->layout->row_px;
  *top = floor (paint->layout->plot.y + row * row_px);
  return MAX (floor (paint->layout->plot.y + (row + 1) * row_px) - *top - (row_px > 5 ? 1 : 0), 1);
}

/* Paints the upper part of each cell, which shows the peak: the highest of several values, whose mean the lower part
 * shows. A line separates the parts if there is room. */
static void
paint_peaks (Cells *cells)
{
  const LoomChartPaint *paint = cells->paint;
  const LoomChartHeat *heat = &paint->chart->heat;
  double top;
  for (guint row = 0; (gsize) row * heat->n_columns < heat->peaks->len; row++) {
    double height = get_row_height (paint, row, &top);
    add_strip (cells, &g_array_index (heat->peaks, double, (gsize) row * heat->n_columns), top,
               MAX (floor (height * PEAK_PART), 1));
  }
  paint_boxes (cells);
  for (guint row = 0; (gsize) row * heat->n_columns < heat->peaks->len; row++) {
    double height = get_row_height (paint, row, &top);
    if (height >= ROOMY_PX)
      loom_color_fill_rectangle (paint->cr, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND], paint->layout->plot.x,
                                 top + MAX (floor (height * PEAK_PART), 1), paint->layout->plot.width, 1);
  }
}

static void
paint_rows (const LoomChartPaint *paint, const LoomColor *colors, double gap)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  Cells cells = { paint, colors, gap, { NULL } };
  double top;
  for (guint level = 0; level < LEVELS; level++)
    cells.boxes[level] = g_array_new (FALSE, FALSE, sizeof (LoomChartBox));
  for (guint row = 0; row < heat->rows->len; row++) {
    double height = get_row_height (paint, row, &top);
    add_strip (&cells, &g_array_index (heat->values, double, (gsize) row * heat->n_columns), top, height);
  }
  paint_boxes (&cells);
  paint_peaks (&cells);
  for (guint level = 0; level < LEVELS; level++)
    g_array_unref (cells.boxes[level]);
}

static gboolean
has_gaps (const LoomChartHeat *heat)
{
  for (guint i = 0; i < heat->values->len; i++)
    if (!isfinite (g_array_index (heat->values, double, i)))
      return TRUE;
  return FALSE;
}

static void
outline (const LoomChartPaint *paint, LoomChartBox box, LoomColorRole role)
{
  loom_color_set_source (paint->cr, paint->theme->role[role]);
  cairo_set_line_width (paint->cr, 1);
  cairo_rectangle (paint->cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  cairo_stroke (paint->cr);
}

#define KEY_GAP_PX 20.0 /* distance between the entries of the legend */

/* Returns the width of the entry of the legend for framed cells; 0: there is none. */
static double
get_frame_key_width (const LoomChartPaint *paint)
{
  if (paint->chart->heat.framed->len == 0)
    return 0;
  return 16 + KEY_GAP_PX + loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, paint->chart->limit_label);
}

/* Paints the entry of the legend for framed cells. Returns the left edge of the next entry. */
static double
paint_frame_key (const LoomChartPaint *paint, double x, double y)
{
  loom_chart_paint_flag_box (paint, (LoomChartBox) { x, y, 10, 10 });
  return x + 16 + KEY_GAP_PX +
         loom_chart_paint_put (paint, LOOM_TEXT_SMALL, paint->chart->limit_label, x + 16, y + 5,
                               MAX (paint->layout->width - x - 16, 0), LOOM_COLOR_ROLE_TEXT_DIM);
}

/* Returns the text at the upper end of the colour scale. If cells have values beyond this end, the text says so and
 * states the highest of these values. Owned by the caller. */
static char *
dup_high (const LoomChart *chart)
{
  const LoomChartHeat *heat = &chart->heat;
  double highest = heat->high;
  for (guint i = 0; i < heat->values->len; i++)
    highest = fmax (highest, g_array_index (heat->values, double, i)); /* fmax() ignores NaN */
  g_autofree char *high = loom_chart_format (heat->high, chart->unit), *most = loom_chart_format (highest, chart->unit);
  if (strcmp (most, high) == 0)
    return g_steal_pointer (&high);
  return g_strdup_printf (
    /* Translators: upper end of a color scale, and the highest value, which is beyond it: "≥ 165 µs, up to 3.30 ms" */
    _ ("≥ %s, up to %s"), high, most);
}

static void
paint_scale (const LoomChartPaint *paint, const LoomColor *colors)
{
  const LoomChartBox *plot = &paint->layout->plot;
  const LoomChartHeat *heat = &paint->chart->heat;
  gboolean has_cells = loom_chart_has_cells (paint->chart);
  double y = plot->y + plot->height + (has_cells ? 0 : LOOM_CHART_AXIS_PX) + 8, x = plot->x,
         length =
           MIN (160, (has_cells ? paint->layout->width - plot->x : plot->width) - 90 - get_frame_key_width (paint));
  g_autofree char *low = loom_chart_format (heat->low, paint->chart->unit);
  g_autofree char *high = dup_high (paint->chart);
  if (length < 40)
    return;
  x += loom_chart_paint_put (paint, LOOM_TEXT_SMALL, low, x, y + 5, -1, LOOM_COLOR_ROLE_TEXT_DIM) + 6;
  for (int i = 0; i < LEVELS; i++) {
    loom_color_fill_rectangle (paint->cr, colors[i], floor (x + length * i / LEVELS), y, ceil (length / LEVELS) + 1,
                               10);
  }
  /* outline the colour scale, because its lowest colour is nearly that of the background in dark themes */
  outline (paint, (LoomChartBox) { floor (x), y, ceil (x + length) - floor (x) + 1, 10 }, LOOM_COLOR_ROLE_NEUTRAL);
  x += length + 8 +
       loom_chart_paint_put (paint, LOOM_TEXT_SMALL, high, x + length + 8, y + 5, -1, LOOM_COLOR_ROLE_TEXT_DIM) + 20;
  const char *words = paint->chart->kind == LOOM_CHART_MATRIX ? _ ("not compared") : _ ("no data");
  /* the name of the x axis is on the same line as the colour scale, at the right end of the line */
  double name_px = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, paint->chart->x_name),
         end = name_px > 0 ? plot->x + plot->width - name_px - 8 : paint->layout->width;
  if (heat->framed->len > 0)
    x = paint_frame_key (paint, floor (x), y);
  if (!has_gaps (heat) || x + 16 + loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, words) > end)
    return;
  fill_missing (paint, (LoomChartBox) { floor (x), y, 10, 10 });
  outline (paint, (LoomChartBox) { floor (x), y, 10, 10 }, LOOM_COLOR_ROLE_NEUTRAL);
  loom_chart_paint_put (paint, LOOM_TEXT_SMALL, words, floor (x) + 16, y + 5, -1, LOOM_COLOR_ROLE_TEXT_DIM);
}

/* Returns the text of a cell: in a map the text that was added for it, otherwise its formatted value. Owned by the
 * caller. */
static char *
dup_cell_text (const LoomChart *chart, guint cell)
{
  if (cell < chart->heat.texts->len)
    return g_strdup (g_array_index (chart->heat.texts, const char *, cell));
  return loom_chart_format (g_array_index (chart->heat.values, double, cell), chart->unit);
}

static void
frame_cell (const LoomChartPaint *paint, LoomChartBox box, LoomColorRole role)
{
  loom_color_set_source (paint->cr, paint->theme->role[role]);
  cairo_set_line_width (paint->cr, 2);
  cairo_rectangle (paint->cr, floor (box.x) + 1, floor (box.y) + 1, floor (box.width) - 3, floor (box.height) - 3);
  cairo_stroke (paint->cr);
}

/* Writes texts or numbers into the cells if they fit, and frames cells with values beyond the limit. */
static void
paint_cells (const LoomChartPaint *paint, const LoomColor *colors)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  LoomChartBox box;
  for (guint i = 0; i < heat->values->len; i++) {
    double value = g_array_index (heat->values, double, i);
    int level = level_of (paint, value);
    if (!loom_chart_layout_get_box (paint->layout, i, &box))
      continue;
    g_autofree char *label = dup_cell_text (paint->chart, i);
    double width = loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, label);
    LoomColor ink = loom_theme_text_on (paint->theme, level < 0 ? get_missing_color (paint->theme) : colors[level]);
    if (width + 6 <= box.width && box.height >= 13)
      loom_text_cache_paint (paint->text, paint->cr, LOOM_TEXT_SMALL, label, box.x + (box.width - 1 - width) / 2,
                             box.y + (box.height - 1) / 2, -1, ink);
    if (isfinite (paint->chart->limit) && value > paint->chart->limit)
      frame_cell (paint, box, LOOM_COLOR_ROLE_ERROR);
  }
  for (guint i = 0; i < heat->framed->len; i++)
    if (loom_chart_layout_get_box (paint->layout, g_array_index (heat->framed, guint, i), &box))
      frame_cell (paint, box, LOOM_COLOR_ROLE_WARNING);
}

static void
paint_column_labels (const LoomChartPaint *paint)
{
  const LoomChartHeat *heat = &paint->chart->heat;
  const GArray *names = heat->columns->len > 0 ? heat->columns : heat->rows;
  double width = paint->layout->plot.width / heat->n_columns;
  for (guint i = 0; i < heat->n_columns && i < names->len; i++) {
    g_autofree char *label =
      loom_chart_shorten (g_array_index (names, const char *, i), width - 4, LOOM_TEXT_SMALL, paint->text);
    double length = MIN (loom_text_cache_width (paint->text, LOOM_TEXT_SMALL, label), width - 4);
    loom_chart_paint_put (paint, LOOM_TEXT_SMALL, label, paint->layout->plot.x + i * width + (width - length) / 2,
                          paint->layout->plot.y - 8, width - 4, LOOM_COLOR_ROLE_TEXT_DIM);
  }
}

void
loom_chart_paint_heat (const LoomChartPaint *paint)
{
  LoomColor colors[LEVELS];
  gboolean matrix = loom_chart_has_cells (paint->chart);
  fill_levels (paint, colors);
  loom_chart_paint_row_labels (paint, paint->chart->heat.rows);
  paint_rows (paint, colors, matrix ? 1 : 0);
  if (matrix) {
    paint_column_labels (paint);
    paint_cells (paint, colors);
  } else
    loom_chart_paint_x_axis (paint, FALSE);
  paint_scale (paint, colors);
}
