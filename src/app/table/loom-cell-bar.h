/* SPDX-License-Identifier: Apache-2.0
 *
 * A small bar beside the text of a cell. The bar of a change begins in the middle: it extends to the end of the cell
 * for an increase, and to the start for a decrease. The bar of a share begins at the start. Called on the main thread.
 */
#pragma once

#include "loom-result-table.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_CELL_BAR (loom_cell_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomCellBar, loom_cell_bar, LOOM, CELL_BAR, GtkWidget)

GtkWidget *loom_cell_bar_new (LoomResultBars bars);
/* Sets the value: from −1 to 1 for a change, from 0 to 1 for a share. NaN hides the bar. */
void loom_cell_bar_set_value (LoomCellBar *self, double value);
