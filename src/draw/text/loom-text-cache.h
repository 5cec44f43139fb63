/* SPDX-License-Identifier: Apache-2.0
 *
 * Text on cairo without a layout per label: every (style, text) is shaped once by Pango and kept as glyph runs, which
 * are then cut to the room there is, with an ellipsis at the end. Old runs are dropped when the cache is full.
 * One thread at a time per cache.
 */
#pragma once

#include "loom-color.h"

G_BEGIN_DECLS

typedef struct _LoomTextCache LoomTextCache;

typedef enum {
  LOOM_TEXT_SPAN,        /* 11 px, in spans */
  LOOM_TEXT_HEADER,      /* 12 px, track headers */
  LOOM_TEXT_HEADER_BOLD, /* groups */
  LOOM_TEXT_SMALL,       /* 10 px, ruler and plots; tabular figures */
  LOOM_N_TEXTS
} LoomTextStyle;

/* `family`: a font family, NULL for "Sans" (the window passes the desktop's). */
LoomTextCache *loom_text_cache_new (const char *family);
void loom_text_cache_free (LoomTextCache *cache);

/* Drops all runs; call when the desktop's font or the text scaling (1.0 = 11 px is 11 px) changes. */
void loom_text_cache_set_font (LoomTextCache *cache, const char *family, double scaling);

/* Width of the whole text. */
double loom_text_cache_width (LoomTextCache *cache, LoomTextStyle style, const char *text);
/* Room that three letters need: below it a label is not worth drawing. */
double loom_text_cache_minimum (LoomTextCache *cache, LoomTextStyle style);

/* Paints from x, its letters centred on `middle_y`, ellipsized to max_width (negative: not at all). Text that keeps
 * fewer than three letters is not painted, unless it is whole. Returns the width painted, 0 when nothing was. `text` is
 * read up to the first line end (and 256 bytes); control characters become their pictures. `cr` must not be rotated. */
double loom_text_cache_paint (LoomTextCache *cache, cairo_t *cr, LoomTextStyle style, const char *text, double x,
                              double middle_y, double max_width, LoomColor color);

/* Between begin and end texts are gathered and painted by font and colour in few calls, on top of everything painted
 * meanwhile. Calls do not nest. */
void loom_text_cache_begin (LoomTextCache *cache, cairo_t *cr);
void loom_text_cache_end (LoomTextCache *cache);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTextCache, loom_text_cache_free)

G_END_DECLS
