/* SPDX-License-Identifier: Apache-2.0
 *
 * The window that lists all keyboard shortcuts. It is made when the user opens it for the first time. As a part of the
 * main window's template, it would delay each new main window, because GTK would make its hundred rows first. Main
 * thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the shortcuts window over `window`. The first call makes the shortcuts window, which lives as long as
 * `window`. */
void loom_shortcuts_window_present (GtkApplicationWindow *window);
