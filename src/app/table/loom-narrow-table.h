/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports to the owner of a table whether the table is narrow. The owner can then hide a column, so that the texts of
 * other columns are not truncated. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Minimum width in px of a table that is not narrow. A narrower table has no space for all columns with legible
 * names. */
#define LOOM_NARROW_TABLE_PX 760

/* Returns TRUE if the table in `scrolled` was narrow when its width was last set. Returns FALSE if it was not narrow,
 * or if its width was not set yet. */
gboolean loom_narrow_table_is (GtkScrolledWindow *scrolled);

/* Calls `changed` whenever the result of loom_narrow_table_is() has changed. The call comes after the layout,
 * usually before the next frame. `owner` must live longer than `scrolled`. No call comes after `scrolled` was
 * destroyed. */
void loom_narrow_table_watch (GtkScrolledWindow *scrolled, void (*changed) (gpointer owner), gpointer owner);
