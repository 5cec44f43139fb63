/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table with a LoomTableModel: text cells with tooltips, and titles that sort when clicked. Called on
 * the main thread.
 */
#pragma once

#include "loom-cell-tooltip.h"
#include "loom-table-model.h"

typedef struct {
  gboolean is_number; /* TRUE if the cells are aligned to the end and have digits of equal width */
  /* TRUE if the cells are GtkInscriptions, for columns whose width does not depend on the texts */
  gboolean is_inscription;
  gboolean wraps;
  gboolean expands;
  int width_px; /* minimum width of the column in px, but at least as wide as the title; 0: as wide as its cells */
  /* minimum width of a cell in characters; 0: as wide as its text, or no minimum if is_inscription */
  int min_chars;
  PangoEllipsizeMode ellipsize; /* part of a too long text that is replaced by an ellipsis */
  const char *style;            /* CSS class of the cells, static; NULL: the cells have no CSS class */
  /* returns the text of a cell, owned; NULL counts as "" */
  char *(*dup_text) (LoomTableItem *item, guint id, gpointer owner);
  /* returns the tooltip of a cell; called with the column's id as `part`; NULL: the cells have no tooltips */
  LoomCellTooltip dup_tip;
} LoomTableColumn;

/* Adds a column that the user can sort by, see loom-table-sort.h. `title` must be translated; `owner` must outlive the
 * view. Returns the column, borrowed. The caller may connect further handlers to its factory; a handler of "setup" may
 * put the cell into a box, as its last child. */
GtkColumnViewColumn *loom_table_column_add (GtkColumnView *view, const char *title, guint id,
                                            const LoomTableColumn *column, gpointer owner);

/* Hides or shows a column of a fixed width. Sets the width of a hidden column to 0, because GTK before 4.10 would
 * reserve its width at the end of the table. */
void loom_table_column_set_visible (GtkColumnViewColumn *column, gboolean visible);

/* Aligns the title of a column of numbers with the last digits of the numbers, and places the sort arrow before the
 * title. `title`: button of the column in the header; the header is the first child of the view. */
void loom_table_column_align_title (GtkWidget *title);
