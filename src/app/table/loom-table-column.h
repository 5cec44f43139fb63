/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table with a LoomTableModel: text cells with tooltips, and titles that sort when clicked. Called on
 * the main thread.
 */
#pragma once

#include "loom-cell-tooltip.h"
#include "loom-table-model.h"

typedef struct {
  gboolean is_number;      /* aligns to the end of the cell, with digits of equal width */
  gboolean is_inscription; /* the cells are GtkInscriptions, for columns whose width does not depend on the texts */
  gboolean wraps;
  gboolean expands;
  int width_px;                 /* the title may need more; 0: as wide as its cells */
  int min_chars;                /* least width of a cell; 0: as wide as its text, or as an empty inscription */
  PangoEllipsizeMode ellipsize; /* position in a too long text where characters are omitted */
  const char *style;            /* CSS class of cells, static; NULL: none */
  char *(*dup_text) (LoomTableItem *item, guint id, gpointer owner); /* returns an owned text; NULL counts as "" */
  /* called with the column's id as `part`; NULL: no tooltips */
  LoomCellTooltip dup_tip;
} LoomTableColumn;

/* Adds a column that the user can sort by, see loom-table-sort.h. `title` is translated; `owner` must outlive the
 * view. Returns a borrowed column. Further handlers of its factory may be connected; one of "setup" may put the cell
 * into a box, as its last child. */
GtkColumnViewColumn *loom_table_column_add (GtkColumnView *view, const char *title, guint id,
                                            const LoomTableColumn *column, gpointer owner);

/* Hides or shows a column of a fixed width. GTK before 4.10 reserves the width of hidden columns at the end of the table,
 * so a hidden column has none. */
void loom_table_column_set_visible (GtkColumnViewColumn *column, gboolean visible);

/* Aligns the title of a column of numbers with the last digits of the numbers, and places the sort arrow before the
 * title. `title`: the button of this column in the header, which is the first child of the view. */
void loom_table_column_align_title (GtkWidget *title);
