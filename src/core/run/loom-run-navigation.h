/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows on the timeline the spans, ranges and rows to which an element of a panel refers (its LoomNavigationTarget).
 * Selects and marks them, moves the view there and shows the timeline page. Each move is added to the history of views.
 * The spans of a target must belong to the current timeline of the run. Main thread only.
 */
#pragma once

#include "loom-findings.h"
#include "loom-navigation-target.h"
#include "loom-run-state.h"
#include "loom-track-id.h"

typedef enum {
  LOOM_RUN_NAVIGATION_DEFAULT = 0,
  /* The panels keep the range whose data they show, until the user selects something or moves the view; see
   * loom_analysis_context_keep_range(). */
  LOOM_RUN_NAVIGATION_KEEP_RANGE = 1 << 0,
  /* The page that is visible in the panels does not change. */
  LOOM_RUN_NAVIGATION_KEEP_PAGE = 1 << 1,
} LoomRunNavigationFlags;

/* Shows the target. Its range fills the view, and its spans are selected, each once; if target->same_name is TRUE, all
 * spans with the name of its first span are selected. For a single span, unfolds its row and scrolls to it. Highlights
 * the parts of the range (its time intervals). If the target has neither spans nor parts, selects the range. Marks the
 * row of the node or device, and scrolls to this row. O(spans + rows). */
void loom_run_navigation_show (LoomRunState *run, const LoomNavigationTarget *target, LoomRunNavigationFlags flags);
/* Selects the range of a finding and all spans that the rule found; the longest span is selected last, so that its
 * details are shown. Marks the rows of these spans. A finding about a rank for which other ranks wait is shown in
 * another way: all ranks are folded, the range (the step in which the rank is slowest) is selected, and the row of the
 * rank is marked. The panels keep the range whose data they show. The finding is borrowed. */
void loom_run_navigation_show_finding (LoomRunState *run, const LoomFinding *finding);
/* Shows a sample of a track without spans, such as a counter. Selects the time during which the value of the sample
 * holds, unless this time is empty. Brings the row and the time into view. `zooms`: TRUE if the time is to fill the
 * view. */
void loom_run_navigation_show_sample (LoomRunState *run, LoomTrackId track, LoomRange range, gboolean zooms,
                                      LoomRunNavigationFlags flags);
/* Marks the row of the rank or device that contains a span, and scrolls to this row. Does not change the visible time
 * range or the selection. */
void loom_run_navigation_show_group (LoomRunState *run, LoomSpanId span);
/* Selects spans without moving the view. The panels keep the range whose data they show. `spans`: LoomSpanId, each
 * once; keyboard navigation continues from the last span of the array. Takes ownership of the array. */
void loom_run_navigation_select (LoomRunState *run, GArray *spans);
