/* SPDX-License-Identifier: Apache-2.0
 *
 * The action that shows the launch queues of devices as a lane on the timeline of the selected tab. A launch queue is
 * the work that was launched, but has not begun. See loom-launch-queue-display.h.
 */
#include "loom-window-private.h"

static LoomLaunchQueueDisplay *
queue_of (LoomWindow *self)
{
  return loom_run_state_get_launch_queue (self->run);
}

static void
shown_changed (LoomWindow *self)
{
  loom_window_set_action_state (self, "launch-queue",
                                g_variant_new_boolean (loom_launch_queue_display_get_shown (queue_of (self))));
}

static void
possible_changed (LoomWindow *self)
{
  loom_window_enable_action (self, "launch-queue", loom_launch_queue_display_is_possible (queue_of (self)));
}

/* Called when the user toggles the action. Does not change the state of the action. The state is changed later, when
 * the lane of the launch queues has been added or removed. */
static void
launch_queue_changed (LoomWindow *self, GVariant *shown)
{
  loom_launch_queue_display_set_shown (queue_of (self), g_variant_get_boolean (shown));
}

static const LoomWindowAction actions[] = {
  { "launch-queue", G_CALLBACK (launch_queue_changed), NULL, "false" },
};

void
loom_window_add_lane_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

void
loom_window_add_lane_tab_actions (LoomWindow *self)
{
  g_signal_connect_swapped (queue_of (self), "notify::shown", G_CALLBACK (shown_changed), self);
  g_signal_connect_swapped (queue_of (self), "notify::possible", G_CALLBACK (possible_changed), self);
  shown_changed (self);
  possible_changed (self);
}

void
loom_window_drop_lane_tab_actions (LoomWindow *self)
{
  g_signal_handlers_disconnect_by_data (queue_of (self), self);
}
