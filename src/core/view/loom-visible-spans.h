/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans that rows show, in a box of time and rows or in all rows. Only drawn spans count. An unfolded row
 * shows its spans level by level; a folded group shows a preview of its rows. Spans of rows that are hidden, filtered
 * or inside a folded group do not count. Where a row shows a detail in place of its trace (loom-row-parts.h), the spans
 * of the detail count.
 */
#pragma once

#include "loom-timeline-state.h"

/* A part of the timeline: the time [begin, end), and the vertical ranges of pinned rows and of scrolled rows, in the
 * coordinates of LoomTimelineRow.y. A vertical range is empty if y1 ≤ y0. */
typedef struct {
  LoomRange range;
  double pinned_y0, pinned_y1;
  double y0, y1;
} LoomVisibleBox;

/* Returns a box that contains all rows and the whole time range. */
LoomVisibleBox loom_visible_spans_box_all (LoomTimelineState *state);

/* Selects the spans that touch the box; if `add` is TRUE, in addition to the present selection. The last of these
 * spans, in the order of traces and rows, counts as selected last (loom_timeline_state_get_lead()). Selects at most
 * LOOM_SELECTED_MOST spans; loom_timeline_state_get_n_wanted() then returns their number without this limit. If no span
 * touches the box, nothing changes. If there are few rows and spans, they are selected before the function returns.
 * Otherwise a worker collects them; they are selected when the worker has ended, unless the selection or the timeline
 * has changed meanwhile. O(rows · log spans + spans found). */
void loom_visible_spans_select (LoomTimelineState *state, const LoomVisibleBox *box, gboolean add);

/* Returns the number of spans that touch the box. Blocks, so it must be called only for boxes with few rows. */
guint64 loom_visible_spans_count (LoomTimelineState *state, const LoomVisibleBox *box);

/* Returns the tracks of the shown sources (LoomTrackId), from which the panels next to the timeline compute their
 * numbers and lists; NULL if all sources are shown. If `derived` is TRUE, includes tracks that aggregate other tracks.
 * Must be called on the main thread. Owned by the caller. */
GArray *loom_visible_spans_list_tracks (LoomTimelineState *state, gboolean derived);
