/* SPDX-License-Identifier: Apache-2.0
 *
 * A small bar from zero, in the middle, to a value: towards the end for more, towards the start for less. Decorates a cell
 * that has the value as text. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_CHANGE_BAR (loom_change_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomChangeBar, loom_change_bar, LOOM, CHANGE_BAR, GtkWidget)

GtkWidget *loom_change_bar_new (void);
/* −1 … 1; NaN: no bar. */
void loom_change_bar_set_value (LoomChangeBar *self, double value);
