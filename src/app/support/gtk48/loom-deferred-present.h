/* SPDX-License-Identifier: Apache-2.0
 *
 * A window is shown in the turn of the main loop after the one that made it: each of both takes some milliseconds of GTK's work.
 */
#pragma once

#include <gtk/gtk.h>

/* Presents the window later, unless it is destroyed before. */
void loom_deferred_present_present (GtkWindow *window);
