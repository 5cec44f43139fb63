/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the initial size of windows according to the text size in the settings of the desktop. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Sets the default size of a window. `width` and `height` are in px at the normal text size; with larger text, the
 * size grows up to the size of the screen. `height`: −1 for the height of the content. */
void loom_dialog_size_set (GtkWindow *window, int width, int height);

/* Adapts the width of a message dialog to the text size, because its width in libadwaita is a fixed number of px. */
void loom_dialog_size_widen (GtkWindow *question);
