/* SPDX-License-Identifier: Apache-2.0
 *
 * The way from an element of a panel to the timeline. Main thread.
 */
#pragma once

#include "loom-events-panel.h"
#include "loom-findings.h"
#include "loom-view-animator.h"

G_BEGIN_DECLS

/* What an element speaks of is shown: the range, and the spans outlined or the stretches laid over it; a range with
 * neither is selected. The row of a device is marked, and scrolled to. */
void loom_panel_navigation_show (LoomViewAnimator *flight, const LoomNavigationTarget *place);
/* All marks of a finding in one range, their rows marked; a few spans are selected one by one. */
void loom_panel_navigation_show_finding (LoomViewAnimator *flight, const LoomFinding *finding);

/* Spans that are chosen in the table of events are shown, those that are activated fill the view. */
void loom_panel_navigation_follow_events (LoomViewAnimator *flight, LoomEventsPanel *panel);

G_END_DECLS
