/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the accessible name of the button inside a drop-down to the name of the drop-down and the selected item. This is
 * needed because the button gets the keyboard focus, but GTK 4.8 sets no accessible name for it. Called on the main
 * thread.
 */
#pragma once

#include <gtk/gtk.h>

/* From now on, keeps the accessible name of the drop-down up to date; it is "name: selected item", such as "Range:
 * Visible". */
void loom_drop_down_a11y_workaround_set (GtkDropDown *choice, const char *name);
