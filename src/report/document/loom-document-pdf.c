/* SPDX-License-Identifier: Apache-2.0
 *
 * A book on paper. It is laid out twice: the first time dry, to know the pages of the contents and how many there are.
 */
#include "loom-document-private.h"

#include "loom-archive-path.h"
#include "loom-chart-layout.h"
#include "loom-pdf-table.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>

#define SCALE 0.72 /* points per pixel of a chart: its text of 11 px is printed at 8 points */
#define GAP 16.0
#define CHAPTER_ROOM 320.0 /* points; a chapter starts on a new page if less room is left */
#define FACT_ROOM 14.0     /* points, height of a line */
#define MAX_TOGETHER 16u   /* largest number of facts that are kept on one page */
#define DIM 0xFF5E5E66u
#define WARN 0xFF8A4B00u

typedef struct {
  LoomPdfPage paper;
  LoomTextCache *text;
  const LoomReportDocument *book;
  guint *starts; /* first page of each chapter */
} Press;

static void
put_text (Press *press, const char *text, const LoomPdfPageStyle *style, double below)
{
  LoomPdfPage *paper = &press->paper;
  g_autofree char *shown = loom_archive_path_dup_printable (text);
  double height = loom_pdf_page_measure (paper, shown, LOOM_PDF_PAGE_ROOM, style);
  loom_pdf_page_need (paper, height);
  loom_pdf_page_text (paper, shown, LOOM_PDF_PAGE_MARGIN, paper->y, LOOM_PDF_PAGE_ROOM, style);
  paper->y += height + below;
}

/* --- blocks ---------------------------------------------------------------------------------------------------------- */

static void
put_facts (Press *press, const LoomBlock *block)
{
  const LoomPdfPageStyle title = { .size = 10, .bold = TRUE }, name = { .size = 9, .color = DIM, .max_lines = 2 },
                         value = { .size = 9, .max_lines = 6 };
  LoomPdfPage *paper = &press->paper;
  const double column = 150;
  loom_pdf_page_need (paper, 24 + MIN (block->facts->len, MAX_TOGETHER) * FACT_ROOM);
  put_text (press, block->text, &title, 4);
  for (guint i = 0; i < block->facts->len; i++) {
    const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, i);
    g_autofree char *left = loom_archive_path_dup_printable (fact->name),
                    *right = loom_archive_path_dup_printable (fact->value);
    double height = MAX (loom_pdf_page_measure (paper, left, column - 8, &name),
                         loom_pdf_page_measure (paper, right, LOOM_PDF_PAGE_ROOM - column, &value));
    loom_pdf_page_need (paper, height);
    loom_pdf_page_text (paper, left, LOOM_PDF_PAGE_MARGIN, paper->y, column - 8, &name);
    loom_pdf_page_text (paper, right, LOOM_PDF_PAGE_MARGIN + column, paper->y, LOOM_PDF_PAGE_ROOM - column, &value);
    paper->y += height + 2;
  }
  paper->y += 12;
}

/* Charts are never cut: a chart taller than a page is scaled down. */
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
  cairo_t *cr = press->paper.cr;
  double scale, height = chart_height (press, chart, width, &scale);
  if (press->paper.bytes == NULL)
    return;
  g_autoptr (LoomChartLayout) layout = loom_chart_layout_new (chart, width / SCALE, height / scale, press->text);
  cairo_save (cr);
  cairo_translate (cr, x, press->paper.y);
  cairo_scale (cr, scale, scale);
  loom_chart_layout_paint (cr, layout, &options);
  cairo_restore (cr);
}

/* Draws one chart over the whole width, or two charts side by side. */
static void
put_charts (Press *press, LoomChart *chart, LoomChart *beside, gboolean wide)
{
  double half = (LOOM_PDF_PAGE_ROOM - GAP) / 2, width = wide ? LOOM_PDF_PAGE_ROOM : half, scale;
  double height = chart_height (press, chart, width, &scale);
  if (beside != NULL)
    height = MAX (height, chart_height (press, beside, half, &scale));
  loom_pdf_page_need (&press->paper, height);
  draw_chart (press, chart, LOOM_PDF_PAGE_MARGIN, width);
  if (beside != NULL)
    draw_chart (press, beside, LOOM_PDF_PAGE_MARGIN + half + GAP, half);
  press->paper.y += height + 14;
}

static gboolean
is_narrow (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART && !block->wide;
}

/* Returns the number of blocks drawn. */
static guint
put_block (Press *press, const LoomPageContent *sheet, guint i)
{
  const LoomPdfPageStyle note = { .size = 9.5 }, missing = { .size = 9.5, .color = WARN };
  const LoomBlock *block = loom_page_content_get_block (sheet, i),
                  *next =
                    i + 1 < loom_page_content_get_n_blocks (sheet) ? loom_page_content_get_block (sheet, i + 1) : NULL;
  gboolean pair = is_narrow (block) && next != NULL && is_narrow (next);
  gboolean alone = block->chart != NULL && !pair && block->chart->kind == LOOM_CHART_BARS; /* room for long names */
  switch (block->kind) {
  case LOOM_BLOCK_NOTE: put_text (press, block->text, &note, 8); break;
  case LOOM_BLOCK_MISSING: put_text (press, block->text, &missing, 8); break;
  case LOOM_BLOCK_FACTS: put_facts (press, block); break;
  case LOOM_BLOCK_CHART: put_charts (press, block->chart, pair ? next->chart : NULL, block->wide || alone); break;
  case LOOM_BLOCK_TABLE: loom_pdf_table (&press->paper, block->table, LOOM_REPORT_DOCUMENT_PDF_ROWS); break;
  }
  return pair ? 2 : 1;
}

/* --- the whole document ---------------------------------------------------------------------------------------------- */

static void
put_contents (Press *press)
{
  const LoomPdfPageStyle left = { .size = 10 }, right = { .size = 10, .right = TRUE, .color = DIM };
  LoomPdfPage *paper = &press->paper;
  guint n;
  const LoomReportChapter *chapters = loom_report_document_get_chapters (press->book, &n);
  for (guint i = 0; i < n; i++) {
    g_autofree char *number = g_strdup_printf ("%u", press->starts[i]),
                    *target = g_strdup_printf ("dest='%s'", chapters[i].id);
    if (paper->bytes != NULL)
      cairo_tag_begin (paper->cr, CAIRO_TAG_LINK, target);
    loom_pdf_page_text (paper, chapters[i].title, LOOM_PDF_PAGE_MARGIN, paper->y, LOOM_PDF_PAGE_ROOM - 40, &left);
    loom_pdf_page_text (paper, number, LOOM_PDF_PAGE_MARGIN, paper->y, LOOM_PDF_PAGE_ROOM, &right);
    if (paper->bytes != NULL)
      cairo_tag_end (paper->cr, CAIRO_TAG_LINK);
    paper->y += 16;
  }
  paper->y += 14;
}

static void
put_heading (Press *press, const LoomReportChapter *chapter)
{
  const LoomPdfPageStyle heading = { .size = 16, .bold = TRUE }, dim = { .size = 9, .color = DIM };
  LoomPdfPage *paper = &press->paper;
  const char *sources = loom_page_content_get_sources (chapter->sheet);
  if (paper->bytes != NULL) {
    g_autofree char *name = g_strdup_printf ("name='%s'", chapter->id),
                    *target = g_strdup_printf ("dest='%s'", chapter->id);
    cairo_tag_begin (paper->cr, CAIRO_TAG_DEST, name);
    cairo_pdf_surface_add_outline (paper->surface, CAIRO_PDF_OUTLINE_ROOT, chapter->title, target, 0);
    cairo_tag_end (paper->cr, CAIRO_TAG_DEST);
  }
  if (paper->y > LOOM_PDF_PAGE_TOP)
    paper->y += 14;
  put_text (press, chapter->title, &heading, sources[0] != '\0' ? 2 : 10);
  if (sources[0] != '\0')
    put_text (press, sources, &dim, 10);
}

static gboolean
put_all (Press *press, GCancellable *cancellable, GError **error)
{
  const LoomPdfPageStyle title = { .size = 22, .bold = TRUE }, dim = { .size = 10, .color = DIM };
  guint n;
  const LoomReportChapter *chapters = loom_report_document_get_chapters (press->book, &n);
  put_text (press, _ ("Where the time went"), &title, 4);
  put_text (press, loom_report_document_get_summary (press->book), &dim, 20);
  put_contents (press);
  for (guint i = 0; i < n; i++) {
    loom_pdf_page_need (&press->paper, CHAPTER_ROOM);
    press->starts[i] = press->paper.page;
    put_heading (press, &chapters[i]);
    for (guint k = 0; k < loom_page_content_get_n_blocks (chapters[i].sheet);) {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      k += put_block (press, chapters[i].sheet, k);
    }
  }
  return TRUE;
}

GBytes *
loom_report_document_to_pdf (const LoomReportDocument *book, GCancellable *cancellable, GError **error)
{
  guint n, n_pages = 0;
  loom_report_document_get_chapters (book, &n);
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autofree guint *starts = g_new0 (guint, n);
  for (int dry = 1; dry >= 0; dry--) {
    Press press = { .text = text, .book = book, .starts = starts };
    loom_pdf_page_init (&press.paper, dry == 1, n_pages, _ ("Where the time went"));
    gboolean done = put_all (&press, cancellable, error);
    n_pages = press.paper.page;
    g_autoptr (GBytes) result = loom_pdf_page_finish (&press.paper, done ? error : NULL);
    if (!done)
      return NULL;
    if (dry == 0)
      return g_steal_pointer (&result);
  }
  return NULL;
}
