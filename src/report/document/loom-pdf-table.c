/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the widths of the columns so that the table fits the page, and draws the rows.
 */
#include "loom-pdf-table.h"

#include <math.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-document-private.h"

#define CELL_GAP 8.0
#define ROW_GAP 3.0
#define LEAST 26.0 /* minimum width of a column, in points */
#define LEAST_NAME 48.0
/* If the table must be made narrower, the first column keeps at least this width, in points (less if its texts need
 * less). Names such as "rank 0 · GPU 0 · stream 7" then fit on one line. */
#define LEAST_FIRST 112.0
/* number of rows whose texts are measured to choose the width of a column of names; a limit, because measuring text is
 * slow */
#define MEASURED 40u
#define LINE_COLOR 0xFFDCDCE0u
#define BAR_WIDTH 34.0
#define BAR_LINES 1.8 /* maximum height of a bar, as a multiple of the font size */
#define MORE_COLOR 0xFFC64600u
#define LESS_COLOR 0xFF3584E4u

typedef struct {
  LoomPdfPage *page;
  const LoomResultTable *table;
  guint *shown;   /* indices of the columns of the table that have a value in at least one row */
  guint n;        /* number of elements of `shown` and `widths` */
  double *widths; /* width of each shown column in points, without the gaps between columns */
  double size;    /* font size in points */
} Grid;

static gboolean
is_number (const Grid *grid, guint column)
{
  return loom_result_table_is_number (grid->table, grid->shown[column]);
}

static LoomResultBars
bars_of (const Grid *grid, guint column)
{
  return loom_result_table_get_column (grid->table, grid->shown[column])->bars;
}

static LoomPdfStyle
style_of (const Grid *grid, guint column, gboolean head)
{
  return (LoomPdfStyle) { .size = grid->size,
                          .bold = head,
                          .right = is_number (grid, column),
                          .max_lines = 4,
                          .color = head ? LOOM_PDF_PAGE_DIM : 0 };
}

/* Returns the text of a cell; if `row` is G_MAXUINT, of the cell in the header. Owned by the caller. */
static char *
dup_cell (const Grid *grid, guint row, guint column)
{
  g_autofree char *cell = row == G_MAXUINT
                            ? g_strdup (loom_result_table_get_column (grid->table, grid->shown[column])->title)
                            : loom_result_table_dup_cell (grid->table, row, grid->shown[column]);
  return loom_archive_path_dup_printable (cell);
}

/* Returns the width, in points, of the widest word in the header of the column. The column must not be narrower,
 * because words of the header are not broken. */
static double
widest_word (const Grid *grid, guint column, const LoomPdfStyle *head)
{
  g_autofree char *title = dup_cell (grid, G_MAXUINT, column);
  g_auto (GStrv) words = g_strsplit (title, " ", -1);
  double width = LEAST;
  for (guint i = 0; words[i] != NULL; i++)
    width = MAX (width, loom_pdf_page_natural_width (grid->page, words[i], head) + 2);
  return width;
}

/* Returns the minimum width of each column, in points: columns are not made narrower than this when the table is made
 * to fit the page. If the sum of these widths exceeds `room`, all of them are 0. Owned by the caller. */
static double *
new_least_widths (const Grid *grid, double room)
{
  double *least = g_new0 (double, grid->n + 1), sum = 0;
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfStyle head = style_of (grid, c, TRUE);
    gboolean first = c == 0 && !is_number (grid, c);
    least[c] = MIN (grid->widths[c], first ? LEAST_FIRST : widest_word (grid, c, &head));
    sum += least[c];
  }
  if (sum > room)
    memset (least, 0, grid->n * sizeof *least);
  return least;
}

/* Makes the table fit the page: finds the greatest limit of the column width with which the table fits, and reduces all
 * wider columns to this limit. `figures`: FALSE: only columns of names are reduced; TRUE: columns of numbers are
 * reduced, too, because reducing the columns of names is not enough. */
static void
cut_columns (Grid *grid, gboolean figures)
{
  double room = LOOM_PDF_PAGE_ROOM - CELL_GAP * (grid->n - 1), low = 0, high = room;
  g_autofree double *least = new_least_widths (grid, room);
  for (guint round = 0; round < 30; round++) {
    double middle = (low + high) / 2, sum = 0;
    for (guint c = 0; c < grid->n; c++)
      sum += figures || !is_number (grid, c) ? MAX (MIN (grid->widths[c], middle), least[c]) : grid->widths[c];
    *(sum <= room ? &low : &high) = middle;
  }
  for (guint c = 0; c < grid->n; c++)
    if (figures || !is_number (grid, c))
      grid->widths[c] = MAX (MIN (grid->widths[c], low), least[c]);
}

static void
fit_columns (Grid *grid)
{
  double names = 0, figures = 0, room = LOOM_PDF_PAGE_ROOM - CELL_GAP * (grid->n - 1);
  guint n_names = 0;
  for (guint c = 0; c < grid->n; c++) {
    gboolean number = is_number (grid, c);
    *(number ? &figures : &names) += grid->widths[c];
    n_names += !number;
  }
  if (names + figures > room)
    cut_columns (grid, room - figures <
                         MAX (n_names * LEAST_NAME, is_number (grid, 0) ? 0 : MIN (grid->widths[0], LEAST_FIRST)));
}

static void
measure_columns (Grid *grid, const guint *order, guint n_rows)
{
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfStyle body = style_of (grid, c, FALSE), head = style_of (grid, c, TRUE);
    g_autofree char *title = dup_cell (grid, G_MAXUINT, c);
    guint n = is_number (grid, c) ? n_rows : MIN (n_rows, MEASURED);
    double bar = bars_of (grid, c) != LOOM_RESULT_BARS_NONE ? BAR_WIDTH + 4 : 0;
    grid->widths[c] =
      MAX (MIN (loom_pdf_page_natural_width (grid->page, title, &head) + 2, 72), widest_word (grid, c, &head));
    for (guint i = 0; i < n; i++) {
      g_autofree char *cell = dup_cell (grid, order[i], c);
      grid->widths[c] = MAX (grid->widths[c], loom_pdf_page_natural_width (grid->page, cell, &body) + 2 + bar);
    }
  }
  fit_columns (grid);
}

static double
row_height (const Grid *grid, guint row)
{
  double height = 0;
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfStyle style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    height = MAX (height, loom_pdf_page_measure (grid->page, cell, grid->widths[c], &style));
  }
  return height + ROW_GAP;
}

/* Draws the bar of a cell at the start of its column, with a line at zero. */
static void
draw_bar (const Grid *grid, guint row, guint column, double x, double height)
{
  gboolean share = bars_of (grid, column) == LOOM_RESULT_BARS_OF_SHARES;
  double value = loom_result_table_get_bar (grid->table, row, grid->shown[column]);
  double scale = share ? BAR_WIDTH : BAR_WIDTH / 2, zero = share ? x : x + scale, y = grid->page->y + 1;
  if (isnan (value) || grid->page->bytes == NULL)
    return;
  loom_color_set_source (grid->page->cr, share || value < 0 ? LESS_COLOR : MORE_COLOR);
  cairo_rectangle (grid->page->cr, MIN (zero, zero + value * scale), y, fabs (value) * scale, height - ROW_GAP - 2);
  cairo_fill (grid->page->cr);
  loom_color_set_source (grid->page->cr, LOOM_PDF_PAGE_DIM);
  cairo_rectangle (grid->page->cr, zero - 0.25, y - 1, 0.5, height - ROW_GAP);
  cairo_fill (grid->page->cr);
}

static void
draw_row (const Grid *grid, guint row, double height)
{
  double x = LOOM_PDF_PAGE_MARGIN;
  for (guint c = 0; c < grid->n; c++) {
    const LoomPdfStyle style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    /* draw no bar if there is not enough space next to the number, because the column was made narrower */
    if (row != G_MAXUINT && bars_of (grid, c) != LOOM_RESULT_BARS_NONE &&
        loom_pdf_page_natural_width (grid->page, cell, &style) + BAR_WIDTH + 2 <= grid->widths[c])
      draw_bar (grid, row, c, x, MIN (height, BAR_LINES * grid->size));
    loom_pdf_page_put (grid->page, cell, x, grid->page->y, grid->widths[c], &style);
    x += grid->widths[c] + CELL_GAP;
  }
  grid->page->y += height;
  loom_pdf_page_rule (grid->page, grid->page->y - ROW_GAP / 2, LINE_COLOR);
}

static void
draw_title (LoomPdfPage *page, const char *title)
{
  const LoomPdfStyle style = { .size = 10, .bold = TRUE, .max_lines = 2 };
  g_autofree char *shown = loom_archive_path_dup_printable (title);
  loom_pdf_page_put (page, shown, LOOM_PDF_PAGE_MARGIN, page->y, LOOM_PDF_PAGE_ROOM, &style);
  page->y += loom_pdf_page_measure (page, shown, LOOM_PDF_PAGE_ROOM, &style) + 4;
}

void
loom_pdf_table_put (LoomPdfPage *page, const LoomResultTable *table, guint max_rows)
{
  guint n = 0, n_rows = MIN (table->n_rows, max_rows);
  g_autofree guint *order = loom_document_dup_order (table);
  g_autofree double *widths = g_new0 (double, table->columns->len + 1);
  g_autofree guint *shown = g_new (guint, table->columns->len + 1);
  g_autofree char *rest = loom_document_dup_rest (table, n_rows);
  const LoomPdfStyle dim = { .size = 8, .color = LOOM_PDF_PAGE_DIM };
  for (guint i = 0; i < table->columns->len; i++)
    if (!loom_result_table_is_empty_column (table, i))
      shown[n++] = i;
  Grid grid = { page, table, shown, n, widths, n > 8 ? 6.5 : 7.5 };
  if (n == 0)
    return;
  measure_columns (&grid, order, n_rows);
  double head = row_height (&grid, G_MAXUINT);
  loom_pdf_page_need (page, 20 + head + (n_rows > 0 ? row_height (&grid, order[0]) : 0) + 24);
  draw_title (page, table->title);
  draw_row (&grid, G_MAXUINT, head);
  for (guint i = 0; i < n_rows; i++) {
    double height = row_height (&grid, order[i]);
    if (loom_pdf_page_need (page, height))
      draw_row (&grid, G_MAXUINT, head);
    draw_row (&grid, order[i], height);
  }
  if (rest != NULL) {
    loom_pdf_page_need (page, 14);
    loom_pdf_page_put (page, rest, LOOM_PDF_PAGE_MARGIN, page->y + 2, LOOM_PDF_PAGE_ROOM, &dim);
    page->y += 14;
  }
  page->y += 12;
}
