/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of the timeline for files and the clipboard. It contains the overview bar, the ruler, the lanes, the
 * headers and the tracks as shown in the window, but not the pointer and the highlights under it.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-timeline-image.h"

typedef struct {
  cairo_surface_t *surface; /* recording of the drawing, in logical px; can be drawn at any scale and on any thread */
  double width, height;     /* size in logical pixels */
  double scale;             /* number of device px per logical px in the window that was recorded */
} LoomViewSnapshot;

/* Records the open timeline. `header_px`: width of the header column. `lanes`: results of queries above the rows; only
 * used during the call. Takes as long as painting a frame. Must be called on the main thread. */
LoomViewSnapshot *loom_view_snapshot_new (LoomRenderContext *scene, GtkWidget *widget, double header_px,
                                          const LoomTimelineImageLane *lanes, guint n_lanes);
void loom_view_snapshot_free (LoomViewSnapshot *picture);

/* Writes a PNG, SVG or PDF file, depending on the suffix of `path`. Returns FALSE with an error of
 * loom_image_file_write(). May be called on any thread, but only on one at a time. */
gboolean loom_view_snapshot_save (LoomViewSnapshot *picture, const char *path, GError **error);
/* Renders the recording to pixels for the clipboard. Owned by the caller. Takes as long as painting a frame. Must be
 * called on the main thread. */
GdkTexture *loom_view_snapshot_to_texture (LoomViewSnapshot *picture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomViewSnapshot, loom_view_snapshot_free)
