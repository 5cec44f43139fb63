/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between sRGB, OKLab and OKLCH, mixing of colours, WCAG contrast, and the colours of heat maps.
 */
#include "loom-color.h"

#include <math.h>

typedef struct {
  double a, b, c;
} Triple;

static double
to_linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
from_linear (double v)
{
  return v <= 0.0031308 ? v * 12.92 : 1.055 * pow (v, 1.0 / 2.4) - 0.055;
}

static Triple
linear_of (LoomColor color)
{
  return (Triple) { to_linear ((color >> 16 & 0xFF) / 255.0), to_linear ((color >> 8 & 0xFF) / 255.0),
                    to_linear ((color & 0xFF) / 255.0) };
}

static guint
byte_of (double linear)
{
  return (guint) (from_linear (CLAMP (linear, 0.0, 1.0)) * 255.0 + 0.5);
}

static LoomColor
color_of (Triple linear)
{
  return LOOM_COLOR_RGB (byte_of (linear.a) << 16 | byte_of (linear.b) << 8 | byte_of (linear.c));
}

/* Converts linear RGB to OKLab, as defined by Björn Ottosson, 2020. */
static Triple
oklab_from_linear (Triple rgb)
{
  double l = cbrt (0.4122214708 * rgb.a + 0.5363325363 * rgb.b + 0.0514459929 * rgb.c);
  double m = cbrt (0.2119034982 * rgb.a + 0.6806995451 * rgb.b + 0.1073969566 * rgb.c);
  double s = cbrt (0.0883024619 * rgb.a + 0.2817188376 * rgb.b + 0.6299787005 * rgb.c);
  return (Triple) { 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static Triple
linear_from_oklab (Triple lab)
{
  double l = lab.a + 0.3963377774 * lab.b + 0.2158037573 * lab.c;
  double m = lab.a - 0.1055613458 * lab.b - 0.0638541728 * lab.c;
  double s = lab.a - 0.0894841775 * lab.b - 1.2914855480 * lab.c;
  l = l * l * l, m = m * m * m, s = s * s * s;
  return (Triple) { 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s };
}

static gboolean
in_gamut (Triple rgb)
{
  const double slack = 1e-4;
  return MIN (rgb.a, MIN (rgb.b, rgb.c)) >= -slack && MAX (rgb.a, MAX (rgb.b, rgb.c)) <= 1 + slack;
}

static Triple
linear_from_oklch (double lightness, double chroma, double hue_deg)
{
  double hue = hue_deg * G_PI / 180.0;
  return linear_from_oklab ((Triple) { lightness, chroma * cos (hue), chroma * sin (hue) });
}

LoomColor
loom_color_from_oklch (double lightness, double chroma, double hue_deg)
{
  if (in_gamut (linear_from_oklch (lightness, chroma, hue_deg)))
    return color_of (linear_from_oklch (lightness, chroma, hue_deg));
  double low = 0.0, high = chroma;
  for (int i = 0; i < 24; i++) {
    double middle = (low + high) / 2;
    if (in_gamut (linear_from_oklch (lightness, middle, hue_deg)))
      low = middle;
    else
      high = middle;
  }
  return color_of (linear_from_oklch (lightness, low, hue_deg));
}

void
loom_color_to_oklch (LoomColor color, double *lightness, double *chroma, double *hue_deg)
{
  Triple lab = oklab_from_linear (linear_of (color));
  double hue = atan2 (lab.c, lab.b) * 180.0 / G_PI;
  *lightness = lab.a;
  *chroma = hypot (lab.b, lab.c);
  *hue_deg = hue < 0 ? hue + 360.0 : hue;
}

LoomColor
loom_color_mix (LoomColor a, LoomColor b, double amount)
{
  Triple x = oklab_from_linear (linear_of (a)), y = oklab_from_linear (linear_of (b));
  double t = CLAMP (amount, 0.0, 1.0), alpha = (a >> 24) * (1 - t) + (b >> 24) * t;
  Triple mixed = { x.a + (y.a - x.a) * t, x.b + (y.b - x.b) * t, x.c + (y.c - x.c) * t };
  return loom_color_with_alpha (color_of (linear_from_oklab (mixed)), alpha / 255.0);
}

LoomColor
loom_color_over (LoomColor over, LoomColor under)
{
  guint alpha = over >> 24, result = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    guint o = over >> shift & 0xFF, u = under >> shift & 0xFF;
    result |= ((o * alpha + u * (255 - alpha) + 127) / 255) << shift;
  }
  return LOOM_COLOR_RGB (result);
}

double
loom_color_luminance (LoomColor color)
{
  Triple rgb = linear_of (color);
  return 0.2126 * rgb.a + 0.7152 * rgb.b + 0.0722 * rgb.c;
}

double
loom_color_contrast (LoomColor a, LoomColor b)
{
  double x = loom_color_luminance (a), y = loom_color_luminance (b);
  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

/* Returns the colour for a value from 0 to 1: from violet via blue, teal and green to yellow, with evenly increasing
 * lightness. NaN gives a transparent colour. */
LoomColor
loom_color_heat (double value, gboolean dark)
{
  if (isnan (value))
    return 0;
  double t = CLAMP (value, 0.0, 1.0);
  double low = dark ? 0.24 : 0.30, high = dark ? 0.90 : 0.88;
  double hue = 305.0 - 200.0 * pow (t, 1.1);
  double chroma = 0.10 + 0.08 * t;
  return loom_color_from_oklch (low + (high - low) * t, chroma, hue);
}

void
loom_color_set_source (cairo_t *cr, LoomColor color)
{
  cairo_set_source_rgba (cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0,
                         (color >> 24) / 255.0);
}

void
loom_color_fill_rectangle (cairo_t *cr, LoomColor color, double x, double y, double width, double height)
{
  loom_color_set_source (cr, color);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
}
