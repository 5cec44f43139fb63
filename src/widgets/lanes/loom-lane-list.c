/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lane-list.h"

#include "loom-lane-row.h"

typedef struct {
  LoomTimelineView *view; /* the view that contains the list; borrowed */
  LoomQueryLanes *lanes;
} List;

static void
free_list (gpointer data)
{
  g_object_unref (((List *) data)->lanes);
  g_free (data);
}

static guint
count_rows (GtkWidget *box)
{
  guint n = 0;
  for (GtkWidget *row = gtk_widget_get_first_child (box); row != NULL; row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

/* Makes as many rows as there are lanes, and updates all of them. Row i always shows lane i, so rows are added and
 * removed only at the end of the list. */
static void
changed (GtkWidget *box)
{
  const List *list = g_object_get_data (G_OBJECT (box), "list");
  guint n = loom_query_lanes_get_n (list->lanes), n_rows = count_rows (box);
  for (; n_rows > n; n_rows--)
    gtk_box_remove (GTK_BOX (box), gtk_widget_get_last_child (box));
  for (GtkWidget *row = gtk_widget_get_first_child (box); row != NULL; row = gtk_widget_get_next_sibling (row))
    loom_lane_row_update (LOOM_LANE_ROW (row));
  for (; n_rows < n; n_rows++)
    gtk_box_append (GTK_BOX (box), loom_lane_row_new (list->lanes, n_rows, list->view));
  gtk_widget_set_visible (box, n > 0);
}

void
loom_lane_list_attach (LoomTimelineView *view, LoomQueryLanes *lanes)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  List *list = g_new (List, 1);
  *list = (List) { view, g_object_ref (lanes) };
  g_object_set_data_full (G_OBJECT (box), "list", list, free_list);
  loom_timeline_view_add_above (view, box);
  g_signal_connect_object (lanes, "changed", G_CALLBACK (changed), box, G_CONNECT_SWAPPED);
  changed (box);
}
