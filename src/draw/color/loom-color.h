/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours as numbers: sRGB bytes, OKLCH for choosing colours evenly, and WCAG contrast. The functions keep no state,
 * and may be called on any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

/* A colour as 0xAARRGGBB, in sRGB, not premultiplied. */
typedef guint32 LoomColor;

#define LOOM_COLOR_RGB(rgb) ((LoomColor) (0xFF000000u | (rgb)))

static inline LoomColor
loom_color_with_alpha (LoomColor color, double alpha)
{
  return (color & 0x00FFFFFFu) | (LoomColor) (CLAMP (alpha, 0.0, 1.0) * 255.0 + 0.5) << 24;
}

/* The next two functions convert from and to OKLCH: lightness 0 … 1, chroma 0 … about 0.3, hue in degrees. If a colour
 * is outside sRGB, its chroma is reduced until the colour is inside. */
LoomColor loom_color_from_oklch (double lightness, double chroma, double hue_deg);
void loom_color_to_oklch (LoomColor color, double *lightness, double *chroma, double *hue_deg);

/* Mixes two colours in OKLab: amount 0 gives `a`, 1 gives `b`. Alpha is mixed too. */
LoomColor loom_color_mix (LoomColor a, LoomColor b, double amount);

/* Returns the opaque colour that results if `over` is painted with its alpha on `under`. */
LoomColor loom_color_over (LoomColor over, LoomColor under);

/* The next two functions return the WCAG 2 relative luminance (0 … 1) and contrast ratio (1 … 21). They ignore
 * alpha. */
double loom_color_luminance (LoomColor color);
double loom_color_contrast (LoomColor a, LoomColor b);

/* Returns the colour of a heat map for a value from 0 to 1. Equal steps of the value change the lightness equally.
 * `dark`: for a dark theme, in which the colour of 0 is near the background. For NaN, returns a transparent colour. */
LoomColor loom_color_heat (double value, gboolean dark);

void loom_color_set_source (cairo_t *cr, LoomColor color);
void loom_color_fill_rectangle (cairo_t *cr, LoomColor color, double x, double y, double width, double height);
