/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-card.h"

#include "loom-template.h"

#define OFFSET_X 14
#define OFFSET_Y 18
#define MARGIN 6
/* If the hovered span or lane is at most this high, in px, the card does not cover it. The card may cover a higher span
 * or lane, because otherwise the card would be too far from the pointer. */
#define MAX_LANE 80

#define N_POSITIONS 4
#define POINTER_COST 1e12
#define END_COST 1e8 /* cost of covering the end of an arrow with the card; higher than that of covering a span */

/* Possible positions of the card, the best one first: positions next to the pointer come before positions at the ends
 * of the area. `x` and `y` are indices into the lists that list_positions() makes for the two axes. */
static const struct {
  guint8 x, y;
} order[N_POSITIONS * N_POSITIONS] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 2, 0 }, { 3, 0 }, { 2, 1 }, { 3, 1 },
                                       { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 2 }, { 3, 2 }, { 2, 3 }, { 3, 3 } };

struct _LoomHoverCard {
  GtkWidget parent;
  GtkLabel *label;
  double x, y;
  GArray *avoided; /* GdkRectangle that the card should not cover; the first one is the hovered span */
};

G_DEFINE_FINAL_TYPE (LoomHoverCard, loom_hover_card, GTK_TYPE_WIDGET)

static void
dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), LOOM_TYPE_HOVER_CARD);
  G_OBJECT_CLASS (loom_hover_card_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_array_unref (LOOM_HOVER_CARD (object)->avoided);
  G_OBJECT_CLASS (loom_hover_card_parent_class)->finalize (object);
}

static void
loom_hover_card_class_init (LoomHoverCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  loom_template_set (GTK_WIDGET_CLASS (klass), "loom-hover-card.ui");
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomHoverCard, label);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "hovercard");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_TOOLTIP);
}

static void
loom_hover_card_init (LoomHoverCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->avoided = g_array_new (FALSE, FALSE, sizeof (GdkRectangle));
}

/* Returns TRUE while the window of the card has a modal dialog. GTK repeats the last motion event after a layout, even
 * while a dialog covers the pointer, so the card would otherwise appear beside the dialog. */
static gboolean
has_dialog (LoomHoverCard *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (gtk_window_get_modal (window) && gtk_window_get_transient_for (window) == (GtkWindow *) root &&
        gtk_widget_get_visible (GTK_WIDGET (window)))
      return TRUE;
  }
  return FALSE;
}

void
loom_hover_card_show (LoomHoverCard *self, const char *markup, double x, double y)
{
  gboolean is_shown = markup != NULL && !has_dialog (self);
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (!is_shown)
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

void
loom_hover_card_avoid (LoomHoverCard *self, const GdkRectangle *places, guint n)
{
  g_return_if_fail (LOOM_IS_HOVER_CARD (self));
  g_array_set_size (self->avoided, 0);
  if (n > 0)
    g_array_append_vals (self->avoided, places, n);
}

/* Lists the positions of the card along one axis, the best one first: next to the pointer, on the other side of the
 * pointer, and at both ends of the area. */
static void
list_positions (double at, int offset, int size, int room, int positions[N_POSITIONS])
{
  int last = MAX (room - size - MARGIN, MARGIN);
  positions[0] = (int) at + offset <= last ? (int) at + offset : last;
  positions[1] = MAX ((int) at - offset - size, MARGIN);
  positions[2] = MARGIN;
  positions[3] = last;
}

/* Changes the positions above and below the pointer (`ys`) so that the card does not cover the hovered span or lane
 * there. Does nothing if the span or lane is higher than MAX_LANE, because the card would then be far from the
 * pointer. */
static void
clear_hovered (LoomHoverCard *self, int size, int room, int ys[N_POSITIONS])
{
  const GdkRectangle *hovered = &g_array_index (self->avoided, GdkRectangle, 0);
  if (self->avoided->len == 0 || hovered->height > MAX_LANE)
    return;
  int below = hovered->y + hovered->height + MARGIN, above = hovered->y - MARGIN - size;
  if (below > ys[0] && below + size + MARGIN <= room)
    ys[0] = below;
  if (above < ys[1] && above >= MARGIN)
    ys[1] = above;
}

/* Returns the cost of a position of the card. Covering the pointer has the highest cost, then covering ends of arrows,
 * then covering the hovered span. */
static double
cost_of (LoomHoverCard *self, const GdkRectangle *place)
{
  GdkRectangle pointer = { (int) self->x - 2, (int) self->y - 2, 5, 5 }, shared;
  double cost = gdk_rectangle_intersect (place, &pointer, NULL) ? POINTER_COST : 0;
  for (guint i = 0; i < self->avoided->len; i++)
    if (gdk_rectangle_intersect (place, &g_array_index (self->avoided, GdkRectangle, i), &shared))
      cost += i == 0 ? (double) shared.width * shared.height : END_COST;
  return cost;
}

void
loom_hover_card_place (LoomHoverCard *self, int width, int height, GdkRectangle *place)
{
  GtkRequisition size;
  int xs[N_POSITIONS], ys[N_POSITIONS];
  double least = G_MAXDOUBLE;
  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  GdkRectangle there = { 0, 0, MIN (size.width, MAX (width - 2 * MARGIN, 1)), size.height };
  list_positions (self->x, OFFSET_X, there.width, width, xs);
  list_positions (self->y, OFFSET_Y, there.height, height, ys);
  clear_hovered (self, there.height, height, ys);
  for (guint i = 0; i < N_POSITIONS * N_POSITIONS; i++) {
    there.x = xs[order[i].x];
    there.y = ys[order[i].y];
    double cost = cost_of (self, &there);
    if (cost < least) {
      least = cost;
      *place = there;
    }
  }
}
