/* SPDX-License-Identifier: Apache-2.0
 *
 * One shaped text: glyphs in a row from x = 0 on the baseline, and where it can be cut. Private to the text cache.
 */
#pragma once

#include <pango/pangocairo.h>

G_BEGIN_DECLS

/* Names can be 100 KB long; nobody sees more than this many bytes of one. */
#define LOOM_TEXT_MAX_BYTES 256

/* A stretch of glyphs of one font. */
typedef struct {
  cairo_scaled_font_t *font;
  guint first, n;
} LoomGlyphPiece;

/* A place where the text can be cut: behind a cluster. */
typedef struct {
  float x;
  guint16 n_glyphs;
  guint16 n_letters; /* so far, blanks not counted */
} LoomGlyphCut;

typedef struct {
  double width;
  cairo_glyph_t *glyphs;
  LoomGlyphPiece *pieces;
  LoomGlyphCut *cuts;
  guint n_glyphs, n_pieces, n_cuts, n_letters;
} LoomGlyphRun;

/* Shapes the layout's text. */
LoomGlyphRun *loom_glyph_run_new (PangoLayout *layout, const char *text);
void loom_glyph_run_free (LoomGlyphRun *run);

/* The last cut that fits into `width`; G_MAXUINT when none does. */
guint loom_glyph_run_fit (const LoomGlyphRun *run, double width);

G_END_DECLS
