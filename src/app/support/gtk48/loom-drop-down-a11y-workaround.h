/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the accessible name of the inner button of a drop-down to the name of the drop-down and the selected item. The
 * button has the keyboard focus, but GTK 4.8 gives it no accessible name. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Keeps the accessible name of the drop-down at "name: choice", such as "Range: Visible", as long as it exists. */
void loom_drop_down_a11y_workaround_set (GtkDropDown *choice, const char *name);
