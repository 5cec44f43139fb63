/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables on paper: columns as wide as what stands in them, rows that stay whole, heads that stand on every page.
 */
#include "loom-document-private.h"

#include "loom-pdf-table.h"

#include "loom-archive-path.h"

#define GAP 8.0
#define ROW_GAP 3.0
#define LEAST 26.0 /* points, smallest width of a column */
#define LEAST_NAME 48.0
#define MEASURED 40u /* number of rows measured to find the widths of names */
#define LINE_COLOR 0xFFDCDCE0u
#define DIM 0xFF5E5E66u

typedef struct {
  LoomPdfPage *paper;
  const LoomResultTable *table;
  guint n;        /* number of columns */
  double *widths; /* without the gaps between columns */
  double size;    /* font size */
} Grid;

static LoomPdfPageStyle
style_of (const Grid *grid, guint column, gboolean head)
{
  return (LoomPdfPageStyle) { .size = grid->size,
                              .bold = head,
                              .right = loom_result_table_is_number (grid->table, column),
                              .max_lines = 4,
                              .color = head ? DIM : 0 };
}

/* Row G_MAXUINT is the header. */
static char *
dup_cell (const Grid *grid, guint row, guint column)
{
  g_autofree char *cell = row == G_MAXUINT ? g_strdup (loom_result_table_get_column (grid->table, column)->title)
                                           : loom_result_table_dup_cell (grid->table, row, column);
  return loom_archive_path_dup_printable (cell);
}

/* Limits the widest columns first: all are cut to one width, the largest at which every column fits. Columns of
 * names are cut; columns of figures only when cutting names is not enough. */
static void
cut_columns (Grid *grid, gboolean figures)
{
  double room = LOOM_PDF_PAGE_ROOM - GAP * (grid->n - 1), low = 0, high = room;
  for (guint round = 0; round < 30; round++) {
    double middle = (low + high) / 2, sum = 0;
    for (guint c = 0; c < grid->n; c++)
      sum += figures || !loom_result_table_is_number (grid->table, c) ? MIN (grid->widths[c], middle) : grid->widths[c];
    *(sum <= room ? &low : &high) = middle;
  }
  for (guint c = 0; c < grid->n; c++)
    if (figures || !loom_result_table_is_number (grid->table, c))
      grid->widths[c] = MIN (grid->widths[c], low);
}

static void
fit_columns (Grid *grid)
{
  double names = 0, figures = 0, room = LOOM_PDF_PAGE_ROOM - GAP * (grid->n - 1);
  guint n_names = 0;
  for (guint c = 0; c < grid->n; c++) {
    gboolean number = loom_result_table_is_number (grid->table, c);
    *(number ? &figures : &names) += grid->widths[c];
    n_names += !number;
  }
  if (names + figures > room)
    cut_columns (grid, room - figures < n_names * LEAST_NAME);
}

/* Width of the widest word in the column's header: header words are not broken. */
static double
widest_word (const Grid *grid, guint column, const LoomPdfPageStyle *head)
{
  g_autofree char *title = dup_cell (grid, G_MAXUINT, column);
  g_auto (GStrv) words = g_strsplit (title, " ", -1);
  double width = LEAST;
  for (guint i = 0; words[i] != NULL; i++)
    width = MAX (width, loom_pdf_page_natural_width (grid->paper, words[i], head) + 2);
  return width;
}

static void
measure_columns (Grid *grid, const guint *order, guint n_rows)
{
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfPageStyle body = style_of (grid, c, FALSE), head = style_of (grid, c, TRUE);
    g_autofree char *title = dup_cell (grid, G_MAXUINT, c);
    guint n = loom_result_table_is_number (grid->table, c) ? n_rows : MIN (n_rows, MEASURED);
    grid->widths[c] =
      MAX (MIN (loom_pdf_page_natural_width (grid->paper, title, &head) + 2, 72), widest_word (grid, c, &head));
    for (guint i = 0; i < n; i++) {
      g_autofree char *cell = dup_cell (grid, order[i], c);
      grid->widths[c] = MAX (grid->widths[c], loom_pdf_page_natural_width (grid->paper, cell, &body) + 2);
    }
  }
  fit_columns (grid);
}

static double
row_height (const Grid *grid, guint row)
{
  double height = 0;
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfPageStyle style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    height = MAX (height, loom_pdf_page_measure (grid->paper, cell, grid->widths[c], &style));
  }
  return height + ROW_GAP;
}

static void
draw_row (const Grid *grid, guint row, double height)
{
  double x = LOOM_PDF_PAGE_MARGIN;
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfPageStyle style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    loom_pdf_page_text (grid->paper, cell, x, grid->paper->y, grid->widths[c], &style);
    x += grid->widths[c] + GAP;
  }
  grid->paper->y += height;
  loom_pdf_page_rule (grid->paper, grid->paper->y - ROW_GAP / 2, LINE_COLOR);
}

static void
draw_title (LoomPdfPage *paper, const char *title)
{
  const LoomPdfPageStyle style = { .size = 10, .bold = TRUE, .max_lines = 2 };
  g_autofree char *shown = loom_archive_path_dup_printable (title);
  loom_pdf_page_text (paper, shown, LOOM_PDF_PAGE_MARGIN, paper->y, LOOM_PDF_PAGE_ROOM, &style);
  paper->y += loom_pdf_page_measure (paper, shown, LOOM_PDF_PAGE_ROOM, &style) + 4;
}

void
loom_pdf_table (LoomPdfPage *paper, const LoomResultTable *table, guint max_rows)
{
  guint n = loom_result_table_get_n_columns (table), n_rows = MIN (loom_result_table_get_n_rows (table), max_rows);
  g_autofree guint *order = loom_document_dup_order (table);
  g_autofree double *widths = g_new0 (double, n + 1);
  g_autofree char *rest = loom_document_dup_rest (table, n_rows);
  const LoomPdfPageStyle dim = { .size = 8, .color = DIM };
  Grid grid = { paper, table, n, widths, n > 8 ? 6.5 : 7.5 };
  if (n == 0)
    return;
  measure_columns (&grid, order, n_rows);
  double head = row_height (&grid, G_MAXUINT);
  loom_pdf_page_need (paper, 20 + head + (n_rows > 0 ? row_height (&grid, order[0]) : 0) + 24);
  draw_title (paper, loom_result_table_get_title (table));
  draw_row (&grid, G_MAXUINT, head);
  for (guint i = 0; i < n_rows; i++) {
    double height = row_height (&grid, order[i]);
    if (loom_pdf_page_need (paper, height))
      draw_row (&grid, G_MAXUINT, head);
    draw_row (&grid, order[i], height);
  }
  if (rest != NULL) {
    loom_pdf_page_need (paper, 14);
    loom_pdf_page_text (paper, rest, LOOM_PDF_PAGE_MARGIN, paper->y + 2, LOOM_PDF_PAGE_ROOM, &dim);
    paper->y += 14;
  }
  paper->y += 12;
}
