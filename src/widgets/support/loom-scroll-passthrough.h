/* SPDX-License-Identifier: Apache-2.0
 *
 * If a scrolled window is at its end, makes the mouse wheel scroll the page that contains this window.
 * GtkScrolledWindow consumes the events of the wheel even at its end, so otherwise the page would not move while the
 * pointer is over a table.
 */
#pragma once

#include <gtk/gtk.h>

/* If `inner` cannot scroll any farther in the direction of the wheel, makes the wheel scroll the scrolled window around
 * it. */
void loom_scroll_passthrough_add (GtkScrolledWindow *inner);
