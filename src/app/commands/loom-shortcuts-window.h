/* SPDX-License-Identifier: Apache-2.0
 *
 * The window that lists all keys. It is made when the user first asks for it. GTK would make its hundred rows together
 * with every main window, before the main window is shown. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the shortcuts window over `window`. The first call makes the shortcuts window, which is destroyed with
 * `window`. */
void loom_shortcuts_window_present (GtkApplicationWindow *window);
