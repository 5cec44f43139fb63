/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours that events of Chrome traces ask for by name (member `cname`): the table of Chrome's own viewer. A theme
 * keeps their hues and the order of their lightness, and moves lightness to where text on them can be read and the
 * background is another. Pure functions, any thread.
 */
#pragma once

#include "loom-color.h"

G_BEGIN_DECLS

#define LOOM_N_RESERVED_COLORS 34

/* The number of a name, or -1 when no colour has it ("" too). */
int loom_chrome_color_find (const char *cname);

/* A name and its colour as Chrome has them. */
const char *loom_chrome_color_get_name (guint number);
LoomColor loom_chrome_color_get (guint number);

/* Where a lightness of 0 … 1 comes to lie: what is darker than the middle under light text, the rest under dark. */
typedef struct {
  double dark_begin, dark_end;
  double bright_begin, bright_end;
} LoomLightnessBands;

/* The colour at its place in the bands, as far into its band as it takes for text of that colour to reach `contrast`. Where
 * all fills carry the same text, that is given twice. */
LoomColor loom_chrome_color_fit (LoomColor color, const LoomLightnessBands *bands, LoomColor dark_text,
                                 LoomColor light_text, double contrast);

G_END_DECLS
