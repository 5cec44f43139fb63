/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: compresses the spans of a thread for an index file. The caller passes times (cuts), which
 * divide the time of the thread into cells. In each cell, the self times of all spans with the same name are added up,
 * and stored as one span. The stored spans follow each other from the start of the cell. They fit into the cell,
 * because self times do not overlap. So the time of each name is exact in every range that starts and ends at cuts, and
 * no span is shifted by more than the length of its cell. Any thread.
 */
#pragma once

#include "loom-index-content.h"

/* Compresses the spans of a track, and appends the result to `cells`: kept spans unchanged and, for all other spans,
 * the sums of their self times between two successive cuts. `kept`: [span of the trace] not 0 for kept spans; their
 * starts and ends are also cuts. `cuts`: gint64, times on the trace's own clock, ascending. The result is sorted by
 * time; a span comes after the spans that enclose it. O(spans · log spans). */
void loom_index_cells_fold (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, const GArray *cuts,
                            GArray *cells);

/* Appends to `cells` those spans of a track for which `kept` is not 0 (`kept`: [span of the trace]), and skips all
 * other spans. If `kept` is NULL, appends all spans of the track. */
void loom_index_cells_copy (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, GArray *cells);
