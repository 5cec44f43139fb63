/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints boxes that are one pixel wide, of which curves and dense plots consist. Painting each of these columns
 * separately would touch as many lines of memory as the column is high. Therefore the edges of all columns are
 * collected first, and then the pixels are written line by line.
 */
#include <math.h>
#include <string.h>

#include "loom-canvas-pixels.h"

/* Boxes wider than this are painted directly; narrower ones are collected as columns. */
#define WIDE_PX 3

/* Columns are painted line by line if they fully cover at least 1 / DENSE of the pixels of their common bounding box,
 * else column by column. Painting line by line is faster for dense plots. */
#define DENSE 6

/* Arrays with an element for each column of device pixels. `top`, `bottom`: upper and lower edge of the column, which
 * are antialiased; `top` is G_MAXDOUBLE if the column has no box. `first` … `end` − 1: the range of pixels that the
 * column covers fully. `used`: the `n_used` columns that have a box. Only these are visited, because the steps of a
 * curve are often several pixels wide. */
struct _LoomBoxCanvasScratch {
  int n, n_used;
  double *top, *bottom;
  int *first, *end, *used;
  LoomColor color;   /* the colour for which `edge` was computed */
  guint32 edge[256]; /* array indexed by alpha: premultiplied colour of an edge pixel */
};

static LoomBoxCanvasScratch *
get_scratch (LoomBoxCanvas *canvas)
{
  if (canvas->scratch != NULL)
    return canvas->scratch;
  gsize n = (gsize) MAX (canvas->full_right - canvas->full_left, 0);
  LoomBoxCanvasScratch *scratch = canvas->scratch = g_new0 (LoomBoxCanvasScratch, 1);
  scratch->n = (int) n;
  scratch->top = g_new (double, 2 * n + 1);
  scratch->bottom = scratch->top + n;
  for (gsize i = 0; i < n; i++)
    scratch->top[i] = G_MAXDOUBLE;
  scratch->first = g_new0 (int, 3 * n + 1);
  scratch->end = scratch->first + n;
  scratch->used = scratch->end + n;
  return scratch;
}

void
loom_box_canvas_scratch_free (LoomBoxCanvasScratch *scratch)
{
  if (scratch == NULL)
    return;
  g_free (scratch->top);
  g_free (scratch->first);
  g_free (scratch);
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static void
set_color (LoomBoxCanvasScratch *scratch, LoomColor color)
{
  if (scratch->color == color)
    return;
  scratch->color = color;
  for (guint alpha = 0; alpha <= color >> 24; alpha++)
    scratch->edge[alpha] = loom_canvas_pixels_premultiply ((color & 0xFFFFFF) | alpha << 24, 1);
}

void
loom_box_canvas_columns_begin (LoomBoxCanvas *canvas, LoomBoxCanvasColumns *columns, LoomColor color)
{
  *columns = (LoomBoxCanvasColumns) { .canvas = canvas, .color = color };
  if (canvas->image == NULL)
    return;
  LoomBoxCanvasScratch *scratch = get_scratch (canvas);
  columns->left = scratch->n;
  set_color (scratch, color);
}

void
loom_box_canvas_columns_box (LoomBoxCanvasColumns *columns, double x0, double y0, double x1, double y1)
{
  LoomBoxCanvas *canvas = columns->canvas;
  if (canvas->image == NULL) {
    loom_box_canvas_soft_box (canvas, x0, y0, x1, y1, columns->color);
    return;
  }
  LoomBoxCanvasScratch *scratch = canvas->scratch;
  double top = canvas->origin_y + y0 * canvas->scale, bottom = canvas->origin_y + y1 * canvas->scale;
  int left = loom_canvas_pixels_device_x (canvas, x0), right = MAX (loom_canvas_pixels_device_x (canvas, x1), left + 1);
  if (right - left > WIDE_PX) {
    loom_box_canvas_soft_box (canvas, x0, y0, x1, y1, columns->color);
    return;
  }
  left = MAX (left, canvas->left) - canvas->full_left, right = MIN (right, canvas->right) - canvas->full_left;
  for (int i = left; i < right; i++) {
    /* a box that is already in this column is joined with the new box */
    gboolean is_new = scratch->top[i] == G_MAXDOUBLE;
    scratch->bottom[i] = is_new ? bottom : MAX (scratch->bottom[i], bottom);
    scratch->top[i] = MIN (scratch->top[i], top);
    scratch->used[scratch->n_used] = i;
    scratch->n_used += is_new;
  }
  if (left < right) {
    columns->left = MIN (columns->left, left);
    columns->right = MAX (columns->right, right);
  }
}

/* Blends one pixel of an antialiased edge. */
static inline void
blend_edge (LoomBoxCanvas *canvas, int column, int y, double coverage)
{
  const LoomBoxCanvasScratch *scratch = canvas->scratch;
  guint alpha = (guint) ((scratch->color >> 24) * coverage + 0.5);
  if (y < canvas->top || y >= canvas->bottom)
    return;
  guint32 *to = loom_canvas_pixels_line (canvas, y) + canvas->full_left + column;
  *to = loom_canvas_pixels_blend (*to, scratch->edge[alpha], 255 - alpha);
}

/* Paints the antialiased edges of a column, and stores the range of pixels between them, which is painted later. */
static void
paint_edges (LoomBoxCanvas *canvas, int column)
{
  LoomBoxCanvasScratch *scratch = canvas->scratch;
  double top = scratch->top[column], bottom = scratch->bottom[column];
  scratch->first[column] = scratch->end[column] = canvas->bottom;
  if (top >= canvas->bottom || bottom <= canvas->top || top >= bottom)
    return;
  int first = loom_canvas_pixels_floor (top), last = loom_canvas_pixels_floor (bottom), whole = first + (top > first);
  if (first == last) {
    blend_edge (canvas, column, first, bottom - top);
    return;
  }
  if (whole > first)
    blend_edge (canvas, column, first, whole - top);
  if (bottom > last)
    blend_edge (canvas, column, last, bottom - last);
  scratch->first[column] = CLAMP (whole, canvas->top, canvas->bottom);
  scratch->end[column] = CLAMP (last, scratch->first[column], canvas->bottom);
}

/* Blends `source` over those pixels of line `y` that the columns cover fully. */
static void
blend_covered (guint32 *line, const int *first, const int *end, int n, int y, guint32 source)
{
  const LoomQuad nothing = { 0 };
  guint32 inverse = 255 - (source >> 24);
  int i = 0;
  for (; i + LOOM_QUAD <= n; i += LOOM_QUAD) {
    LoomQuadInt from = *(const LoomQuadInt *) (gconstpointer) (first + i);
    LoomQuadInt to = *(const LoomQuadInt *) (gconstpointer) (end + i);
    LoomQuad mask = (LoomQuad) ((from <= y) & (to > y)), *pixels = (LoomQuad *) (gpointer) (line + i);
    LoomQuad over = nothing + source;
    if (inverse != 0)
      over = loom_canvas_pixels_blend_quad (*pixels, source, inverse);
    *pixels = (over & mask) | (*pixels & ~mask);
  }
  for (; i < n; i++)
    if (first[i] <= y && y < end[i])
      line[i] = loom_canvas_pixels_blend (line[i], source, inverse);
}

/* Paints the edges of all columns. Returns the number of pixels that the columns cover fully, and sets `top` … `bottom`
 * − 1 to the lines of these pixels. */
static gint64
paint_all_edges (LoomBoxCanvas *canvas, int *top, int *bottom)
{
  const LoomBoxCanvasScratch *scratch = canvas->scratch;
  gint64 n_covered = 0;
  *top = canvas->bottom, *bottom = canvas->top;
  for (int k = 0; k < scratch->n_used; k++) {
    int i = scratch->used[k];
    paint_edges (canvas, i);
    n_covered += scratch->end[i] - scratch->first[i];
    *top = scratch->end[i] > scratch->first[i] ? MIN (*top, scratch->first[i]) : *top;
    *bottom = scratch->end[i] > scratch->first[i] ? MAX (*bottom, scratch->end[i]) : *bottom;
  }
  return n_covered;
}

/* Removes the boxes of all columns. */
static void
clear_columns (LoomBoxCanvasScratch *scratch)
{
  for (int k = 0; k < scratch->n_used; k++) {
    int i = scratch->used[k];
    scratch->top[i] = G_MAXDOUBLE;
    scratch->first[i] = scratch->end[i] = 0;
  }
  scratch->n_used = 0;
}

void
loom_box_canvas_columns_end (LoomBoxCanvasColumns *columns)
{
  LoomBoxCanvas *canvas = columns->canvas;
  if (canvas->image == NULL || columns->left >= columns->right)
    return;
  const LoomBoxCanvasScratch *scratch = canvas->scratch;
  guint32 source = loom_canvas_pixels_premultiply (columns->color, 1);
  int top, bottom, left = columns->left, n = columns->right - left;
  if (paint_all_edges (canvas, &top, &bottom) * DENSE < (gint64) n * (bottom - top))
    for (int k = 0; k < scratch->n_used; k++) {
      int i = scratch->used[k];
      loom_canvas_pixels_blend_column (loom_canvas_pixels_line (canvas, scratch->first[i]) + canvas->full_left + i,
                                       canvas->stride, scratch->end[i] - scratch->first[i], source);
    }
  else
    for (int y = top; y < bottom; y++)
      blend_covered (loom_canvas_pixels_line (canvas, y) + canvas->full_left + left, scratch->first + left,
                     scratch->end + left, n, y, source);
  clear_columns (canvas->scratch);
}
