/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-card.h"

#define OFFSET_X 14
#define OFFSET_Y 18
#define MARGIN 6
#define MAX_CHARS 64

struct _LoomHoverCard {
  GtkWidget parent;
  GtkWidget *label;
  double x, y;
};

G_DEFINE_FINAL_TYPE (LoomHoverCard, loom_hover_card, GTK_TYPE_WIDGET)

static void
dispose (GObject *object)
{
  g_clear_pointer (&LOOM_HOVER_CARD (object)->label, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_hover_card_parent_class)->dispose (object);
}

static void
loom_hover_card_class_init (LoomHoverCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "hovercard");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_TOOLTIP);
}

static void
loom_hover_card_init (LoomHoverCard *self)
{
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->label), MAX_CHARS);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
loom_hover_card_new (void)
{
  return g_object_new (LOOM_TYPE_HOVER_CARD, NULL);
}

void
loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y)
{
  g_return_if_fail (LOOM_IS_HOVER_CARD (self));
  gtk_widget_set_visible (GTK_WIDGET (self), markup != NULL);
  if (markup == NULL)
    return;
  gtk_label_set_markup (GTK_LABEL (self->label), markup);
  if (self->x == x && self->y == y)
    return;
  self->x = x;
  self->y = y;
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  if (parent != NULL)
    gtk_widget_queue_allocate (parent);
}

/* Beside the pointer; on its other side where there is no room. */
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
