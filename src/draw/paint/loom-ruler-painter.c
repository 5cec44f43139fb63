/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the ruler and the corner to its left, with the selected range and its length, and the user's marks.
 */
#include <math.h>

#include "loom-paint-private.h"

#define MAJOR_PX 8.0
#define MINOR_PX 4.0
#define MARK_SLACK_PX 3 /* a flag also counts as hit if the pointer is at most this far to its left, in px */
#define FLAG_PX 5.0
#define TEXT_Y 10.0
#define PLATE_Y 3.0
#define PLATE_HEIGHT_PX 15.0
#define PLATE_PADDING_PX 6.0
#define PLATE_GAP_PX 2.0 /* minimum gap in px between a label and the next mark */
#define MAX_PLATE_PX 160.0

static void
paint_surface (cairo_t *cr, double width, const LoomPaintOptions *options)
{
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_RULER]);
  cairo_rectangle (cr, 0, 0, width, LOOM_RULER_PX);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  loom_color_fill_rectangle (cr, options->theme->role[LOOM_COLOR_ROLE_BORDER], 0, LOOM_RULER_PX - 1, width, 1);
}

/* A plate on the ruler: a background with the label of a mark, or with the length of the selection. It hides the labels
 * of ticks at the same place. */
typedef struct {
  double x0, x1;
  double stem; /* x of the mark to which the plate belongs */
  /* TRUE: painted as a flag without a label, because the mark has no label, or there is no room for it */
  gboolean bare;
} Plate;

static double
text_width (const LoomPaintOptions *options, const char *text)
{
  return loom_text_cache_width (options->text, LOOM_TEXT_SMALL, text);
}

static gboolean
has_label (const LoomMarker *mark)
{
  return mark->label != NULL && mark->label[0] != '\0';
}

static double
x_of_mark (const LoomViewport *viewport, const LoomPaintOptions *options, guint i)
{
  return floor (loom_viewport_x (viewport, options->marks[i].time_ns) + 0.5);
}

static double
width_of_words (const LoomPaintOptions *options, guint i)
{
  const LoomMarker *mark = &options->marks[i];
  return has_label (mark) ? MIN (ceil (text_width (options, mark->label)), MAX_PLATE_PX) + 2 * PLATE_PADDING_PX
                          : 2 * FLAG_PX;
}

/* Returns the room in px to the right of mark `i`, up to the next mark or the edge of the view. */
static double
room_behind (const LoomViewport *viewport, const LoomPaintOptions *options, guint i)
{
  double next = i + 1 < options->n_marks ? x_of_mark (viewport, options, i + 1) - PLATE_GAP_PX : viewport->width_px;
  return MIN (next, viewport->width_px) - x_of_mark (viewport, options, i);
}

/* Returns the room in px to the left of mark `i`, up to the end of the label of the previous mark. Returns 0 if another
 * mark follows in view, because the label of mark `i` is then always to the right of this mark. */
static double
room_before (const LoomViewport *viewport, const LoomPaintOptions *options, guint i)
{
  double x = x_of_mark (viewport, options, i);
  if (x + room_behind (viewport, options, i) < viewport->width_px)
    return 0;
  if (i == 0)
    return x;
  double before = x_of_mark (viewport, options, i - 1) + width_of_words (options, i - 1);
  return x - MAX (MIN (before, x - PLATE_GAP_PX) + PLATE_GAP_PX, 0);
}

/* Returns the plate with the label of a mark. The label is to the right of the mark, with one exception: if the label
 * of the last mark in view does not fit on the right, and there is more room on the left, it is to the left of the
 * mark. If there is no room for even a few letters, returns a plate without a label (`bare`), which is painted as a
 * small flag. */
static Plate
plate_of_mark (const LoomViewport *viewport, const LoomPaintOptions *options, guint i)
{
  double x = x_of_mark (viewport, options, i), wanted = width_of_words (options, i),
         behind = room_behind (viewport, options, i);
  Plate flag = { x, x + 2 * FLAG_PX, x, TRUE };
  if (!has_label (&options->marks[i]) || x >= viewport->width_px)
    return flag;
  double before = wanted > behind ? room_before (viewport, options, i) : 0, width = MIN (wanted, MAX (behind, before));
  double least = MIN (wanted, loom_text_cache_minimum (options->text, LOOM_TEXT_SMALL) + 2 * PLATE_PADDING_PX);
  if (width < least)
    return flag;
  return before > behind ? (Plate) { x + 1 - width, x + 1, x, FALSE } : (Plate) { x, x + width, x, FALSE };
}

/* Returns the plate with the length of the selection, centred on the visible part of the selection; an empty plate (x0
 * = x1) if no part of the selection is visible. */
static Plate
plate_of_selection (const LoomViewport *viewport, const char *length, const LoomPaintOptions *options)
{
  LoomRange range = options->selection;
  double x0 = MAX (loom_viewport_x (viewport, range.begin_ns), 0);
  double x1 = MIN (loom_viewport_x (viewport, range.end_ns), viewport->width_px);
  if (range.end_ns <= range.begin_ns || x1 <= 0 || x0 >= viewport->width_px)
    return (Plate) { 0 };
  double width = ceil (text_width (options, length)) + 2 * PLATE_PADDING_PX;
  double left = floor (CLAMP ((x0 + x1 - width) / 2, 2, MAX (viewport->width_px - width - 2, 2)));
  return (Plate) { .x0 = left, .x1 = left + width };
}

static gboolean
is_covered (const LoomTick *tick, Plate plate)
{
  return plate.x1 > plate.x0 && tick->label_x < plate.x1 + 2 && tick->label_x + tick->label_width > plate.x0 - 2;
}

static void
paint_labels (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport, Plate selection,
              const LoomPaintOptions *options)
{
  guint n;
  const LoomTick *ticks = loom_ruler_get_ticks (ruler, &n);
  loom_text_cache_begin (options->text, cr);
  for (guint i = 0; i < n; i++) {
    gboolean covered = is_covered (&ticks[i], selection);
    for (guint k = 0; k < options->n_marks && !covered; k++)
      covered = is_covered (&ticks[i], plate_of_mark (viewport, options, k));
    if (ticks[i].major && !covered)
      loom_text_cache_paint (options->text, cr, LOOM_TEXT_SMALL, ticks[i].label, ticks[i].label_x, TEXT_Y, -1,
                             options->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  }
  loom_text_cache_end (options->text);
}

static void
paint_ticks (cairo_t *cr, const LoomRuler *ruler, double width, const LoomPaintOptions *options)
{
  guint n;
  const LoomTick *ticks = loom_ruler_get_ticks (ruler, &n);
  loom_color_set_source (cr, options->theme->role[LOOM_COLOR_ROLE_TEXT_FAINT]);
  for (guint i = 0; i < n; i++) {
    double length = ticks[i].major ? MAJOR_PX : MINOR_PX;
    double pixel = 1 / MAX (options->device_scale, 1), left = floor (ticks[i].x / pixel + 0.5) * pixel;
    if (ticks[i].x >= 0 && ticks[i].x < width)
      cairo_rectangle (cr, left, LOOM_RULER_PX - 1 - length, pixel, length);
  }
  cairo_fill (cr);
}

static void
paint_plate (cairo_t *cr, Plate plate, const char *text, LoomColor color, const LoomPaintOptions *options)
{
  loom_color_fill_rectangle (cr, color, plate.x0, PLATE_Y, plate.x1 - plate.x0, PLATE_HEIGHT_PX);
  loom_text_cache_paint (options->text, cr, LOOM_TEXT_SMALL, text, plate.x0 + PLATE_PADDING_PX,
                         PLATE_Y + PLATE_HEIGHT_PX / 2, plate.x1 - plate.x0 - 2 * PLATE_PADDING_PX + 1,
                         options->theme->role[LOOM_COLOR_ROLE_ACCENT_TEXT]);
}

/* Paints the selected range as a bar along the lower edge of the ruler. */
static void
paint_selection (cairo_t *cr, const LoomViewport *viewport, Plate plate, const char *length,
                 const LoomPaintOptions *options)
{
  double x0 = MAX (loom_viewport_x (viewport, options->selection.begin_ns), 0);
  double x1 = MIN (loom_viewport_x (viewport, options->selection.end_ns), viewport->width_px);
  if (plate.x1 <= plate.x0)
    return;
  loom_color_fill_rectangle (cr, options->theme->role[LOOM_COLOR_ROLE_ACCENT], x0, LOOM_RULER_PX - 3, MAX (x1 - x0, 1),
                             3);
  paint_plate (cr, plate, length, options->theme->role[LOOM_COLOR_ROLE_ACCENT], options);
}

/* Paints a mark as a flag with its label on it. */
static void
paint_mark (cairo_t *cr, const LoomViewport *viewport, guint i, const LoomPaintOptions *options)
{
  const LoomMarker *mark = &options->marks[i];
  Plate plate = plate_of_mark (viewport, options, i);
  if (plate.x1 < 0 || plate.x0 > viewport->width_px)
    return;
  LoomColor accent = options->theme->role[LOOM_COLOR_ROLE_ACCENT];
  LoomColor color =
    mark->temporary ? loom_color_mix (accent, options->theme->role[LOOM_COLOR_ROLE_RULER], 0.35) : accent;
  loom_color_fill_rectangle (cr, color, plate.stem, PLATE_Y, 1, LOOM_RULER_PX - PLATE_Y);
  if (!plate.bare) {
    paint_plate (cr, plate, mark->label, color, options);
    return;
  }
  cairo_move_to (cr, plate.x0, PLATE_Y);
  cairo_line_to (cr, plate.x1, PLATE_Y + FLAG_PX);
  cairo_line_to (cr, plate.x0, PLATE_Y + 2 * FLAG_PX);
  cairo_close_path (cr);
  cairo_fill (cr);
}

void
loom_timeline_painter_paint_ruler (cairo_t *cr, const LoomRuler *ruler, const LoomViewport *viewport,
                                   const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && ruler != NULL && viewport != NULL && options != NULL);
  cairo_save (cr);
  paint_surface (cr, viewport->width_px, options);
  g_autofree char *length =
    loom_time_format_duration (loom_time_sub (options->selection.end_ns, options->selection.begin_ns));
  Plate selection = plate_of_selection (viewport, length, options);
  paint_ticks (cr, ruler, viewport->width_px, options);
  paint_labels (cr, ruler, viewport, selection, options);
  paint_selection (cr, viewport, selection, length, options);
  for (guint i = 0; i < options->n_marks; i++)
    paint_mark (cr, viewport, i, options);
  cairo_restore (cr);
}

const LoomMarker *
loom_timeline_painter_find_marker (const LoomViewport *viewport, const LoomPaintOptions *options, double x)
{
  g_return_val_if_fail (viewport != NULL && options != NULL, NULL);
  for (guint i = options->n_marks; i > 0; i--) {
    Plate plate = plate_of_mark (viewport, options, i - 1);
    if (x >= plate.x0 - MARK_SLACK_PX && x <= plate.x1)
      return &options->marks[i - 1];
  }
  return NULL;
}

void
loom_timeline_painter_paint_corner (cairo_t *cr, const LoomRuler *ruler, double width, const LoomPaintOptions *options)
{
  g_return_if_fail (cr != NULL && ruler != NULL && options != NULL);
  cairo_save (cr);
  paint_surface (cr, width, options);
  loom_text_cache_paint (options->text, cr, LOOM_TEXT_SMALL, ruler->corner, 24, TEXT_Y + 1, width - 32,
                         options->theme->role[LOOM_COLOR_ROLE_TEXT_DIM]);
  loom_color_fill_rectangle (cr, options->theme->role[LOOM_COLOR_ROLE_BORDER], width - 1, 0, 1, LOOM_RULER_PX);
  cairo_restore (cr);
}
