/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the overview, a strip that shows the whole run: the kinds of work of the accelerators in colour or, in a run
 * without accelerators, the busy time of threads in grey. The parts outside the view or the analyzed range are shaded.
 * A band along the upper edge shows when findings (results of rules) occur and how severe they are.
 */
#include <math.h>

#include "loom-paint-private.h"

#define TOP_PX 7.0
#define BOTTOM_PX 6.0
#define MIN_WINDOW_PX 4.0
#define GRIP_PX 14.0
/* height and opacity of the line that marks the view in a plain overview */
#define VIEW_LINE_PX 2.0
#define VIEW_LINE_ALPHA 0.3
#define ANALYZED_PX 2.0 /* width of the outline of the analyzed range */

/* BAND_TOP_PX, BAND_PX: position and height of the band that shows when findings occur. MIN_BAND_GAP_PX: two
 * occurrences of the same finding are drawn separately only if the gap between them is at least this wide. */
#define BAND_TOP_PX 1.0
#define BAND_PX 3.0
#define MIN_BAND_GAP_PX 3.0
/* a gap shorter than 1/SHORT_GAP of the length of the occurrence before it does not interrupt the band */
#define SHORT_GAP 20
/* Minimum width of a step after the gap to the next step is cut off from it; a narrower step is joined to the next
 * step. */
#define MIN_STEP_PX 3.0
/* Pieces of the band that cover at least this share of the run are not drawn, because they say nothing about when a
 * finding occurs. */
#define WHOLE_RUN 0.9

/* Returns the width in px of the margin on each side of the overview. It is the margin of a view that shows the whole
 * run. */
static double
margin_of (double width)
{
  return width * LOOM_VIEWPORT_FIT_MARGIN / (1 + 2 * LOOM_VIEWPORT_FIT_MARGIN);
}

double
loom_timeline_painter_overview_x (const LoomMinimapData *overview, double width, gint64 time_ns)
{
  LoomRange range = overview->range;
  double length = MAX ((double) loom_time_sub (range.end_ns, range.begin_ns), 1), margin = margin_of (width);
  return margin + (double) loom_time_sub (time_ns, range.begin_ns) / length * MAX (width - 2 * margin, 1);
}

gint64
loom_timeline_painter_overview_time (const LoomMinimapData *overview, double width, double x)
{
  LoomRange range = overview->range;
  double margin = margin_of (width), share = (x - margin) / MAX (width - 2 * margin, 1);
  share = CLAMP (share, -1.0, 2.0);
  return loom_time_add (range.begin_ns, (gint64) (share * (double) loom_time_sub (range.end_ns, range.begin_ns)));
}

/* Returns the mean of the values of those buckets that a pixel column covers. `from`, `to`: edges of the column, in
 * buckets. */
static double
mean_in (const float *shares, double from, double to)
{
  guint first = (guint) CLAMP (from, 0, LOOM_MINIMAP_DATA_BUCKETS - 1);
  guint last = (guint) CLAMP (ceil (to), first + 1, LOOM_MINIMAP_DATA_BUCKETS);
  double sum = 0;
  for (guint i = first; i < last; i++)
    sum += shares[i];
  return sum / (last - first);
}

/* Shares of time that are drawn as a stack, from the bottom up. Each share has a fill, and a colour for its upper
 * edge. */
typedef struct {
  guint n;
  const float *shares[LOOM_MINIMAP_N_PARTS];
  LoomColor fill[LOOM_MINIMAP_N_PARTS], edge[LOOM_MINIMAP_N_PARTS];
} Stack;

/* Returns the shares of time that the overview shows: one for each kind of activity, in the colour that spans of this
 * kind have on the timeline; a single grey share if the run has no spans of accelerators. */
static Stack
stack_of (const LoomMinimapData *overview, const LoomTheme *theme)
{
  if (!overview->has_parts)
    return (Stack) {
      1, { overview->busy }, { theme->role[LOOM_COLOR_ROLE_NEUTRAL_SOFT] }, { theme->role[LOOM_COLOR_ROLE_NEUTRAL] }
    };
  Stack stack = { .n = LOOM_MINIMAP_N_PARTS };
  static const LoomWorkFamily families[LOOM_MINIMAP_N_PARTS] = {
    [LOOM_MINIMAP_COMPUTE] = LOOM_WORK_FAMILY_COMPUTE,
    [LOOM_MINIMAP_COMMUNICATION] = LOOM_WORK_FAMILY_COMMUNICATION,
    [LOOM_MINIMAP_COPIES] = LOOM_WORK_FAMILY_COPY,
  };
  for (guint i = 0; i < stack.n; i++) {
    stack.shares[i] = overview->part[i];
    stack.fill[i] = i == LOOM_MINIMAP_WAITING
                      ? loom_theme_waiting_color (theme, theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP])
                      : loom_theme_family_color (theme, families[i]);
    stack.edge[i] = theme->contrast ? theme->role[LOOM_COLOR_ROLE_TEXT] : stack.fill[i];
  }
  return stack;
}

/* The pixel columns of the stack. `sums`: stack.n elements per column; for each share, the sum of this share and the
 * shares below it. */
typedef struct {
  Stack stack;
  double first_x, bottom, room;
  guint n;
  double *sums;
} Columns;

static Columns
get_columns (const LoomMinimapData *overview, double width, double height, const LoomTheme *theme)
{
  double margin = margin_of (width), per_px = LOOM_MINIMAP_DATA_BUCKETS / MAX (width - 2 * margin, 1);
  Columns columns = { stack_of (overview, theme), floor (margin), height - BOTTOM_PX, height - BOTTOM_PX - TOP_PX };
  guint n = columns.stack.n;
  columns.n = (guint) MAX (ceil (width - margin - columns.first_x), 0);
  columns.sums = g_new (double, (gsize) columns.n *n + 1);
  for (guint i = 0; i < columns.n; i++) {
    double sum = 0, from = (columns.first_x + i - margin) * per_px;
    for (guint k = 0; k < n; k++)
      columns.sums[i * n + k] = sum += mean_in (columns.stack.shares[k], MAX (from, 0), from + per_px);
  }
  return columns;
}

/* Paints share `k` in the columns `first` … `end` − 1, each from its top down `height` px, but at most to the bottom of
 * the overview. */
static void
paint_share (LoomBoxCanvas *canvas, const Columns *columns, guint first, guint end, guint k, double height,
             LoomColor color)
{
  /* columns overlap in SVG and PDF files, because viewers antialias edges and would show seams */
  double width = canvas->image == NULL ? 1.5 : 1;
  LoomBoxCanvasColumns boxes;
  loom_box_canvas_columns_begin (canvas, &boxes, color);
  for (guint i = first; i < end; i++) {
    const double *sum = &columns->sums[i * columns->stack.n + k];
    double x = columns->first_x + i, top = columns->bottom - MAX (*sum * columns->room, 1);
    if (*sum > (k > 0 ? sum[-1] : 0))
      loom_box_canvas_columns_box (&boxes, x, top, x + width, MIN (top + height, columns->bottom));
  }
  loom_box_canvas_columns_end (&boxes);
}

/* Paints the shares of time in the columns `first` … `end` − 1 as a stack. Each share is painted from its top down to
 * the bottom of the overview; the shares below it are then painted over its lower part. Otherwise, the background could
 * be visible between two shares. */
static void
paint_stack (LoomBoxCanvas *canvas, const Columns *columns, guint first, guint end)
{
  const Stack *stack = &columns->stack;
  for (guint k = stack->n; k-- > 0;) {
    paint_share (canvas, columns, first, end, k, columns->bottom, stack->fill[k]);
    if (stack->edge[k] != stack->fill[k])
      paint_share (canvas, columns, first, end, k, 1, stack->edge[k]);
  }
}

/* Paints all columns at once; but one by one in SVG and PDF files, so that a column covers the overlap of the one
 * before it. */
static void
paint_busy (LoomBoxCanvas *canvas, const LoomMinimapData *overview, double width, double height, const LoomTheme *theme)
{
  const Columns columns = get_columns (overview, width, height, theme);
  guint n_at_once = canvas->image != NULL ? MAX (columns.n, 1) : 1;
  for (guint first = 0; first < columns.n; first += n_at_once)
    paint_stack (canvas, &columns, first, first + n_at_once);
  g_free (columns.sums);
  double bottom = columns.bottom;
  loom_box_canvas_box (canvas, 0, bottom, width, bottom + 1 / canvas->scale, theme->role[LOOM_COLOR_ROLE_BORDER]);
}

static void
paint_ticks (cairo_t *cr, const LoomMinimapData *overview, double width, double y, double length,
             const gint64 *times_ns, guint n, LoomColor color)
{
  double last = -1;
  loom_color_set_source (cr, color);
  for (guint i = 0; i < n; i++) {
    double x = floor (loom_timeline_painter_overview_x (overview, width, times_ns[i]));
    if (x == last || x < 0 || x > width)
      continue;
    cairo_rectangle (cr, x, y, 1, length);
    last = x;
  }
  cairo_fill (cr);
}

/* A piece of the band of findings, from x0 to x1 px. Empty if x1 ≤ x0. */
typedef struct {
  double x0, x1;
  gboolean is_step; /* TRUE if it shows a step, or several steps that are too narrow for gaps */
} Piece;

/* Adds a piece of the band to the current path. Skips a piece that is nearly as wide as the overview (WHOLE_RUN),
 * because it would not show when in the run the finding occurs. A piece that shows steps is always added, because the
 * finding names these steps. */
static void
add_piece (cairo_t *cr, const Piece *piece, double width)
{
  if (piece->x1 > piece->x0 && (piece->is_step || piece->x1 - piece->x0 < WHOLE_RUN * (width - 2 * margin_of (width))))
    cairo_rectangle (cr, piece->x0, BAND_TOP_PX, piece->x1 - piece->x0, BAND_PX);
}

/* Returns TRUE if two consecutive times of a finding nearly touch. This is so if the gap between the times is too
 * narrow to be visible, or if the gap is short compared with the first of the two times. The second condition does not
 * depend on the width of the window, so pieces of the band are joined alike in every window. */
static gboolean
nearly_touch (LoomRange first, LoomRange second, double gap_px)
{
  return gap_px < MIN_BAND_GAP_PX ||
         loom_time_sub (second.begin_ns, first.end_ns) < loom_time_sub (first.end_ns, first.begin_ns) / SHORT_GAP;
}

/* Shortens a piece that shows steps, so that there is a gap between the piece and the next step. `last_x0`: x at which
 * the last step of the piece begins; `x0`: x at which the next step begins. Returns FALSE if the last step is too
 * narrow for a gap. */
static gboolean
leave_gap (Piece *piece, double last_x0, double x0)
{
  if (x0 - last_x0 < MIN_STEP_PX + MIN_BAND_GAP_PX)
    return FALSE;
  piece->x1 = MIN (piece->x1, x0 - MIN_BAND_GAP_PX);
  return TRUE;
}

/* Paints the times at which findings of one severity occur, as pieces of the band along the upper edge. Times of the
 * same finding that nearly touch are joined to one piece. Times that are steps are joined only if they are too narrow
 * for gaps between them (leave_gap()). */
static void
paint_severity (cairo_t *cr, const LoomMinimapData *overview, double width, const LoomPaintOptions *options,
                LoomRuleSeverity severity)
{
  static const LoomColorRole roles[] = { LOOM_COLOR_ROLE_ACCENT, LOOM_COLOR_ROLE_WARNING, LOOM_COLOR_ROLE_ERROR };
  Piece piece = { 0, 0, FALSE };
  LoomRange last = { 0, 0 };
  guint number = G_MAXUINT;
  double last_x0 = 0;
  loom_color_set_source (cr, options->theme->role[roles[severity]]);
  for (guint i = 0; i < options->n_findings; i++) {
    const LoomFindingMark *mark = &options->findings[i];
    if (mark->severity != severity)
      continue;
    double x0 = floor (loom_timeline_painter_overview_x (overview, width, mark->range.begin_ns)) - 1;
    double x1 = MAX (ceil (loom_timeline_painter_overview_x (overview, width, mark->range.end_ns)), x0 + BAND_PX);
    if (mark->finding == number &&
        (mark->is_step ? !leave_gap (&piece, last_x0, x0) : nearly_touch (last, mark->range, x0 - piece.x1))) {
      last.end_ns = MAX (last.end_ns, mark->range.end_ns);
      last_x0 = x0;
      piece.x1 = MAX (piece.x1, x1);
      continue;
    }
    add_piece (cr, &piece, width);
    piece = (Piece) { x0, x1, mark->is_step };
    last = mark->range;
    last_x0 = x0;
    number = mark->finding;
  }
  add_piece (cr, &piece, width);
  cairo_fill (cr);
}

static void
paint_findings (cairo_t *cr, const LoomMinimapData *overview, double width, const LoomPaintOptions *options)
{
  for (LoomRuleSeverity severity = LOOM_RULE_INFO; severity <= LOOM_RULE_SEVERE; severity++)
    paint_severity (cr, overview, width, options, severity);
}

/* Sets `x0` and `x1` to the edges of the pixel columns that the range `stretch` covers. Excludes columns to the left of
 * `last`, because earlier ranges cover them; then sets `last` to the end of all columns that are covered so far.
 * Returns FALSE if no column remains. */
static gboolean
find_columns (const LoomMinimapData *overview, double width, LoomRange stretch, double *last, double *x0, double *x1)
{
  *x0 = MAX (floor (loom_timeline_painter_overview_x (overview, width, stretch.begin_ns)), *last);
  *x1 =
    MAX (ceil (loom_timeline_painter_overview_x (overview, width, stretch.end_ns)), *x0 + (*x0 > *last || *last == 0));
  *last = MAX (*last, *x1);
  return *x1 > *x0;
}

/* Tints the background of the ranges to which the selected element of a panel refers. */
static void
tint_stretches (LoomBoxCanvas *canvas, const LoomMinimapData *overview, double width, double height,
                const LoomPaintOptions *options)
{
  LoomColor color = loom_color_with_alpha (options->theme->role[LOOM_COLOR_ROLE_HIT], 0.4);
  double last = 0, x0, x1;
  for (guint i = 0; i < options->n_stretches; i++)
    if (find_columns (overview, width, options->stretches[i], &last, &x0, &x1))
      loom_box_canvas_box (canvas, x0, TOP_PX, x1, height - BOTTOM_PX, color);
}

/* Paints bars along the lower edge of the overview for the ranges to which the selected element of a panel refers. */
static void
paint_stretches (cairo_t *cr, const LoomMinimapData *overview, double width, double height,
                 const LoomPaintOptions *options)
{
  double last = 0, x0, x1;
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_HIT]);
  for (guint i = 0; i < options->n_stretches; i++)
    if (find_columns (overview, width, options->stretches[i], &last, &x0, &x1))
      cairo_rectangle (cr, x0, height - BOTTOM_PX + 1, x1 - x0, BOTTOM_PX - 3);
  cairo_fill (cr);
}

static void
paint_marks (cairo_t *cr, const LoomMinimapData *overview, double width, double height, const LoomPaintOptions *options)
{
  LoomRange range = options->selection, analyzed = options->analyzed;
  LoomColor accent = options->theme->role[LOOM_COLOR_ROLE_ACCENT];
  gboolean is_outlined = range.begin_ns == analyzed.begin_ns && range.end_ns == analyzed.end_ns;
  if (range.end_ns > range.begin_ns && !is_outlined) {
    double x0 = loom_timeline_painter_overview_x (overview, width, range.begin_ns),
           x1 = loom_timeline_painter_overview_x (overview, width, range.end_ns);
    loom_color_fill_rectangle (cr, options->theme->role[LOOM_COLOR_ROLE_SELECTION], x0, 0, MAX (x1 - x0, 1), height);
  }
  loom_color_set_source (cr, accent);
  for (guint i = 0; i < options->n_marks; i++)
    cairo_rectangle (cr, floor (loom_timeline_painter_overview_x (overview, width, options->marks[i].time_ns)), 2, 1,
                     height - 4);
  cairo_fill (cr);
}

static void
paint_grip (cairo_t *cr, double x, double height, LoomColor color)
{
  double y = (height - GRIP_PX) / 2, w = 5, r = 2.5;
  loom_color_set_source (cr, color);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y + r, r, G_PI, 2 * G_PI);
  cairo_arc (cr, x, y + GRIP_PX - r, r, 0, G_PI);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_rectangle (cr, x - w / 10, 0, 1, height);
  cairo_fill (cr);
}

/* Sets x0 and x1 to the edges of a range, at least MIN_WINDOW_PX apart. Returns FALSE if the range fills the width. */
static gboolean
find_edges (const LoomMinimapData *overview, double width, LoomRange range, double *x0, double *x1)
{
  *x0 = loom_timeline_painter_overview_x (overview, width, range.begin_ns);
  *x1 = loom_timeline_painter_overview_x (overview, width, range.end_ns);
  double grow = MAX (MIN_WINDOW_PX - (*x1 - *x0), 0) / 2;
  *x0 = CLAMP (floor (*x0 - grow), 0, width);
  *x1 = CLAMP (ceil (*x1 + grow), 0, width);
  return *x0 > 0 || *x1 < width;
}

static void
shade_outside (cairo_t *cr, double width, double height, double x0, double x1, const LoomTheme *theme)
{
  loom_color_set_source (cr, theme->role[LOOM_COLOR_ROLE_SHADE]);
  cairo_rectangle (cr, 0, 0, x0, height - 1);
  cairo_rectangle (cr, x1, 0, width - x1, height - 1);
  cairo_fill (cr);
}

/* Returns TRUE if the overview must mark the analyzed range. Returns FALSE if the range is empty. Also returns FALSE if
 * the range equals the visible range, and the overview already has a frame around the visible range. */
static gboolean
marks_analyzed (const LoomViewport *viewport, const LoomPaintOptions *options)
{
  LoomRange range = options->analyzed;
  gboolean is_window =
    !options->plain_overview && range.begin_ns == viewport->begin_ns && range.end_ns == viewport->end_ns;
  return range.end_ns > range.begin_ns && !is_window;
}

static void
paint_analyzed (cairo_t *cr, const LoomMinimapData *overview, double width, double height,
                const LoomPaintOptions *options)
{
  double x0, x1;
  find_edges (overview, width, options->analyzed, &x0, &x1);
  shade_outside (cr, width, height, x0, x1, options->theme);
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_ACCENT]);
  cairo_set_line_width (cr, ANALYZED_PX);
  cairo_rectangle (cr, x0 + ANALYZED_PX / 2, ANALYZED_PX / 2, x1 - x0 - ANALYZED_PX, height - ANALYZED_PX);
  cairo_stroke (cr);
}

/* Marks the view in the overview: with a window that has handles or, if options->plain_overview is TRUE, with a line
 * along the lower edge. `shades`: whether to shade the run outside of the window. */
static void
paint_window (cairo_t *cr, const LoomMinimapData *overview, double width, double height, const LoomViewport *viewport,
              const LoomPaintOptions *options, gboolean shades)
{
  const LoomTheme *theme = options->theme;
  double x0, x1;
  if (!find_edges (overview, width, (LoomRange) { viewport->begin_ns, viewport->end_ns }, &x0, &x1))
    return;
  if (options->plain_overview) {
    loom_color_fill_rectangle (cr, loom_color_with_alpha (theme->role[LOOM_COLOR_ROLE_TEXT_DIM], VIEW_LINE_ALPHA), x0,
                               height - VIEW_LINE_PX, x1 - x0, VIEW_LINE_PX);
    return;
  }
  if (shades)
    shade_outside (cr, width, height, x0, x1, theme);
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_TEXT_DIM], x0, 0, x1 - x0, 1);
  paint_grip (cr, x0 + 0.5, height - 1, theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  paint_grip (cr, x1 - 0.5, height - 1, theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
}

typedef struct {
  const LoomMinimapData *overview;
  double width, height;
  const LoomPaintOptions *options;
} Run;

/* Paints the run (Run): the background, the tinted ranges, and the shares of time. */
static void
paint_run (cairo_t *cr, gpointer user_data)
{
  const Run *run = user_data;
  const LoomPaintOptions *options = run->options;
  LoomColor background = options->theme->role[LOOM_COLOR_ROLE_OVERVIEW];
  double width = run->width, height = run->height;
  LoomBoxCanvas canvas;
  loom_box_canvas_begin (&canvas, cr, width, height, options->device_scale, background >> 24 == 0xFF);
  loom_box_canvas_box (&canvas, 0, 0, width, height, background);
  tint_stretches (&canvas, run->overview, width, height, options);
  paint_busy (&canvas, run->overview, width, height, options->theme);
  loom_box_canvas_box (&canvas, 0, height - 1, width, height, options->theme->role[LOOM_COLOR_ROLE_BORDER]);
  loom_box_canvas_end (&canvas);
}

void
loom_timeline_painter_paint_overview (cairo_t *cr, LoomMinimapData *overview, double width, double height,
                                      const LoomViewport *viewport, const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && overview != NULL && viewport != NULL && options != NULL);
  const LoomTheme *theme = options->theme;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  Run run = { overview, width, height, options };
  if (options->overview_picture != NULL && options->n_stretches == 0)
    loom_overview_picture_paint (options->overview_picture, cr, overview, width, height, options->device_scale, theme,
                                 paint_run, &run);
  else
    paint_run (cr, &run);
  gboolean has_analyzed = marks_analyzed (viewport, options);
  if (!has_analyzed || !options->plain_overview)
    paint_window (cr, overview, width, height, viewport, options, !has_analyzed);
  if (has_analyzed)
    paint_analyzed (cr, overview, width, height, options);
  paint_ticks (cr, overview, width, height - BOTTOM_PX, BOTTOM_PX - 2, options->ticks_ns, options->n_ticks,
               theme->role[LOOM_COLOR_ROLE_ACCENT]);
  paint_stretches (cr, overview, width, height, options);
  paint_ticks (cr, overview, width, 1, TOP_PX - 1, options->bottlenecks_ns, options->n_bottlenecks,
               theme->role[LOOM_COLOR_ROLE_WARNING]);
  paint_findings (cr, overview, width, options);
  paint_marks (cr, overview, width, height, options);
  cairo_restore (cr);
}
