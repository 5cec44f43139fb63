/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the view to a range, a span or a row. Moves are eased by the animator (immediate without a screen) and are entries of the
 * history of views. The view has a timeline. Main thread only.
 */
#pragma once

#include "loom-view-animator.h"

/* Shows the whole extent. */
void loom_view_navigation_fit (LoomViewAnimator *flight);
/* The selection fills the view, with a margin; everything does if the selection did already, or if nothing is selected. */
void loom_view_navigation_focus_selection (LoomViewAnimator *flight);
/* The range (timeline ns) fills the view, with a margin. An empty range counts as 1 ns. */
void loom_view_navigation_go_to_range (LoomViewAnimator *flight, LoomRange range);
/* Selects the span, unfolds the groups around it and brings it into view at the present zoom. */
void loom_view_navigation_go_to_span (LoomViewAnimator *flight, LoomSpanId span);
/* Scrolls a row to the top, after unfolding the groups around it. An unknown key does nothing. */
void loom_view_navigation_go_to_row (LoomViewAnimator *flight, const char *key);
/* Unfolds a folded row and folds another; FALSE if the row isn't shown or can't be folded. The row keeps its place in the
 * view; if the lead of the selection lies in it, unfolding shows the lead's own row. O(rows). */
gboolean loom_view_navigation_toggle_fold (LoomViewAnimator *flight, const char *key);
/* The same for the row under the pointer, else for the row that shows the lead of the selection. */
gboolean loom_view_navigation_toggle_fold_at_pointer (LoomViewAnimator *flight);
