/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of paper: A4 with margins, a foot with the number of the page, and a place at which the next thing stands. A dry
 * paper counts pages and draws none. One thread at a time. Lengths are points.
 */
#pragma once

#include <pango/pangocairo.h>

#include "loom-color.h"

G_BEGIN_DECLS

#define LOOM_PAPER_WIDTH 595.28
#define LOOM_PAPER_HEIGHT 841.89
#define LOOM_PAPER_MARGIN 48.0
#define LOOM_PAPER_ROOM (LOOM_PAPER_WIDTH - 2 * LOOM_PAPER_MARGIN)
#define LOOM_PAPER_TOP LOOM_PAPER_MARGIN
#define LOOM_PAPER_BOTTOM (LOOM_PAPER_HEIGHT - 64.0)

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  PangoLayout *layout;
  GByteArray *bytes; /* NULL: dry */
  double y;          /* where the next thing stands */
  guint page;        /* from 1 */
  guint n_pages;     /* as the dry paper counted */
  const char *foot;  /* borrowed */
} LoomPaper;

typedef struct {
  double size;
  gboolean bold;
  gboolean right;
  guint max_lines; /* 0: all; else cut with an ellipsis */
  LoomColor color;
} LoomPaperStyle;

void loom_paper_init (LoomPaper *paper, gboolean dry, guint n_pages, const char *foot);
/* The last page is finished. The file, NULL for dry paper and with LOOM_ERROR_WRITE where it could not be drawn. */
GBytes *loom_paper_finish (LoomPaper *paper, GError **error);

/* Begins a page unless there are so many points left. TRUE when it did. */
gboolean loom_paper_need (LoomPaper *paper, double height);
void loom_paper_break (LoomPaper *paper);

/* Height of a text, and the text itself at a place. Names out of traces come printable already. */
double loom_paper_measure (LoomPaper *paper, const char *text, double width, const LoomPaperStyle *style);
double loom_paper_natural_width (LoomPaper *paper, const char *text, const LoomPaperStyle *style);
void loom_paper_text (LoomPaper *paper, const char *text, double x, double y, double width, const LoomPaperStyle *style);
void loom_paper_rule (LoomPaper *paper, double y, LoomColor color);

G_END_DECLS
