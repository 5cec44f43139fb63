/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the blocks of a page, and the targets of their elements.
 */
#include "loom-page-content.h"

static void
block_free (gpointer data)
{
  LoomBlock *block = data;
  g_clear_pointer (&block->facts, g_array_unref);
  g_clear_pointer (&block->places, g_array_unref);
  loom_chart_unref (block->chart);
  loom_result_table_unref (block->table);
  g_free (block);
}

LoomPageContent *
loom_page_content_new (LoomRange range)
{
  LoomPageContent *sheet = g_new0 (LoomPageContent, 1);
  g_atomic_ref_count_init (&sheet->ref_count);
  sheet->range = range;
  sheet->sources = "";
  sheet->headline = "";
  sheet->blocks = g_ptr_array_new_with_free_func (block_free);
  sheet->spans = g_ptr_array_new_with_free_func (g_free);
  sheet->texts = g_string_chunk_new (1024);
  return sheet;
}

LoomPageContent *
loom_page_content_ref (LoomPageContent *sheet)
{
  g_atomic_ref_count_inc (&sheet->ref_count);
  return sheet;
}

void
loom_page_content_unref (LoomPageContent *sheet)
{
  if (sheet == NULL || !g_atomic_ref_count_dec (&sheet->ref_count))
    return;
  g_ptr_array_unref (sheet->blocks);
  g_ptr_array_unref (sheet->spans);
  g_string_chunk_free (sheet->texts);
  g_free (sheet);
}

void
loom_page_content_set_sources (LoomPageContent *sheet, const char *sources)
{
  sheet->sources = g_string_chunk_insert (sheet->texts, sources);
}

void
loom_page_content_set_headline (LoomPageContent *sheet, const char *headline)
{
  sheet->headline = g_string_chunk_insert (sheet->texts, headline);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static LoomBlock *
add_block (LoomPageContent *sheet, LoomBlockKind kind, const char *text)
{
  LoomBlock *block = g_new0 (LoomBlock, 1);
  block->kind = kind;
  block->text = g_string_chunk_insert (sheet->texts, text != NULL ? text : "");
  g_ptr_array_add (sheet->blocks, block);
  return block;
}

static LoomBlock *
last_block (LoomPageContent *sheet)
{
  return sheet->blocks->len > 0 ? sheet->blocks->pdata[sheet->blocks->len - 1] : NULL;
}

void
loom_page_content_add_note (LoomPageContent *sheet, const char *text)
{
  add_block (sheet, LOOM_BLOCK_NOTE, text);
}

void
loom_page_content_add_answer (LoomPageContent *sheet, const char *text)
{
  add_block (sheet, LOOM_BLOCK_NOTE, text)->large = TRUE;
}

void
loom_page_content_add_missing (LoomPageContent *sheet, const char *text)
{
  add_block (sheet, LOOM_BLOCK_MISSING, text);
}

void
loom_page_content_set_tooltip (LoomPageContent *sheet, const char *tooltip)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL && block->kind == LOOM_BLOCK_NOTE);
  block->tooltip = tooltip != NULL ? g_string_chunk_insert (sheet->texts, tooltip) : NULL;
}

void
loom_page_content_add_facts (LoomPageContent *sheet, const char *title)
{
  add_block (sheet, LOOM_BLOCK_FACTS, title)->facts = g_array_new (FALSE, FALSE, sizeof (LoomKeyValue));
}

void
loom_page_content_add_fact (LoomPageContent *sheet, const char *name, const char *value)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL && block->kind == LOOM_BLOCK_FACTS);
  LoomKeyValue fact = { g_string_chunk_insert (sheet->texts, name), g_string_chunk_insert (sheet->texts, value), "" };
  g_array_append_val (block->facts, fact);
}

void
loom_page_content_add_figures (LoomPageContent *sheet, const char *title)
{
  loom_page_content_add_facts (sheet, title);
  last_block (sheet)->large = TRUE;
}

void
loom_page_content_add_figure (LoomPageContent *sheet, const char *name, const char *value, const char *note)
{
  loom_page_content_add_fact (sheet, name, value);
  GArray *facts = last_block (sheet)->facts;
  g_array_index (facts, LoomKeyValue, facts->len - 1).note = g_string_chunk_insert (sheet->texts, note);
}

void
loom_page_content_take_chart (LoomPageContent *sheet, LoomChart *chart, gboolean wide)
{
  LoomBlock *block = add_block (sheet, LOOM_BLOCK_CHART, chart->title);
  block->chart = chart;
  block->wide = wide;
}

void
loom_page_content_take_table (LoomPageContent *sheet, LoomResultTable *table)
{
  add_block (sheet, LOOM_BLOCK_TABLE, table->title)->table = table;
}

void
loom_page_content_take_table_if_any (LoomPageContent *sheet, LoomResultTable *table)
{
  if (table->n_rows > 0)
    loom_page_content_take_table (sheet, table);
  else
    loom_result_table_unref (table);
}

void
loom_page_content_move_last_first (LoomPageContent *sheet)
{
  if (sheet->blocks->len > 1)
    g_ptr_array_insert (sheet->blocks, 0, g_ptr_array_steal_index (sheet->blocks, sheet->blocks->len - 1));
}

void
loom_page_content_move_last_below_answer (LoomPageContent *sheet)
{
  if (sheet->blocks->len < 2)
    return;
  const LoomBlock *first = sheet->blocks->pdata[0];
  guint place = first->kind == LOOM_BLOCK_NOTE && first->large ? 1 : 0;
  g_ptr_array_insert (sheet->blocks, (int) place, g_ptr_array_steal_index (sheet->blocks, sheet->blocks->len - 1));
}

static LoomNavigationTarget *
place_of (LoomBlock *block, guint element)
{
  if (block->places == NULL)
    block->places = g_array_new (FALSE, TRUE, sizeof (LoomNavigationTarget));
  if (block->places->len <= element)
    g_array_set_size (block->places, element + 1);
  return &g_array_index (block->places, LoomNavigationTarget, element);
}

void
loom_page_content_set_place (LoomPageContent *sheet, guint element, LoomRange range, const LoomSpanId *spans,
                             guint n_spans)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL);
  LoomNavigationTarget *place = place_of (block, element);
  *place =
    (LoomNavigationTarget) { .range = range, .n_spans = n_spans <= LOOM_NAVIGATION_TARGET_MAX_SPANS ? n_spans : 0 };
  if (place->n_spans == 0)
    return;
  LoomSpanId *kept = g_new (LoomSpanId, place->n_spans);
  for (guint i = 0; i < place->n_spans; i++)
    kept[i] = spans[i];
  place->spans = kept;
  g_ptr_array_add (sheet->spans, kept);
}

void
loom_page_content_set_same_name (LoomPageContent *sheet, guint element)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL);
  place_of (block, element)->same_name = TRUE;
}

void
loom_page_content_set_places (LoomPageContent *sheet, guint n, LoomRange range)
{
  for (guint i = 0; i < n; i++)
    loom_page_content_set_place (sheet, i, range, NULL, 0);
}

void
loom_page_content_set_parts (LoomPageContent *sheet, guint element, const LoomRange *parts, guint n_parts)
{
  if (n_parts == 0)
    return;
  loom_page_content_set_place (sheet, element, (LoomRange) { parts[0].begin_ns, parts[n_parts - 1].end_ns }, NULL, 0);
  if (n_parts > LOOM_NAVIGATION_TARGET_MAX_PARTS)
    return;
  LoomNavigationTarget *place = &g_array_index (last_block (sheet)->places, LoomNavigationTarget, element);
  place->parts = g_memdup2 (parts, n_parts * sizeof *parts);
  place->n_parts = n_parts;
  g_ptr_array_add (sheet->spans, (gpointer) place->parts);
}

void
loom_page_content_set_device (LoomPageContent *sheet, guint element, const char *node, const char *device)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL && node != NULL && device != NULL);
  LoomNavigationTarget *place = place_of (block, element);
  place->node = g_string_chunk_insert_const (sheet->texts, node);
  place->device = g_string_chunk_insert_const (sheet->texts, device);
}

void
loom_page_content_set_rank (LoomPageContent *sheet, guint element, gint rank, guint32 trace)
{
  LoomBlock *block = last_block (sheet);
  g_return_if_fail (block != NULL);
  LoomNavigationTarget *place = place_of (block, element);
  place->has_rank = TRUE;
  place->rank = rank;
  place->trace = trace;
}

const LoomBlock *
loom_page_content_get_block (const LoomPageContent *sheet, guint i)
{
  g_return_val_if_fail (i < sheet->blocks->len, NULL);
  return sheet->blocks->pdata[i];
}

gboolean
loom_page_content_get_place (const LoomPageContent *sheet, guint block, guint element, LoomNavigationTarget *place)
{
  const LoomBlock *of = loom_page_content_get_block (sheet, block);
  if (of == NULL || of->places == NULL || element >= of->places->len)
    return FALSE;
  *place = g_array_index (of->places, LoomNavigationTarget, element);
  return place->range.end_ns > place->range.begin_ns || place->n_spans > 0 || place->node != NULL;
}

LoomNavigationTarget *
loom_page_content_dup_place (const LoomPageContent *sheet, guint block, guint element)
{
  LoomNavigationTarget place;
  return loom_page_content_get_place (sheet, block, element, &place) ? loom_navigation_target_copy (&place) : NULL;
}

char *
loom_page_content_dup_tsv (const LoomPageContent *sheet)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = sheet->blocks->pdata[i];
    g_autofree char *lines = block->chart != NULL   ? loom_chart_dup_tsv (block->chart)
                             : block->table != NULL ? loom_result_table_dup_tsv (block->table, NULL, 0)
                                                    : NULL;
    if (text->len > 0)
      g_string_append_c (text, '\n');
    if (block->text[0] != '\0')
      g_string_append_printf (text, "%s\n", block->text);
    for (guint k = 0; block->facts != NULL && k < block->facts->len; k++) {
      const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, k);
      g_string_append_printf (text, "%s\t%s\n", fact->name, fact->value);
    }
    if (lines != NULL)
      g_string_append (text, lines);
  }
  return g_string_free (text, FALSE);
}
