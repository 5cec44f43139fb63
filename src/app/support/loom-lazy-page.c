/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lazy-page.h"

struct _LoomLazyPage {
  GtkWidget parent;
  LoomLateMaker make;
  gpointer owner;
  gconstpointer data;
  GtkWidget *child; /* NULL until it is made */
};

G_DEFINE_FINAL_TYPE (LoomLazyPage, loom_lazy_page, GTK_TYPE_WIDGET)

GtkWidget *
loom_lazy_page_get (LoomLazyPage *self)
{
  g_return_val_if_fail (LOOM_IS_LAZY_PAGE (self), NULL);
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
  loom_lazy_page_get (LOOM_LAZY_PAGE (widget));
  GTK_WIDGET_CLASS (loom_lazy_page_parent_class)->map (widget);
}

static void
dispose (GObject *object)
{
  LoomLazyPage *self = LOOM_LAZY_PAGE (object);
  self->make = NULL;
  g_clear_pointer (&self->child, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_lazy_page_parent_class)->dispose (object);
}

static void
loom_lazy_page_class_init (LoomLazyPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->map = map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
loom_lazy_page_init (LoomLazyPage *self)
{
}

GtkWidget *
loom_lazy_page_new (LoomLateMaker make, gpointer owner, gconstpointer data)
{
  LoomLazyPage *self = g_object_new (LOOM_TYPE_LAZY_PAGE, NULL);
  self->make = make;
  self->owner = owner;
  self->data = data;
  return GTK_WIDGET (self);
}
