/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-click-workaround.h"

void
loom_click_workaround_begin (LoomClickWorkaround *press, GtkGesture *gesture, double x, double y)
{
  *press = (LoomClickWorkaround) { gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)), x, y };
}

gboolean
loom_click_workaround_was_let_go (const LoomClickWorkaround *press, GtkGesture *gesture)
{
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  if (event == NULL || gdk_event_get_event_type (event) != GDK_MOTION_NOTIFY || press->button < 1 || press->button > 5)
    return FALSE;
  return (gdk_event_get_modifier_state (event) & (GDK_BUTTON1_MASK << (press->button - 1))) == 0;
}
