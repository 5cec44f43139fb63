/* SPDX-License-Identifier: Apache-2.0
 *
 * The action that highlights the critical path on the timeline of the selected tab. If the run has no critical path,
 * the action shows the reason.
 */
#include "loom-window-private.h"

static LoomPathDisplay *
path_of (LoomWindow *self)
{
  return loom_run_state_get_path (self->run);
}

static void
missing_changed (LoomWindow *self)
{
  const char *missing = loom_path_display_get_missing (path_of (self));
  const LoomToast toast = { .title = missing };
  if (missing[0] != '\0')
    loom_tab_show_toast (self->tab, "no-critical-path", &toast);
}

void
loom_window_add_path_tab_actions (LoomWindow *self)
{
  g_autoptr (GPropertyAction) action = g_property_action_new ("critical-path", path_of (self), "shown");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  g_signal_connect_swapped (path_of (self), "notify::missing", G_CALLBACK (missing_changed), self);
}

void
loom_window_drop_path_tab_actions (LoomWindow *self)
{
  g_signal_handlers_disconnect_by_data (path_of (self), self);
  g_action_map_remove_action (G_ACTION_MAP (self), "critical-path");
}
