/* SPDX-License-Identifier: Apache-2.0
 *
 * All spans with the same name as a span: in its row, or on all tracks that are shown.
 */
#pragma once

#include "loom-timeline-state.h"

/* Selects these spans, at most LOOM_SELECTED_MOST; `span` is the lead. Compares the texts of names, not categories.
 * loom_timeline_state_get_n_wanted() returns their total number. O(spans of the tracks). */
void loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks);
