/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours as numbers: sRGB bytes, OKLCH for choosing them evenly, WCAG contrast, and what the three colour-vision
 * deficiencies make of them. Pure functions, any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/* 0xAARRGGBB, sRGB, alpha not multiplied in. */
typedef guint32 LoomColor;

#define LOOM_COLOR_RGB(rgb) ((LoomColor) (0xFF000000u | (rgb)))

static inline LoomColor
loom_color_with_alpha (LoomColor color, double alpha)
{
  return (color & 0x00FFFFFFu) | (LoomColor) (CLAMP (alpha, 0.0, 1.0) * 255.0 + 0.5) << 24;
}

/* OKLCH: lightness 0 … 1, chroma 0 … about 0.3, hue in degrees. What sRGB cannot show is brought in by less chroma. */
LoomColor loom_color_from_oklch (double lightness, double chroma, double hue_deg);
void loom_color_to_oklch (LoomColor color, double *lightness, double *chroma, double *hue_deg);

/* a where amount is 0, b where it is 1; mixed in OKLab. Alpha is mixed too. */
LoomColor loom_color_mix (LoomColor a, LoomColor b, double amount);

/* `over` with its alpha painted on the opaque `under`. */
LoomColor loom_color_over (LoomColor over, LoomColor under);

/* WCAG 2 relative luminance (0 … 1) and contrast ratio (1 … 21); alpha is ignored. */
double loom_color_luminance (LoomColor color);
double loom_color_contrast (LoomColor a, LoomColor b);

/* Distance in OKLab × 100: about 2 is just visible side by side. */
double loom_color_distance (LoomColor a, LoomColor b);

typedef enum {
  LOOM_COLOR_VISION_NORMAL,
  LOOM_COLOR_VISION_PROTAN,
  LOOM_COLOR_VISION_DEUTAN,
  LOOM_COLOR_VISION_TRITAN,
} LoomColorVision;

/* The colour as somebody without that cone sees it (Machado, Oliveira and Fernandes 2009, severity 1). */
LoomColor loom_color_simulate (LoomColor color, LoomColorVision vision);

/* A perceptual map for heat: value 0 … 1, even steps in lightness, computed. `dark`: 0 is dark (on a dark theme 0
 * stays near the background). NaN gives a transparent colour. */
LoomColor loom_color_heat (double value, gboolean dark);

void loom_color_set_source (cairo_t *cr, LoomColor color);

G_END_DECLS
