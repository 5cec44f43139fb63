/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints spans, and the lanes of folded groups, which summarise the rows of a group. A span is a rectangle with its
 * name inside; a gap of one pixel separates it from its right neighbour and from the next row.
 */
#include <math.h>

#include "loom-paint-private.h"

/* GAP_PX: gap below a strip (the part of a row that shows one level of nesting), and after each span that is at least
 * MIN_GAP_WIDTH_PX wide. */
#define GAP_PX 1.0
#define MIN_GAP_WIDTH_PX 3.0

/* Distance from a span's edge to its name. */
#define LABEL_PX 4.0

/* Minimum strength of the colour of a pixel column with several spans, so that the column is visible even if the spans
 * cover only little of its time. */
#define FAINTEST 0.30

/* Minimum contrast between an outline and the fill of its span. */
#define LEAST_CONTRAST 3.0
#define SELECTED_PX 2.0

/* Selected spans that are at most this wide are outlined together with the selected spans next to them. */
#define NARROW_PX 6.0

#define RAGGED_PX 4.0
#define INSTANT_PX 7.0

#define TICK_ALPHA 0.4
#define TICK_ALPHA_CONTRAST 0.8

static LoomColor
fill_of (const LoomPaintContext *paint, const LoomDrawItem *mark, LoomPaintTone tone)
{
  LoomColor color = paint->span[tone][mark->color];
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) != 0)
    color = loom_color_over (
      loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_NEUTRAL_SOFT], tone == LOOM_PAINT_TONE_FULL ? 1 : 0.5),
      paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  if ((mark->flags & LOOM_DRAW_ITEM_SUSPECT) != 0)
    return loom_color_with_alpha (color, 0.45);
  if ((mark->flags & LOOM_DRAW_ITEM_DENSE) != 0)
    return loom_color_with_alpha (color, FAINTEST + (1 - FAINTEST) * mark->fill / 255.0);
  return color;
}

/* Returns the fill of a bar in the lane of a folded group. */
static LoomColor
fill_of_bar (const LoomPaintContext *paint, const LoomDrawItem *mark, LoomPaintTone tone)
{
  LoomColor color = paint->soft[tone][mark->color];
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) == 0)
    return color;
  return loom_color_over (loom_color_with_alpha (color, LOOM_THEME_WAITING_ALPHA),
                          paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP]);
}

static double
right_edge (const LoomDrawItem *mark)
{
  double width = mark->x1 - mark->x0;
  return width >= MIN_GAP_WIDTH_PX && (mark->flags & LOOM_DRAW_ITEM_DENSE) == 0 ? mark->x1 - GAP_PX : mark->x1;
}

/* Returns the upper edge of a bar in a lane. `bottom`: lower edge of the lane. */
static double
get_bar_top (const LoomDepthRow *strip, const LoomDrawItem *mark, double bottom)
{
  return bottom - MAX ((strip->height - GAP_PX) * (mark->fill + mark->base) / 255.0, 1);
}

/* Paints the lane of a folded group. Each column of the lane is a stack of bars, whose heights are shares of time. The
 * marks of a column follow each other, the uppermost bar first. Each bar is painted down to the bar below it. In SVG and
 * PDF files it is painted down to the lower edge of the lane, because viewers antialias edges and would show seams. The
 * colours are slightly fainter than those of spans. */
static void
paint_group (LoomPaintContext *paint, const LoomDepthRow *strip, const LoomDrawItem *marks)
{
  double bottom = strip->y + strip->height - GAP_PX;
  gboolean is_file = paint->canvas.image == NULL;
  for (guint32 i = 0; i < strip->n; i++) {
    gboolean is_lowest = i + 1 == strip->n || marks[i + 1].x0 != marks[i].x0;
    double end = is_lowest || is_file ? bottom : get_bar_top (strip, &marks[i + 1], bottom);
    LoomColor color = fill_of_bar (paint, &marks[i], loom_paint_tone (paint, strip->first + i));
    loom_box_canvas_box (&paint->canvas, marks[i].x0, get_bar_top (strip, &marks[i], bottom), marks[i].x1, end, color);
  }
}

void
loom_paint_strip (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  if (strip->group) {
    paint_group (paint, strip, marks);
    loom_paint_path_bars (paint, strip);
    return;
  }
  if (loom_row_list_get_row (paint->outline, strip->row)->kind == LOOM_ROW_INSTANTS)
    return;
  LoomBoxCanvasStrip line;
  loom_box_canvas_strip_begin (&paint->canvas, &line, strip->y, strip->y + strip->height - GAP_PX);
  for (guint32 i = 0; i < strip->n;) {
    const LoomDrawItem *mark = &marks[i];
    LoomPaintTone tone = loom_paint_tone (paint, strip->first + i);
    double x1 = right_edge (mark);
    /* adjacent columns with equal colour, fill and flags are painted as one box */
    for (i++; i < strip->n && (marks[i].flags & mark->flags & LOOM_DRAW_ITEM_DENSE) != 0 && marks[i].x0 == x1 &&
              marks[i].color == mark->color && marks[i].fill == mark->fill && marks[i].flags == mark->flags &&
              loom_paint_tone (paint, strip->first + i) == tone;
         i++)
      x1 = marks[i].x1;
    loom_box_canvas_strip_box (&line, mark->x0, x1, fill_of (paint, mark, tone));
  }
  loom_box_canvas_strip_end (&line);
  loom_paint_path_bars (paint, strip);
}

/* --- names and outlines ----------------------------------------------------------------------------------------- */

static const char *
name_of (const LoomPaintContext *paint, const LoomDrawItem *mark)
{
  LoomRun *run = loom_timeline_get_run (loom_row_list_get_timeline (paint->outline));
  return loom_trace_get_name (loom_run_get_trace (run, mark->span.trace), mark->name_id)->text;
}

/* Cuts teeth out of the right edge of a span that never ended. In the lane of a folded group, the teeth are only in the
 * column in which the span ends. */
static void
cut_teeth (LoomPaintContext *paint, const LoomDepthRow *strip, const LoomDrawItem *mark)
{
  double x = mark->x1, y0 = strip->y, y1 = strip->y + strip->height - GAP_PX, tooth = (y1 - y0) / 4;
  if ((!strip->group && x - mark->x0 < 2 * RAGGED_PX) || x > paint->viewport->width_px)
    return;
  LoomColorRole role = strip->group ? LOOM_COLOR_ROLE_BACKGROUND_GROUP : LOOM_COLOR_ROLE_BACKGROUND;
  loom_color_set_source (paint->cr, paint->theme->role[role]);
  cairo_move_to (paint->cr, x + 1, y0);
  for (int i = 0; i < 4; i++) {
    cairo_line_to (paint->cr, x - RAGGED_PX, y0 + (i + 0.5) * tooth);
    cairo_line_to (paint->cr, x, y0 + (i + 1) * tooth);
  }
  cairo_line_to (paint->cr, x + 1, y1);
  cairo_close_path (paint->cr);
  cairo_fill (paint->cr);
}

static LoomColor
text_color (const LoomPaintContext *paint, const LoomDrawItem *mark, LoomPaintTone tone)
{
  if (tone == LOOM_PAINT_TONE_FAINT)
    return paint->theme->role[LOOM_COLOR_ROLE_TEXT_FAINT];
  if ((mark->flags & LOOM_DRAW_ITEM_WAITING) != 0)
    return paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM];
  return tone == LOOM_PAINT_TONE_DIM ? paint->theme->dim_text[paint->dim][mark->color]
                                     : paint->theme->span_text[mark->color];
}

void
loom_paint_strip_text (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  LoomTextCache *text = paint->options->text;
  double minimum = loom_text_cache_minimum (text, LOOM_TEXT_SPAN), middle = strip->y + (strip->height - GAP_PX) / 2;
  if (strip->group)
    return;
  for (guint32 i = 0; i < strip->n; i++) {
    const LoomDrawItem *mark = &marks[i];
    if ((mark->flags & (LOOM_DRAW_ITEM_DENSE | LOOM_DRAW_ITEM_INSTANT)) != 0)
      continue;
    double x0 = MAX (mark->x0, 0) + LABEL_PX, x1 = MIN (right_edge (mark), paint->viewport->width_px) - LABEL_PX + 1;
    if (x1 - x0 < minimum)
      continue;
    LoomColor color = text_color (paint, mark, loom_paint_tone (paint, strip->first + i));
    loom_text_cache_paint (text, paint->cr, LOOM_TEXT_SPAN, name_of (paint, mark), x0, middle, x1 - x0, color);
  }
}

/* Paints an outline around a span. If the outline differs too little from the fill, also paints a line of the
 * background's colour inside the outline. */
static void
paint_outline (LoomPaintContext *paint, const LoomDrawItem *mark, LoomColorRole role, double width, double x0,
               double y0, double x1, double y1)
{
  const LoomTheme *theme = paint->theme;
  loom_color_set_source (paint->cr, theme->role[role]);
  loom_paint_frame (paint->cr, x0, y0, x1, y1, width);
  if (loom_color_contrast (theme->role[role], theme->span[mark->color]) >= LEAST_CONTRAST || x1 - x0 < 4 * width)
    return;
  loom_color_set_source (paint->cr, theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
  loom_paint_frame (paint->cr, x0 + width, y0 + width, x1 - width, y1 - width, 1);
}

/* An outline that several adjacent selected spans share, because they are too narrow for outlines of their own. */
typedef struct {
  const LoomDrawItem *mark; /* the last span that was added to the group of adjacent spans; NULL: the group is empty */
  double x0, x1;
} Crowd;

/* Paints the outline that a crowd of adjacent selected spans shares. If the crowd is narrow, paints bars above and
 * below the spans instead: an outline would hide the spans, and many outlines would merge into one area. */
static void
paint_crowd (LoomPaintContext *paint, const LoomDepthRow *strip, Crowd *crowd)
{
  double y0 = strip->y - 1, y1 = strip->y + strip->height, x0 = crowd->x0 - 1, width = crowd->x1 + 1 - x0;
  if (crowd->mark != NULL && width > NARROW_PX) {
    paint_outline (paint, crowd->mark, LOOM_COLOR_ROLE_ACCENT, SELECTED_PX, x0, y0, x0 + width, y1);
  } else if (crowd->mark != NULL) {
    LoomColor color = paint->theme->role[LOOM_COLOR_ROLE_ACCENT];
    loom_color_fill_rectangle (paint->cr, color, x0, y0, width, SELECTED_PX);
    loom_color_fill_rectangle (paint->cr, color, x0, y1 - SELECTED_PX, width, SELECTED_PX);
  }
  crowd->mark = NULL;
}

static void
outline_selected (LoomPaintContext *paint, const LoomDepthRow *strip, Crowd *crowd, const LoomDrawItem *mark, double x0,
                  double x1)
{
  gboolean narrow = x1 - x0 <= NARROW_PX;
  if (crowd->mark == NULL || !narrow || x0 > crowd->x1 + 1)
    paint_crowd (paint, strip, crowd);
  double from = crowd->mark != NULL ? crowd->x0 : x0;
  *crowd = (Crowd) { mark, from, x1 };
  if (!narrow)
    paint_crowd (paint, strip, crowd);
}

/* Returns TRUE for a row of instants. There, selected and hovered instants are painted wider, and not outlined. */
static gboolean
has_pins (const LoomPaintContext *paint, const LoomDepthRow *strip)
{
  return loom_row_list_get_row (paint->outline, strip->row)->kind == LOOM_ROW_INSTANTS;
}

void
loom_paint_strip_outlines (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  const LoomPaintOptions *options = paint->options;
  /* In the lane of a folded group, each bar represents the longest one of its spans. A bar of a lane is outlined if
   * this span is selected. The pointer has no effect: a bar of a lane is not outlined merely because its span is under
   * the pointer. */
  gboolean look = (options->n_selected > 0 || (!loom_timeline_span_id_is_none (options->hover) && !strip->group)) &&
                  !has_pins (paint, strip);
  Crowd crowd = { NULL, 0, 0 };
  for (guint32 i = 0; i < strip->n; i++) {
    const LoomDrawItem *mark = &marks[i];
    if ((mark->flags & LOOM_DRAW_ITEM_OPEN) != 0)
      cut_teeth (paint, strip, mark);
    if (!look)
      continue;
    double x0 = floor (MAX (mark->x0, -4)), x1 = ceil (MIN (right_edge (mark), paint->viewport->width_px + 4));
    if (loom_paint_is_selected (paint, strip->first + i)) {
      outline_selected (paint, strip, &crowd, mark, x0, MAX (x1, x0 + 3));
      continue;
    }
    paint_crowd (paint, strip, &crowd);
    if (loom_timeline_span_id_equal (options->hover, mark->span) && !strip->group)
      paint_outline (paint, mark, LOOM_COLOR_ROLE_HOVER_OUTLINE, 1, x0, strip->y - 1, MAX (x1, x0 + 3),
                     strip->y + strip->height);
  }
  paint_crowd (paint, strip, &crowd);
}

/* Paints instants as faint ticks, so that a lone instant looks like those in a crowd. Selected, hovered and found
 * instants are painted as pins that hang from the upper edge of their row; if several instants are in one pixel, their
 * pin has a wider head. Instants are grey unless their file requests a colour. */
void
loom_paint_instants (LoomPaintContext *paint, const LoomDepthRow *strip)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n) + strip->first;
  static const double tone_alpha[LOOM_PAINT_N_TONES] = { 1, 0.35, 0.6 };
  if (!has_pins (paint, strip))
    return;
  for (guint32 i = 0; i < strip->n; i++) {
    const LoomDrawItem *mark = &marks[i];
    gboolean hit = (mark->flags & LOOM_DRAW_ITEM_HIT) != 0, dense = (mark->flags & LOOM_DRAW_ITEM_DENSE) != 0;
    gboolean strong = loom_timeline_span_id_equal (paint->options->hover, mark->span) ||
                      loom_paint_is_selected (paint, strip->first + i);
    LoomColor own =
      mark->color >= LOOM_N_SPAN_COLORS ? paint->theme->span[mark->color] : paint->theme->role[LOOM_COLOR_ROLE_INSTANT];
    LoomColor color = strong ? paint->theme->role[LOOM_COLOR_ROLE_SELECTED_OUTLINE]
                      : hit  ? paint->theme->role[LOOM_COLOR_ROLE_HIT]
                             : own;
    gboolean tick = !strong && !hit;
    double x = floor (mark->x0) + 0.5, head = INSTANT_PX / 2 + (strong ? 2 : dense), stem = strong ? 3 : 1;
    double faint = paint->theme->contrast ? TICK_ALPHA_CONTRAST : TICK_ALPHA;
    double alpha = (tick ? faint : 1) * (strong ? 1 : tone_alpha[loom_paint_tone (paint, strip->first + i)]);
    loom_color_set_source (paint->cr, loom_color_with_alpha (color, alpha));
    if (!tick) {
      cairo_move_to (paint->cr, x - head, strip->y + 1);
      cairo_line_to (paint->cr, x + head, strip->y + 1);
      cairo_line_to (paint->cr, x, strip->y + 1 + 2 * head);
      cairo_close_path (paint->cr);
    }
    cairo_rectangle (paint->cr, x - stem / 2, strip->y + 1, stem, strip->height - 2);
    cairo_fill (paint->cr);
  }
}
