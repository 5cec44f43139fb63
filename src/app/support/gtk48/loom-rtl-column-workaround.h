/* SPDX-License-Identifier: Apache-2.0
 *
 * Where text runs from right to left the first column of a table stands at the right, and a table wider than its place has to
 * begin there; GTK begins at the left.
 */
#pragma once

#include <gtk/gtk.h>

/* Keeps the first column visible until a person scrolls sideways, and again once they have scrolled back to it. */
void loom_rtl_column_workaround_keep (GtkColumnView *view);
