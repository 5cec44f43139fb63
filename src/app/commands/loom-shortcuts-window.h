/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of all keys. GTK would make it with every window, a hundred lines of it, before the first one shows: here it is
 * made when it is asked for. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Shows the shortcuts over `window`. Made on the first call, destroyed with the window. */
void loom_shortcuts_window_present (GtkApplicationWindow *window);
