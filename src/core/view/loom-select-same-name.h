/* SPDX-License-Identifier: Apache-2.0
 *
 * Selects all spans with the same name as a given span: in the row of this span, or on all tracks that are shown.
 */
#pragma once

#include "loom-timeline-state.h"

/* Selects the spans with the same name as `span`, whatever their category. If `all_tracks` is FALSE, these are the
 * spans in the row of `span`, else the spans in all shown tracks. Selects at most LOOM_SELECTED_MOST spans;
 * loom_timeline_state_get_n_wanted() then returns their number without this limit. `span` becomes the lead, which is
 * the span selected last. O(spans of the tracks). */
void loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks);
