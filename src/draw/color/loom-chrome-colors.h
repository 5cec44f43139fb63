/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours that events of Chrome traces request by name (member `cname`): the table of Chrome's own viewer. A theme
 * keeps their hues and the order of their lightness, but changes their lightness so that text on them is legible and
 * they differ from the background. Pure functions, any thread.
 */
#pragma once

#include "loom-color.h"

#define LOOM_N_RESERVED_COLORS 34

/* The number of a name, or -1 if there is no such colour (or for ""). */
int loom_chrome_color_find (const char *cname);

/* The colour as in Chrome. */
LoomColor loom_chrome_color_get (guint number);

/* The intervals of lightness (0 … 1) to which colours are mapped: dark colours get light text, bright ones dark
 * text. */
typedef struct {
  double dark_begin, dark_end;
  double bright_begin, bright_end;
} LoomLightnessBands;

/* Moves the colour to its place in the bands, far enough that text on it reaches `contrast`. If all fills have the same
 * text colour, pass it for both. */
LoomColor loom_chrome_color_fit (LoomColor color, const LoomLightnessBands *bands, LoomColor dark_text,
                                 LoomColor light_text, double contrast);
