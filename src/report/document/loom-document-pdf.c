/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a report document as PDF. The document is laid out twice: first without output, to find the page on which each
 * chapter begins for the table of contents, and then with output.
 */
#include "loom-document-private.h"

#include "loom-archive-path.h"
#include "loom-chart-layout.h"
#include "loom-pdf-table.h"

#include <cairo-pdf.h>

#define SCALE 0.72 /* points per pixel of a chart: its text of 11 px is printed at 8 points */
#define GAP 16.0
/* a chapter starts on a new page if less than this height, in points, is left on the current page */
#define CHAPTER_ROOM 320.0
#define FACT_COLUMN 150.0 /* position of the values in a list of facts, in points from the left margin */
#define FACT_ROOM 14.0    /* height of a line in a list of facts, in points */
#define MAX_TOGETHER 16u  /* a list with at most this many lines is not divided between two pages */
#define WARN 0xFF8A4B00u

/* --- blocks ------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomPdfPage page;
  LoomTextCache *text;
  const LoomReportDocument *book;
  guint *starts; /* array indexed by chapter: number of the page on which the chapter begins */
} Press;

static void
put_text (Press *press, const char *text, const LoomPdfStyle *style, double below)
{
  LoomPdfPage *page = &press->page;
  g_autofree char *shown = loom_archive_path_dup_printable (text);
  double height = loom_pdf_page_measure (page, shown, LOOM_PDF_PAGE_ROOM, style);
  loom_pdf_page_need (page, height);
  loom_pdf_page_put (page, shown, LOOM_PDF_PAGE_MARGIN, page->y, LOOM_PDF_PAGE_ROOM, style);
  page->y += height + below;
}

/* Draws a text in the second column of a list of facts, and returns its height; 0 if the text is empty. `y`: vertical
 * position, in points. `is_drawn`: FALSE only measures the text. */
static double
put_second (LoomPdfPage *page, const char *text, double y, const LoomPdfStyle *style, gboolean is_drawn)
{
  g_autofree char *shown = loom_archive_path_dup_printable (text);
  double room = LOOM_PDF_PAGE_ROOM - FACT_COLUMN;
  if (is_drawn && shown[0] != '\0')
    loom_pdf_page_put (page, shown, LOOM_PDF_PAGE_MARGIN + FACT_COLUMN, y, room, style);
  return shown[0] != '\0' ? loom_pdf_page_measure (page, shown, room, style) : 0;
}

/* Draws the name of a fact, its value to the right, and the remark about the value below the value. */
static void
put_fact (LoomPdfPage *page, const LoomKeyValue *fact)
{
  const LoomPdfStyle name = { .size = 9, .color = LOOM_PDF_PAGE_DIM, .max_lines = 2 },
                     value = { .size = 9, .max_lines = 6 },
                     remark = { .size = 7.5, .color = LOOM_PDF_PAGE_DIM, .max_lines = 3 };
  g_autofree char *left = loom_archive_path_dup_printable (fact->name);
  double above = put_second (page, fact->value, 0, &value, FALSE),
         height = MAX (loom_pdf_page_measure (page, left, FACT_COLUMN - 8, &name),
                       above + put_second (page, fact->note, 0, &remark, FALSE));
  loom_pdf_page_need (page, height);
  loom_pdf_page_put (page, left, LOOM_PDF_PAGE_MARGIN, page->y, FACT_COLUMN - 8, &name);
  put_second (page, fact->value, page->y, &value, TRUE);
  put_second (page, fact->note, page->y + above, &remark, TRUE);
  page->y += height + (fact->note[0] != '\0' ? 4 : 2);
}

static void
put_facts (Press *press, const LoomBlock *block)
{
  const LoomPdfStyle title = { .size = 10, .bold = TRUE };
  LoomPdfPage *page = &press->page;
  guint n_lines = 0;
  for (guint i = 0; i < block->facts->len; i++)
    n_lines += g_array_index (block->facts, LoomKeyValue, i).note[0] != '\0' ? 2 : 1;
  loom_pdf_page_need (page, 24 + MIN (n_lines, MAX_TOGETHER) * FACT_ROOM);
  if (block->text[0] != '\0')
    put_text (press, block->text, &title, 4);
  for (guint i = 0; i < block->facts->len; i++)
    put_fact (page, &g_array_index (block->facts, LoomKeyValue, i));
  page->y += 12;
}

/* Returns the height of a chart in points, and sets `scale` to its scale. A chart that would be taller than a page is
 * scaled down, because charts are never cut. */
static double
chart_height (Press *press, LoomChart *chart, double width, double *scale)
{
  double height = loom_chart_layout_natural_height (chart, width / SCALE, press->text),
         room = LOOM_PDF_PAGE_BOTTOM - LOOM_PDF_PAGE_TOP;
  *scale = height * SCALE > room ? room / height : SCALE;
  return height * *scale;
}

static void
draw_chart (Press *press, LoomChart *chart, double x, double width)
{
  const LoomChartOptions options = { loom_theme_get (LOOM_THEME_LIGHT), press->text, LOOM_CHART_NONE, LOOM_CHART_NONE };
  cairo_t *cr = press->page.cr;
  double scale, height = chart_height (press, chart, width, &scale);
  if (press->page.bytes == NULL)
    return;
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width / SCALE, height / scale, press->text);
  cairo_save (cr);
  cairo_translate (cr, x, press->page.y);
  cairo_scale (cr, scale, scale);
  loom_chart_layout_paint (cr, layout, &options);
  cairo_restore (cr);
}

/* If `beside` is NULL, draws one chart: over the whole width of the page if `wide` is TRUE, over half of the width if
 * it is FALSE. Otherwise, draws both charts side by side. */
static void
put_charts (Press *press, LoomChart *chart, LoomChart *beside, gboolean wide)
{
  double half = (LOOM_PDF_PAGE_ROOM - GAP) / 2, width = wide ? LOOM_PDF_PAGE_ROOM : half, scale;
  double height = chart_height (press, chart, width, &scale);
  if (beside != NULL)
    height = MAX (height, chart_height (press, beside, half, &scale));
  loom_pdf_page_need (&press->page, height);
  draw_chart (press, chart, LOOM_PDF_PAGE_MARGIN, width);
  if (beside != NULL)
    draw_chart (press, beside, LOOM_PDF_PAGE_MARGIN + half + GAP, half);
  press->page.y += height + 14;
}

static gboolean
is_narrow (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART && !block->wide;
}

/* Draws block `i`; if this block and block `i` + 1 are both narrow charts, draws them side by side. Returns the number
 * of blocks drawn. */
static guint
put_block (Press *press, const LoomPageContent *sheet, guint i)
{
  const LoomPdfStyle note = { .size = 9.5 }, answer = { .size = 11, .bold = TRUE },
                     missing = { .size = 9.5, .color = WARN };
  const LoomBlock *block = loom_page_content_get_block (sheet, i),
                  *next = i + 1 < sheet->blocks->len ? loom_page_content_get_block (sheet, i + 1) : NULL;
  gboolean pair = is_narrow (block) && next != NULL && is_narrow (next);
  /* a single bar chart gets the full width even if it is not a wide chart, because its names may be long */
  gboolean alone = block->chart != NULL && !pair && block->chart->kind == LOOM_CHART_BARS;
  switch (block->kind) {
  case LOOM_BLOCK_NOTE: put_text (press, block->text, block->large ? &answer : &note, 8); break;
  case LOOM_BLOCK_MISSING: put_text (press, block->text, &missing, 8); break;
  case LOOM_BLOCK_FACTS: put_facts (press, block); break;
  case LOOM_BLOCK_CHART: put_charts (press, block->chart, pair ? next->chart : NULL, block->wide || alone); break;
  case LOOM_BLOCK_TABLE: loom_pdf_table_put (&press->page, block->table, LOOM_REPORT_DOCUMENT_PDF_ROWS); break;
  }
  return pair ? 2 : 1;
}

/* --- document ---------------------------------------------------------------------------------------------- */

static void
put_contents (Press *press)
{
  const LoomPdfStyle left = { .size = 10 }, right = { .size = 10, .right = TRUE, .color = LOOM_PDF_PAGE_DIM };
  LoomPdfPage *page = &press->page;
  const GArray *chapters = press->book->chapters;
  for (guint i = 0; i < chapters->len; i++) {
    const LoomReportChapter *chapter = &g_array_index (chapters, LoomReportChapter, i);
    g_autofree char *number = g_strdup_printf ("%u", press->starts[i]),
                    *target = g_strdup_printf ("dest='%s'", chapter->id);
    if (page->bytes != NULL)
      cairo_tag_begin (page->cr, CAIRO_TAG_LINK, target);
    loom_pdf_page_put (page, chapter->title, LOOM_PDF_PAGE_MARGIN, page->y, LOOM_PDF_PAGE_ROOM - 40, &left);
    loom_pdf_page_put (page, number, LOOM_PDF_PAGE_MARGIN, page->y, LOOM_PDF_PAGE_ROOM, &right);
    if (page->bytes != NULL)
      cairo_tag_end (page->cr, CAIRO_TAG_LINK);
    page->y += 16;
  }
  page->y += 14;
}

static void
put_heading (Press *press, const LoomReportChapter *chapter)
{
  const LoomPdfStyle heading = { .size = 16, .bold = TRUE }, dim = { .size = 9, .color = LOOM_PDF_PAGE_DIM };
  LoomPdfPage *page = &press->page;
  const char *sources = chapter->sheet->sources;
  if (page->bytes != NULL) {
    g_autofree char *name = g_strdup_printf ("name='%s'", chapter->id),
                    *target = g_strdup_printf ("dest='%s'", chapter->id);
    cairo_tag_begin (page->cr, CAIRO_TAG_DEST, name);
    cairo_pdf_surface_add_outline (page->surface, CAIRO_PDF_OUTLINE_ROOT, chapter->title, target, 0);
    cairo_tag_end (page->cr, CAIRO_TAG_DEST);
  }
  if (page->y > LOOM_PDF_PAGE_TOP)
    page->y += 14;
  put_text (press, chapter->title, &heading, sources[0] != '\0' ? 2 : 10);
  if (sources[0] != '\0')
    put_text (press, sources, &dim, 10);
}

static gboolean
put_all (Press *press, GCancellable *cancellable, GError **error)
{
  const LoomPdfStyle title = { .size = 22, .bold = TRUE }, dim = { .size = 10, .color = LOOM_PDF_PAGE_DIM };
  const GArray *chapters = press->book->chapters;
  put_text (press, press->book->title, &title, 4);
  put_text (press, press->book->summary, &dim, 20);
  put_contents (press);
  for (guint i = 0; i < chapters->len; i++) {
    const LoomReportChapter *chapter = &g_array_index (chapters, LoomReportChapter, i);
    loom_pdf_page_need (&press->page, CHAPTER_ROOM);
    press->starts[i] = press->page.number;
    put_heading (press, chapter);
    for (guint k = 0; k < chapter->sheet->blocks->len;) {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      k += put_block (press, chapter->sheet, k);
    }
  }
  return TRUE;
}

GBytes *
loom_report_document_to_pdf (const LoomReportDocument *book, GCancellable *cancellable, GError **error)
{
  guint n_pages = 0;
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autofree guint *starts = g_new0 (guint, book->chapters->len);
  for (int dry = 1; dry >= 0; dry--) {
    Press press = { .text = text, .book = book, .starts = starts };
    loom_pdf_page_init (&press.page, dry == 1, n_pages, book->title);
    gboolean done = put_all (&press, cancellable, error);
    n_pages = press.page.number;
    g_autoptr (GBytes) result = loom_pdf_page_finish (&press.page, done ? error : NULL);
    if (!done)
      return NULL;
    if (dry == 0)
      return g_steal_pointer (&result);
  }
  return NULL;
}
