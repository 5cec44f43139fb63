/* SPDX-License-Identifier: Apache-2.0
 *
 * Accepts files that are dropped on a window. While files are dragged over the window, shows where they can be dropped:
 * one place, "Open", while no run is open; otherwise "Open" on the left and "Add" on the right.
 *
 * Signals: "dropped" (GdkFileList *files, gboolean add); "shown-changed" when a drag enters or leaves the window.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_DROP_OVERLAY (loom_drop_overlay_get_type ())
G_DECLARE_FINAL_TYPE (LoomDropOverlay, loom_drop_overlay, LOOM, DROP_OVERLAY, GtkWidget)

/* Makes all of `window` a drop target. The overlay must be placed over the window's content; it does not take
 * events. */
void loom_drop_overlay_watch (LoomDropOverlay *self, GtkWidget *window);

/* Returns TRUE while something is dragged over the window. */
gboolean loom_drop_overlay_is_shown (LoomDropOverlay *self);

/* Sets whether a run is open to which dropped files can be added. */
void loom_drop_overlay_set_can_add (LoomDropOverlay *self, gboolean can_add);
