/* SPDX-License-Identifier: Apache-2.0
 *
 * Accepts files that are dropped on a window. While the user drags files over the window, shows where they can be
 * dropped. If no run is open, there is one place, "Open"; if a run is open, there are "Open" on the left and "Add" on
 * the right.
 *
 * Signals: "dropped" (GdkFileList *files, gboolean add); "shown-changed" when a drag enters or leaves the window.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_DROP_OVERLAY (loom_drop_overlay_get_type ())
G_DECLARE_FINAL_TYPE (LoomDropOverlay, loom_drop_overlay, LOOM, DROP_OVERLAY, GtkWidget)

/* Makes the whole `window` accept dropped files. The overlay must be placed over the content of the window; it does
 * not take pointer events. */
void loom_drop_overlay_watch (LoomDropOverlay *self, GtkWidget *window);

/* Returns TRUE while the user drags something over the window. */
gboolean loom_drop_overlay_is_shown (LoomDropOverlay *self);

/* Sets whether a run is open, so that dropped files can be added to it. */
void loom_drop_overlay_set_can_add (LoomDropOverlay *self, gboolean can_add);
