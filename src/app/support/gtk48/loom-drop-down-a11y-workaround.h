/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a drop-down for assistive technology. The keyboard's focus goes to the button inside it, which GTK 4.8 leaves
 * without a name: it gets the choice's own and what is chosen. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Keeps the accessible name at "name: choice", as in "Range: Visible", as long as the drop-down lives. */
void loom_drop_down_a11y_workaround_set (GtkDropDown *choice, const char *name);
