/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the owner of a table whether the table is narrow, so that the owner can hide a column instead of cutting the
 * text of all columns. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Width in px below which a table is narrow: it does not have room for all columns with legible names. */
#define LOOM_NARROW_TABLE_PX 760

/* Returns whether the table in `scrolled` was narrow when its width was last set; FALSE before that. */
gboolean loom_narrow_table_is (GtkScrolledWindow *scrolled);

/* Calls `changed` after the result of loom_narrow_table_is() has changed: not during layout, but before the next frame
 * if there is time. `owner` must outlive `scrolled`; there are no more calls after `scrolled` is destroyed. */
void loom_narrow_table_watch (GtkScrolledWindow *scrolled, void (*changed) (gpointer owner), gpointer owner);
