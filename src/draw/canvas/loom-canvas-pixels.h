/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the canvas. Converts logical to device pixels, and blends a colour over existing pixels, four neighbouring
 * pixels at a time. Uses the vector extension of the compiler, which works on every processor; all variants of the code
 * give the same bytes.
 */
#pragma once

#include "loom-box-canvas.h"

#define LOOM_QUAD 4

typedef guint32 LoomQuad __attribute__ ((vector_size (16), aligned (4), may_alias));
typedef gint32 LoomQuadInt __attribute__ ((vector_size (16), aligned (4), may_alias));
typedef guint16 LoomOctet __attribute__ ((vector_size (16)));

static inline int
loom_canvas_pixels_floor (double value)
{
  int whole = (int) value;
  return whole - (value < whole);
}

static inline int
loom_canvas_pixels_device_x (const LoomBoxCanvas *canvas, double x)
{
  return loom_canvas_pixels_floor (canvas->origin_x + CLAMP (x, -1e6, 1e6) * canvas->scale + 0.5);
}

static inline int
loom_canvas_pixels_device_y (const LoomBoxCanvas *canvas, double y)
{
  return loom_canvas_pixels_floor (canvas->origin_y + CLAMP (y, -1e6, 1e6) * canvas->scale + 0.5);
}

static inline guint32
loom_canvas_pixels_premultiply (LoomColor color, double coverage)
{
  guint alpha = (guint) ((color >> 24) * coverage + 0.5);
  if (alpha == 255)
    return color;
  guint r = ((color >> 16 & 0xFF) * alpha + 127) / 255, g = ((color >> 8 & 0xFF) * alpha + 127) / 255;
  return alpha << 24 | r << 16 | g << 8 | ((color & 0xFF) * alpha + 127) / 255;
}

/* Blends `source`, a premultiplied colour, over the pixel `under`. `inverse`: 255 − alpha of `source`. Computes two
 * channels at a time: for a channel v and a factor a, (v × a + 128) × 257 >> 16 equals v × a ÷ 255, rounded. */
static inline guint32
loom_canvas_pixels_blend (guint32 under, guint32 source, guint32 inverse)
{
  guint32 rb = (under & 0x00FF00FFu) * inverse + 0x00800080u, ag = (under >> 8 & 0x00FF00FFu) * inverse + 0x00800080u;
  rb = (rb + (rb >> 8 & 0x00FF00FFu)) >> 8 & 0x00FF00FFu;
  ag = (ag + (ag >> 8 & 0x00FF00FFu)) & 0xFF00FF00u;
  return source + (rb | ag);
}

/* Blends four pixels. 16 bits per channel are always enough for the computation. */
static inline LoomQuad
loom_canvas_pixels_blend_quad (LoomQuad under, guint32 source, guint32 inverse)
{
  const guint16 factor = (guint16) inverse;
  const LoomQuad bytes = { 0x00FF00FFu, 0x00FF00FFu, 0x00FF00FFu, 0x00FF00FFu };
  LoomOctet rb = (LoomOctet) (under & bytes) * factor + 128, ag = (LoomOctet) (under >> 8 & bytes) * factor + 128;
  rb = (rb + (rb >> 8)) >> 8;
  ag = (ag + (ag >> 8)) & 0xFF00;
  return (LoomQuad) (rb | ag) + source;
}

static inline void
loom_canvas_pixels_blend_line (guint32 *to, int n, guint32 source)
{
  guint32 inverse = 255 - (source >> 24);
  int i = 0;
  if (inverse == 0) {
    for (; i < n; i++)
      to[i] = source;
    return;
  }
  for (; i + LOOM_QUAD <= n; i += LOOM_QUAD)
    *(LoomQuad *) (gpointer) (to + i) =
      loom_canvas_pixels_blend_quad (*(const LoomQuad *) (gconstpointer) (to + i), source, inverse);
  for (; i < n; i++)
    to[i] = loom_canvas_pixels_blend (to[i], source, inverse);
}

/* Blends `source` over a column that is one pixel wide and `n` pixels high. */
static inline void
loom_canvas_pixels_blend_column (guint32 *to, int stride, int n, guint32 source)
{
  guint32 inverse = 255 - (source >> 24);
  for (int i = 0; i < n; i++, to += stride)
    *to = inverse == 0 ? source : loom_canvas_pixels_blend (*to, source, inverse);
}

static inline guint32 *
loom_canvas_pixels_line (const LoomBoxCanvas *canvas, int y)
{
  return canvas->pixels + (gsize) y * (gsize) canvas->stride;
}
