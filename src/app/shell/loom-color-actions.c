/* SPDX-License-Identifier: Apache-2.0
 *
 * What spans look like in the tab that shows: what their colours stand for, whether all arrows are drawn, and utilization over
 * them.
 */
#include "loom-utilization-overlay.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
colors_changed (GSimpleAction *action, GVariant *value, gpointer window)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (LOOM_WINDOW (window)->state);
  look.color_by = loom_span_color_mode_color_from_word (g_variant_get_string (value, NULL));
  loom_timeline_state_set_look (LOOM_WINDOW (window)->state, look);
}

static void
arrows_changed (GSimpleAction *action, GVariant *value, gpointer window)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (LOOM_WINDOW (window)->state);
  look.all_flows = g_variant_get_boolean (value);
  loom_timeline_state_set_look (LOOM_WINDOW (window)->state, look);
}

/* If no row shows utilization, a panel may still compute it; then there is nothing to draw and the action stays
 * disabled. */
static void
tell_nothing_to_draw (LoomWindow *self)
{
  const LoomToast toast = { _ ("No row shows utilization; the panel Utilization computes it from kernels"), _ ("_Show"),
                            "win.show-page::utilization", 0 };
  loom_tab_show_toast (self->tab, "no-utilization", &toast);
}

static void
overlay_changed (GSimpleAction *action, GVariant *value, gpointer window)
{
  LoomWindow *self = window;
  gboolean on = g_variant_get_boolean (value);
  loom_utilization_overlay_set (self->state, on);
  if (on && !loom_utilization_overlay_are_on (self->state))
    tell_nothing_to_draw (self);
}

static const GActionEntry actions[] = {
  { "overlay-series", NULL, NULL, "false", overlay_changed },
  { "colors", NULL, "s", "'name'", colors_changed },
  { "arrows", NULL, NULL, "false", arrows_changed },
};

void
loom_window_add_look_actions (LoomWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

static void
show_state (LoomWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

/* A restored session changes the colors, so the states of the actions are updated. */
static void
look_changed (LoomWindow *self)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (self->state);
  show_state (self, "colors", g_variant_new_string (loom_span_color_mode_color_word (look.color_by)));
  show_state (self, "arrows", g_variant_new_boolean (look.all_flows));
  show_state (self, "overlay-series", g_variant_new_boolean (loom_utilization_overlay_are_on (self->state)));
}

void
loom_window_follow_look (LoomWindow *self)
{
  g_signal_connect_swapped (self->state, "rows-changed", G_CALLBACK (look_changed), self);
  look_changed (self);
}
