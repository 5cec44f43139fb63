/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: replaces the spans of a thread by cells, one between each two neighbouring cuts (given
 * times). In a cell the self times of each name are added up and become one span; the spans of a cell follow one
 * another from its start, and fit into it, because self times don't overlap. So the time of each name is exact in every
 * range that starts and ends at cuts, and no span is off by more than its cell. Any thread.
 */
#pragma once

#include "loom-index-content.h"

/* Appends to `cells` the kept spans of a track and, for the rest of its spans, the sums of their self times between
 * each two successive cuts. `kept`: [span of the trace] not 0 for spans that are kept unchanged; the starts and ends of
 * these spans are cuts, too. `cuts`: gint64, times on the trace's own clock, ascending. The result is sorted by time; a
 * span comes after those that enclose it. O(spans · log spans). */
void loom_index_cells_fold (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, const GArray *cuts,
                            GArray *cells);

/* Appends to `cells` only the kept spans of a track. If `kept` is NULL, appends all spans of the track. */
void loom_index_cells_copy (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, GArray *cells);
