/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes view switchers accessible. libadwaita 1.2 sets no accessible name for the tab list inside an AdwViewSwitcher,
 * and Tab stops at each of its tabs. Remove this workaround when the minimum version of libadwaita is 1.7 and
 * AdwInlineViewSwitcher can be used. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Sets the accessible name of every AdwViewSwitcher inside the widget, and makes each switcher a single stop for
 * Tab. */
void loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name);
