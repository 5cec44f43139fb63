/* SPDX-License-Identifier: Apache-2.0
 *
 * A GtkPaned whose two children are side by side in a wide window and one above the other in a narrow window. Called on
 * the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Adapts the paned to the size of its window until the paned or the window is destroyed. */
void loom_adaptive_paned_follow (GtkPaned *paned, GtkWindow *window);
