/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the mouse wheel scroll the page that contains a scrolled window if that window is at its end. GtkScrolledWindow
 * consumes the wheel even then, so the page would not move while the pointer is over a table.
 */
#pragma once

#include <gtk/gtk.h>

/* Makes the scrolled window around `inner` scroll if `inner` cannot scroll any farther in the direction of the
 * wheel. */
void loom_scroll_passthrough_add (GtkScrolledWindow *inner);
