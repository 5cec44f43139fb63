/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the accessible name of view switchers. libadwaita 1.2 gives the tab list inside an AdwViewSwitcher no name.
 * Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Sets the name of every AdwViewSwitcher inside the widget. */
void loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name);
