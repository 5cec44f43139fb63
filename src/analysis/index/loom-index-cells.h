/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: compresses the spans of a thread for an index file. Given times (cuts) divide the time of
 * the thread into cells. In each cell, the self times of all spans with the same name are added up, and stored as one
 * span. These spans follow one another from the start of the cell; they fit into it, because self times do not overlap.
 * So the time of each name is exact in every range that starts and ends at cuts, and no span is shifted by more than
 * the length of its cell. Any thread.
 */
#pragma once

#include "loom-index-content.h"

/* Compresses the spans of a track, and appends the result to `cells`: the kept spans and, for all other spans, the sums
 * of their self times between each two successive cuts. `kept`: [span of the trace] not 0 for spans that are kept
 * unchanged; their starts and ends are also cuts. `cuts`: gint64, times on the trace's own clock, ascending. The result
 * is sorted by time; a span comes after the spans that enclose it. O(spans · log spans). */
void loom_index_cells_fold (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, const GArray *cuts,
                            GArray *cells);

/* Appends to `cells` only the kept spans of a track. If `kept` is NULL, appends all spans of the track. */
void loom_index_cells_copy (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, GArray *cells);
