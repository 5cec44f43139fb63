/* SPDX-License-Identifier: Apache-2.0
 *
 * The spans that rows show, within a box of time and rows or in all of them. What is drawn counts: the depth rows that have
 * a strip, and of a folded group those its picture is made of; what is folded away, hidden or filtered out does not.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* Time [begin, end), and heights of pinned rows and of those that scroll, as LoomTimelineRow.y has them: empty where y1 ≤ y0. */
typedef struct {
  LoomRange range;
  double pinned_y0, pinned_y1;
  double y0, y1;
} LoomVisibleBox;

/* All rows, and all the time there is. */
LoomVisibleBox loom_visible_spans_box_all (LoomTimelineState *state);

/* Selects the spans that touch the box, with what is selected already when `add`; the last of them, by trace, then depth row,
 * leads. As many as LOOM_SELECTED_MOST; loom_timeline_state_get_n_wanted() tells how many there are. Where none touches it nothing
 * changes. Few are selected at once, many are gathered by a worker and selected later, unless something else is selected or
 * opened meanwhile. O(rows · log spans + spans found). */
void loom_visible_spans_select (LoomTimelineState *state, const LoomVisibleBox *box, gboolean add);

/* How many there are; for few rows. */
guint64 loom_visible_spans_count (LoomTimelineState *state, const LoomVisibleBox *box);

G_END_DECLS
