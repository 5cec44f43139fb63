/* SPDX-License-Identifier: Apache-2.0
 *
 * Popovers that are destroyed after they were shown once.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the popover at a point of `widget`, which is its parent until the popover closes and is destroyed. */
void loom_popover_util_show (GtkWidget *popover, GtkWidget *widget, double x, double y);

/* Returns TRUE while a menu or popover of `widget` or of one of its ancestors is open, because a tooltip would cover
 * it. */
gboolean loom_popover_util_is_open (GtkWidget *widget);
