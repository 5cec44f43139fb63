/* SPDX-License-Identifier: Apache-2.0 */
#include "color-vision.h"

#include <math.h>

/* Matrices that simulate each deficiency at severity 1, row by row, for linear RGB. */
static const double vision_matrix[][9] = {
  [COLOR_VISION_NORMAL] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
  [COLOR_VISION_PROTAN] = { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
                            1.051998 },
  [COLOR_VISION_DEUTAN] = { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
                            0.968881 },
  [COLOR_VISION_TRITAN] = { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
                            0.303900 },
};

double
color_vision_distance (LoomColor a, LoomColor b)
{
  double lightness[2], chroma[2], hue_deg[2];
  loom_color_to_oklch (a, &lightness[0], &chroma[0], &hue_deg[0]);
  loom_color_to_oklch (b, &lightness[1], &chroma[1], &hue_deg[1]);
  double x[2], y[2];
  for (int i = 0; i < 2; i++) {
    x[i] = chroma[i] * cos (hue_deg[i] * G_PI / 180);
    y[i] = chroma[i] * sin (hue_deg[i] * G_PI / 180);
  }
  return 100.0 * hypot (lightness[0] - lightness[1], hypot (x[0] - x[1], y[0] - y[1]));
}

static double
to_linear (guint byte)
{
  double v = byte / 255.0;
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static guint
byte_of (double linear)
{
  double v = CLAMP (linear, 0.0, 1.0);
  return (guint) ((v <= 0.0031308 ? v * 12.92 : 1.055 * pow (v, 1.0 / 2.4) - 0.055) * 255.0 + 0.5);
}

LoomColor
color_vision_simulate (LoomColor color, ColorVision vision)
{
  double r = to_linear (color >> 16 & 0xFF), g = to_linear (color >> 8 & 0xFF), b = to_linear (color & 0xFF);
  const double *m = vision_matrix[vision];
  return LOOM_COLOR_RGB (byte_of (m[0] * r + m[1] * g + m[2] * b) << 16 |
                         byte_of (m[3] * r + m[4] * g + m[5] * b) << 8 | byte_of (m[6] * r + m[7] * g + m[8] * b));
}
