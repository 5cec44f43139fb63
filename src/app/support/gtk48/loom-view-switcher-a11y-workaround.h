/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a switcher of views for assistive technology: libadwaita 1.2 makes the list of tabs inside its switchers without one.
 * Main thread.
 */
#pragma once

#include <adwaita.h>

/* Names every AdwViewSwitcher in the widget. */
void loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name);
