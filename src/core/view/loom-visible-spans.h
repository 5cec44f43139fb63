/* SPDX-License-Identifier: Apache-2.0
 *
 * The spans that rows show, in a box of time and rows or in all rows. Only drawn spans count: those of depth rows with
 * a strip, and for a folded group those of its preview; spans of folded, hidden or filtered rows don't.
 */
#pragma once

#include "loom-timeline-state.h"

/* Time [begin, end), and vertical ranges of pinned and of scrolled rows, in the coordinates of LoomTimelineRow.y; empty
 * if y1 ≤ y0. */
typedef struct {
  LoomRange range;
  double pinned_y0, pinned_y1;
  double y0, y1;
} LoomVisibleBox;

/* Returns a box with all rows and the whole time range. */
LoomVisibleBox loom_visible_spans_box_all (LoomTimelineState *state);

/* Selects the spans that touch the box, in addition to the selection if `add`; the last span, by trace and depth row,
 * becomes the lead. Selects at most LOOM_SELECTED_MOST; loom_timeline_state_get_n_wanted() returns the total number.
 * If no span touches the box, nothing changes. Few spans are selected before the function returns. Otherwise a worker
 * collects the spans, and they are selected later unless the selection or the timeline changes meanwhile. O(rows · log
 * spans + spans found). */
void loom_visible_spans_select (LoomTimelineState *state, const LoomVisibleBox *box, gboolean add);

/* Returns the number of spans that touch the box. Only for few rows, because it blocks. */
guint64 loom_visible_spans_count (LoomTimelineState *state, const LoomVisibleBox *box);

/* Returns the tracks of the shown sources (LoomTrackId), for numbers and lists next to the timeline; owned by the
 * caller. NULL if all sources are shown. Includes tracks that aggregate other tracks only if `derived`. Called on the
 * main thread. */
GArray *loom_visible_spans_list_tracks (LoomTimelineState *state, gboolean derived);
