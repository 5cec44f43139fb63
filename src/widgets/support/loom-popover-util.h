/* SPDX-License-Identifier: Apache-2.0
 *
 * Popovers that are made for one showing.
 */
#pragma once

#include <gtk/gtk.h>

/* Pops up at a point of `widget`, which becomes the parent until the popover closes; then it is gone. */
void loom_popover_util_show (GtkWidget *popover, GtkWidget *widget, double x, double y);

/* TRUE while a menu or another popover shows that belongs to `widget` or to what holds it: a tooltip would lie over it. */
gboolean loom_popover_util_is_open (GtkWidget *widget);
