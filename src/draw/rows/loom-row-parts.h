/* SPDX-License-Identifier: Apache-2.0
 *
 * Which spans a row shows: those of its tracks, except for the ranges in which a detail of the run (loom-run-details.h) is shown in
 * place of a track. Whatever draws, selects, counts or walks over the spans of a row asks here, so that it is the same spans.
 * One thread, the one that uses the row list.
 */
#pragma once

#include "loom-row-list.h"

/* A part of a row: a track, and the time range in which the row shows this track. */
typedef struct {
  LoomTrackId id;
  LoomRange range; /* timeline ns; G_MININT64 and G_MAXINT64 where the part has no limit */
  /* for the part of a track after a detail: end of the track's part before the detail. Spans that begin before this
   * time may touch both parts. For other parts, G_MININT64 */
  gint64 before_ns;
} LoomRowPart;

/* An iterator over the parts of a row; the parts of each trace are in the order of time. The members are private. */
typedef struct {
  const LoomRun *run;
  const LoomTimelineRow *row;
  guint track, detail;
  int phase;
} LoomRowParts;

/* Starts to iterate over the parts of `row`, which must stay valid. For a group, these are parts of the tracks from
 * which its lane is made. */
void loom_row_parts_init (LoomRowParts *parts, const LoomRun *run, const LoomTimelineRow *row);
/* Sets `part` to the next part. Returns FALSE if there is none. O(details of the row). */
gboolean loom_row_parts_next (LoomRowParts *parts, LoomRowPart *part);

/* Returns the parts (LoomRowPart) of all rows of the timeline, shown or not, sorted by trace and track. Owned by the caller.
 * O(tracks · log tracks). */
GArray *loom_row_parts_list_all (const LoomRowList *outline);

/* Finds the spans that touch both `range` (timeline ns) and the range of the part, among the spans of `row`, a row of
 * the part's track. Sets `first` and `end`: the spans have the indices from `first` to `end` − 1 in the trace. Skips
 * spans that also touch the part of the track before the detail. O(log spans). Any thread. */
void loom_row_part_find_spans (const LoomRowPart *part, const LoomTimeline *timeline, const LoomRow *row,
                               LoomRange range, guint32 *first, guint32 *end);
