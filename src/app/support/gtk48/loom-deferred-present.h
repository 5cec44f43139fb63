/* SPDX-License-Identifier: Apache-2.0
 *
 * Presents a window in a later iteration of the main loop than the one that created the window, because creating and
 * presenting take several milliseconds each. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Presents the window in a later iteration of the main loop. If the window is destroyed before, does nothing. */
void loom_deferred_present_present (GtkWindow *window);
