/* SPDX-License-Identifier: Apache-2.0
 *
 * Scrolls a table to its first column in right-to-left languages. The first column is then on the right, but if the
 * table is wider than its view, GTK initially shows the left end. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Keeps the first column visible until the user scrolls horizontally. After the user has scrolled back to the first
 * column, keeps it visible again. */
void loom_rtl_column_workaround_keep (GtkColumnView *view);
