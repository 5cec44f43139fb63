/* SPDX-License-Identifier: Apache-2.0
 *
 * The window that lists all keyboard shortcuts. It is made when the user asks for it for the first time: if it were a
 * part of the main window's template, GTK would make its hundred rows before it shows each main window. Main thread
 * only.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the shortcuts window over `window`. The first call makes the shortcuts window, which is destroyed with
 * `window`. */
void loom_shortcuts_window_present (GtkApplicationWindow *window);
