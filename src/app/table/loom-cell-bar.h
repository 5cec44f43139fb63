/* SPDX-License-Identifier: Apache-2.0
 *
 * A small bar that decorates a cell with the value as text: of a change, from zero in the middle towards the end for more
 * and towards the start for less; of a share, from the start. Main thread.
 */
#pragma once

#include "loom-result-table.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_CELL_BAR (loom_cell_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomCellBar, loom_cell_bar, LOOM, CELL_BAR, GtkWidget)

GtkWidget *loom_cell_bar_new (LoomResultBars bars);
/* −1 … 1 for a change, 0 … 1 for a share; NaN: no bar. */
void loom_cell_bar_set_value (LoomCellBar *self, double value);
