/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: folds the spans of a thread into cells. Between two cuts the self times of each name are added
 * up, and become one span; the spans of a cell follow one another from its start, and fit into it, because self times
 * don't overlap. So the time of each name is exact in every range that starts and ends at cuts, and no span is off by
 * more than its cell. Any thread.
 */
#pragma once

#include "loom-index-content.h"

/* Appends the cells of a track to `cells`. `kept`: a byte for each span of the trace, not 0 for spans that are kept as they
 * are; their starts and ends are cuts, and they are appended, too. `cuts`: gint64, local ns, ascending. The result is sorted
 * by time; a span comes after those that enclose it. O(spans · log). */
void loom_index_cells_fold (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, const GArray *cuts,
                            GArray *cells);

/* Appends the kept spans of a track only, or all of them if `kept` is NULL. */
void loom_index_cells_copy (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, GArray *cells);
