/* SPDX-License-Identifier: Apache-2.0
 *
 * GtkScrolledWindow swallows the wheel also where it cannot scroll any further: over a table the page it stands in would not move.
 */
#pragma once

#include <gtk/gtk.h>

/* From now on the wheel over `inner` scrolls the next scrolled window around it where `inner` itself cannot move that way. */
void loom_scroll_passthrough_add (GtkScrolledWindow *inner);
