/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table with a LoomTableModel. Their cells are texts with tooltips, and a click on a title sorts the
 * rows. Called on the main thread.
 */
#pragma once

#include "loom-cell-tooltip.h"
#include "loom-table-model.h"

typedef struct {
  gboolean is_number; /* TRUE if the cells are aligned to the end and their digits have equal widths */
  /* TRUE if the cells are GtkInscriptions; used for columns whose width does not depend on their texts */
  gboolean is_inscription;
  gboolean wraps;
  gboolean expands;
  /* minimum width of the column in px, if greater than 0; a wider title makes the column wider. 0: the column is as
   * wide as its cells */
  int width_px;
  /* Minimum width of a cell in characters. 0: if is_inscription is TRUE, there is no minimum width; otherwise the width
   * is that of the text. */
  int min_chars;
  PangoEllipsizeMode ellipsize; /* which part of a long text is replaced by an ellipsis */
  const char *style;            /* CSS class of the cells, static; NULL if the cells have no CSS class */
  /* returns the text of a cell, owned by the caller; if it returns NULL, "" is shown */
  char *(*dup_text) (LoomTableItem *item, guint id, gpointer owner);
  /* returns the tooltip of a cell; the argument `part` is the id of the column. If this pointer is NULL, the cells have
   * no tooltips. */
  LoomCellTooltip dup_tip;
} LoomTableColumn;

/* Adds a column that the user can sort by, see loom-table-sort.h. `title`: translated title. `owner`: must live
 * longer than the view. Returns the column, borrowed. The caller may connect other handlers to the factory of the
 * column. A handler of "setup" may put the cell into a box if the cell is the last child of the box. */
GtkColumnViewColumn *loom_table_column_add (GtkColumnView *view, const char *title, guint id,
                                            const LoomTableColumn *column, gpointer owner);

/* Hides or shows a column of fixed width. The width of a hidden column is set to 0, because GTK before 4.10 reserves
 * space for it at the end of the table. */
void loom_table_column_set_visible (GtkColumnViewColumn *column, gboolean visible);

/* Aligns the title of a column of numbers with the last digits of the numbers, and places the sort arrow before the
 * title. `title`: the column's button in the header of the view. (The header is the first child of the view.) */
void loom_table_column_align_title (GtkWidget *title);
