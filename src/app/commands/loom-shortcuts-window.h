/* SPDX-License-Identifier: Apache-2.0
 *
 * The window that lists all keys. It is made when it is requested; GTK would make its hundred rows with every window, before
 * the window is shown. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the shortcuts over `window`. Made on the first call, destroyed with the window. */
void loom_shortcuts_window_present (GtkApplicationWindow *window);
