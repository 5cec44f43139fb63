/* SPDX-License-Identifier: Apache-2.0
 *
 * All spans with the same name as a span: in its row, or on all tracks that are shown.
 */
#pragma once

#include "loom-timeline-state.h"

/* LoomSpanId in track order, at most LOOM_SELECTED_MOST, with `span` itself last; owned by the caller. Compares the
 * texts of names, not categories. `n_all` (may be NULL) receives the total number. O(spans of the tracks). */
GArray *loom_select_same_name_collect (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks, guint64 *n_all);

/* Selects these spans; `span` is the lead. loom_timeline_state_get_n_wanted() returns their total number. */
void loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks);
