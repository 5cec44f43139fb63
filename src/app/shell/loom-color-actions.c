/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions for the appearance of spans in the selected tab: what determines their colors, whether all arrows are drawn,
 * and whether utilization is drawn over spans.
 */
#include "loom-color-legend.h"
#include "loom-utilization-overlay.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
colors_changed (LoomWindow *self, GVariant *value)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (self->state);
  look.color_by = loom_span_color_mode_color_from_word (g_variant_get_string (value, NULL));
  loom_timeline_state_set_look (self->state, look);
}

static void
arrows_changed (LoomWindow *self, GVariant *value)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (self->state);
  look.all_flows = g_variant_get_boolean (value);
  loom_timeline_state_set_look (self->state, look);
}

/* Shows a toast that says that no row shows utilization, so that utilization cannot be drawn over the spans. The toast
 * links to the page of utilization, which can compute utilization from kernels. The state of the action stays “off”. */
static void
tell_nothing_to_draw (LoomWindow *self)
{
  const LoomToast toast = { _ ("No row shows utilization; the “Utilization” page computes it from kernels"),
                            _ ("_Show Page"), "win.show-page::utilization", 0 };
  loom_tab_show_toast (self->tab, "no-utilization", &toast);
}

static void
overlay_changed (LoomWindow *self, GVariant *value)
{
  gboolean on = g_variant_get_boolean (value);
  loom_utilization_overlay_set (self->state, on);
  if (on && !loom_utilization_overlay_are_on (self->state))
    tell_nothing_to_draw (self);
}

static void
color_legend_activated (LoomWindow *self)
{
  loom_color_legend_present (GTK_WINDOW (self), loom_run_page_get_scene (loom_window_get_run_view (self)));
}

static const LoomWindowAction actions[] = {
  { "color-legend", G_CALLBACK (color_legend_activated) },
  { "overlay-series", G_CALLBACK (overlay_changed), NULL, "false" },
  { "colors", G_CALLBACK (colors_changed), "s", "'name'" },
  { "arrows", G_CALLBACK (arrows_changed), NULL, "false" },
};

void
loom_window_add_look_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

/* Updates the states of the actions, because the appearance of spans may have changed, for example by restoring a
 * session. */
static void
look_changed (LoomWindow *self)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (self->state);
  loom_window_set_action_state (self, "colors", g_variant_new_string (loom_span_color_mode_color_word (look.color_by)));
  loom_window_set_action_state (self, "arrows", g_variant_new_boolean (look.all_flows));
  loom_window_set_action_state (self, "overlay-series",
                                g_variant_new_boolean (loom_utilization_overlay_are_on (self->state)));
}

void
loom_window_follow_look (LoomWindow *self)
{
  g_signal_connect_swapped (self->state, "rows-changed", G_CALLBACK (look_changed), self);
  look_changed (self);
}
