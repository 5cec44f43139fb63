/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the owner of a table whether it is narrow, so that it can hide a column instead of cutting all of them. Called on
 * the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* A narrower table has no room for all columns if names are to be legible. */
#define LOOM_NARROW_TABLE_PX 760

/* Returns whether the table in `scrolled` is narrow by its last width; FALSE before it has one. */
gboolean loom_narrow_table_is (GtkScrolledWindow *scrolled);

/* Calls `changed` whenever loom_narrow_table_is() has changed. Not during layout, but before the next frame if there is
 * time. `owner` outlives `scrolled`, with which the calls end. */
void loom_narrow_table_watch (GtkScrolledWindow *scrolled, void (*changed) (gpointer owner), gpointer owner);
