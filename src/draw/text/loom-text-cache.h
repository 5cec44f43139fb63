/* SPDX-License-Identifier: Apache-2.0
 *
 * Text on cairo without a layout per label: Pango shapes every (style, text) once; the resulting glyph runs are cached,
 * and cut to the available room with an ellipsis at the end. Old runs are dropped when the cache is full. One thread at
 * a time per cache.
 */
#pragma once

#include "loom-color.h"

typedef struct _LoomTextCache LoomTextCache;

typedef enum {
  LOOM_TEXT_SPAN,        /* 11 px, in spans */
  LOOM_TEXT_HEADER,      /* 12 px, track headers */
  LOOM_TEXT_HEADER_BOLD, /* 12 px bold, headers of groups */
  LOOM_TEXT_SMALL,       /* 10 px, ruler and plots; tabular figures */
  LOOM_N_TEXTS
} LoomTextStyle;

/* `family`: a font family, NULL for "Sans" (the window passes the desktop's). */
LoomTextCache *loom_text_cache_new (const char *family);
void loom_text_cache_free (LoomTextCache *cache);

/* Drops all runs; must be called when the desktop's font or text scaling changes (1.0: 11 px are 11 px). */
void loom_text_cache_set_font (LoomTextCache *cache, const char *family, double scaling);

/* Width of the whole text. */
double loom_text_cache_width (LoomTextCache *cache, LoomTextStyle style, const char *text);
/* Width of three letters: a label with less room should not be drawn. */
double loom_text_cache_minimum (LoomTextCache *cache, LoomTextStyle style);

/* Paints from x, centred on `middle_y`, ellipsized to max_width (negative: not ellipsized). A text that would keep
 * fewer than three letters is not painted, unless it is complete. Returns the painted width, 0 if nothing was painted.
 * `text` is read up to the first line end (and 256 bytes); control characters are shown as symbols. `cr` must not be
 * rotated. */
double loom_text_cache_paint (LoomTextCache *cache, cairo_t *cr, LoomTextStyle style, const char *text, double x,
                              double middle_y, double max_width, LoomColor color);

/* Between begin and end, texts are gathered; end paints them by font and colour in few calls, above everything painted
 * in between. Calls cannot be nested. */
void loom_text_cache_begin (LoomTextCache *cache, cairo_t *cr);
void loom_text_cache_end (LoomTextCache *cache);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTextCache, loom_text_cache_free)
