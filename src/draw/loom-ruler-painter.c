/* SPDX-License-Identifier: Apache-2.0
 *
 * The ruler and its corner, with what the person put on the time axis: the selected range and its length, marks.
 */
#include <math.h>

#include "loom-paint-private.h"

#define MAJOR_PX 8.0
#define MINOR_PX 4.0
#define FLAG_PX 5.0
#define TEXT_Y 10.0

static void
paint_surface (cairo_t *cr, double width, const LoomPaintOptions *options)
{
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_RULER]);
  cairo_rectangle (cr, 0, 0, width, LOOM_RULER_PX);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_BORDER]);
  cairo_rectangle (cr, 0, LOOM_RULER_PX - 1, width, 1);
  cairo_fill (cr);
}

static void
paint_ticks (cairo_t *cr, const LoomRuler *ruler, double width, const LoomPaintOptions *options)
{
  guint n;
  const LoomTick *ticks = loom_ruler_get_ticks (ruler, &n);
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_TEXT_FAINT]);
  for (guint i = 0; i < n; i++) {
    double length = ticks[i].major ? MAJOR_PX : MINOR_PX;
    double pixel = 1 / MAX (options->device_scale, 1), left = floor (ticks[i].x / pixel + 0.5) * pixel;
    if (ticks[i].x >= 0 && ticks[i].x < width)
      cairo_rectangle (cr, left, LOOM_RULER_PX - 1 - length, pixel, length);
  }
  cairo_fill (cr);
  loom_text_begin (options->text, cr);
  for (guint i = 0; i < n; i++)
    if (ticks[i].major)
      loom_text_paint (options->text, cr, LOOM_TEXT_SMALL, ticks[i].label, ticks[i].label_x, TEXT_Y, -1,
                       options->theme->role[LOOM_ROLE_TEXT_DIM]);
  loom_text_end (options->text);
}

/* The selected range as a bar on the lower edge, its length on a plate in the middle of what is in view. */
static void
paint_selection (cairo_t *cr, const LoomViewport *viewport, const LoomPaintOptions *options)
{
  LoomRange range = options->selection;
  double x0 = MAX (loom_viewport_x (viewport, range.begin_ns), 0);
  double x1 = MIN (loom_viewport_x (viewport, range.end_ns), viewport->width_px);
  if (range.end_ns <= range.begin_ns || x1 <= 0 || x0 >= viewport->width_px)
    return;
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_ACCENT]);
  cairo_rectangle (cr, x0, LOOM_RULER_PX - 3, MAX (x1 - x0, 1), 3);
  cairo_fill (cr);
  g_autofree char *length = loom_time_format_duration (loom_time_sub (range.end_ns, range.begin_ns));
  double width = loom_text_width (options->text, LOOM_TEXT_SMALL, length) + 12, left = (x0 + x1 - width) / 2;
  left = CLAMP (left, 2, MAX (viewport->width_px - width - 2, 2));
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_ACCENT]);
  cairo_rectangle (cr, floor (left), 3, ceil (width), 15);
  cairo_fill (cr);
  loom_text_paint (options->text, cr, LOOM_TEXT_SMALL, length, floor (left) + 6, 10.5, -1,
                   options->theme->role[LOOM_ROLE_ACCENT_TEXT]);
}

/* A mark is a flag; its label stands on it. */
static void
paint_mark (cairo_t *cr, const LoomViewport *viewport, const LoomTimeMark *mark, const LoomPaintOptions *options)
{
  double x = floor (loom_viewport_x (viewport, mark->time_ns) + 0.5);
  if (x < 0 || x > viewport->width_px)
    return;
  LoomColor accent = options->theme->role[LOOM_ROLE_ACCENT];
  loom_color_set_source (cr, mark->temporary ? loom_color_with_alpha (accent, 0.6) : accent);
  cairo_rectangle (cr, x, 3, 1, LOOM_RULER_PX - 3);
  cairo_fill (cr);
  if (mark->label == NULL || mark->label[0] == '\0') {
    cairo_move_to (cr, x, 3);
    cairo_line_to (cr, x + 2 * FLAG_PX, 3 + FLAG_PX);
    cairo_line_to (cr, x, 3 + 2 * FLAG_PX);
    cairo_close_path (cr);
    cairo_fill (cr);
    return;
  }
  double width = MIN (loom_text_width (options->text, LOOM_TEXT_SMALL, mark->label), 160) + 10;
  cairo_rectangle (cr, x, 3, width, 15);
  cairo_fill (cr);
  loom_text_paint (options->text, cr, LOOM_TEXT_SMALL, mark->label, x + 5, 10.5, width - 10 + 1,
                   options->theme->role[LOOM_ROLE_ACCENT_TEXT]);
}

void
loom_ruler_paint (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport, const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && ruler != NULL && viewport != NULL && options != NULL);
  cairo_save (cr);
  paint_surface (cr, viewport->width_px, options);
  paint_ticks (cr, ruler, viewport->width_px, options);
  paint_selection (cr, viewport, options);
  for (guint i = 0; i < options->n_marks; i++)
    paint_mark (cr, viewport, &options->marks[i], options);
  cairo_restore (cr);
}

void
loom_corner_paint (cairo_t *cr, const LoomRuler *ruler, double width, const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && ruler != NULL && options != NULL);
  cairo_save (cr);
  paint_surface (cr, width, options);
  loom_text_paint (options->text, cr, LOOM_TEXT_SMALL, loom_ruler_get_corner (ruler), 24, TEXT_Y + 1, width - 32,
                   options->theme->role[LOOM_ROLE_TEXT_DIM]);
  loom_color_set_source (cr, options->theme->role[LOOM_ROLE_BORDER]);
  cairo_rectangle (cr, width - 1, 0, 1, LOOM_RULER_PX);
  cairo_fill (cr);
  cairo_restore (cr);
}
