/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-area.h"

typedef struct {
  LoomRenderContext *scene;
  int width, height; /* natural size in px; −1: the area has no natural size in this direction */
} LoomTimelineAreaPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LoomTimelineArea, loom_timeline_area, GTK_TYPE_WIDGET)

static const char *const redrawing_signals[] = {
  "view-changed", "rows-changed", "selection-changed", "overlay-changed", "facts-changed", "timeline-changed",
};

static LoomTimelineAreaPrivate *
private_of (gpointer area)
{
  return loom_timeline_area_get_instance_private (area);
}

/* Returns TRUE if GTK uses its software renderer, which draws a cairo node directly into the window. With other
 * renderers, the area is painted into a picture instead, because these renderers would record all strokes of a cairo
 * node, convert them to pixels, and upload the pixels. */
static gboolean
draws_with_cairo (GtkWidget *widget)
{
  GtkNative *native = gtk_widget_get_native (widget);
  return native != NULL && GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native));
}

static GdkTexture *
paint_picture (LoomTimelineArea *self, int width, int height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale, height * scale);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  LOOM_TIMELINE_AREA_GET_CLASS (self)->paint (self, cr, width, height);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes =
    g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (gsize) (height * scale),
                                (GDestroyNotify) cairo_surface_destroy, surface);
  return gdk_memory_texture_new (width * scale, height * scale, GDK_MEMORY_DEFAULT, bytes, stride);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *shot)
{
  LoomTimelineArea *self = LOOM_TIMELINE_AREA (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  if (width <= 0 || height <= 0 || private_of (self)->scene == NULL)
    return;
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
  if (draws_with_cairo (widget)) {
    cairo_t *cr = gtk_snapshot_append_cairo (shot, &all);
    LOOM_TIMELINE_AREA_GET_CLASS (self)->paint (self, cr, width, height);
    cairo_destroy (cr);
    return;
  }
  g_autoptr (GdkTexture) picture = paint_picture (self, width, height);
  gtk_snapshot_append_texture (shot, picture, &all);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  LoomTimelineAreaPrivate *priv = private_of (widget);
  int size = orientation == GTK_ORIENTATION_HORIZONTAL ? priv->width : priv->height;
  *minimum = *natural = MAX (size, 0);
}

static void
dispose (GObject *object)
{
  g_clear_object (&private_of (object)->scene);
  G_OBJECT_CLASS (loom_timeline_area_parent_class)->dispose (object);
}

static void
loom_timeline_area_class_init (LoomTimelineAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = snapshot;
  GTK_WIDGET_CLASS (klass)->measure = measure;
}

static void
loom_timeline_area_init (LoomTimelineArea *self)
{
  private_of (self)->width = private_of (self)->height = -1;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

void
loom_timeline_area_set_scene (LoomTimelineArea *self, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_TIMELINE_AREA (self) && private_of (self)->scene == NULL);
  private_of (self)->scene = g_object_ref (scene);
  LoomTimelineState *state = loom_render_context_get_state (scene);
  for (guint i = 0; i < G_N_ELEMENTS (redrawing_signals); i++)
    g_signal_connect_object (state, redrawing_signals[i], G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (scene, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

LoomRenderContext *
loom_timeline_area_get_scene (LoomTimelineArea *self)
{
  return private_of (self)->scene;
}

LoomTimelineState *
loom_timeline_area_get_state (LoomTimelineArea *self)
{
  return loom_render_context_get_state (private_of (self)->scene);
}

void
loom_timeline_area_set_natural_size (LoomTimelineArea *self, int width, int height)
{
  LoomTimelineAreaPrivate *priv = private_of (self);
  priv->width = width;
  priv->height = height;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
