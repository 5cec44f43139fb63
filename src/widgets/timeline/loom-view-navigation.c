/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the view is sent: to a range, a span, a row, and what of it has to be moved for that.
 */
#include "loom-timeline-view.h"

#define FOCUS_MARGIN 0.25 /* of the selection, on both sides of it */

static LoomTimelineState *
state_of (LoomTimelineView *self)
{
  return loom_timeline_view_get_state (self);
}

static LoomViewport
target_of (LoomTimelineView *self)
{
  return loom_view_animator_get_target (loom_timeline_view_get_flight (self));
}

void
loom_timeline_view_fit (LoomTimelineView *self)
{
  LoomViewport target = loom_timeline_state_fitted (state_of (self));
  loom_view_animator_jump (loom_timeline_view_get_flight (self), &target);
}

void
loom_timeline_view_go_to_range (LoomTimelineView *self, LoomRange range)
{
  LoomViewport target = target_of (self);
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  loom_viewport_fit_range (&target, loom_timeline_state_get_extent (state_of (self)), range, FOCUS_MARGIN);
  loom_view_animator_jump (loom_timeline_view_get_flight (self), &target);
}

void
loom_timeline_view_focus_selection (LoomTimelineView *self)
{
  LoomRange range;
  if (!loom_timeline_state_get_selected_range (state_of (self), &range)) {
    loom_timeline_view_fit (self);
    return;
  }
  LoomViewport now = target_of (self), there = now;
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  loom_viewport_fit_range (&there, loom_timeline_state_get_extent (state_of (self)), range, FOCUS_MARGIN);
  if (there.begin_ns == now.begin_ns && there.end_ns == now.end_ns)
    loom_timeline_view_fit (self);
  else
    loom_view_animator_jump (loom_timeline_view_get_flight (self), &there);
}

/* Scrolls as little as needed for [top, bottom] of a row's coordinates to be in the scrolled part of the view. */
static void
reveal_rows (LoomTimelineView *self, LoomViewport *view, double top, double bottom)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state_of (self));
  double first = loom_row_list_get_pinned_height (outline);
  double up = first - top, down = bottom - view->height_px;
  double by = up > 0 ? -up : down > 0 ? MIN (down, top - first) : 0;
  loom_viewport_scroll (view, loom_row_list_get_height (outline), first, by);
}

void
loom_timeline_view_go_to_span (LoomTimelineView *self, LoomSpanId span)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self) && !loom_timeline_span_id_is_none (span));
  LoomRowList *outline = loom_timeline_state_get_row_list (state_of (self));
  guint row, strip;
  if (!loom_row_list_find_span (outline, span, &row, &strip)) {
    loom_row_list_reveal_span (outline, span);
    loom_timeline_state_rows_changed (state_of (self));
  }
  loom_timeline_state_select_span (state_of (self), span, FALSE);
  LoomViewport view = target_of (self);
  LoomRange range;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state_of (self)), span, &range.begin_ns, &range.end_ns);
  loom_viewport_reveal (&view, loom_timeline_state_get_extent (state_of (self)), range);
  if (loom_row_list_find_span (outline, span, &row, &strip) && !loom_row_list_get_row (outline, row)->pinned) {
    double top = loom_row_list_row_top (outline, row, view.scroll_px) + strip * LOOM_STRIP_PX;
    reveal_rows (self, &view, top, top + LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX);
  }
  loom_view_animator_jump (loom_timeline_view_get_flight (self), &view);
}

void
loom_timeline_view_go_to_row (LoomTimelineView *self, const char *key)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state_of (self));
  if (loom_row_list_find (outline, key) == G_MAXUINT) {
    loom_row_list_reveal (outline, key);
    loom_timeline_state_rows_changed (state_of (self));
  }
  guint row = loom_row_list_find (outline, key);
  if (row == G_MAXUINT)
    return;
  LoomViewport view = target_of (self);
  double top = loom_row_list_row_top (outline, row, view.scroll_px);
  loom_viewport_scroll (&view, loom_row_list_get_height (outline), loom_row_list_get_pinned_height (outline),
                        top - loom_row_list_get_pinned_height (outline));
  loom_view_animator_jump (loom_timeline_view_get_flight (self), &view);
}
