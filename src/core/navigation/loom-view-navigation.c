/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-view-navigation.h: computes the target viewport of each move; the animator moves the view to it.
 */
#include "loom-view-navigation.h"

#define FOCUS_MARGIN 0.25 /* margin on each side, as a share of the length of the selection */
#define EDGE_MARGIN 32    /* the margin at an end of the run is 1 / 32 of the width of the view */

void
loom_view_navigation_fit (LoomViewAnimator *flight)
{
  LoomViewport target = loom_timeline_state_fitted (loom_view_animator_get_state (flight));
  loom_view_animator_jump (flight, &target);
}

/* Limits the empty space of a view. The view may contain at most 1 / EDGE_MARGIN of its length before the start of the
 * run, and as much after the end. Without this limit, a view that is centred on a range near an end of the run could be
 * empty for up to half of its width. */
static void
keep_in_run (LoomViewport *view, LoomRange extent)
{
  gint64 length_ns = loom_time_sub (view->end_ns, view->begin_ns), margin_ns = length_ns / EDGE_MARGIN;
  gint64 earliest_ns = loom_time_sub (extent.begin_ns, margin_ns), latest_ns = loom_time_add (extent.end_ns, margin_ns);
  if (length_ns > loom_time_sub (latest_ns, earliest_ns))
    return;
  gint64 begin_ns = CLAMP (view->begin_ns, earliest_ns, loom_time_sub (latest_ns, length_ns));
  view->begin_ns = begin_ns;
  view->end_ns = begin_ns + length_ns;
}

static LoomViewport
fit_range (LoomViewAnimator *flight, LoomRange range)
{
  LoomViewport view = loom_view_animator_get_target (flight);
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  LoomRange extent = loom_timeline_state_get_extent (loom_view_animator_get_state (flight));
  loom_viewport_fit_range (&view, extent, range, FOCUS_MARGIN);
  keep_in_run (&view, extent);
  return view;
}

void
loom_view_navigation_go_to_range (LoomViewAnimator *flight, LoomRange range)
{
  LoomViewport there = fit_range (flight, range);
  loom_view_animator_jump (flight, &there);
}

void
loom_view_navigation_focus_selection (LoomViewAnimator *flight)
{
  LoomRange range;
  if (!loom_timeline_state_get_selected_range (loom_view_animator_get_state (flight), &range)) {
    loom_view_navigation_fit (flight);
    return;
  }
  LoomViewport now = loom_view_animator_get_target (flight), there = fit_range (flight, range);
  if (there.begin_ns == now.begin_ns && there.end_ns == now.end_ns)
    loom_view_navigation_fit (flight);
  else
    loom_view_animator_jump (flight, &there);
}

/* Scrolls the view as little as possible so that the rows between the heights `top` and `bottom` are visible. `first`:
 * height of the top part of the view that is covered by the pinned rows, and by the header of the group at the top. All
 * heights are in px. */
static void
reveal_rows (const LoomRowList *rows, LoomViewport *view, double top, double bottom, double first)
{
  double up = first - top, down = bottom - view->height_px;
  double by = up > 0 ? -up : down > 0 ? MIN (down, top - first) : 0;
  loom_viewport_scroll (view, loom_row_list_get_height (rows), loom_row_list_get_pinned_height (rows), by);
}

/* Scrolls the view to the strip (level of nesting in a row) that shows the span. If the row is in a folded group, and
 * `groups` is TRUE, scrolls to the group instead. If the row is in a folded group, and `groups` is FALSE, does nothing.
 * Does nothing for spans in hidden rows. */
static void
reveal_row (LoomTimelineState *state, LoomViewport *view, LoomSpanId span, gboolean groups)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = G_MAXUINT, strip;
  gboolean found = loom_row_list_find_span (rows, span, &row, &strip);
  if (row == G_MAXUINT || (!found && !groups) || loom_row_list_get_row (rows, row)->pinned)
    return;
  double top = loom_row_list_row_top (rows, row, view->scroll_px) + (found ? strip * LOOM_STRIP_PX : 0);
  double height = found ? LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX : loom_row_list_get_row (rows, row)->height;
  reveal_rows (rows, view, top, top + height, loom_row_list_get_cover_of_row (rows, row));
}

/* Zooms in around `range` until the range is at least `least_px` wide. */
static void
widen (LoomViewport *view, LoomRange extent, LoomRange range, double least_px)
{
  double wanted_ns = (double) (range.end_ns - range.begin_ns) * view->width_px / MAX (least_px, 1);
  if (wanted_ns < 1 || wanted_ns >= (double) (view->end_ns - view->begin_ns))
    return;
  gint64 around_ns = (gint64) wanted_ns - (range.end_ns - range.begin_ns);
  range.begin_ns = loom_time_sub (range.begin_ns, around_ns / 2);
  range.end_ns = loom_time_add (range.end_ns, around_ns / 2);
  loom_viewport_fit_range (view, extent, range, 0);
  keep_in_run (view, extent);
}

/* Returns a viewport that shows the span, zoomed in so that the span is at least `least_px` wide. */
static LoomViewport
reveal_span (LoomViewAnimator *flight, LoomSpanId span, double least_px)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomViewport view = loom_view_animator_get_target (flight);
  LoomRange range;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &range.begin_ns, &range.end_ns);
  if (least_px > 0)
    widen (&view, loom_timeline_state_get_extent (state), range, least_px);
  loom_viewport_reveal (&view, loom_timeline_state_get_extent (state), range);
  reveal_row (state, &view, span, FALSE);
  return view;
}

void
loom_view_navigation_keep_lead (LoomViewAnimator *flight)
{
  g_return_if_fail (LOOM_IS_VIEW_ANIMATOR (flight));
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  if (loom_timeline_span_id_is_none (lead))
    return;
  LoomViewport there = loom_view_animator_get_target (flight);
  /* a running animation may have a target with the previous height of the view; use the present height */
  there.height_px = loom_timeline_state_get_viewport (state)->height_px;
  reveal_row (state, &there, lead, TRUE);
  if (loom_view_animator_is_moving (flight))
    loom_view_animator_go_to (flight, &there);
  else
    loom_view_animator_go_back (flight, &there);
}

void
loom_view_navigation_go_to_span (LoomViewAnimator *flight, LoomSpanId span)
{
  loom_view_navigation_go_to_visible_span (flight, span, 0);
}

void
loom_view_navigation_go_to_visible_span (LoomViewAnimator *flight, LoomSpanId span, double least_px)
{
  g_return_if_fail (LOOM_IS_VIEW_ANIMATOR (flight) && !loom_timeline_span_id_is_none (span));
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row, strip;
  if (!loom_row_list_find_span (rows, span, &row, &strip)) {
    loom_row_list_reveal_span (rows, span);
    loom_timeline_state_rows_changed (state);
  }
  loom_timeline_state_select_span (state, span, FALSE);
  LoomViewport there = reveal_span (flight, span, least_px);
  loom_view_animator_jump (flight, &there);
}

void
loom_view_navigation_go_to_sample (LoomViewAnimator *flight, LoomTrackId track, gint64 time_ns)
{
  g_return_if_fail (LOOM_IS_VIEW_ANIMATOR (flight));
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  LoomRange instant = { time_ns, loom_time_add (time_ns, 1) };
  guint row;
  if (!loom_row_list_find_track (rows, track, &row)) {
    loom_row_list_reveal_track (rows, track);
    loom_timeline_state_rows_changed (state);
  }
  LoomViewport view = loom_view_animator_get_target (flight);
  loom_viewport_reveal (&view, loom_timeline_state_get_extent (state), instant);
  if (loom_row_list_find_track (rows, track, &row) && !loom_row_list_get_row (rows, row)->pinned) {
    double top = loom_row_list_row_top (rows, row, view.scroll_px);
    reveal_rows (rows, &view, top, top + loom_row_list_get_row (rows, row)->height,
                 loom_row_list_get_cover_of_row (rows, row));
  }
  loom_view_animator_jump (flight, &view);
  loom_timeline_state_set_cursor (state, time_ns);
}

/* Returns the row with the key, after unfolding the groups around it; G_MAXUINT: no row has the key. */
static guint
unfold_to_row (LoomTimelineState *state, const char *key)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  if (loom_row_list_find (rows, key) == G_MAXUINT) {
    loom_row_list_reveal (rows, key);
    loom_timeline_state_rows_changed (state);
  }
  return loom_row_list_find (rows, key);
}

void
loom_view_navigation_reveal_row (LoomViewAnimator *flight, const char *key)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = unfold_to_row (state, key);
  if (row == G_MAXUINT || loom_row_list_get_row (rows, row)->pinned)
    return;
  LoomViewport view = loom_view_animator_get_target (flight);
  double top = loom_row_list_row_top (rows, row, view.scroll_px);
  reveal_rows (rows, &view, top, top + loom_row_list_get_row (rows, row)->height,
               loom_row_list_get_cover_of_row (rows, row));
  loom_view_animator_jump (flight, &view);
}

void
loom_view_navigation_go_to_row (LoomViewAnimator *flight, const char *key)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = unfold_to_row (state, key);
  if (row == G_MAXUINT)
    return;
  LoomViewport view = loom_view_animator_get_target (flight);
  double pinned = loom_row_list_get_pinned_height (rows), covered = loom_row_list_get_cover_of_row (rows, row) - pinned;
  if (loom_row_list_get_row (rows, row)->pinned)
    return;
  double to = loom_row_list_get_row (rows, row)->y - covered;
  loom_viewport_scroll (&view, loom_row_list_get_height (rows), pinned, to - view.scroll_px);
  loom_view_animator_jump (flight, &view);
}

/* Returns the row of the span that was selected last, or the folded group that contains that row; G_MAXUINT: nothing is
 * selected. */
static guint
row_of_lead (LoomTimelineState *state)
{
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  guint row = G_MAXUINT, strip;
  if (!loom_timeline_span_id_is_none (lead))
    loom_row_list_find_span (loom_timeline_state_get_row_list (state), lead, &row, &strip);
  return row;
}

/* Scrolls so that the rows of a group that was unfolded are visible. If the view is too low for all these rows, scrolls
 * the group to the top of the view. Without this call, a group that is unfolded at the bottom of the view would seem to
 * have a single row. */
static void
reveal_group (LoomViewAnimator *flight, const char *key)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = loom_row_list_find (rows, key), last = row;
  if (row == G_MAXUINT || loom_row_list_get_row (rows, row)->pinned)
    return;
  guint level = loom_row_list_get_row (rows, row)->level;
  while (last + 1 < loom_row_list_get_n_rows (rows) && loom_row_list_get_row (rows, last + 1)->level > level)
    last++;
  LoomViewport view = loom_view_animator_get_target (flight);
  double bottom = loom_row_list_row_top (rows, last, view.scroll_px) + loom_row_list_get_row (rows, last)->height;
  reveal_rows (rows, &view, loom_row_list_row_top (rows, row, view.scroll_px), bottom,
               loom_row_list_get_pinned_height (rows));
  loom_view_animator_jump (flight, &view);
}

gboolean
loom_view_navigation_toggle_fold (LoomViewAnimator *flight, const char *key)
{
  g_return_val_if_fail (LOOM_IS_VIEW_ANIMATOR (flight) && key != NULL, FALSE);
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = loom_row_list_find (rows, key);
  if (row == G_MAXUINT || !loom_row_list_get_row (rows, row)->foldable)
    return FALSE;
  gboolean folded = !loom_row_list_get_row (rows, row)->folded, leads = row_of_lead (state) == row;
  /* a copy, because `key` may belong to the row list, which frees its keys when it is laid out again */
  g_autofree char *copy = g_strdup (key);
  loom_row_list_set_folded (rows, copy, folded);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  if (!folded && leads)
    loom_row_list_reveal_span (rows, lead);
  loom_timeline_state_rows_changed (state);
  if (!folded && !leads)
    reveal_group (flight, copy);
  if (folded || !leads)
    return TRUE;
  LoomViewport there = reveal_span (flight, lead, 0);
  loom_view_animator_jump (flight, &there);
  return TRUE;
}

gboolean
loom_view_navigation_toggle_fold_at_pointer (LoomViewAnimator *flight)
{
  g_return_val_if_fail (LOOM_IS_VIEW_ANIMATOR (flight), FALSE);
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint row = loom_timeline_state_get_pointer (state)->row;
  if (row == G_MAXUINT || !loom_row_list_get_row (rows, row)->foldable)
    row = row_of_lead (state);
  return row != G_MAXUINT && loom_view_navigation_toggle_fold (flight, loom_row_list_get_row (rows, row)->key);
}
