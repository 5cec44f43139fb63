/* SPDX-License-Identifier: Apache-2.0
 *
 * The widget that shows a line of the list of sources (LoomSourceItem): name and detail, the number of problems as a
 * button, and the state of the clock. Its parent is the tree expander of a list row. The widget also sets the
 * accessible names of the expander and the row. Called on the main thread.
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SOURCE_ROW (loom_source_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceRow, loom_source_row, LOOM, SOURCE_ROW, GtkBox)

GtkWidget *loom_source_row_new (void);

/* Set and get the line that the widget shows. The setter takes a reference. The getter returns a borrowed item; NULL
 * before the first call of the setter. */
void loom_source_row_set_item (LoomSourceRow *self, LoomSourceItem *item);
LoomSourceItem *loom_source_row_get_item (LoomSourceRow *self);

/* Returns TRUE if a point is on the button with the number of problems. `x`, `y`: in the coordinates of this widget. */
gboolean loom_source_row_is_on_badge (LoomSourceRow *self, double x, double y);
