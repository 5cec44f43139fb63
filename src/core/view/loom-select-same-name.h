/* SPDX-License-Identifier: Apache-2.0
 *
 * All spans that are called like one of them: on its row of the window, or on all tracks that are shown.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* LoomSpanId in track order, at most LOOM_SELECTED_MOST, ending with `span` itself; owned. The text of the name counts,
 * not its category. `n_all` (may be NULL) takes how many there are. O(spans of the tracks). */
GArray *loom_select_same_name_collect (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks, guint64 *n_all);

/* Selects them; `span` leads. loom_timeline_state_get_n_wanted() tells how many there are. */
void loom_select_same_name_select (LoomTimelineState *state, LoomSpanId span, gboolean all_tracks);

G_END_DECLS
