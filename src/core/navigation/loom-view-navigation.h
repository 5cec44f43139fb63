/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the view to a range, a span or a row. A LoomViewAnimator animates the moves; if no widget shows the view, it
 * moves at once. Each move is added to the history of views. The view must have a timeline. Main thread only.
 */
#pragma once

#include "loom-view-animator.h"

/* Shows the whole extent of the timeline. */
void loom_view_navigation_fit (LoomViewAnimator *flight);
/* Makes the selection fill the view, with a margin. Shows the whole extent if nothing is selected, or if the selection
 * already fills the view. */
void loom_view_navigation_focus_selection (LoomViewAnimator *flight);
/* Makes the range (timeline ns) fill the view, with a margin. An empty range counts as 1 ns. */
void loom_view_navigation_go_to_range (LoomViewAnimator *flight, LoomRange range);
/* Selects the span, unfolds the groups around it and brings it into view at the present zoom. */
void loom_view_navigation_go_to_span (LoomViewAnimator *flight, LoomSpanId span);
/* Like loom_view_navigation_go_to_span(), but also zooms in until the span is at least `least_px` wide. Does not zoom
 * for an instant, which has no width. */
void loom_view_navigation_go_to_visible_span (LoomViewAnimator *flight, LoomSpanId span, double least_px);
/* Scrolls the rows as little as possible so that the span selected last is visible. Must be called when the height of
 * the area for rows has decreased. The time range of the view does not change, and no undo step is made. Does nothing
 * if no span is selected. */
void loom_view_navigation_keep_lead (LoomViewAnimator *flight);
/* Unfolds the groups around the row of a track, and brings the row and an instant into view at the present zoom. Moves
 * the cursor there, so that counters show their values at that time. */
void loom_view_navigation_go_to_sample (LoomViewAnimator *flight, LoomTrackId track, gint64 time_ns);
/* Scrolls a row to the top, after unfolding the groups around it. Does nothing if no row has this key. */
void loom_view_navigation_go_to_row (LoomViewAnimator *flight, const char *key);
/* Scrolls the rows as little as possible so that a row is visible, after unfolding the groups around it. Does nothing
 * if no row has this key. */
void loom_view_navigation_reveal_row (LoomViewAnimator *flight, const char *key);
/* Unfolds a folded row or folds an unfolded one. Returns FALSE if the row is not shown or cannot be folded. The row
 * keeps its position in the view. If the row is a group that hides the span selected last, unfolding scrolls to the row
 * of that span. O(rows). */
gboolean loom_view_navigation_toggle_fold (LoomViewAnimator *flight, const char *key);
/* Like loom_view_navigation_toggle_fold(), for the row under the pointer; if the pointer is not above a row, for the
 * row that shows the span selected last. */
gboolean loom_view_navigation_toggle_fold_at_pointer (LoomViewAnimator *flight);
