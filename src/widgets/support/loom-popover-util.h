/* SPDX-License-Identifier: Apache-2.0
 *
 * Popovers that are shown once and destroyed when they close, such as context menus.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the popover at a point of `widget`, which becomes the parent of the popover. The popover is destroyed after it
 * closes. */
void loom_popover_util_show (GtkWidget *popover, GtkWidget *widget, double x, double y);

/* Returns TRUE while a menu or popover of `widget`, or of a widget that contains `widget`, is open. In this time,
 * `widget` must not show a tooltip, because the tooltip would cover the menu. */
gboolean loom_popover_util_is_open (GtkWidget *widget);
