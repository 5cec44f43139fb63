/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours that events of Chrome traces request by name (member `cname`): the table of Chrome's own viewer. A theme
 * keeps their hues and the order of their lightness, but changes their lightness so that text on them is legible and
 * they differ from the background. Pure functions, any thread.
 */
#pragma once

#include "loom-color.h"

#define LOOM_N_RESERVED_COLORS 34

/* Returns the number of the colour with this name in Chrome's traces (the member "cname"); −1: unknown name, or "". */
int loom_chrome_color_find (const char *cname);

/* Returns the colour as Chrome shows it. */
LoomColor loom_chrome_color_get (guint number);

/* The intervals of lightness (0 … 1) to which colours are mapped: dark colours get light text, bright ones dark
 * text. */
typedef struct {
  double dark_begin, dark_end;
  double bright_begin, bright_end;
} LoomLightnessBands;

/* Changes the lightness of the colour to one in the bands at which text on it has the given contrast. `dark_text`,
 * `light_text`: the colours of text on bright and on dark fills; if a theme has only one of these, pass it twice. */
LoomColor loom_chrome_color_fit (LoomColor color, const LoomLightnessBands *bands, LoomColor dark_text,
                                 LoomColor light_text, double contrast);
