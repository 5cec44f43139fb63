/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists which spans a row shows: the spans of its tracks, except in the ranges where a detail of the run
 * (loom-run-details.h) is shown in place of a track. All code that draws, selects, counts or visits the spans of a row
 * uses these functions, so that it finds the same spans. Used by one thread, the thread of the row list.
 */
#pragma once

#include "loom-row-list.h"

/* A part of a row: a track, and the time range in which the row shows this track. */
typedef struct {
  LoomTrackId id;
  LoomRange range; /* timeline ns; G_MININT64 or G_MAXINT64 at an end at which the part has no limit */
  /* if the row shows an earlier part of the same track and then a detail (loom-run-details.h) before this part: the end
   * of the earlier part, because a span that begins before this time may touch both parts; else G_MININT64 */
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
/* Sets `part` to the next part. Returns FALSE if there is none. O(details of the row, see loom-run-details.h). */
gboolean loom_row_parts_next (LoomRowParts *parts, LoomRowPart *part);

/* Returns the parts (LoomRowPart) of all rows of the timeline, shown or not, sorted by trace and track. Owned by the
 * caller. O(tracks · log tracks). */
GArray *loom_row_parts_list_all (const LoomRowList *outline);

/* Finds the spans that touch both `range` (timeline ns) and the range of the part, among the spans of `row`, a row of
 * the part's track. Sets `first` and `end`: the spans have the indices from `first` to `end` − 1 in the trace. If the
 * part comes after a detail (loom-run-details.h), skips spans that also touch the part of the track before the detail.
 * O(log spans). May be called on any thread. */
void loom_row_part_find_spans (const LoomRowPart *part, const LoomTimeline *timeline, const LoomRow *row,
                               LoomRange range, guint32 *first, guint32 *end);
