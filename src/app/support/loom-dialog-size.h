/* SPDX-License-Identifier: Apache-2.0
 *
 * How large a window is at first: as large as what stands in it needs, with letters of the size a person chose.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Sets the default size, in px of text that is as large as it is; larger with larger text, as far as the screen goes. A height
 * of −1: what it needs. */
void loom_dialog_size_set (GtkWindow *window, int width, int height);

/* A question is as wide as its words at least, which libadwaita counts in px. */
void loom_dialog_size_widen (GtkWindow *question);

G_END_DECLS
