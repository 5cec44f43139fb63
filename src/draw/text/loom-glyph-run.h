/* SPDX-License-Identifier: Apache-2.0
 *
 * A shaped text: its glyphs, placed along the baseline from x = 0, and the positions at which the text can be cut.
 * Private to the text cache.
 */
#pragma once

#include <pango/pangocairo.h>

/* Maximum number of bytes of a text that are shaped. The rest is ignored, because names in traces can have 100 KB. */
#define LOOM_TEXT_MAX_BYTES 256

/* A range of consecutive glyphs that have the same font. */
typedef struct {
  cairo_scaled_font_t *font;
  guint first, n;
} LoomGlyphPiece;

/* A position at which the text can be cut: the end of a cluster, that is, of glyphs that belong together. */
typedef struct {
  float x;
  guint16 n_glyphs;
  guint16 n_letters; /* number of letters before this position, without blanks */
} LoomGlyphCut;

typedef struct {
  double width;
  cairo_glyph_t *glyphs;
  LoomGlyphPiece *pieces;
  LoomGlyphCut *cuts;
  guint n_glyphs, n_pieces, n_cuts, n_letters;
} LoomGlyphRun;

/* Shapes a text in the font of the layout. */
LoomGlyphRun *loom_glyph_run_new (PangoLayout *layout, const char *text);
void loom_glyph_run_free (LoomGlyphRun *run);

/* Returns the index of the last position at which the text can be cut so that the part before it fits into `width`;
 * G_MAXUINT if even the part before the first position is too wide. */
guint loom_glyph_run_fit (const LoomGlyphRun *run, double width);
