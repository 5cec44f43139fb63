/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-area.h"

typedef struct {
  LoomScene *scene;
  int width, height; /* natural */
} LoomAreaPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (LoomArea, loom_area, GTK_TYPE_WIDGET)

static const char *const redrawing_signals[] = {
  "view-changed", "rows-changed", "selection-changed", "overlay-changed", "facts-changed", "timeline-changed",
};

static LoomAreaPrivate *
private_of (gpointer area)
{
  return loom_area_get_instance_private (area);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *shot)
{
  LoomArea *self = LOOM_AREA (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  if (width <= 0 || height <= 0 || private_of (self)->scene == NULL)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (shot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  LOOM_AREA_GET_CLASS (self)->paint (self, cr, width, height);
  cairo_destroy (cr);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  LoomAreaPrivate *priv = private_of (widget);
  int size = orientation == GTK_ORIENTATION_HORIZONTAL ? priv->width : priv->height;
  *minimum = *natural = MAX (size, 0);
}

static void
dispose (GObject *object)
{
  LoomAreaPrivate *priv = private_of (object);
  if (priv->scene != NULL) {
    g_signal_handlers_disconnect_by_data (loom_scene_get_state (priv->scene), object);
    g_signal_handlers_disconnect_by_data (priv->scene, object);
  }
  g_clear_object (&priv->scene);
  G_OBJECT_CLASS (loom_area_parent_class)->dispose (object);
}

static void
loom_area_class_init (LoomAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = snapshot;
  GTK_WIDGET_CLASS (klass)->measure = measure;
}

static void
loom_area_init (LoomArea *self)
{
  private_of (self)->width = private_of (self)->height = -1;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

void
loom_area_set_scene (LoomArea *self, LoomScene *scene)
{
  g_return_if_fail (LOOM_IS_AREA (self) && private_of (self)->scene == NULL);
  private_of (self)->scene = g_object_ref (scene);
  LoomViewState *state = loom_scene_get_state (scene);
  for (guint i = 0; i < G_N_ELEMENTS (redrawing_signals); i++)
    g_signal_connect_swapped (state, redrawing_signals[i], G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (scene, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
}

LoomScene *
loom_area_get_scene (LoomArea *self)
{
  return private_of (self)->scene;
}

LoomViewState *
loom_area_get_state (LoomArea *self)
{
  return loom_scene_get_state (private_of (self)->scene);
}

void
loom_area_set_natural_size (LoomArea *self, int width, int height)
{
  LoomAreaPrivate *priv = private_of (self);
  priv->width = width;
  priv->height = height;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
