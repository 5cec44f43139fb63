/* SPDX-License-Identifier: Apache-2.0
 *
 * Scrolls a table to its first column in right-to-left languages. There the first column is at the right, but GTK
 * initially shows the left end of a table that is wider than its view.
 */
#pragma once

#include <gtk/gtk.h>

/* Keeps the first column visible until the user scrolls horizontally. If the user scrolls back to it, keeps it visible
 * again. */
void loom_rtl_column_workaround_keep (GtkColumnView *view);
