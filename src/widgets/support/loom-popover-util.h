/* SPDX-License-Identifier: Apache-2.0
 *
 * Popovers that are destroyed after they were shown once.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the popover at a point of `widget`, which becomes its parent. It is destroyed after it closes. */
void loom_popover_util_show (GtkWidget *popover, GtkWidget *widget, double x, double y);

/* Returns TRUE while a menu or popover of `widget`, or of a widget that contains it, is open. A tooltip would cover
 * it. */
gboolean loom_popover_util_is_open (GtkWidget *widget);
