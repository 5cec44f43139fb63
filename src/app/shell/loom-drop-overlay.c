/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-drop-overlay.h"

struct _LoomDropOverlay {
  GtkWidget parent;
  GtkWidget *revealer;
  GtkWidget *open;
  GtkWidget *add;
  gboolean can_add;
};

G_DEFINE_FINAL_TYPE (LoomDropOverlay, loom_drop_overlay, GTK_TYPE_WIDGET)

enum { DROPPED, SHOWN_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
dispose (GObject *object)
{
  g_clear_pointer (&LOOM_DROP_OVERLAY (object)->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_drop_overlay_parent_class)->dispose (object);
}

static void
loom_drop_overlay_class_init (LoomDropOverlayClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-drop-overlay.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomDropOverlay, revealer);
  gtk_widget_class_bind_template_child (widget_class, LoomDropOverlay, open);
  gtk_widget_class_bind_template_child (widget_class, LoomDropOverlay, add);
  signals[DROPPED] = g_signal_new ("dropped", LOOM_TYPE_DROP_OVERLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, GDK_TYPE_FILE_LIST, G_TYPE_BOOLEAN);
  signals[SHOWN_CHANGED] =
    g_signal_new ("shown-changed", LOOM_TYPE_DROP_OVERLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_drop_overlay_init (LoomDropOverlay *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static gboolean
means_add (LoomDropOverlay *self, double x)
{
  return self->can_add && x > gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
}

static void
mark (GtkWidget *place, gboolean here)
{
  if (here)
    gtk_widget_add_css_class (place, "here");
  else
    gtk_widget_remove_css_class (place, "here");
}

static void
show (LoomDropOverlay *self, gboolean shown)
{
  if (loom_drop_overlay_is_shown (self) == shown)
    return;
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), shown);
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
}

static GdkDragAction
moved (LoomDropOverlay *self, double x, double y)
{
  show (self, TRUE);
  mark (self->add, means_add (self, x));
  mark (self->open, !means_add (self, x));
  return GDK_ACTION_COPY;
}

static void
left (LoomDropOverlay *self)
{
  show (self, FALSE);
}

static gboolean
dropped (LoomDropOverlay *self, const GValue *value, double x, double y)
{
  left (self);
  GdkFileList *files = g_value_get_boxed (value);
  if (files == NULL)
    return FALSE;
  g_signal_emit (self, signals[DROPPED], 0, files, means_add (self, x));
  return TRUE;
}

void
loom_drop_overlay_watch (LoomDropOverlay *self, GtkWidget *window)
{
  g_return_if_fail (LOOM_IS_DROP_OVERLAY (self));
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (target, "enter", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "motion", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "leave", G_CALLBACK (left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (dropped), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (target));
}

gboolean
loom_drop_overlay_is_shown (LoomDropOverlay *self)
{
  return self->revealer != NULL && gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer));
}

void
loom_drop_overlay_set_can_add (LoomDropOverlay *self, gboolean can_add)
{
  g_return_if_fail (LOOM_IS_DROP_OVERLAY (self));
  self->can_add = can_add;
  gtk_widget_set_visible (self->add, can_add);
}
