/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the target of an element of a panel on the timeline: selects and marks it, moves the view to it and shows the
 * timeline page. Each move is added to the history of views. The spans of a target must belong to the current timeline
 * of the run. Main thread only.
 */
#pragma once

#include "loom-findings.h"
#include "loom-navigation-target.h"
#include "loom-run-state.h"
#include "loom-track-id.h"

typedef enum {
  LOOM_RUN_NAVIGATION_DEFAULT = 0,
  /* The panels keep their range until the user selects something or moves the view; see
   * loom_analysis_context_keep_range(). */
  LOOM_RUN_NAVIGATION_KEEP_RANGE = 1 << 0,
  /* The panels stay on their visible page. */
  LOOM_RUN_NAVIGATION_KEEP_PAGE = 1 << 1,
} LoomRunNavigationFlags;

/* Selects the spans of the target; a single span is also brought into view, after unfolding its row. The range of the
 * target fills the view. Its parts are highlighted; a range without spans and parts is selected. The row of the node
 * or device is marked, and scrolled to. Repeated spans count once. O(spans + rows). */
void loom_run_navigation_show (LoomRunState *run, const LoomNavigationTarget *target, LoomRunNavigationFlags flags);
/* Shows the range of a finding with all spans that the rule found, and marks the rows of these spans. The panels keep
 * their range. The finding is borrowed. */
void loom_run_navigation_show_finding (LoomRunState *run, const LoomFinding *finding);
/* Shows a sample of a track without spans, such as a counter: selects the time in which the value holds, if that is
 * not empty, and brings the row and this time into view. `zooms`: this time fills the view. */
void loom_run_navigation_show_sample (LoomRunState *run, LoomTrackId track, LoomRange range, gboolean zooms,
                                      LoomRunNavigationFlags flags);
/* Selects spans (LoomSpanId, each once, the lead last) without moving the view, and keeps the range of the panels.
 * Takes ownership of the array. */
void loom_run_navigation_select (LoomRunState *run, GArray *spans);
