/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-press.h"

gboolean
loom_press_was_let_go (GtkGesture *gesture, guint button)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  if (event == NULL || gdk_event_get_event_type (event) != GDK_MOTION_NOTIFY || button < 1 || button > 5)
    return FALSE;
  return (gdk_event_get_modifier_state (event) & (GDK_BUTTON1_MASK << (button - 1))) == 0;
}
