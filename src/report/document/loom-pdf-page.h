/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of paper: A4 with margins, a foot with the number of the page, and a place at which the next thing stands. A dry
 * paper counts pages and draws none. One thread at a time. Lengths are points.
 */
#pragma once

#include <pango/pangocairo.h>

#include "loom-color.h"

#define LOOM_PDF_PAGE_WIDTH 595.28
#define LOOM_PDF_PAGE_HEIGHT 841.89
#define LOOM_PDF_PAGE_MARGIN 48.0
#define LOOM_PDF_PAGE_ROOM (LOOM_PDF_PAGE_WIDTH - 2 * LOOM_PDF_PAGE_MARGIN)
#define LOOM_PDF_PAGE_TOP LOOM_PDF_PAGE_MARGIN
#define LOOM_PDF_PAGE_BOTTOM (LOOM_PDF_PAGE_HEIGHT - 64.0)

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  PangoLayout *layout;
  GByteArray *bytes; /* NULL in a dry run, which only counts pages */
  double y;          /* vertical position of the next item */
  guint page;        /* current page, from 1 */
  guint n_pages;     /* number of pages, as counted by the dry run */
  const char *foot;  /* borrowed */
} LoomPdfPage;

typedef struct {
  double size;
  gboolean bold;
  gboolean right;
  guint max_lines; /* longer text is cut with an ellipsis; 0: no limit */
  LoomColor color;
} LoomPdfPageStyle;

void loom_pdf_page_init (LoomPdfPage *paper, gboolean dry, guint n_pages, const char *foot);
/* Finishes the last page and returns the file. NULL in a dry run, and NULL with LOOM_ERROR_WRITE if drawing failed. */
GBytes *loom_pdf_page_finish (LoomPdfPage *paper, GError **error);

/* Begins a page unless `height` points are left on this one. Returns TRUE when a page was begun. */
gboolean loom_pdf_page_need (LoomPdfPage *paper, double height);

/* Measure a text, or draw it at a position. Names from traces must be made printable before. */
double loom_pdf_page_measure (LoomPdfPage *paper, const char *text, double width, const LoomPdfPageStyle *style);
double loom_pdf_page_natural_width (LoomPdfPage *paper, const char *text, const LoomPdfPageStyle *style);
void loom_pdf_page_text (LoomPdfPage *paper, const char *text, double x, double y, double width,
                         const LoomPdfPageStyle *style);
void loom_pdf_page_rule (LoomPdfPage *paper, double y, LoomColor color);
