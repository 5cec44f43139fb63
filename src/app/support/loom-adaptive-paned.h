/* SPDX-License-Identifier: Apache-2.0
 *
 * Two parts of a window: side by side while it is wide, one above the other while it is not. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Follows the width of `window`, of which it becomes a part. */
GtkWidget *loom_adaptive_paned_new (GtkWindow *window, GtkWidget *first, GtkWidget *second);

G_END_DECLS
