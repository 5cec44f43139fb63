/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-card.h"

#include "loom-template.h"

#define OFFSET_X 14
#define OFFSET_Y 18
#define MARGIN 6

struct _LoomHoverCard {
  GtkWidget parent;
  GtkLabel *label;
  double x, y;
};

G_DEFINE_FINAL_TYPE (LoomHoverCard, loom_hover_card, GTK_TYPE_WIDGET)

static void
dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), LOOM_TYPE_HOVER_CARD);
  G_OBJECT_CLASS (loom_hover_card_parent_class)->dispose (object);
}

static void
loom_hover_card_class_init (LoomHoverCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  loom_template_set (GTK_WIDGET_CLASS (klass), "loom-hover-card.ui");
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomHoverCard, label);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "hovercard");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_TOOLTIP);
}

static void
loom_hover_card_init (LoomHoverCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y)
{
  gtk_widget_set_visible (GTK_WIDGET (self), markup != NULL);
  if (markup == NULL)
    return;
  gtk_label_set_markup (self->label, markup);
  if (self->x == x && self->y == y)
    return;
  self->x = x;
  self->y = y;
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  if (parent != NULL)
    gtk_widget_queue_allocate (parent);
}

/* Returns a position beside the pointer, on its other side if there is no room. */
static int
place_along (double at, int offset, int size, int room)
{
  if (at + offset + size + MARGIN <= room)
    return (int) at + offset;
  if (at - offset - size >= MARGIN)
    return (int) at - offset - size;
  return MAX (room - size - MARGIN, MARGIN);
}

void
loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place)
{
  GtkRequisition size;
  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  place->width = MIN (size.width, MAX (width - 2 * MARGIN, 1));
  place->height = size.height;
  place->x = place_along (self->x, OFFSET_X, place->width, width);
  place->y = place_along (self->y, OFFSET_Y, place->height, height);
}
