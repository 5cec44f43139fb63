/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-adaptive-paned.h"

#define WIDE_PX 860

/* Sets the orientation of the paned according to the size of the window. When the orientation changes, each child
 * gets half of the space. */
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

void
loom_adaptive_paned_follow (GtkPaned *paned, GtkWindow *window)
{
  int width_px, height_px;
  g_return_if_fail (GTK_IS_PANED (paned) && GTK_IS_WINDOW (window));
  gtk_window_get_default_size (window, &width_px, &height_px);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (paned), GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_position (paned, height_px / 2);
  follow (window, NULL, paned);
  g_signal_connect_object (window, "notify::default-width", G_CALLBACK (follow), paned, 0);
}
