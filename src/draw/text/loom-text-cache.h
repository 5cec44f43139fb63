/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints text with cairo without a Pango layout per label. Pango shapes each text once per style; the resulting glyph
 * runs are cached, and are cut to the available width with an ellipsis at the end. Old runs are dropped when the cache
 * is full. Only one thread at a time may use a cache.
 */
#pragma once

#include "loom-color.h"

typedef struct _LoomTextCache LoomTextCache;

typedef enum {
  LOOM_TEXT_SPAN,        /* 11 px, names in spans */
  LOOM_TEXT_HEADER,      /* 12 px, headers of tracks */
  LOOM_TEXT_HEADER_BOLD, /* 12 px bold, headers of groups */
  LOOM_TEXT_SMALL,       /* 10 px, ruler and plots; digits of equal width */
  LOOM_N_TEXTS
} LoomTextStyle;

/* Makes an empty cache. `family`: name of a font family; NULL: "Sans". The window passes the desktop's font. */
LoomTextCache *loom_text_cache_new (const char *family);
void loom_text_cache_free (LoomTextCache *cache);

/* Sets the font and drops all cached texts. Call it when the font or the text scaling of the desktop changes.
 * `scaling`: factor for the sizes of all texts; 1.0: a text of 11 px is 11 px high. */
void loom_text_cache_set_font (LoomTextCache *cache, const char *family, double scaling);

/* Returns the width of the whole text in px. */
double loom_text_cache_width (LoomTextCache *cache, LoomTextStyle style, const char *text);
/* Returns the width of three letters. A label with less room should not be drawn. */
double loom_text_cache_minimum (LoomTextCache *cache, LoomTextStyle style);

/* Paints a text from x on, centred vertically on `middle_y`. If the text is wider than max_width (negative: no limit),
 * it is cut and ends with an ellipsis; if fewer than three letters would remain before the ellipsis, nothing is
 * painted. Returns the painted width, 0 if nothing was painted. `text` is read up to the first line end, and at most
 * 256 bytes; control characters are shown as symbols. `cr` must not be rotated. */
double loom_text_cache_paint (LoomTextCache *cache, cairo_t *cr, LoomTextStyle style, const char *text, double x,
                              double middle_y, double max_width, LoomColor color);

/* Shortens a text to at most `max_width` px by replacing its middle with an ellipsis, because names that begin alike
 * often differ only at their ends. Returns the whole text if it is narrow enough. Owned by the caller. */
char *loom_text_cache_dup_middle (LoomTextCache *cache, LoomTextStyle style, const char *text, double max_width);

/* loom_text_cache_begin() makes the cache collect texts instead of painting them; loom_text_cache_end() paints the
 * collected texts with few calls, one per font and colour. The texts therefore cover everything else that was painted
 * between the two calls. Calls cannot be nested. */
void loom_text_cache_begin (LoomTextCache *cache, cairo_t *cr);
void loom_text_cache_end (LoomTextCache *cache);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTextCache, loom_text_cache_free)
