/* SPDX-License-Identifier: Apache-2.0
 *
 * Presents a window in the iteration of the main loop after the one that created it, because creating and presenting
 * each take several milliseconds.
 */
#pragma once

#include <gtk/gtk.h>

/* Presents the window in a later iteration of the main loop, unless it is destroyed before that. */
void loom_deferred_present_present (GtkWindow *window);
