/* SPDX-License-Identifier: Apache-2.0
 *
 * Two parts of a window: side by side while it is wide, one above the other while it is not. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Follows the default size of `window`, which contains the paned, until either is destroyed. */
void loom_adaptive_paned_follow (GtkPaned *paned, GtkWindow *window);
