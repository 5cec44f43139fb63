/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-snapshot.h"

#include "loom-image-file.h"

#include <math.h>

static void
init_options (LoomRenderContext *scene, GtkWidget *widget, LoomPaintOptions *options)
{
  loom_render_context_init_options (scene, options, widget);
  options->hover = LOOM_SPAN_ID_NONE;
  options->hover_row = G_MAXUINT;
  options->focus_row = G_MAXUINT;
  options->cursor_ns = LOOM_TIME_NONE;
  options->n_tags = 0;
}

LoomViewSnapshot *
loom_view_snapshot_new (LoomRenderContext *scene, GtkWidget *widget, double header_px,
                        const LoomTimelineImageLane *lanes, guint n_lanes)
{
  LoomTimelineState *state = loom_render_context_get_state (scene);
  g_return_val_if_fail (loom_timeline_state_get_timeline (state) != NULL, NULL);
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomMinimapData *overview = loom_timeline_state_get_overview (state);
  LoomPaintOptions options;
  init_options (scene, widget, &options);
  const LoomTimelineImage parts = { loom_render_context_get_list (scene),
                                    loom_render_context_get_ruler (scene),
                                    overview,
                                    header_px,
                                    &options,
                                    lanes,
                                    n_lanes };
  LoomViewSnapshot *picture = g_new0 (LoomViewSnapshot, 1);
  picture->width = ceil (header_px + view->width_px);
  picture->height = ceil (loom_timeline_image_get_height (&parts));
  picture->scale = options.device_scale;
  picture->surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA,
                                                     &(cairo_rectangle_t) { 0, 0, picture->width, picture->height });
  cairo_t *cr = cairo_create (picture->surface);
  loom_timeline_image_paint (cr, &parts);
  cairo_destroy (cr);
  return picture;
}

void
loom_view_snapshot_free (LoomViewSnapshot *picture)
{
  /* cairo 1.16 leaks a reference to the surface when the picture is written as SVG. Therefore finishes the surface, and
   * drops all references except that of `picture`; no other code holds a reference. */
  cairo_surface_finish (picture->surface);
  while (cairo_surface_get_reference_count (picture->surface) > 1)
    cairo_surface_destroy (picture->surface);
  cairo_surface_destroy (picture->surface);
  g_free (picture);
}

static void
paint (cairo_t *cr, double scale, gpointer user_data)
{
  const LoomViewSnapshot *picture = user_data;
  cairo_set_source_surface (cr, picture->surface, 0, 0);
  cairo_paint (cr);
}

gboolean
loom_view_snapshot_save (LoomViewSnapshot *picture, const char *path, GError **error)
{
  g_return_val_if_fail (picture != NULL && path != NULL, FALSE);
  return loom_image_file_write (path, picture->width, picture->height, picture->scale, paint, picture, error);
}

GdkTexture *
loom_view_snapshot_to_texture (LoomViewSnapshot *picture)
{
  g_return_val_if_fail (picture != NULL, NULL);
  int width = (int) ceil (picture->width * picture->scale), height = (int) ceil (picture->height * picture->scale);
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (image);
  cairo_scale (cr, picture->scale, picture->scale);
  paint (cr, picture->scale, picture);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  gsize stride = (gsize) cairo_image_surface_get_stride (image);
  g_autoptr (GBytes) pixels = g_bytes_new (cairo_image_surface_get_data (image), stride * (gsize) height);
  cairo_surface_destroy (image);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, pixels, stride);
}
