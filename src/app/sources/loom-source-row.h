/* SPDX-License-Identifier: Apache-2.0
 *
 * What a line of the sidebar looks like: name and detail, the number of problems as a button, the state of the clock. Child of a
 * tree expander in a row of the list, which it names for assistive technology. Main thread.
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SOURCE_ROW (loom_source_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceRow, loom_source_row, LOOM, SOURCE_ROW, GtkBox)

GtkWidget *loom_source_row_new (void);

/* What it shows; a reference is taken. NULL before the first, the getter borrows. */
void loom_source_row_set_item (LoomSourceRow *self, LoomSourceItem *item);
LoomSourceItem *loom_source_row_get_item (LoomSourceRow *self);

/* The number of problems, in the line's coordinates. */
gboolean loom_source_row_is_on_badge (LoomSourceRow *self, double x, double y);

G_END_DECLS
