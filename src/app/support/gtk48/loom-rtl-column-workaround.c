/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rtl-column-workaround.h"

#define SCROLLED_AWAY "loom-scrolled-away"
#define NEAR_PX 1.0

static double
start_of (GtkAdjustment *across)
{
  return gtk_adjustment_get_upper (across) - gtk_adjustment_get_page_size (across);
}

static gboolean
is_mirrored (GtkWidget *view)
{
  return gtk_widget_get_direction (view) == GTK_TEXT_DIR_RTL;
}

static void
room_changed (GtkWidget *view, GtkAdjustment *across)
{
  if (is_mirrored (view) && g_object_get_data (G_OBJECT (across), SCROLLED_AWAY) == NULL)
    gtk_adjustment_set_value (across, start_of (across));
}

static void
scrolled (GtkWidget *view, GtkAdjustment *across)
{
  gboolean away = gtk_adjustment_get_value (across) < start_of (across) - NEAR_PX;
  g_object_set_data (G_OBJECT (across), SCROLLED_AWAY, GINT_TO_POINTER (away));
}

static void
follow (GtkScrollable *view)
{
  GtkAdjustment *across = gtk_scrollable_get_hadjustment (view);
  if (across == NULL)
    return;
  g_signal_connect_object (across, "changed", G_CALLBACK (room_changed), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "value-changed", G_CALLBACK (scrolled), view, G_CONNECT_SWAPPED);
}

void
loom_rtl_column_workaround_keep (GtkColumnView *view)
{
  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));
  g_signal_connect (view, "notify::hadjustment", G_CALLBACK (follow), NULL);
  follow (GTK_SCROLLABLE (view));
}
