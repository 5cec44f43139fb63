/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes view switchers accessible. libadwaita 1.2 gives the tab list inside an AdwViewSwitcher no name, and Tab stops at
 * each of its tabs. Remove it when the minimum is a version with AdwInlineViewSwitcher (1.7). Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Sets the accessible name of every AdwViewSwitcher inside the widget, and makes each switcher a single stop for
 * Tab. */
void loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name);
