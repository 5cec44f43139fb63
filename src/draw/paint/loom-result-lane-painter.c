/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the result of a query as a lane. Narrow bars that begin in the same pixel are painted as one rectangle. So a
 * lane has at most one rectangle per pixel for narrow bars, and one for each wide bar.
 */
#include <math.h>

#include "loom-paint-private.h"
#include "loom-result-lane.h"

#define BAR_TOP_PX 4.0
#define LEAST_LABEL_PX 24.0
#define LABEL_PADDING_PX 4.0
#define LINE_PX 1.5
#define AREA_ALPHA 0.22
#define COUNTER_TOP_PX 5.0
#define COUNTER_BOTTOM_PX 3.0
/* minimum height of a series that is painted with a line; a series with less height is painted only as an area */
#define LEAST_LINE_PX 12.0

/* Minimum difference between the values at the ends of the scale. If it is smaller, 1 is used instead, because
 * otherwise the number of px per unit would be infinite. */
#define LEAST_RANGE 1e-300

typedef struct {
  cairo_t *cr;
  const LoomPaintOptions *options;
  const LoomViewport *viewport;
  double height;
  LoomColor color;
} Brush;

static double
x_of (const Brush *brush, gint64 time_ns)
{
  return CLAMP (loom_viewport_x (brush->viewport, time_ns), -2, brush->viewport->width_px + 2);
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

static void
paint_box (const Brush *brush, double x0, double x1)
{
  loom_color_fill_rectangle (brush->cr, brush->color, x0, BAR_TOP_PX, MAX (x1 - x0, 1), brush->height - 2 * BAR_TOP_PX);
}

/* The label of a bar. It is painted only when the start of the next bar is known, because the next bar may cover a part
 * of the label. */
typedef struct {
  const char *text; /* text of the label; NULL: there is no label to paint */
  double x0, x1;
} Label;

static void
paint_label (const Brush *brush, Label *label, double next_x0)
{
  double room = MIN (label->x1, next_x0) - label->x0 - 2 * LABEL_PADDING_PX;
  if (label->text != NULL && room > 0)
    loom_text_cache_paint (brush->options->text, brush->cr, LOOM_TEXT_SPAN, label->text, label->x0 + LABEL_PADDING_PX,
                           brush->height / 2, room, loom_theme_text_on (brush->options->theme, brush->color));
  label->text = NULL;
}

/* Paints a bar that has room for a label, and stores its label to be painted later. A line of the background's colour
 * separates the bar from the bar before it. */
static void
paint_wide (const Brush *brush, const LoomResultBar *bar, double x0, double x1, Label *label)
{
  paint_box (brush, x0, x1);
  if (x0 >= 0)
    loom_color_fill_rectangle (brush->cr, brush->options->theme->role[LOOM_COLOR_ROLE_BACKGROUND], x0, BAR_TOP_PX, 1,
                               brush->height - 2 * BAR_TOP_PX);
  if (bar->text[0] != '\0')
    *label = (Label) { bar->text, MAX (x0, 0), x1 };
}

static void
paint_bars (const Brush *brush, const LoomResultLane *lane)
{
  guint n;
  const LoomResultBar *bars = loom_result_lane_get_bars (lane, &n);
  double run_x0 = 0, run_x1 = -1;      /* edges of the box into which narrow bars are merged */
  double last_x0 = -10, last_x1 = -10; /* edges of the last bar that was wide enough for a label */
  Label label = { 0 };
  for (guint i = loom_result_lane_find_first (lane, brush->viewport->begin_ns);
       i < n && bars[i].range.begin_ns < brush->viewport->end_ns; i++) {
    double x0 = x_of (brush, bars[i].range.begin_ns), x1 = MAX (x_of (brush, bars[i].range.end_ns), x0 + 1);
    gboolean is_wide = x1 - x0 >= LEAST_LABEL_PX;
    /* a bar that begins in the same pixel as the last wide bar and ends within it is skipped, because it could not be
     * distinguished from the wide bar; there may be thousands of such bars */
    if (is_wide && x0 - last_x0 < 1 && x1 <= last_x1)
      continue;
    /* a narrow bar within a wide bar has the same colour, so the label of the wide bar may continue over it */
    if (is_wide || x0 >= label.x1)
      paint_label (brush, &label, x0);
    if (is_wide || x0 > run_x1) {
      if (run_x1 > run_x0)
        paint_box (brush, run_x0, run_x1);
      run_x0 = x0;
      run_x1 = is_wide ? x0 : x1;
    } else
      run_x1 = MAX (run_x1, x1);
    if (!is_wide)
      continue;
    paint_wide (brush, &bars[i], x0, x1, &label);
    last_x0 = x0;
    last_x1 = x1;
  }
  if (run_x1 > run_x0)
    paint_box (brush, run_x0, run_x1);
  paint_label (brush, &label, brush->viewport->width_px);
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

typedef struct {
  double least, px_per_value, bottom, zero_y;
} Scale;

static Scale
find_scale (const Brush *brush, const LoomResultLane *lane)
{
  double least, greatest;
  loom_result_lane_get_scale (lane, &least, &greatest);
  least = MIN (least, 0);
  greatest = MAX (greatest, 0);
  double span = greatest - least > LEAST_RANGE ? greatest - least : 1;
  gboolean is_low = brush->height < LOOM_RESULT_LANE_COUNTER_PX;
  double top = is_low ? 1 : COUNTER_TOP_PX, bottom = is_low ? 1 : COUNTER_BOTTOM_PX;
  Scale scale = { least, (brush->height - top - bottom) / span, brush->height - bottom, 0 };
  scale.zero_y = scale.bottom + least * scale.px_per_value;
  return scale;
}

static double
y_of (const Scale *scale, double value)
{
  return scale->bottom - (value - scale->least) * scale->px_per_value;
}

/* A pixel column of a line: lowest and highest value at x, and the last value, which holds until the next column. */
typedef struct {
  double x, low, high, last;
} Column;

static void
paint_column (const Brush *brush, const Scale *scale, const Column *column, double x1)
{
  double y = y_of (scale, column->last), top = y_of (scale, column->high), bottom = y_of (scale, column->low);
  if (brush->height < LEAST_LINE_PX) {
    loom_color_fill_rectangle (brush->cr, brush->color, column->x, MIN (top, scale->zero_y), x1 - column->x,
                               MAX (bottom, scale->zero_y) - MIN (top, scale->zero_y));
    return;
  }
  loom_color_fill_rectangle (brush->cr, loom_color_with_alpha (brush->color, AREA_ALPHA), column->x,
                             MIN (y, scale->zero_y), x1 - column->x, fabs (y - scale->zero_y));
  loom_color_fill_rectangle (brush->cr, brush->color, column->x, y - LINE_PX / 2, x1 - column->x, LINE_PX);
  loom_color_fill_rectangle (brush->cr, brush->color, column->x, top - LINE_PX / 2, LINE_PX, bottom - top + LINE_PX);
}

static void
paint_line (const Brush *brush, const LoomResultLane *lane, guint series)
{
  guint n;
  const LoomResultSample *samples = loom_result_lane_get_samples (lane, series, &n);
  const LoomResultSample *first = loom_result_lane_find_sample (lane, series, brush->viewport->begin_ns);
  Scale scale = find_scale (brush, lane);
  Column column = { 0, NAN, NAN, NAN };
  for (guint i = first != NULL ? (guint) (first - samples) : 0; i < n && samples[i].time_ns < brush->viewport->end_ns;
       i++) {
    double x = floor (MAX (x_of (brush, samples[i].time_ns), 0)), value = samples[i].value;
    if (x > column.x && !isnan (column.last)) {
      paint_column (brush, &scale, &column, x);
      column.low = column.high = column.last; /* the vertical line of the next column begins at the last value of this
                                               * column */
    }
    column.low = isnan (value) || isnan (column.low) ? value : MIN (column.low, value);
    column.high = isnan (value) || isnan (column.high) ? value : MAX (column.high, value);
    column.x = x;
    column.last = value;
  }
  if (!isnan (column.last))
    paint_column (brush, &scale, &column, brush->viewport->width_px);
}

static void
paint_series (const Brush *brush, const LoomResultLane *lane, guint series)
{
  const LoomTheme *theme = brush->options->theme;
  if (series > 0 && brush->height >= LEAST_LINE_PX)
    loom_color_fill_rectangle (brush->cr, theme->role[LOOM_COLOR_ROLE_SEPARATOR], 0, -1, brush->viewport->width_px, 1);
  paint_line (brush, lane, series);
}

/* Paints the series of a lane of values one below the other. */
static void
paint_counter (const Brush *brush, const LoomResultLane *lane)
{
  guint n = loom_result_lane_get_n_series (lane);
  Brush band = *brush;
  band.height = brush->height / n;
  cairo_save (brush->cr);
  for (guint i = 0; i < n; i++) {
    paint_series (&band, lane, i);
    cairo_translate (brush->cr, 0, band.height);
  }
  cairo_restore (brush->cr);
}

/* --- painting a lane ---------------------------------------------------------------------------------------------- */

void
loom_timeline_painter_paint_lane (cairo_t *cr, const LoomResultLane *lane, guint color, const LoomViewport *viewport,
                                  double height, const LoomPaintOptions *options)
{
  const LoomTheme *theme = options->theme;
  const Brush brush = { cr, options, viewport, height, theme->series[color % LOOM_N_SERIES_COLORS] };
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_BACKGROUND], 0, 0, viewport->width_px, height);
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_SEPARATOR], 0, height - 1, viewport->width_px, 1);
  if (options->selection.end_ns > options->selection.begin_ns) {
    double x0 = x_of (&brush, options->selection.begin_ns), x1 = x_of (&brush, options->selection.end_ns);
    loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_SELECTION], x0, 0, x1 - x0, height);
  }
  if (lane == NULL)
    return;
  loom_text_cache_begin (options->text, cr);
  if (loom_result_lane_is_counter (lane))
    paint_counter (&brush, lane);
  else
    paint_bars (&brush, lane);
  loom_text_cache_end (options->text);
}
