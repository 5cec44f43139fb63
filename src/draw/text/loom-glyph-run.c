/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes texts with Pango, and finds where a text can be cut so that it fits a width.
 */
#include "loom-glyph-run.h"

#include <string.h>

/* Returns the beginning of the text, up to the first line end and at most LOOM_TEXT_MAX_BYTES, as valid UTF-8. Control
 * characters are replaced by their symbols. */
static char *
clean_text (const char *text)
{
  gsize length = strnlen (text, LOOM_TEXT_MAX_BYTES);
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  GString *clean = g_string_sized_new (length + 8);
  for (const char *p = valid; *p != '\0' && *p != '\n'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    if (c < 0x20)
      c += 0x2400;
    g_string_append_unichar (clean, c == 0x7F ? 0x2421 : c);
  }
  if (length == LOOM_TEXT_MAX_BYTES)
    g_string_append (clean, "…");
  return g_string_free (clean, FALSE);
}

/* Appends the glyphs of an item (a segment of text in one font) in visual order. After each cluster, adds a position at
 * which the text can be cut. */
static void
append_item (const PangoGlyphItem *item, const char *text, double *x, GArray *glyphs, GArray *pieces, GArray *cuts,
             guint *n_letters)
{
  cairo_scaled_font_t *font = pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (item->item->analysis.font));
  LoomGlyphPiece piece = { cairo_scaled_font_reference (font), glyphs->len, 0 };
  const PangoGlyphString *string = item->glyphs;
  for (int i = 0; i < string->num_glyphs; i++) {
    const PangoGlyphInfo *info = &string->glyphs[i];
    cairo_glyph_t glyph = { info->glyph, *x + (double) info->geometry.x_offset / PANGO_SCALE,
                            (double) info->geometry.y_offset / PANGO_SCALE };
    if (info->glyph != PANGO_GLYPH_EMPTY && (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG) == 0)
      g_array_append_val (glyphs, glyph);
    *x += (double) info->geometry.width / PANGO_SCALE;
    if (i + 1 < string->num_glyphs && string->log_clusters[i + 1] == string->log_clusters[i])
      continue;
    *n_letters += !g_unichar_isspace (g_utf8_get_char (text + item->item->offset + string->log_clusters[i]));
    LoomGlyphCut cut = { (float) *x, (guint16) glyphs->len, (guint16) *n_letters };
    g_array_append_val (cuts, cut);
  }
  piece.n = glyphs->len - piece.first;
  g_array_append_val (pieces, piece);
}

LoomGlyphRun *
loom_glyph_run_new (PangoLayout *layout, const char *text)
{
  g_autofree char *clean = clean_text (text);
  pango_layout_set_text (layout, clean, -1);
  GArray *glyphs = g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t));
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (LoomGlyphPiece));
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (LoomGlyphCut));
  LoomGlyphRun *run = g_new0 (LoomGlyphRun, 1);
  PangoLayoutLine *line = pango_layout_get_line_readonly (layout, 0);
  for (GSList *l = line != NULL ? line->runs : NULL; l != NULL; l = l->next)
    append_item (l->data, clean, &run->width, glyphs, pieces, cuts, &run->n_letters);
  run->n_glyphs = glyphs->len, run->n_pieces = pieces->len, run->n_cuts = cuts->len;
  run->glyphs = (cairo_glyph_t *) g_array_free (glyphs, FALSE);
  run->pieces = (LoomGlyphPiece *) g_array_free (pieces, FALSE);
  run->cuts = (LoomGlyphCut *) g_array_free (cuts, FALSE);
  return run;
}

void
loom_glyph_run_free (LoomGlyphRun *run)
{
  if (run == NULL)
    return;
  for (guint i = 0; i < run->n_pieces; i++)
    cairo_scaled_font_destroy (run->pieces[i].font);
  g_free (run->glyphs);
  g_free (run->pieces);
  g_free (run->cuts);
  g_free (run);
}

guint
loom_glyph_run_fit (const LoomGlyphRun *run, double width)
{
  guint low = 0, high = run->n_cuts;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (run->cuts[middle].x <= width)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? G_MAXUINT : low - 1;
}
