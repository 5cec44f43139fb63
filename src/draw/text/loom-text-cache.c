/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps shaped texts in two generations for each text style. When the young generation is full, it becomes the old one,
 * and the former old one is freed; texts of the old generation that are used again move to the young one. Visible texts
 * are therefore never shaped twice, and memory is bounded.
 */
#include "loom-text-cache.h"

#include <math.h>
#include <string.h>

#include "loom-glyph-run.h"

#define GENERATION_SIZE 8192

static const struct {
  double size_px;
  PangoWeight weight;
  gboolean tabular;
} styles[LOOM_N_TEXTS] = {
  [LOOM_TEXT_SPAN] = { 11, PANGO_WEIGHT_NORMAL, FALSE },
  [LOOM_TEXT_HEADER] = { 12, PANGO_WEIGHT_NORMAL, FALSE },
  [LOOM_TEXT_HEADER_BOLD] = { 12, PANGO_WEIGHT_SEMIBOLD, FALSE },
  [LOOM_TEXT_SMALL] = { 10, PANGO_WEIGHT_NORMAL, TRUE },
};

typedef struct {
  PangoFontDescription *font;
  double rise; /* distance from the middle of letters down to the baseline */
  double minimum;
  LoomGlyphRun *ellipsis;
  /* text (char *) → LoomGlyphRun *. `young`: texts that were used since this generation began; `old`: texts of the
   * generation before `young`. When `young` is full, it becomes `old`, and the texts of the former `old` are freed */
  GHashTable *young, *old;
} StyleCache;

/* Glyphs of one font and one colour that are painted together by loom_text_cache_end(). */
typedef struct {
  cairo_scaled_font_t *font;
  LoomColor color;
  GArray *glyphs;
} Batch;

struct _LoomTextCache {
  PangoContext *context;
  PangoLayout *layout;
  StyleCache style[LOOM_N_TEXTS];
  cairo_t *cr; /* target of painting; NULL outside of loom_text_cache_begin() and loom_text_cache_end() */
  GArray *batches;
  guint n_batches;
};

/* Returns a hash of those bytes of a text that are shaped, at most LOOM_TEXT_MAX_BYTES. */
static guint
hash_text (gconstpointer data)
{
  const guchar *text = data;
  guint hash = 5381;
  for (guint i = 0; i < LOOM_TEXT_MAX_BYTES && text[i] != '\0'; i++)
    hash = hash * 33 + text[i];
  return hash;
}

static gboolean
equal_text (gconstpointer a, gconstpointer b)
{
  return strncmp (a, b, LOOM_TEXT_MAX_BYTES) == 0;
}

static GHashTable *
new_generation (void)
{
  return g_hash_table_new_full (hash_text, equal_text, g_free, (GDestroyNotify) loom_glyph_run_free);
}

static LoomGlyphRun *
shape (LoomTextCache *cache, LoomTextStyle style, const char *text)
{
  pango_layout_set_font_description (cache->layout, cache->style[style].font);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  if (styles[style].tabular)
    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (cache->layout, attributes);
  return loom_glyph_run_new (cache->layout, text);
}

static LoomGlyphRun *
get_run (LoomTextCache *cache, LoomTextStyle style, const char *text)
{
  StyleCache *runs = &cache->style[style];
  LoomGlyphRun *run = g_hash_table_lookup (runs->young, text);
  if (run != NULL)
    return run;
  if (g_hash_table_size (runs->young) >= GENERATION_SIZE) {
    g_hash_table_unref (runs->old);
    runs->old = g_steal_pointer (&runs->young);
    runs->young = new_generation ();
  }
  gpointer key, value;
  if (g_hash_table_steal_extended (runs->old, text, &key, &value)) {
    g_hash_table_insert (runs->young, key, value);
    return value;
  }
  run = shape (cache, style, text);
  g_hash_table_insert (runs->young, g_strndup (text, LOOM_TEXT_MAX_BYTES), run);
  return run;
}

/* Returns the distance from the middle of letters down to the baseline: half of the mean of x-height and cap height. If
 * text is placed with this distance, both lower-case names and digits look vertically centred. */
static double
measure_rise (const LoomGlyphRun *run)
{
  if (run->n_glyphs < 2)
    return 4;
  cairo_text_extents_t x, cap;
  cairo_scaled_font_glyph_extents (run->pieces[0].font, &run->glyphs[0], 1, &x);
  cairo_scaled_font_glyph_extents (run->pieces[0].font, &run->glyphs[1], 1, &cap);
  return (x.height + cap.height) / 4;
}

static void
style_set_font (LoomTextCache *cache, LoomTextStyle style, const char *family, double scaling)
{
  StyleCache *runs = &cache->style[style];
  runs->font = pango_font_description_new ();
  pango_font_description_set_family (runs->font, family != NULL ? family : "Sans");
  pango_font_description_set_absolute_size (runs->font, styles[style].size_px * scaling * PANGO_SCALE);
  pango_font_description_set_weight (runs->font, styles[style].weight);
  runs->young = new_generation ();
  runs->old = new_generation ();
  runs->ellipsis = shape (cache, style, "…");
  LoomGlyphRun *letters = shape (cache, style, "xHn");
  runs->rise = measure_rise (letters);
  runs->minimum = letters->width + runs->ellipsis->width;
  loom_glyph_run_free (letters);
}

static void
style_clear (StyleCache *runs)
{
  g_clear_pointer (&runs->font, pango_font_description_free);
  g_clear_pointer (&runs->young, g_hash_table_unref);
  g_clear_pointer (&runs->old, g_hash_table_unref);
  g_clear_pointer (&runs->ellipsis, loom_glyph_run_free);
}

static void
batch_clear (gpointer data)
{
  g_array_unref (((Batch *) data)->glyphs);
}

LoomTextCache *
loom_text_cache_new (const char *family)
{
  LoomTextCache *cache = g_new0 (LoomTextCache, 1);
  cache->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (cache->context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (cache->context, FALSE);
  cache->layout = pango_layout_new (cache->context);
  pango_layout_set_single_paragraph_mode (cache->layout, TRUE);
  cache->batches = g_array_new (FALSE, TRUE, sizeof (Batch));
  g_array_set_clear_func (cache->batches, batch_clear);
  loom_text_cache_set_font (cache, family, 1.0);
  return cache;
}

void
loom_text_cache_free (LoomTextCache *cache)
{
  if (cache == NULL)
    return;
  for (guint i = 0; i < LOOM_N_TEXTS; i++)
    style_clear (&cache->style[i]);
  g_array_unref (cache->batches);
  g_object_unref (cache->layout);
  g_object_unref (cache->context);
  g_free (cache);
}

void
loom_text_cache_set_font (LoomTextCache *cache, const char *family, double scaling)
{
  g_return_if_fail (cache != NULL && scaling > 0 && cache->cr == NULL);
  for (guint i = 0; i < LOOM_N_TEXTS; i++) {
    style_clear (&cache->style[i]);
    style_set_font (cache, i, family, scaling);
  }
}

double
loom_text_cache_width (LoomTextCache *cache, LoomTextStyle style, const char *text)
{
  return get_run (cache, style, text)->width;
}

double
loom_text_cache_minimum (LoomTextCache *cache, LoomTextStyle style)
{
  return cache->style[style].minimum;
}

static GArray *
batch_for (LoomTextCache *cache, cairo_scaled_font_t *font, LoomColor color)
{
  for (guint i = cache->n_batches; i-- > 0;) {
    Batch *batch = &g_array_index (cache->batches, Batch, i);
    if (batch->font == font && batch->color == color)
      return batch->glyphs;
  }
  if (cache->n_batches == cache->batches->len) {
    Batch fresh = { .glyphs = g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t)) };
    g_array_append_val (cache->batches, fresh);
  }
  Batch *batch = &g_array_index (cache->batches, Batch, cache->n_batches++);
  batch->font = cairo_scaled_font_reference (font);
  batch->color = color;
  return batch->glyphs;
}

/* Collects the first n_glyphs glyphs of a run for painting, moved to (x, y). */
static void
gather (LoomTextCache *cache, const LoomGlyphRun *run, guint n_glyphs, double x, double y, LoomColor color)
{
  for (guint i = 0; i < run->n_pieces && run->pieces[i].first < n_glyphs; i++) {
    const LoomGlyphPiece *piece = &run->pieces[i];
    guint n = MIN (piece->n, n_glyphs - piece->first);
    GArray *glyphs = batch_for (cache, piece->font, color);
    guint at = glyphs->len;
    g_array_set_size (glyphs, at + n);
    cairo_glyph_t *to = &g_array_index (glyphs, cairo_glyph_t, at);
    for (guint k = 0; k < n; k++) {
      to[k] = run->glyphs[piece->first + k];
      to[k].x += x;
      to[k].y += y;
    }
  }
}

void
loom_text_cache_begin (LoomTextCache *cache, cairo_t *cr)
{
  g_return_if_fail (cache != NULL && cache->cr == NULL);
  cache->cr = cr;
  cache->n_batches = 0;
}

void
loom_text_cache_end (LoomTextCache *cache)
{
  g_return_if_fail (cache != NULL && cache->cr != NULL);
  for (guint i = 0; i < cache->n_batches; i++) {
    Batch *batch = &g_array_index (cache->batches, Batch, i);
    loom_color_set_source (cache->cr, batch->color);
    cairo_set_scaled_font (cache->cr, batch->font);
    cairo_show_glyphs (cache->cr, (cairo_glyph_t *) (gpointer) batch->glyphs->data, (int) batch->glyphs->len);
    g_array_set_size (batch->glyphs, 0);
    cairo_scaled_font_destroy (g_steal_pointer (&batch->font));
  }
  cache->n_batches = 0;
  cache->cr = NULL;
}

double
loom_text_cache_paint (LoomTextCache *cache, cairo_t *cr, LoomTextStyle style, const char *text, double x,
                       double middle_y, double max_width, LoomColor color)
{
  g_return_val_if_fail (cache != NULL && text != NULL, 0);
  const StyleCache *runs = &cache->style[style];
  const LoomGlyphRun *run = get_run (cache, style, text);
  double baseline = floor (middle_y + runs->rise + 0.5), width = run->width;
  guint n_glyphs = run->n_glyphs;
  gboolean cut = max_width >= 0 && run->width > max_width;
  if (cut) {
    guint last = loom_glyph_run_fit (run, max_width - runs->ellipsis->width);
    if (last == G_MAXUINT || run->cuts[last].n_letters < 3)
      return 0;
    n_glyphs = run->cuts[last].n_glyphs;
    width = run->cuts[last].x;
  }
  gboolean alone = cache->cr == NULL;
  if (alone)
    loom_text_cache_begin (cache, cr);
  gather (cache, run, n_glyphs, x, baseline, color);
  if (cut) {
    gather (cache, runs->ellipsis, runs->ellipsis->n_glyphs, x + width, baseline, color);
    width += runs->ellipsis->width;
  }
  if (alone)
    loom_text_cache_end (cache);
  return width;
}

/* Returns the text without its middle: `n` letters remain. Two thirds of these letters are from the end of the text.
 * Owned by the caller. */
static char *
dup_without_middle (const char *text, glong length, glong n)
{
  glong head = n / 3;
  g_autofree char *begin = g_utf8_substring (text, 0, head);
  return g_strconcat (begin, "…", g_utf8_offset_to_pointer (text, length - (n - head)), NULL);
}

char *
loom_text_cache_dup_middle (LoomTextCache *cache, LoomTextStyle style, const char *text, double max_width)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  glong length = g_utf8_strlen (valid, -1), least = 0, most = length;
  if (loom_text_cache_width (cache, style, valid) <= max_width)
    return g_steal_pointer (&valid);
  while (least + 1 < most) { /* a cut text with `least` letters fits, one with `most` letters does not */
    glong n = (least + most) / 2;
    g_autofree char *cut = dup_without_middle (valid, length, n);
    if (loom_text_cache_width (cache, style, cut) <= max_width)
      least = n;
    else
      most = n;
  }
  return dup_without_middle (valid, length, least);
}
