/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours that events of Chrome traces request by name (member `cname`): the table of Chrome's own viewer. For a
 * theme, only the lightness of these colours is changed, so that text on them is legible and they differ from the
 * background; their order from dark to bright stays the same. The functions keep no state, and may be called on any
 * thread.
 */
#pragma once

#include "loom-color.h"

#define LOOM_N_RESERVED_COLORS 34

/* Returns the number of the colour that Chrome traces call `cname` (the value of the member "cname" of an event). −1:
 * `cname` is unknown or "". */
int loom_chrome_color_find (const char *cname);

/* Returns the colour with this number, as Chrome shows it. */
LoomColor loom_chrome_color_get (guint number);

/* The intervals of lightness (0 … 1) to which colours are mapped: dark colours get light text, bright ones dark
 * text. */
typedef struct {
  double dark_begin, dark_end;
  double bright_begin, bright_end;
} LoomLightnessBands;

/* Moves the lightness of the colour into one of the bands, and then further until text on the colour has at least the
 * given contrast. `dark_text`, `light_text`: the colours of text on bright and on dark fills; for a theme that has only
 * one of them, pass the same colour twice. */
LoomColor loom_chrome_color_fit (LoomColor color, const LoomLightnessBands *bands, LoomColor dark_text,
                                 LoomColor light_text, double contrast);
