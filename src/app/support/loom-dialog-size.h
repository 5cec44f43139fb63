/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the initial size of windows, which depends on the text size that is set in the desktop.
 */
#pragma once

#include <gtk/gtk.h>

/* Sets the default size of a window, in px at the normal text size. With larger text the size grows, up to the size of
 * the screen. `height`: −1 for as high as the content needs. */
void loom_dialog_size_set (GtkWindow *window, int width, int height);

/* Scales the width of a message dialog with the text size, because libadwaita gives it a fixed width in px. */
void loom_dialog_size_widen (GtkWindow *question);
