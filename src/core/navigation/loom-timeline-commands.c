/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-timeline-commands.h: the function of each command.
 */
#include "loom-timeline-commands.h"

#include "loom-span-navigation.h"
#include "loom-view-navigation.h"
#include "loom-visible-spans.h"

#define CURSOR_PX 8 /* distance in px by which a key moves the cursor */
#define MARK_PX 6   /* maximum distance in px between the pointer and a mark at which a command applies to the mark */
#define PAGE 0.9    /* scroll distance of a page key, as a share of the height of the view */

static void
go_to (LoomViewAnimator *flight, LoomSpanId span)
{
  if (!loom_timeline_span_id_is_none (span))
    loom_view_navigation_go_to_span (flight, span);
}

static void
walk (LoomViewAnimator *flight, LoomSpanDirection direction)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  go_to (flight, loom_timeline_span_id_is_none (lead) ? loom_span_navigation_start (state)
                                                      : loom_span_navigation (state, lead, direction));
}

static void
walk_flows (LoomViewAnimator *flight, LoomFlowNavigation *flows, LoomTimelineCommand command)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  if (loom_timeline_span_id_is_none (lead))
    return;
  if (command == LOOM_TIMELINE_COMMAND_FLOW_BACK || command == LOOM_TIMELINE_COMMAND_FLOW_FORWARD)
    go_to (flight, loom_flow_navigation_follow (flows, timeline, lead, command == LOOM_TIMELINE_COMMAND_FLOW_FORWARD));
  else
    go_to (flight,
           loom_flow_navigation_choose (flows, timeline, lead, command == LOOM_TIMELINE_COMMAND_NEXT_FLOW ? 1 : -1));
}

/* --- marks and cursor --------------------------------------------------------------------------------------------- */

/* Adds a mark at a place, or removes the mark that is already there. The place is the first of these that exists: the
 * cursor, if keys have moved it; the start of the selected spans; both ends of the selected range; the pointer; the
 * middle of the view. `kept`: FALSE for a temporary mark, which is removed when the next temporary mark is set. */
static void
mark (LoomTimelineState *state, gboolean kept)
{
  LoomRange range;
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  gint64 time_ns = loom_timeline_state_get_pointer (state)->time_ns;
  gboolean has_range =
    !loom_timeline_state_get_pointer (state)->is_cursor && loom_timeline_state_get_selected_range (state, &range);
  if (has_range && loom_timeline_span_id_is_none (loom_timeline_state_get_lead (state))) {
    loom_timeline_state_toggle_marks_of_range (state, range, !kept);
    return;
  }
  if (has_range)
    time_ns = range.begin_ns;
  else if (time_ns == LOOM_TIME_NONE)
    time_ns = loom_viewport_time (view, view->width_px / 2);
  loom_timeline_state_toggle_mark (state, time_ns, !kept);
}

static gint64
near_ns (LoomTimelineState *state)
{
  return (gint64) (MARK_PX * loom_viewport_get_ns_per_px (loom_timeline_state_get_viewport (state)));
}

static void
remove_marks (LoomTimelineState *state)
{
  LoomRange range;
  gint64 at_ns = loom_timeline_state_get_pointer (state)->time_ns;
  if (loom_timeline_state_get_selected_range (state, &range))
    loom_timeline_state_remove_marks (state, range);
  else if (at_ns != LOOM_TIME_NONE)
    loom_timeline_state_remove_marks (state, (LoomRange) { at_ns - near_ns (state), at_ns + near_ns (state) });
}

const LoomMarker *
loom_timeline_commands_find_mark (LoomTimelineState *state)
{
  LoomRange range;
  gint64 at_ns = loom_timeline_state_get_pointer (state)->time_ns;
  const LoomMarker *found =
    at_ns != LOOM_TIME_NONE ? loom_timeline_state_find_mark (state, at_ns, near_ns (state)) : NULL;
  if (found == NULL && loom_timeline_state_get_selected_range (state, &range))
    found = loom_timeline_state_find_mark (state, range.begin_ns, near_ns (state));
  return found;
}

static void
move_cursor (LoomViewAnimator *flight, int step)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomViewport view = *loom_timeline_state_get_viewport (state);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 at_ns = loom_timeline_state_get_pointer (state)->time_ns;
  double x = at_ns != LOOM_TIME_NONE ? loom_viewport_x (&view, at_ns) + step * CURSOR_PX : view.width_px / 2;
  at_ns = CLAMP (loom_viewport_time (&view, x), extent.begin_ns, extent.end_ns);
  loom_viewport_reveal (&view, extent, (LoomRange) { at_ns, at_ns + 1 });
  loom_view_animator_stop (flight);
  loom_timeline_state_set_viewport (state, &view);
  loom_timeline_state_set_cursor (state, at_ns);
}

/* --- rows and ranges ---------------------------------------------------------------------------------------------- */

static void
toggle_pin (LoomTimelineState *state)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  guint row = loom_timeline_state_get_pointer (state)->row, strip;
  if (!loom_timeline_span_id_is_none (lead))
    loom_row_list_find_span (rows, lead, &row, &strip);
  if (row == G_MAXUINT)
    return;
  g_autofree char *key = g_strdup (loom_row_list_get_row (rows, row)->key);
  loom_row_list_set_pinned (rows, key, !loom_row_list_get_row (rows, row)->pinned);
  loom_timeline_state_rows_changed (state);
}

static void
select_all (LoomTimelineState *state)
{
  LoomVisibleBox box = loom_visible_spans_box_all (state);
  if (loom_row_list_leaves_out (loom_timeline_state_get_row_list (state)) && loom_visible_spans_count (state, &box) > 0)
    loom_visible_spans_select (state, &box, FALSE);
  else
    loom_timeline_state_select_range (state, loom_timeline_state_get_extent (state));
}

static void
select_range (LoomTimelineState *state)
{
  LoomRange range;
  if (loom_timeline_state_get_selected_range (state, &range) && range.end_ns > range.begin_ns)
    loom_timeline_state_make_range (state, range);
}

static void
scroll_by (LoomViewAnimator *flight, double heights_of_view, double heights_of_rows)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  double view_px = loom_timeline_state_get_viewport (state)->height_px,
         rows_px = loom_row_list_get_height (loom_timeline_state_get_row_list (state));
  loom_view_animator_scroll (flight, heights_of_view * view_px + heights_of_rows * rows_px);
}

void
loom_timeline_commands_run (LoomViewAnimator *flight, LoomFlowNavigation *flows, LoomTimelineCommand command)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  switch (command) {
  case LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN: walk (flight, LOOM_SPAN_DIRECTION_PREVIOUS); break;
  case LOOM_TIMELINE_COMMAND_NEXT_SPAN: walk (flight, LOOM_SPAN_DIRECTION_NEXT); break;
  case LOOM_TIMELINE_COMMAND_PARENT_SPAN: walk (flight, LOOM_SPAN_DIRECTION_PARENT); break;
  case LOOM_TIMELINE_COMMAND_CHILD_SPAN: walk (flight, LOOM_SPAN_DIRECTION_CHILD); break;
  case LOOM_TIMELINE_COMMAND_FLOW_BACK:
  case LOOM_TIMELINE_COMMAND_FLOW_FORWARD:
  case LOOM_TIMELINE_COMMAND_PREVIOUS_FLOW:
  case LOOM_TIMELINE_COMMAND_NEXT_FLOW: walk_flows (flight, flows, command); break;
  case LOOM_TIMELINE_COMMAND_FIT: loom_view_navigation_fit (flight); break;
  case LOOM_TIMELINE_COMMAND_FOCUS_SELECTION: loom_view_navigation_focus_selection (flight); break;
  case LOOM_TIMELINE_COMMAND_VIEW_BACK: loom_view_animator_step (flight, -1); break;
  case LOOM_TIMELINE_COMMAND_VIEW_FORWARD: loom_view_animator_step (flight, 1); break;
  case LOOM_TIMELINE_COMMAND_PAGE_UP: scroll_by (flight, -PAGE, 0); break;
  case LOOM_TIMELINE_COMMAND_PAGE_DOWN: scroll_by (flight, PAGE, 0); break;
  case LOOM_TIMELINE_COMMAND_TOP: scroll_by (flight, 0, -1); break;
  case LOOM_TIMELINE_COMMAND_BOTTOM: scroll_by (flight, 0, 1); break;
  case LOOM_TIMELINE_COMMAND_CURSOR_EARLIER: move_cursor (flight, -1); break;
  case LOOM_TIMELINE_COMMAND_CURSOR_LATER: move_cursor (flight, 1); break;
  case LOOM_TIMELINE_COMMAND_SELECT_ALL: select_all (state); break;
  case LOOM_TIMELINE_COMMAND_SELECT_RANGE: select_range (state); break;
  case LOOM_TIMELINE_COMMAND_MARK: mark (state, FALSE); break;
  case LOOM_TIMELINE_COMMAND_KEEP_MARK: mark (state, TRUE); break;
  case LOOM_TIMELINE_COMMAND_REMOVE_MARKS: remove_marks (state); break;
  case LOOM_TIMELINE_COMMAND_PIN: toggle_pin (state); break;
  case LOOM_TIMELINE_COMMAND_FOLD: loom_view_navigation_toggle_fold_at_pointer (flight); break;
  default: g_assert_not_reached ();
  }
}
