/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of the timeline as shown in the window: overview, ruler, headers and tracks, without the pointer.
 */
#pragma once

#include "loom-render-context.h"

typedef struct {
  cairo_surface_t *surface; /* a recording in logical px, which can be drawn anywhere, also in another thread */
  double width, height;     /* size in logical pixels */
  double scale;             /* device px per logical px of the window */
} LoomViewSnapshot;

/* Records the open timeline. `header_px`: width of the header column. Cost: one frame. Called on the main thread. */
LoomViewSnapshot *loom_view_snapshot_new (LoomRenderContext *scene, GtkWidget *widget, double header_px);
void loom_view_snapshot_free (LoomViewSnapshot *picture);

/* Writes PNG, SVG or PDF, depending on the suffix; errors as for loom_image_file_write(). Any thread, one at a time. */
gboolean loom_view_snapshot_save (LoomViewSnapshot *picture, const char *path, GError **error);
/* Renders to pixels, for the clipboard. Owned by the caller. Called on the main thread; cost: one frame. */
GdkTexture *loom_view_snapshot_to_texture (LoomViewSnapshot *picture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomViewSnapshot, loom_view_snapshot_free)
