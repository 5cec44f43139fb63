/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-menu.h"

#include "loom-ellipsize.h"
#include "loom-flow-navigation.h"
#include "loom-run-details.h"
#include "loom-select-same-name.h"
#include "loom-timeline-description.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>

#define MAX_NAME_CHARS 40

/* Reads a span from the first two members (trace and span) of an action's parameter. Returns FALSE if the timeline does
 * not have this span, because another timeline was set after the menu was made. */
static gboolean
read_span (LoomTimelineState *state, GVariant *parameter, LoomSpanId *span)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  g_variant_get_child (parameter, 0, "u", &span->trace);
  g_variant_get_child (parameter, 1, "u", &span->span);
  LoomRun *run = timeline != NULL ? loom_timeline_get_run (timeline) : NULL;
  return run != NULL && loom_run_details_has_trace (run, span->trace) &&
         span->span < loom_trace_get_spans (loom_run_get_trace (run, span->trace))->n;
}

static LoomRange
range_of (LoomTimelineState *state, LoomSpanId span)
{
  LoomRange range;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &range.begin_ns, &range.end_ns);
  return range;
}

static void
zoom_activated (GSimpleAction *action, GVariant *parameter, gpointer flight)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId span;
  if (read_span (state, parameter, &span))
    loom_view_navigation_go_to_range (flight, range_of (state, span));
}

static void
select_range_activated (GSimpleAction *action, GVariant *parameter, gpointer flight)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId span;
  if (read_span (state, parameter, &span))
    loom_timeline_state_make_range (state, range_of (state, span));
}

static void
copy_name_activated (GSimpleAction *action, GVariant *parameter, gpointer flight)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId span;
  if (read_span (state, parameter, &span))
    gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()),
                            loom_timeline_description_name (state, span));
}

static void
follow_flow_activated (GSimpleAction *action, GVariant *parameter, gpointer flight)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomFlowNavigation walk = LOOM_FLOW_NAVIGATION_INIT;
  LoomSpanId span;
  gboolean forward;
  g_variant_get_child (parameter, 2, "b", &forward);
  if (!read_span (state, parameter, &span))
    return;
  span = loom_flow_navigation_follow (&walk, loom_timeline_state_get_timeline (state), span, forward);
  if (!loom_timeline_span_id_is_none (span))
    loom_view_navigation_go_to_span (flight, span);
}

static void
same_name_activated (GSimpleAction *action, GVariant *parameter, gpointer flight)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId span;
  gboolean all_tracks;
  g_variant_get_child (parameter, 2, "b", &all_tracks);
  if (read_span (state, parameter, &span))
    loom_select_same_name_select (state, span, all_tracks);
}

static const GActionEntry actions[] = {
  { "zoom", zoom_activated, "(uu)" },
  { "select-range", select_range_activated, "(uu)" },
  { "copy-name", copy_name_activated, "(uu)" },
  { "follow-flow", follow_flow_activated, "(uub)" },
  { "same-name", same_name_activated, "(uub)" },
};

void
loom_span_menu_install (GtkWidget *widget, LoomViewAnimator *flight)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), flight);
  gtk_widget_insert_action_group (widget, "span", G_ACTION_GROUP (group));
}

/* Appends an item to a menu. `target`: floating parameter of the action. `key`: keyboard shortcut that the item shows;
 * NULL: none. The shortcut runs the same action for the selected span. */
static void
append (GMenu *section, const char *label, const char *action, GVariant *target, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, action, target);
  if (key != NULL)
    g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (section, item);
}

static GVariant *
target_of (LoomSpanId span)
{
  return g_variant_new ("(uu)", span.trace, span.span);
}

static gboolean
has_flows (LoomTimeline *timeline, LoomSpanId span, gboolean forward)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flow_lines_next (timeline, span, forward, found);
  return found->len > 0;
}

void
loom_span_menu_append (GMenu *menu, LoomTimelineState *state, LoomSpanId span)
{
  g_return_if_fail (G_IS_MENU (menu) && !loom_timeline_span_id_is_none (span));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  LoomRange range = range_of (state, span);
  g_autoptr (GMenu) single = g_menu_new (), all = g_menu_new ();
  if (range.end_ns > range.begin_ns) {
    append (single, _ ("_Zoom to Span"), "span.zoom", target_of (span), "f");
    append (single, _ ("Select _Range of Span"), "span.select-range", target_of (span), "r");
  }
  append (single, _ ("_Copy Name"), "span.copy-name", target_of (span), NULL);
  for (int forward = 1; forward >= 0; forward--)
    if (has_flows (timeline, span, forward))
      append (single, forward ? _ ("_Follow Flow") : _ ("Follow Flow _Back"), "span.follow-flow",
              g_variant_new ("(uub)", span.trace, span.span, forward), forward ? "bracketright" : "bracketleft");
  append (all, _ ("Find _All With This Name"), "span.same-name", g_variant_new ("(uub)", span.trace, span.span, TRUE),
          NULL);
  append (all, _ ("Find All With This Name on This _Track"), "span.same-name",
          g_variant_new ("(uub)", span.trace, span.span, FALSE), NULL);
  g_autofree char *name = loom_ellipsize_middle (loom_timeline_description_name (state, span), MAX_NAME_CHARS);
  g_menu_append_section (menu, name, G_MENU_MODEL (single));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
}
