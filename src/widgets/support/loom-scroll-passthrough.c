/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scroll-passthrough.h"

#include <math.h>

static gboolean
can_move (GtkAdjustment *adjustment, double by)
{
  double value = gtk_adjustment_get_value (adjustment);
  double most = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  return by > 0 ? value < most : value > gtk_adjustment_get_lower (adjustment);
}

/* Returns the distance in px for one step of the wheel, as GTK computes it. */
static double
step_of (GtkAdjustment *adjustment)
{
  return pow (gtk_adjustment_get_page_size (adjustment), 2.0 / 3.0);
}

/* Returns the adjustment of the nearest scrolled window around the widget that can still scroll in the direction of
 * `by`; NULL if there is no such window. */
static GtkAdjustment *
find_outer (GtkWidget *widget, double by)
{
  while ((widget = gtk_widget_get_ancestor (gtk_widget_get_parent (widget), GTK_TYPE_SCROLLED_WINDOW)) != NULL) {
    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget));
    if (can_move (adjustment, by))
      return adjustment;
  }
  return NULL;
}

static gboolean
scrolled (GtkEventControllerScroll *controller, double dx, double dy, GtkScrolledWindow *inner)
{
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  if (dy == 0 || fabs (dx) > fabs (dy) || (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 ||
      can_move (gtk_scrolled_window_get_vadjustment (inner), dy))
    return GDK_EVENT_PROPAGATE;
  GtkAdjustment *adjustment = find_outer (GTK_WIDGET (inner), dy);
  if (adjustment == NULL)
    return GDK_EVENT_PROPAGATE;
  gboolean in_px = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  gtk_adjustment_set_value (adjustment,
                            gtk_adjustment_get_value (adjustment) + dy * (in_px ? 1 : step_of (adjustment)));
  return GDK_EVENT_STOP;
}

void
loom_scroll_passthrough_add (GtkScrolledWindow *inner)
{
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (inner));
  gtk_event_controller_set_name (wheel, "loom-wheel-pass");
  /* the capture phase comes before the scrolled window's own handler */
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect (wheel, "scroll", G_CALLBACK (scrolled), inner);
  gtk_widget_add_controller (GTK_WIDGET (inner), wheel);
}
