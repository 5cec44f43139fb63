/* SPDX-License-Identifier: Apache-2.0
 *
 * The widget that shows a line of the list of sources (LoomSourceItem): name and detail, the number of problems as a
 * button, the state of the clock. It is the child of a tree expander in a row of the list, and sets the accessible
 * names of both. Called on the main thread.
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SOURCE_ROW (loom_source_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceRow, loom_source_row, LOOM, SOURCE_ROW, GtkBox)

GtkWidget *loom_source_row_new (void);

/* Set and get the item of the list of sources that the row shows. The setter takes a reference; the getter returns a
 * borrowed item, NULL before the first call of the setter. */
void loom_source_row_set_item (LoomSourceRow *self, LoomSourceItem *item);
LoomSourceItem *loom_source_row_get_item (LoomSourceRow *self);

/* Returns TRUE if the point, in the row's coordinates, is on the badge with the number of problems. */
gboolean loom_source_row_is_on_badge (LoomSourceRow *self, double x, double y);
