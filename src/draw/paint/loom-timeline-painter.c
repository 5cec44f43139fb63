/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the track area in layers, from the bottom up: backgrounds and guides, then plots and spans as boxes, then
 * text, then the selection, marks and arrows. Pinned rows are painted last, and cover the scrolled rows below them.
 */
#include "loom-timeline-painter.h"

#include <math.h>

#include "loom-canvas-pixels.h"
#include "loom-paint-private.h"
#include "loom-parallel.h"

#define STAND_BACK 0.72

/* opacity of the colours in lanes of folded groups */
#define GROUP_ALPHA 0.85

/* Alpha of the shade that is painted behind every other training step. The shade is visible on each background, but
 * weaker than the guides. */
#define STEP_ALPHA 0.035

/* alpha of the lines through all rows at the starts of training steps */
#define START_ALPHA 0.3
#define START_ALPHA_CONTRAST 0.7

/* With at least this many marks, several threads paint the view. With fewer marks, starting threads would take longer
 * than the time that they save. */
#define MANY_MARKS 3000
#define MOST_THREADS 4
#define BANDS_PER_THREAD 2

void
loom_timeline_painter_init_options (LoomPaintOptions *options, const LoomTheme *theme, LoomTextCache *text)
{
  *options = (LoomPaintOptions) {
    .theme = theme,
    .text = text,
    .device_scale = 1,
    .hover = LOOM_SPAN_ID_NONE,
    .hover_row = G_MAXUINT,
    .focus_row = G_MAXUINT,
    .cursor_ns = LOOM_TIME_NONE,
  };
}

void
loom_paint_init (LoomPaintContext *paint, cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options)
{
  *paint = (LoomPaintContext) { .cr = cr, .list = list, .outline = loom_draw_list_get_row_list (list) };
  paint->viewport = loom_draw_list_get_viewport (list);
  paint->options = options;
  paint->theme = options->theme;
  paint->searching = loom_draw_list_is_searching (list);
  paint->dim = options->n_selected > 1 || loom_draw_list_has_path (list) ? LOOM_THEME_DIM_STRONG : LOOM_THEME_DIM_LIGHT;
  LoomColor background = options->theme->role[LOOM_COLOR_ROLE_BACKGROUND];
  for (guint i = 0; i < LOOM_N_FILLS; i++) {
    paint->span[LOOM_PAINT_TONE_FULL][i] = options->theme->span[i];
    paint->span[LOOM_PAINT_TONE_DIM][i] = options->theme->dim[paint->dim][i];
    paint->span[LOOM_PAINT_TONE_FAINT][i] =
      paint->searching ? loom_color_mix (options->theme->span[i], background, STAND_BACK) : 0;
    for (guint tone = 0; tone < LOOM_PAINT_N_TONES; tone++)
      paint->soft[tone][i] = loom_color_over (loom_color_with_alpha (paint->span[tone][i], GROUP_ALPHA),
                                              options->theme->role[LOOM_COLOR_ROLE_BACKGROUND_GROUP]);
  }
}

/* --- surfaces and guides ---------------------------------------------------------------------------------------- */

/* Shades the background of every other training step, if the ruler shows steps. */
static void
paint_step_bands (LoomPaintContext *paint, const LoomRuler *ruler, double y0, double y1)
{
  LoomColor shade = loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_TEXT], STEP_ALPHA);
  for (guint i = 0; ruler != NULL && i < ruler->bands->len; i++) {
    const LoomStepBand *band = &g_array_index (ruler->bands, LoomStepBand, i);
    double x0 = MAX (band->x0, 0), x1 = MIN (band->x1, paint->viewport->width_px);
    if (x1 > x0)
      loom_box_canvas_box (&paint->canvas, x0, y0, x1, y1, shade);
  }
}

static void
paint_tints (LoomPaintContext *paint, double y0, double y1)
{
  for (guint i = 0; paint->tints != NULL && i < paint->tints->len; i++) {
    const LoomPaintTint *tint = &g_array_index (paint->tints, LoomPaintTint, i);
    loom_box_canvas_box (&paint->canvas, tint->x0, y0, tint->x1, y1, tint->color);
  }
}

static void
paint_guides (LoomPaintContext *paint, const LoomRuler *ruler, double y0, double y1)
{
  guint n = 0;
  const LoomTick *ticks = ruler != NULL ? loom_ruler_get_ticks (ruler, &n) : NULL;
  double pixel = 1 / paint->canvas.scale;
  for (guint i = 0; i < n; i++)
    if (ticks[i].major && ticks[i].x >= 0 && ticks[i].x < paint->viewport->width_px)
      loom_box_canvas_box (&paint->canvas, ticks[i].x, y0, ticks[i].x + pixel, y1,
                           paint->theme->role[LOOM_COLOR_ROLE_GRID]);
}

static void
paint_row_surface (LoomPaintContext *paint, const LoomRuler *ruler, guint number, double top, double bottom)
{
  gboolean group = loom_row_list_get_row (paint->outline, number)->kind == LOOM_ROW_GROUP;
  LoomColorRole role = group ? LOOM_COLOR_ROLE_BACKGROUND_GROUP : LOOM_COLOR_ROLE_BACKGROUND;
  double width = paint->viewport->width_px, pixel = 1 / paint->canvas.scale;
  loom_box_canvas_box (&paint->canvas, 0, top, width, bottom, paint->theme->role[role]);
  paint_step_bands (paint, ruler, top, bottom);
  paint_tints (paint, top, bottom);
  if (number == paint->options->hover_row)
    loom_box_canvas_box (&paint->canvas, 0, top, width, bottom,
                         loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_HEADER_HOVER], 0.45));
  loom_box_canvas_box (&paint->canvas, 0, bottom - pixel, width, bottom, paint->theme->role[LOOM_COLOR_ROLE_SEPARATOR]);
  paint_guides (paint, ruler, top, bottom);
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

typedef void (*PaintStrip) (LoomPaintContext *, const LoomDepthRow *);

static void
for_strips (LoomPaintContext *paint, gboolean pinned, PaintStrip paint_one)
{
  guint n;
  const LoomDepthRow *strips = loom_draw_list_get_strips (paint->list, &n);
  for (guint i = 0; i < n; i++)
    if (strips[i].pinned == pinned)
      paint_one (paint, &strips[i]);
}

static void
for_overlays (LoomPaintContext *paint, gboolean pinned)
{
  guint n;
  const LoomPlot *plots = loom_draw_list_get_plots (paint->list, &n);
  for (guint i = 0; i < n; i++)
    if (plots[i].pinned == pinned && plots[i].row != plots[i].source_row)
      loom_paint_plot (paint, &plots[i]);
}

/* Indices of the next strip (level of nesting of a row) and of the next plot to paint. Strips and plots are in the
 * order of their rows in the list. */
typedef struct {
  guint strip, plot;
} Place;

static gboolean
shows_strip (const LoomPaintContext *paint, const LoomDepthRow *strip)
{
  return loom_box_canvas_shows_y (&paint->canvas, strip->y, strip->y + strip->height);
}

/* Paints one row: its background, plots and spans. Rows are painted one after the other, and not layer by layer, so
 * that the pixels of a row stay in the processor's cache. */
static void
paint_row (LoomPaintContext *paint, const LoomRuler *ruler, guint number, double top, double bottom, Place *place)
{
  guint n_strips, n_plots;
  const LoomDepthRow *strips = loom_draw_list_get_strips (paint->list, &n_strips);
  const LoomPlot *plots = loom_draw_list_get_plots (paint->list, &n_plots);
  paint_row_surface (paint, ruler, number, top, bottom);
  /* Paints the plots of counters whose own row is `number`. Skips plots over spans, because for_overlays() paints them.
   * Plots over spans are at the end of the array, so this loop reaches all other plots of the row before them. */
  for (; place->plot < n_plots && plots[place->plot].row <= number; place->plot++)
    if (plots[place->plot].row == number && plots[place->plot].source_row == number)
      loom_paint_plot (paint, &plots[place->plot]);
  for (; place->strip < n_strips && strips[place->strip].row <= number; place->strip++)
    if (strips[place->strip].row == number && shows_strip (paint, &strips[place->strip])) {
      loom_paint_strip (paint, &strips[place->strip]);
      loom_paint_waiting (paint, &strips[place->strip]);
    }
}

/* Paints the sticky group: an unfolded group whose row stays at the top while the rows below it are scrolled. */
static void
paint_sticky (LoomPaintContext *paint, const LoomRuler *ruler, Place *place)
{
  const LoomViewport *view = paint->viewport;
  guint row = loom_row_list_get_sticky (paint->outline, view->scroll_px);
  if (row == G_MAXUINT)
    return;
  double top = loom_row_list_row_top (paint->outline, row, view->scroll_px),
         bottom = loom_row_list_get_cover (paint->outline, view->scroll_px);
  loom_box_canvas_clip_y (&paint->canvas, loom_row_list_get_pinned_height (paint->outline), bottom);
  if (loom_box_canvas_shows_y (&paint->canvas, top, bottom))
    paint_row (paint, ruler, row, top, bottom, place);
}

/* Paints the pinned rows if `pinned` is TRUE, else the scrolled rows. */
static void
paint_boxes (LoomPaintContext *paint, const LoomRuler *ruler, gboolean pinned, Place *place)
{
  const LoomViewport *view = paint->viewport;
  double pinned_px = loom_row_list_get_pinned_height (paint->outline),
         cover_px = loom_row_list_get_cover (paint->outline, view->scroll_px);
  double y0 = pinned ? 0 : MIN (cover_px, view->height_px), y1 = MIN (pinned ? pinned_px : HUGE_VAL, view->height_px);
  if (y1 <= y0)
    return;
  guint n_rows = loom_row_list_get_n_rows (paint->outline), n_pinned = loom_row_list_get_n_pinned (paint->outline);
  loom_box_canvas_clip_y (&paint->canvas, y0, y1);
  guint first = pinned ? 0 : loom_row_list_first_below (paint->outline, view->scroll_px + cover_px - pinned_px);
  double bottom = y0;
  for (guint i = first; i < (pinned ? n_pinned : n_rows) && bottom < y1; i++) {
    double top = loom_row_list_row_top (paint->outline, i, view->scroll_px);
    if (top >= y1)
      break;
    bottom = top + loom_row_list_get_row (paint->outline, i)->height;
    if (loom_box_canvas_shows_y (&paint->canvas, top, bottom))
      paint_row (paint, ruler, i, top, bottom, place);
  }
  if (bottom < y1) {
    loom_box_canvas_box (&paint->canvas, 0, bottom, view->width_px, y1, paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND]);
    paint_step_bands (paint, ruler, bottom, y1);
    paint_tints (paint, bottom, y1);
    paint_guides (paint, ruler, bottom, y1);
  }
  for_overlays (paint, pinned);
}

/* The height of the view is divided into bands. Each band is painted by one thread at a time. There are more bands than
 * threads, because some bands take longer than others, for example those of counters: with two bands per thread, the
 * median frame takes 2 to 8 % less time than with one. With three bands per thread, the 99th percentile of frame times
 * is a tenth longer. */
typedef struct {
  const LoomPaintContext *paint;
  const LoomRuler *ruler;
  guint n_bands;
} Bands;

/* Returns the upper edge of a band in device pixels. Bands are about equally high: each edge is moved up to the top of
 * the row that it would divide, so that no two threads paint that row, unless the row is high. */
static int
get_edge (const Bands *bands, guint item)
{
  const LoomPaintContext *paint = bands->paint;
  const LoomBoxCanvas *canvas = &paint->canvas;
  int height = canvas->full_bottom - canvas->full_top,
      edge = canvas->full_top + (int) ((gint64) height * item / bands->n_bands);
  double y = (edge - canvas->origin_y) / canvas->scale, scroll_px = paint->viewport->scroll_px;
  guint row = loom_row_list_row_at (paint->outline, y, scroll_px);
  if (item == 0 || item == bands->n_bands || row == G_MAXUINT)
    return edge;
  int top = loom_canvas_pixels_device_y (canvas, loom_row_list_row_top (paint->outline, row, scroll_px));
  return edge - top < height / (int) bands->n_bands / 2 ? top : edge;
}

static void
paint_band (guint item, guint worker, gpointer user_data)
{
  const Bands *bands = user_data;
  LoomPaintContext paint = *bands->paint;
  paint.canvas.full_top = get_edge (bands, item);
  paint.canvas.full_bottom = get_edge (bands, item + 1);
  Place place = { 0, 0 };
  paint_boxes (&paint, bands->ruler, TRUE, &place);
  paint_sticky (&paint, bands->ruler, &place);
  paint_boxes (&paint, bands->ruler, FALSE, &place);
  loom_box_canvas_scratch_free (paint.canvas.scratch);
}

/* Paints a view with one thread or, if there are many marks, with several threads. Each thread writes lines of pixels
 * that no other thread writes. */
static void
paint_bands (const LoomPaintContext *paint, const LoomRuler *ruler)
{
  guint n_marks, n_threads = paint->options->n_threads;
  loom_draw_list_get_marks (paint->list, &n_marks);
  if (n_threads == 0)
    n_threads = n_marks < MANY_MARKS ? 1 : MIN (loom_parallel_resolve (0), MOST_THREADS);
  Bands bands = { paint, ruler, paint->canvas.image != NULL && n_threads > 1 ? n_threads * BANDS_PER_THREAD : 1 };
  loom_parallel_for (bands.n_bands, n_threads, paint_band, &bands, NULL);
}

static void
paint_details (LoomPaintContext *paint, gboolean pinned)
{
  const LoomViewport *view = paint->viewport;
  double split = MIN (loom_row_list_get_cover (paint->outline, view->scroll_px), view->height_px);
  double y0 = pinned ? 0 : split, y1 = pinned ? split : view->height_px;
  if (y1 <= y0)
    return;
  cairo_save (paint->cr);
  cairo_rectangle (paint->cr, 0, y0, view->width_px, y1 - y0);
  cairo_clip (paint->cr);
  for_strips (paint, pinned, loom_paint_late);
  for_strips (paint, pinned, loom_paint_instants);
  loom_text_cache_begin (paint->options->text, paint->cr);
  for_strips (paint, pinned, loom_paint_strip_text);
  loom_text_cache_end (paint->options->text);
  for_strips (paint, pinned, loom_paint_strip_outlines);
  cairo_restore (paint->cr);
}

/* Paints a line through all rows at the start of each training step. The lines show where steps begin even where spans
 * hide the shade that is painted behind every other step. */
static void
paint_step_starts (LoomPaintContext *paint, const LoomRuler *ruler)
{
  double alpha = paint->theme->contrast ? START_ALPHA_CONTRAST : START_ALPHA;
  if (ruler == NULL)
    return;
  loom_color_set_source (paint->cr, loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_TEXT], alpha));
  for (guint i = 0; i < ruler->starts->len; i++)
    loom_paint_vertical (paint->cr, g_array_index (ruler->starts, double, i), 0, paint->viewport->height_px, 1,
                         paint->options->device_scale);
}

/* Paints the instants with the flag LOOM_DRAW_ITEM_GLOBAL as lines through all rows. */
static void
paint_global_instants (LoomPaintContext *paint)
{
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n);
  const double dashes[] = { 3, 3 };
  for (guint i = 0; i < n; i++) {
    if ((marks[i].flags & LOOM_DRAW_ITEM_GLOBAL) == 0)
      continue;
    loom_color_set_source (paint->cr, loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_INSTANT], 0.6));
    cairo_set_dash (paint->cr, dashes, G_N_ELEMENTS (dashes), 0);
    cairo_set_line_width (paint->cr, 1);
    cairo_move_to (paint->cr, floor (marks[i].x0) + 0.5, 0);
    cairo_line_to (paint->cr, floor (marks[i].x0) + 0.5, paint->viewport->height_px);
    cairo_stroke (paint->cr);
    cairo_set_dash (paint->cr, NULL, 0, 0);
  }
}

static gboolean
is_opaque (const LoomTheme *theme, LoomColorRole role)
{
  return theme->role[role] >> 24 == 0xFF;
}

void
loom_timeline_painter_paint (cairo_t *cr, const LoomDrawList *list, const LoomRuler *ruler,
                             const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && list != NULL && options != NULL && options->theme != NULL && options->text != NULL);
  if (loom_draw_list_get_row_list (list) == NULL)
    return;
  LoomPaintContext paint;
  loom_paint_init (&paint, cr, list, options);
  paint.tones = loom_paint_tones_new (&paint);
  const LoomViewport *view = paint.viewport;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, view->width_px, view->height_px);
  cairo_clip (cr);
  loom_box_canvas_begin (&paint.canvas, cr, view->width_px, view->height_px, options->device_scale,
                         is_opaque (paint.theme, LOOM_COLOR_ROLE_BACKGROUND) &&
                           is_opaque (paint.theme, LOOM_COLOR_ROLE_BACKGROUND_GROUP));
  g_autoptr (GArray) tints = loom_paint_list_tints (&paint);
  paint.tints = tints;
  paint_bands (&paint, ruler);
  loom_box_canvas_end (&paint.canvas);
  paint_details (&paint, FALSE);
  paint_details (&paint, TRUE);
  paint_step_starts (&paint, ruler);
  paint_global_instants (&paint);
  loom_paint_stretches (&paint);
  loom_paint_bottlenecks (&paint);
  loom_paint_selection (&paint, view->height_px);
  loom_paint_path_links (&paint);
  loom_paint_flows (&paint);
  loom_paint_marks (&paint, view->height_px);
  loom_paint_tags (&paint);
  loom_paint_notes (&paint);
  loom_paint_box (&paint);
  double split = loom_row_list_get_pinned_height (paint.outline);
  loom_color_set_source (cr, paint.theme->role[LOOM_COLOR_ROLE_BORDER]);
  if (split > 0)
    cairo_rectangle (cr, 0, split - 1, view->width_px, 1);
  cairo_fill (cr);
  cairo_restore (cr);
  g_free (paint.tones);
}
