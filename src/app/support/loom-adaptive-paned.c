/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-adaptive-paned.h"

#define WIDE_PX 860

/* Each gets its half when they change places. */
static void
follow (GtkWindow *window, GParamSpec *pspec, GtkPaned *paned)
{
  int width_px, height_px;
  gtk_window_get_default_size (window, &width_px, &height_px);
  GtkOrientation wanted = width_px >= WIDE_PX ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == wanted)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (paned), wanted);
  gtk_paned_set_position (paned, (wanted == GTK_ORIENTATION_HORIZONTAL ? width_px : height_px) / 2);
}

GtkWidget *
loom_adaptive_paned_new (GtkWindow *window, GtkWidget *first, GtkWidget *second)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  int width_px, height_px;
  gtk_window_get_default_size (window, &width_px, &height_px);
  gtk_paned_set_start_child (GTK_PANED (paned), first);
  gtk_paned_set_end_child (GTK_PANED (paned), second);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), height_px / 2);
  gtk_widget_set_vexpand (paned, TRUE);
  follow (window, NULL, GTK_PANED (paned));
  g_signal_connect_object (window, "notify::default-width", G_CALLBACK (follow), paned, 0);
  return paned;
}
