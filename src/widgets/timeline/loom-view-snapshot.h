/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline as it stands in the window, taken out of it: overview, ruler, headers and tracks, without the pointer.
 */
#pragma once

#include "loom-render-context.h"

typedef struct {
  cairo_surface_t *surface; /* a recording, in logical pixels: it can be drawn anywhere, on another thread too */
  double width, height;     /* logical pixels */
  double scale;             /* device pixels per logical pixel of the window it was taken from */
} LoomViewSnapshot;

/* `header_px`: the width of the column of names. Of an open timeline. Cost: one frame. Main thread. */
LoomViewSnapshot *loom_view_snapshot_new (LoomRenderContext *scene, GtkWidget *widget, double header_px);
void loom_view_snapshot_free (LoomViewSnapshot *picture);

/* PNG, SVG or PDF by the name; errors as loom_image_file_write(). Any thread, one at a time. */
gboolean loom_view_snapshot_save (LoomViewSnapshot *picture, const char *path, GError **error);
/* As pixels, for a clipboard. Owned. Main thread; cost: one frame. */
GdkTexture *loom_view_snapshot_to_texture (LoomViewSnapshot *picture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomViewSnapshot, loom_view_snapshot_free)
