/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-dialog-size.h"

#include "loom-system-font.h"

#define QUESTION_PX 300 /* default width of a message dialog in libadwaita, in px */
/* maximum share of the screen for a dialog; less than 1 because panels of the desktop cover the edges of the screen */
#define SHARE 0.92

/* Returns the geometry of the screen that shows the parent of the window. If no parent is visible, returns the
 * geometry of the first screen. */
static GdkRectangle
screen_of (GtkWindow *window)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
  GtkWindow *parent = gtk_window_get_transient_for (window);
  GdkSurface *surface = parent != NULL ? gtk_native_get_surface (GTK_NATIVE (parent)) : NULL;
  g_autoptr (GdkMonitor) first = g_list_model_get_item (gdk_display_get_monitors (display), 0);
  GdkMonitor *monitor = surface != NULL ? gdk_display_get_monitor_at_surface (display, surface) : first;
  GdkRectangle area = { 0, 0, G_MAXINT, G_MAXINT };
  if (monitor != NULL)
    gdk_monitor_get_geometry (monitor, &area);
  return area;
}

static int
scale (int px, double scaling, int screen)
{
  return px < 0 ? px : MIN ((int) (px * scaling), (int) (screen * SHARE));
}

void
loom_dialog_size_set (GtkWindow *window, int width, int height)
{
  double scaling;
  g_return_if_fail (GTK_IS_WINDOW (window));
  g_autofree char *family = loom_system_font_dup_family (GTK_WIDGET (window), &scaling);
  GdkRectangle screen = screen_of (window);
  scaling = MAX (scaling, 1);
  gtk_window_set_default_size (window, scale (width, scaling, screen.width), scale (height, scaling, screen.height));
}

void
loom_dialog_size_widen (GtkWindow *question)
{
  double scaling;
  g_return_if_fail (GTK_IS_WINDOW (question));
  g_autofree char *family = loom_system_font_dup_family (GTK_WIDGET (question), &scaling);
  if (scaling > 1)
    gtk_widget_set_size_request (GTK_WIDGET (question), scale (QUESTION_PX, scaling, screen_of (question).width), -1);
}
