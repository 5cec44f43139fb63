/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a report document as PDF. It is laid out twice: the first time without output, to count the pages for the
 * table of contents.
 */
#include "loom-document-private.h"

#include "loom-archive-path.h"
#include "loom-chart-layout.h"
#include "loom-ellipsize.h"
#include "loom-error.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define SCALE 0.72 /* points per pixel of a chart: its text of 11 px is printed at 8 points */
#define GAP 16.0
#define CHAPTER_ROOM 320.0 /* points; a chapter starts on a new page if less room is left */
#define FACT_ROOM 14.0     /* height of a line, in points */
#define MAX_TOGETHER 16u   /* lists with at most this many facts are kept on one page */
#define DIM 0xFF5E5E66u
#define WARN 0xFF8A4B00u
#define INK 0xFF1D1D20u

/* --- pages: A4 with margins and page numbers; lengths are points -------------------------------------------------- */

#define PAGE_WIDTH 595.28
#define PAGE_HEIGHT 841.89
#define PAGE_MARGIN 48.0
#define PAGE_ROOM (PAGE_WIDTH - 2 * PAGE_MARGIN)
#define PAGE_TOP PAGE_MARGIN
#define PAGE_BOTTOM (PAGE_HEIGHT - 64.0)

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  PangoLayout *layout;
  GByteArray *bytes; /* NULL in a dry run, which only counts pages */
  double y;          /* vertical position of the next item */
  guint page;        /* current page, from 1 */
  guint n_pages;     /* number of pages, as counted by the dry run */
  const char *foot;  /* borrowed */
} Paper;

typedef struct {
  double size;
  gboolean bold;
  gboolean right;
  guint max_lines; /* longer text is cut with an ellipsis; 0: no limit */
  LoomColor color;
} Style;

#define FOOT_Y (PAGE_HEIGHT - 44.0)

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
paper_init (Paper *paper, gboolean dry, guint n_pages, const char *foot)
{
  *paper = (Paper) { .page = 1, .n_pages = n_pages, .foot = foot, .y = PAGE_TOP };
  paper->bytes = dry ? NULL : g_byte_array_new ();
  paper->surface =
    cairo_pdf_surface_create_for_stream (dry ? NULL : append_bytes, paper->bytes, PAGE_WIDTH, PAGE_HEIGHT);
  cairo_pdf_surface_set_metadata (paper->surface, CAIRO_PDF_METADATA_TITLE, foot);
  cairo_pdf_surface_set_metadata (paper->surface, CAIRO_PDF_METADATA_CREATOR, "Traceloom");
  paper->cr = cairo_create (paper->surface);
  paper->layout = pango_cairo_create_layout (paper->cr);
  pango_layout_set_wrap (paper->layout, PANGO_WRAP_WORD_CHAR);
  PangoAttrList *attributes = pango_attr_list_new ();
  /* prevents Pango from adding hyphens where it breaks a name, because they would look like a part of the name */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  pango_layout_set_attributes (paper->layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
set_text (Paper *paper, const char *text, double width, const Style *style)
{
  PangoFontDescription *font = pango_font_description_new ();
  pango_font_description_set_family_static (font, "Sans");
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (paper->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (paper->layout, width < 0 ? -1 : (int) (width * PANGO_SCALE));
  pango_layout_set_ellipsize (paper->layout, style->max_lines > 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  pango_layout_set_height (paper->layout, style->max_lines > 0 ? -(int) style->max_lines : -1);
  pango_layout_set_alignment (paper->layout, style->right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  /* lays out only the text that can be seen: laying out a name of 60,000 letters would take minutes */
  g_autofree char *cut = loom_ellipsize_shown (text);
  pango_layout_set_text (paper->layout, cut, -1);
}

/* Returns the height of a text, in points. Texts from traces must be made printable before the call. */
static double
paper_measure (Paper *paper, const char *text, double width, const Style *style)
{
  int height;
  set_text (paper, text, width, style);
  pango_layout_get_size (paper->layout, NULL, &height);
  return (double) height / PANGO_SCALE;
}

static double
paper_natural_width (Paper *paper, const char *text, const Style *style)
{
  int width;
  const Style free_style = { .size = style->size, .bold = style->bold };
  set_text (paper, text, -1, &free_style);
  pango_layout_get_size (paper->layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

static void
paper_put (Paper *paper, const char *text, double x, double y, double width, const Style *style)
{
  if (paper->bytes == NULL)
    return;
  set_text (paper, text, width, style);
  loom_color_set_source (paper->cr, style->color != 0 ? style->color : INK);
  cairo_move_to (paper->cr, x, y);
  pango_cairo_show_layout (paper->cr, paper->layout);
}

static void
paper_rule (Paper *paper, double y, LoomColor color)
{
  if (paper->bytes == NULL)
    return;
  loom_color_set_source (paper->cr, color);
  cairo_set_line_width (paper->cr, 0.5);
  cairo_move_to (paper->cr, PAGE_MARGIN, y);
  cairo_line_to (paper->cr, PAGE_WIDTH - PAGE_MARGIN, y);
  cairo_stroke (paper->cr);
}

static void
draw_foot (Paper *paper)
{
  const Style left = { .size = 8, .max_lines = 1, .color = DIM }, right = { .size = 8, .right = TRUE, .color = DIM };
  g_autofree char *number = g_strdup_printf (_ ("Page %u of %u"), paper->page, paper->n_pages);
  paper_put (paper, paper->foot, PAGE_MARGIN, FOOT_Y, PAGE_ROOM - 100, &left);
  paper_put (paper, number, PAGE_MARGIN, FOOT_Y, PAGE_ROOM, &right);
}

/* Begins a new page unless `height` points are left on the current page. Returns TRUE if a page was begun. */
static gboolean
paper_need (Paper *paper, double height)
{
  if (paper->y + height <= PAGE_BOTTOM || paper->y <= PAGE_TOP)
    return FALSE;
  draw_foot (paper);
  if (paper->bytes != NULL)
    cairo_show_page (paper->cr);
  paper->page++;
  paper->y = PAGE_TOP;
  return TRUE;
}

/* Finishes the last page and returns the file. NULL in a dry run, and NULL with LOOM_ERROR_WRITE if drawing failed. */
static GBytes *
paper_finish (Paper *paper, GError **error)
{
  draw_foot (paper);
  cairo_status_t status = cairo_status (paper->cr);
  g_object_unref (paper->layout);
  cairo_destroy (paper->cr);
  cairo_surface_finish (paper->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (paper->surface);
  cairo_surface_destroy (paper->surface);
  if (paper->bytes == NULL)
    return NULL;
  GBytes *result = g_byte_array_free_to_bytes (g_steal_pointer (&paper->bytes));
  if (status == CAIRO_STATUS_SUCCESS)
    return result;
  g_bytes_unref (result);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, "Could not draw the report: %s", cairo_status_to_string (status));
  return NULL;
}

/* --- tables: columns as wide as their content, rows that stay whole, headers on every page --------------------------- */

#define CELL_GAP 8.0
#define ROW_GAP 3.0
#define LEAST 26.0 /* smallest width of a column, in points */
#define LEAST_NAME 48.0
#define LEAST_FIRST \
  112.0 /* in points; names of rows in the first column are not broken up to this width: "rank 0 · GPU 0 · stream 7" */
#define MEASURED 40u /* number of rows measured to find the widths of names */
#define LINE_COLOR 0xFFDCDCE0u
#define BAR_WIDTH 34.0
#define BAR_LINES 1.8 /* maximum height of a bar, as a multiple of the font size */
#define MORE_COLOR 0xFFC64600u
#define LESS_COLOR 0xFF3584E4u

typedef struct {
  Paper *paper;
  const LoomResultTable *table;
  guint *shown;   /* the columns that have a value */
  guint n;        /* number of shown columns */
  double *widths; /* in points, without the gaps between columns */
  double size;    /* font size */
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

static Style
style_of (const Grid *grid, guint column, gboolean head)
{
  return (Style) {
    .size = grid->size, .bold = head, .right = is_number (grid, column), .max_lines = 4, .color = head ? DIM : 0
  };
}

/* Returns the text of a cell; row G_MAXUINT is the header. */
static char *
dup_cell (const Grid *grid, guint row, guint column)
{
  g_autofree char *cell = row == G_MAXUINT
                            ? g_strdup (loom_result_table_get_column (grid->table, grid->shown[column])->title)
                            : loom_result_table_dup_cell (grid->table, row, grid->shown[column]);
  return loom_archive_path_dup_printable (cell);
}

/* Returns the width of the widest word in the column's header: header words are not broken. */
static double
widest_word (const Grid *grid, guint column, const Style *head)
{
  g_autofree char *title = dup_cell (grid, G_MAXUINT, column);
  g_auto (GStrv) words = g_strsplit (title, " ", -1);
  double width = LEAST;
  for (guint i = 0; words[i] != NULL; i++)
    width = MAX (width, paper_natural_width (grid->paper, words[i], head) + 2);
  return width;
}

/* Returns the least width to which each column may be cut. If the sum of these widths exceeds `room`, all are 0, so
 * that every column may be cut to any width. Owned by the caller. */
static double *
new_least_widths (const Grid *grid, double room)
{
  double *least = g_new0 (double, grid->n + 1), sum = 0;
  for (guint c = 0; c < grid->n; c++) {
    const Style head = style_of (grid, c, TRUE);
    gboolean first = c == 0 && !is_number (grid, c);
    least[c] = MIN (grid->widths[c], first ? LEAST_FIRST : widest_word (grid, c, &head));
    sum += least[c];
  }
  if (sum > room)
    memset (least, 0, grid->n * sizeof *least);
  return least;
}

/* Makes the table fit the page: limits the width of columns, so that the widest ones are cut, to the greatest limit
 * with which the table fits. Cuts columns of numbers only if `figures` is TRUE. This is for tables that do not fit
 * although their columns of names are cut. */
static void
cut_columns (Grid *grid, gboolean figures)
{
  double room = PAGE_ROOM - CELL_GAP * (grid->n - 1), low = 0, high = room;
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
  double names = 0, figures = 0, room = PAGE_ROOM - CELL_GAP * (grid->n - 1);
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
    const Style body = style_of (grid, c, FALSE), head = style_of (grid, c, TRUE);
    g_autofree char *title = dup_cell (grid, G_MAXUINT, c);
    guint n = is_number (grid, c) ? n_rows : MIN (n_rows, MEASURED);
    double bar = bars_of (grid, c) != LOOM_RESULT_BARS_NONE ? BAR_WIDTH + 4 : 0;
    grid->widths[c] = MAX (MIN (paper_natural_width (grid->paper, title, &head) + 2, 72), widest_word (grid, c, &head));
    for (guint i = 0; i < n; i++) {
      g_autofree char *cell = dup_cell (grid, order[i], c);
      grid->widths[c] = MAX (grid->widths[c], paper_natural_width (grid->paper, cell, &body) + 2 + bar);
    }
  }
  fit_columns (grid);
}

static double
row_height (const Grid *grid, guint row)
{
  double height = 0;
  for (guint c = 0; c < grid->n; c++) {
    const Style style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    height = MAX (height, paper_measure (grid->paper, cell, grid->widths[c], &style));
  }
  return height + ROW_GAP;
}

/* Draws the bar of a cell at the start of its column, with a line at zero. */
static void
draw_bar (const Grid *grid, guint row, guint column, double x, double height)
{
  gboolean share = bars_of (grid, column) == LOOM_RESULT_BARS_OF_SHARES;
  double value = loom_result_table_get_bar (grid->table, row, grid->shown[column]);
  double scale = share ? BAR_WIDTH : BAR_WIDTH / 2, zero = share ? x : x + scale, y = grid->paper->y + 1;
  if (isnan (value) || grid->paper->bytes == NULL)
    return;
  loom_color_set_source (grid->paper->cr, share || value < 0 ? LESS_COLOR : MORE_COLOR);
  cairo_rectangle (grid->paper->cr, MIN (zero, zero + value * scale), y, fabs (value) * scale, height - ROW_GAP - 2);
  cairo_fill (grid->paper->cr);
  loom_color_set_source (grid->paper->cr, DIM);
  cairo_rectangle (grid->paper->cr, zero - 0.25, y - 1, 0.5, height - ROW_GAP);
  cairo_fill (grid->paper->cr);
}

static void
draw_row (const Grid *grid, guint row, double height)
{
  double x = PAGE_MARGIN;
  for (guint c = 0; c < grid->n; c++) {
    const Style style = style_of (grid, c, row == G_MAXUINT);
    g_autofree char *cell = dup_cell (grid, row, c);
    /* a column that was cut to fit the page may have no room for a bar next to its number */
    if (row != G_MAXUINT && bars_of (grid, c) != LOOM_RESULT_BARS_NONE &&
        paper_natural_width (grid->paper, cell, &style) + BAR_WIDTH + 2 <= grid->widths[c])
      draw_bar (grid, row, c, x, MIN (height, BAR_LINES * grid->size));
    paper_put (grid->paper, cell, x, grid->paper->y, grid->widths[c], &style);
    x += grid->widths[c] + CELL_GAP;
  }
  grid->paper->y += height;
  paper_rule (grid->paper, grid->paper->y - ROW_GAP / 2, LINE_COLOR);
}

static void
draw_title (Paper *paper, const char *title)
{
  const Style style = { .size = 10, .bold = TRUE, .max_lines = 2 };
  g_autofree char *shown = loom_archive_path_dup_printable (title);
  paper_put (paper, shown, PAGE_MARGIN, paper->y, PAGE_ROOM, &style);
  paper->y += paper_measure (paper, shown, PAGE_ROOM, &style) + 4;
}

/* Draws the table, from paper->y on. Rows after the first `max_rows` are not drawn; a line states their number. */
static void
put_table (Paper *paper, const LoomResultTable *table, guint max_rows)
{
  guint n = 0, n_rows = MIN (table->n_rows, max_rows);
  g_autofree guint *order = loom_document_dup_order (table);
  g_autofree double *widths = g_new0 (double, table->columns->len + 1);
  g_autofree guint *shown = g_new (guint, table->columns->len + 1);
  g_autofree char *rest = loom_document_dup_rest (table, n_rows);
  const Style dim = { .size = 8, .color = DIM };
  for (guint i = 0; i < table->columns->len; i++)
    if (!loom_result_table_is_empty_column (table, i))
      shown[n++] = i;
  Grid grid = { paper, table, shown, n, widths, n > 8 ? 6.5 : 7.5 };
  if (n == 0)
    return;
  measure_columns (&grid, order, n_rows);
  double head = row_height (&grid, G_MAXUINT);
  paper_need (paper, 20 + head + (n_rows > 0 ? row_height (&grid, order[0]) : 0) + 24);
  draw_title (paper, table->title);
  draw_row (&grid, G_MAXUINT, head);
  for (guint i = 0; i < n_rows; i++) {
    double height = row_height (&grid, order[i]);
    if (paper_need (paper, height))
      draw_row (&grid, G_MAXUINT, head);
    draw_row (&grid, order[i], height);
  }
  if (rest != NULL) {
    paper_need (paper, 14);
    paper_put (paper, rest, PAGE_MARGIN, paper->y + 2, PAGE_ROOM, &dim);
    paper->y += 14;
  }
  paper->y += 12;
}

/* --- blocks ---------------------------------------------------------------------------------------------------------- */

typedef struct {
  Paper paper;
  LoomTextCache *text;
  const LoomReportDocument *book;
  guint *starts; /* first page of each chapter */
} Press;

static void
put_text (Press *press, const char *text, const Style *style, double below)
{
  Paper *paper = &press->paper;
  g_autofree char *shown = loom_archive_path_dup_printable (text);
  double height = paper_measure (paper, shown, PAGE_ROOM, style);
  paper_need (paper, height);
  paper_put (paper, shown, PAGE_MARGIN, paper->y, PAGE_ROOM, style);
  paper->y += height + below;
}

static void
put_facts (Press *press, const LoomBlock *block)
{
  const Style title = { .size = 10, .bold = TRUE }, name = { .size = 9, .color = DIM, .max_lines = 2 },
              value = { .size = 9, .max_lines = 6 };
  Paper *paper = &press->paper;
  const double column = 150;
  paper_need (paper, 24 + MIN (block->facts->len, MAX_TOGETHER) * FACT_ROOM);
  put_text (press, block->text, &title, 4);
  for (guint i = 0; i < block->facts->len; i++) {
    const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, i);
    g_autofree char *left = loom_archive_path_dup_printable (fact->name),
                    *right = loom_archive_path_dup_printable (fact->value);
    double height =
      MAX (paper_measure (paper, left, column - 8, &name), paper_measure (paper, right, PAGE_ROOM - column, &value));
    paper_need (paper, height);
    paper_put (paper, left, PAGE_MARGIN, paper->y, column - 8, &name);
    paper_put (paper, right, PAGE_MARGIN + column, paper->y, PAGE_ROOM - column, &value);
    paper->y += height + 2;
  }
  paper->y += 12;
}

/* Charts are never cut: a chart taller than a page is scaled down. */
static double
chart_height (Press *press, LoomChart *chart, double width, double *scale)
{
  double height = loom_chart_layout_natural_height (chart, width / SCALE, press->text), room = PAGE_BOTTOM - PAGE_TOP;
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
  double half = (PAGE_ROOM - GAP) / 2, width = wide ? PAGE_ROOM : half, scale;
  double height = chart_height (press, chart, width, &scale);
  if (beside != NULL)
    height = MAX (height, chart_height (press, beside, half, &scale));
  paper_need (&press->paper, height);
  draw_chart (press, chart, PAGE_MARGIN, width);
  if (beside != NULL)
    draw_chart (press, beside, PAGE_MARGIN + half + GAP, half);
  press->paper.y += height + 14;
}

static gboolean
is_narrow (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART && !block->wide;
}

/* Draws block `i`, and block `i` + 1 beside it if both are narrow charts. Returns the number of blocks drawn. */
static guint
put_block (Press *press, const LoomPageContent *sheet, guint i)
{
  const Style note = { .size = 9.5 }, answer = { .size = 11, .bold = TRUE }, missing = { .size = 9.5, .color = WARN };
  const LoomBlock *block = loom_page_content_get_block (sheet, i),
                  *next = i + 1 < sheet->blocks->len ? loom_page_content_get_block (sheet, i + 1) : NULL;
  gboolean pair = is_narrow (block) && next != NULL && is_narrow (next);
  /* a chart of bars fills the width, because its names may be long */
  gboolean alone = block->chart != NULL && !pair && block->chart->kind == LOOM_CHART_BARS;
  switch (block->kind) {
  case LOOM_BLOCK_NOTE: put_text (press, block->text, block->large ? &answer : &note, 8); break;
  case LOOM_BLOCK_MISSING: put_text (press, block->text, &missing, 8); break;
  case LOOM_BLOCK_FACTS: put_facts (press, block); break;
  case LOOM_BLOCK_CHART: put_charts (press, block->chart, pair ? next->chart : NULL, block->wide || alone); break;
  case LOOM_BLOCK_TABLE: put_table (&press->paper, block->table, LOOM_REPORT_DOCUMENT_PDF_ROWS); break;
  }
  return pair ? 2 : 1;
}

/* --- document ---------------------------------------------------------------------------------------------- */

static void
put_contents (Press *press)
{
  const Style left = { .size = 10 }, right = { .size = 10, .right = TRUE, .color = DIM };
  Paper *paper = &press->paper;
  const GArray *chapters = press->book->chapters;
  for (guint i = 0; i < chapters->len; i++) {
    const LoomReportChapter *chapter = &g_array_index (chapters, LoomReportChapter, i);
    g_autofree char *number = g_strdup_printf ("%u", press->starts[i]),
                    *target = g_strdup_printf ("dest='%s'", chapter->id);
    if (paper->bytes != NULL)
      cairo_tag_begin (paper->cr, CAIRO_TAG_LINK, target);
    paper_put (paper, chapter->title, PAGE_MARGIN, paper->y, PAGE_ROOM - 40, &left);
    paper_put (paper, number, PAGE_MARGIN, paper->y, PAGE_ROOM, &right);
    if (paper->bytes != NULL)
      cairo_tag_end (paper->cr, CAIRO_TAG_LINK);
    paper->y += 16;
  }
  paper->y += 14;
}

static void
put_heading (Press *press, const LoomReportChapter *chapter)
{
  const Style heading = { .size = 16, .bold = TRUE }, dim = { .size = 9, .color = DIM };
  Paper *paper = &press->paper;
  const char *sources = chapter->sheet->sources;
  if (paper->bytes != NULL) {
    g_autofree char *name = g_strdup_printf ("name='%s'", chapter->id),
                    *target = g_strdup_printf ("dest='%s'", chapter->id);
    cairo_tag_begin (paper->cr, CAIRO_TAG_DEST, name);
    cairo_pdf_surface_add_outline (paper->surface, CAIRO_PDF_OUTLINE_ROOT, chapter->title, target, 0);
    cairo_tag_end (paper->cr, CAIRO_TAG_DEST);
  }
  if (paper->y > PAGE_TOP)
    paper->y += 14;
  put_text (press, chapter->title, &heading, sources[0] != '\0' ? 2 : 10);
  if (sources[0] != '\0')
    put_text (press, sources, &dim, 10);
}

static gboolean
put_all (Press *press, GCancellable *cancellable, GError **error)
{
  const Style title = { .size = 22, .bold = TRUE }, dim = { .size = 10, .color = DIM };
  const GArray *chapters = press->book->chapters;
  put_text (press, press->book->title, &title, 4);
  put_text (press, press->book->summary, &dim, 20);
  put_contents (press);
  for (guint i = 0; i < chapters->len; i++) {
    const LoomReportChapter *chapter = &g_array_index (chapters, LoomReportChapter, i);
    paper_need (&press->paper, CHAPTER_ROOM);
    press->starts[i] = press->paper.page;
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
    paper_init (&press.paper, dry == 1, n_pages, book->title);
    gboolean done = put_all (&press, cancellable, error);
    n_pages = press.paper.page;
    g_autoptr (GBytes) result = paper_finish (&press.paper, done ? error : NULL);
    if (!done)
      return NULL;
    if (dry == 0)
      return g_steal_pointer (&result);
  }
  return NULL;
}
