/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-hover.h"

#define ITEM_KEY "loom-list-item"
#define CSS_CLASS "hovered"

typedef struct {
  GtkColumnView *view;
  LoomTableHovered hovered;
  gpointer owner;
  guint position; /* position of the last reported row under the pointer; G_MAXUINT if no row was under the pointer */
} Watch;

/* Returns the item of the first cell of a row; NULL if the widget is not a row or has no cells. */
static GtkListItem *
find_item (GtkWidget *widget)
{
  GtkListItem *item = g_object_get_data (G_OBJECT (widget), ITEM_KEY);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); item == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    item = find_item (child);
  return item;
}

static gboolean
is_row (GtkWidget *widget)
{
  return g_str_equal (gtk_widget_get_css_name (widget), "row");
}

static guint
position_of (GtkWidget *row)
{
  GtkListItem *item = find_item (row);
  return item != NULL ? gtk_list_item_get_position (item) : GTK_INVALID_LIST_POSITION;
}

static guint
position_at (GtkColumnView *view, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT);
  while (widget != NULL && widget != GTK_WIDGET (view) && !is_row (widget))
    widget = gtk_widget_get_parent (widget);
  return widget != NULL && widget != GTK_WIDGET (view) ? position_of (widget) : G_MAXUINT;
}

static void
report (Watch *watch, guint position)
{
  if (watch->position == position)
    return;
  watch->position = position;
  watch->hovered (watch->owner, position);
}

static void
moved (GtkEventController *motion, double x, double y, Watch *watch)
{
  report (watch, position_at (watch->view, x, y));
}

static void
left (GtkEventController *motion, Watch *watch)
{
  report (watch, G_MAXUINT);
}

void
loom_table_hover_watch (GtkColumnView *view, LoomTableHovered hovered, gpointer owner)
{
  const Watch watch = { view, hovered, owner, G_MAXUINT };
  Watch *kept = g_memdup2 (&watch, sizeof watch);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_object_set_data_full (G_OBJECT (motion), "loom-watch", kept, g_free);
  g_signal_connect (motion, "motion", G_CALLBACK (moved), kept);
  g_signal_connect (motion, "leave", G_CALLBACK (left), kept);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
}

static void
mark_position (GtkColumnView *view, guint position)
{
  GtkWidget *rows = gtk_widget_get_last_child (GTK_WIDGET (view));
  while (rows != NULL && !GTK_IS_LIST_VIEW (rows))
    rows = gtk_widget_get_prev_sibling (rows);
  for (GtkWidget *row = rows != NULL ? gtk_widget_get_first_child (rows) : NULL; row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    if (position != G_MAXUINT && position_of (row) == position)
      gtk_widget_add_css_class (row, CSS_CLASS);
    else
      gtk_widget_remove_css_class (row, CSS_CLASS);
  }
}

void
loom_table_hover_mark_row (GtkColumnView *view, LoomTableModel *model, guint row)
{
  guint n = row != G_MAXUINT ? loom_table_model_get_n_rows (model) : 0, position = 0;
  while (position < n && loom_table_model_get_row (model, position) != row)
    position++;
  mark_position (view, position < n ? position : G_MAXUINT);
}

void
loom_table_hover_set_item (GtkWidget *cell, GtkListItem *item)
{
  /* no reference is needed, because the item lives longer than the cell */
  g_object_set_data (G_OBJECT (cell), ITEM_KEY, item);
}
