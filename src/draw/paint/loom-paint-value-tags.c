/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the values of all counters at one instant: each plot has a tag with its values next to the vertical line at
 * this instant. The colours of values are those of the plot's legend, which contains the names of the series.
 */
#include <math.h>

#include "loom-counter-values.h"
#include "loom-paint-private.h"

#define LINE_PX 12.0
#define GAP_PX 5.0   /* distance of the tag from the vertical line that marks the tag's instant */
#define INNER_PX 4.0 /* padding around the text */
#define SWATCH_PX 6.0
#define COLUMN_GAP_PX 8.0
#define MOST_COLUMNS 3

/* A tag: the values of a plot at one instant, in columns. */
typedef struct {
  char **texts;
  GArray *readings;
  guint n;       /* number of values that are shown; smaller than the number of readings if there is no room for all */
  guint n_lines; /* number of lines in each column */
  double widths[MOST_COLUMNS];
  double width, height;
} Tag;

static void
clear_tag (Tag *tag)
{
  g_strfreev (tag->texts);
  g_array_unref (tag->readings);
}

static void
drop_missing (GArray *readings)
{
  for (guint i = readings->len; i-- > 0;)
    if (isnan (g_array_index (readings, LoomCounterValue, i).value))
      g_array_remove_index (readings, i);
}

static void
measure_tag (const LoomPaintContext *paint, double room, Tag *tag)
{
  tag->n_lines = (guint) MAX (floor ((room - INNER_PX) / LINE_PX), 1);
  tag->n = MIN (tag->readings->len, tag->n_lines * MOST_COLUMNS);
  tag->n_lines = MIN (tag->n_lines, tag->n);
  guint n_columns = (tag->n + tag->n_lines - 1) / tag->n_lines;
  tag->texts = g_new0 (char *, tag->n + 1);
  for (guint i = 0; i < tag->n; i++) {
    double *width = &tag->widths[i / tag->n_lines];
    tag->texts[i] = loom_counter_value_format (&g_array_index (tag->readings, LoomCounterValue, i));
    *width =
      MAX (*width, SWATCH_PX + 4 + ceil (loom_text_cache_width (paint->options->text, LOOM_TEXT_SMALL, tag->texts[i])));
  }
  tag->width = 2 * INNER_PX + (n_columns - 1) * COLUMN_GAP_PX;
  for (guint i = 0; i < n_columns; i++)
    tag->width += tag->widths[i];
  tag->height = tag->n_lines * LINE_PX + INNER_PX;
}

static void
paint_surface (LoomPaintContext *paint, const Tag *tag, double x, double y)
{
  cairo_t *cr = paint->cr;
  loom_color_fill_rectangle (cr, loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_HEADER], 0.94), x, y,
                             tag->width, tag->height);
  loom_color_set_source (cr, paint->theme->role[LOOM_COLOR_ROLE_BORDER]);
  loom_paint_frame (cr, x, y, x + tag->width, y + tag->height, 1);
}

static void
paint_texts (LoomPaintContext *paint, const Tag *tag, double x, double y)
{
  double left = x + INNER_PX;
  for (guint i = 0; i < tag->n; i++) {
    double middle = y + INNER_PX / 2 + (i % tag->n_lines + 0.5) * LINE_PX;
    const LoomCounterValue *reading = &g_array_index (tag->readings, LoomCounterValue, i);
    left += i > 0 && i % tag->n_lines == 0 ? tag->widths[i / tag->n_lines - 1] + COLUMN_GAP_PX : 0;
    loom_color_fill_rectangle (paint->cr, paint->theme->series[reading->color % LOOM_N_SERIES_COLORS], left,
                               floor (middle - SWATCH_PX / 2), SWATCH_PX, SWATCH_PX);
    loom_text_cache_paint (paint->options->text, paint->cr, LOOM_TEXT_SMALL, tag->texts[i], left + SWATCH_PX + 4,
                           middle, -1, paint->theme->role[LOOM_COLOR_ROLE_TEXT]);
  }
}

static double
x_of (const LoomPaintContext *paint, guint number)
{
  return loom_viewport_x (paint->viewport, paint->options->tags_ns[number]);
}

/* Places the tag of instant `number` to the right of the line at this instant. If there is no room on the right, places
 * it to the left of the line. The tag neither covers the line of another instant nor extends beyond `end`, where the
 * next tag begins. Returns FALSE if there is no room on either side. */
static gboolean
place_tag (const LoomPaintContext *paint, guint number, double width, double end, double *left)
{
  double x = x_of (paint, number), begin = number > 0 ? MAX (x_of (paint, number - 1), 0) : 0;
  if (number + 1 < paint->options->n_tags)
    end = MIN (end, x_of (paint, number + 1));
  *left = floor (x + GAP_PX);
  if (*left + width <= end)
    return TRUE;
  *left = floor (x - GAP_PX - width);
  return *left >= begin;
}

/* Paints a tag and returns its left edge. If the tag does not fit, paints nothing and returns `end`. */
static double
paint_tag (LoomPaintContext *paint, const LoomPlot *plot, guint number, double end)
{
  const LoomTimelineRow *row = loom_row_list_get_row (paint->outline, plot->row);
  Tag tag = { .readings = g_array_new (FALSE, FALSE, sizeof (LoomCounterValue)) };
  loom_counter_values_add (loom_row_list_get_timeline (paint->outline), row, paint->options->tags_ns[number],
                           tag.readings);
  drop_missing (tag.readings);
  if (tag.readings->len > 0) {
    double left, top;
    measure_tag (paint, plot->height, &tag);
    top = floor (plot->y + (plot->height - tag.height) / 2);
    if (place_tag (paint, number, tag.width, end, &left)) {
      paint_surface (paint, &tag, left, top);
      paint_texts (paint, &tag, left, top);
      end = left;
    }
  }
  clear_tag (&tag);
  return end;
}

/* Paints the tags of a plot from right to left, the last one first. Each tag may use the room that the tags to its
 * right do not need. */
static void
paint_tags_of (LoomPaintContext *paint, const LoomPlot *plot)
{
  double end = paint->viewport->width_px;
  for (guint k = paint->options->n_tags; k-- > 0;)
    if (x_of (paint, k) >= 0 && x_of (paint, k) <= paint->viewport->width_px)
      end = paint_tag (paint, plot, k, end);
}

static void
paint_part (LoomPaintContext *paint, gboolean pinned)
{
  guint n;
  const LoomPlot *plots = loom_draw_list_get_plots (paint->list, &n);
  const LoomViewport *view = paint->viewport;
  double split = MIN (loom_row_list_get_cover (paint->outline, view->scroll_px), view->height_px);
  cairo_save (paint->cr);
  cairo_rectangle (paint->cr, 0, pinned ? 0 : split, view->width_px, pinned ? split : view->height_px - split);
  cairo_clip (paint->cr);
  for (guint i = 0; i < n; i++)
    if (plots[i].row == plots[i].source_row && plots[i].pinned == pinned)
      paint_tags_of (paint, &plots[i]);
  cairo_restore (paint->cr);
}

void
loom_paint_tags (LoomPaintContext *paint)
{
  if (paint->options->n_tags == 0)
    return;
  paint_part (paint, FALSE);
  paint_part (paint, TRUE);
}
