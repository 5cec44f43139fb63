/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lazy-page.h"

struct _LoomLazyPage {
  AdwBin parent;
  LoomLateMaker make;
  gpointer owner;
  gconstpointer data;
};

G_DEFINE_FINAL_TYPE (LoomLazyPage, loom_lazy_page, ADW_TYPE_BIN)

GtkWidget *
loom_lazy_page_get (LoomLazyPage *self)
{
  if (adw_bin_get_child (ADW_BIN (self)) == NULL && self->make != NULL)
    adw_bin_set_child (ADW_BIN (self), self->make (self->owner, self->data));
  return adw_bin_get_child (ADW_BIN (self));
}

/* Makes the content before the page is mapped, so that the first frame of the page shows the content. */
static void
map (GtkWidget *widget)
{
  loom_lazy_page_get (LOOM_LAZY_PAGE (widget));
  GTK_WIDGET_CLASS (loom_lazy_page_parent_class)->map (widget);
}

static void
dispose (GObject *object)
{
  LOOM_LAZY_PAGE (object)->make = NULL;
  G_OBJECT_CLASS (loom_lazy_page_parent_class)->dispose (object);
}

static void
loom_lazy_page_class_init (LoomLazyPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->map = map;
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
