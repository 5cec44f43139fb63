/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: the pages of a PDF file, A4 with margins and page numbers. A dry run lays out the text without
 * drawing it, to count the pages. Lengths are in points. Only one thread at a time may use an object.
 */
#pragma once

#include <gio/gio.h>
#include <pango/pangocairo.h>

#include "loom-color.h"

#define LOOM_PDF_PAGE_WIDTH 595.28
#define LOOM_PDF_PAGE_HEIGHT 841.89
#define LOOM_PDF_PAGE_MARGIN 48.0
#define LOOM_PDF_PAGE_ROOM (LOOM_PDF_PAGE_WIDTH - 2 * LOOM_PDF_PAGE_MARGIN)
#define LOOM_PDF_PAGE_TOP LOOM_PDF_PAGE_MARGIN
#define LOOM_PDF_PAGE_BOTTOM (LOOM_PDF_PAGE_HEIGHT - 64.0)

#define LOOM_PDF_PAGE_DIM 0xFF5E5E66u /* grey for less important text */

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  PangoLayout *layout;
  GByteArray *bytes; /* the bytes of the PDF file; NULL in a dry run, which only counts pages */
  double y;          /* vertical position at which the next item is drawn, in points */
  guint number;      /* number of the current page, counted from 1 */
  guint n_pages;     /* number of pages that the dry run has counted */
  const char *foot;  /* text at the bottom of each page; borrowed */
} LoomPdfPage;

typedef struct {
  double size;
  gboolean bold;
  gboolean right;
  guint max_lines; /* maximum number of lines; longer text is cut with an ellipsis; 0: no limit */
  LoomColor color; /* colour of the text; 0: black */
} LoomPdfStyle;

/* Begins the first page. `foot`: text at the bottom of each page, which is also the title of the file; borrowed until
 * loom_pdf_page_finish(). `n_pages`: number of pages that a previous dry run counted. Must be followed by
 * loom_pdf_page_finish(). */
void loom_pdf_page_init (LoomPdfPage *page, gboolean dry, guint n_pages, const char *foot);
/* Finishes the last page and returns the file. Returns NULL without `error` in a dry run; returns NULL with
 * LOOM_ERROR_WRITE if drawing failed. */
GBytes *loom_pdf_page_finish (LoomPdfPage *page, GError **error);

/* Begins a new page unless `height` points are left on the current page. Returns TRUE if a page was begun. */
gboolean loom_pdf_page_need (LoomPdfPage *page, double height);

/* Returns the height of a text, in points. Measures only as much of the beginning of the text as fits the page. Control
 * characters in texts from traces must be replaced before the call. */
double loom_pdf_page_measure (LoomPdfPage *page, const char *text, double width, const LoomPdfStyle *style);
/* Returns the width in points of a text that is laid out on one line. */
double loom_pdf_page_natural_width (LoomPdfPage *page, const char *text, const LoomPdfStyle *style);
/* Draws a text at (x, y), with lines of at most `width` points. Does not change page->y. */
void loom_pdf_page_put (LoomPdfPage *page, const char *text, double x, double y, double width,
                        const LoomPdfStyle *style);
/* Draws a horizontal line over the whole width of the page. */
void loom_pdf_page_rule (LoomPdfPage *page, double y, LoomColor color);
