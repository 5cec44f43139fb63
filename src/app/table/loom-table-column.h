/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a table over LoomTableModel: cells of text with tooltips, titles that sort. Main thread.
 */
#pragma once

#include "loom-cell-tooltip.h"
#include "loom-table-model.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_number;      /* at the end of the cell, digits of equal width */
  gboolean is_inscription; /* cells that do not measure their texts, for columns whose width does not depend on them */
  gboolean wraps;
  gboolean expands;
  int width_px;                 /* 0: as wide as the cells */
  int min_chars;                /* of a cell; 0: as wide as its text, or none of an inscription */
  PangoEllipsizeMode ellipsize; /* where a cell is cut */
  const char *style;            /* CSS class of cells, static; NULL: none */
  char *(*dup_text) (LoomTableItem *item, guint id, gpointer owner); /* owned; NULL: "" */
  LoomCellTooltip dup_tip;                                           /* gets the id; NULL: no tooltips */
} LoomTableColumn;

/* Adds a column that a person can sort by, see loom-table-sort.h. `title` is translated; `owner` has to outlive the view.
 * Borrowed. Handlers of the factory may do more; "setup" may put the cell into a box, as its last child. */
GtkColumnViewColumn *loom_table_column_add (GtkColumnView *view, const char *title, guint id,
                                            const LoomTableColumn *column, gpointer owner);

G_END_DECLS
