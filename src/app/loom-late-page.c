/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-late-page.h"

struct _LoomLatePage {
  GtkWidget parent;
  LoomLateMaker make;
  gpointer owner;
  gconstpointer data;
  GtkWidget *child; /* NULL until it is made */
};

G_DEFINE_FINAL_TYPE (LoomLatePage, loom_late_page, GTK_TYPE_WIDGET)

GtkWidget *
loom_late_page_get (LoomLatePage *self)
{
  g_return_val_if_fail (LOOM_IS_LATE_PAGE (self), NULL);
  if (self->child == NULL && self->make != NULL) {
    self->child = self->make (self->owner, self->data);
    gtk_widget_set_parent (self->child, GTK_WIDGET (self));
  }
  return self->child;
}

/* Before it is mapped, so that what is made is mapped with it. */
static void
map (GtkWidget *widget)
{
  loom_late_page_get (LOOM_LATE_PAGE (widget));
  GTK_WIDGET_CLASS (loom_late_page_parent_class)->map (widget);
}

static void
dispose (GObject *object)
{
  LoomLatePage *self = LOOM_LATE_PAGE (object);
  self->make = NULL;
  g_clear_pointer (&self->child, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_late_page_parent_class)->dispose (object);
}

static void
loom_late_page_class_init (LoomLatePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->map = map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
loom_late_page_init (LoomLatePage *self)
{
}

GtkWidget *
loom_late_page_new (LoomLateMaker make, gpointer owner, gconstpointer data)
{
  LoomLatePage *self = g_object_new (LOOM_TYPE_LATE_PAGE, NULL);
  self->make = make;
  self->owner = owner;
  self->data = data;
  return GTK_WIDGET (self);
}
