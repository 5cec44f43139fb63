/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path of a range, prepared for drawing at any zoom: how long it runs through each row and track in a range of
 * time, and between which tracks and ranks it goes over. Costs at most two bars per pixel and row, and one link for each
 * LOOM_PATH_OVERLAY_STAY_PX pixels, however long the path is.
 *
 * A link leads from where the path leaves one track to where it arrives at the next one. Stays on a track that are too short
 * to see at a zoom are omitted, so that a link leads past them: of a path that changes between host and device in every
 * pixel, the links between ranks remain.
 *
 * Memory: about 100 bytes for each stretch of the path. Immutable when made; shared by reference. Any thread. Times are
 * timeline ns.
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-track-id.h"
#include "loom-viewport.h"

/* Stays that are narrower have no links. */
#define LOOM_PATH_OVERLAY_STAY_PX 4

typedef struct _LoomPathOverlay LoomPathOverlay;

/* A part of a row, or of a folded group, through which the path runs. x as in LoomDrawItem, not widened. */
typedef struct {
  float x0, x1;
  guint8 share; /* part of the time from x0 to x1, or of the pixel if that is wider, in 1/255: 1 … 255 */
} LoomPathBar;

typedef struct {
  LoomSpanId from, to;
  gint64 begin_ns, end_ns; /* when the path leaves `from`, and arrives at `to` */
  gboolean is_wide;        /* the times that the path stays on both sides are wide enough for an arrow's head */
} LoomPathLink;

/* `slack` is taken; NULL: unknown. `path` is only read. O(stretches · log). */
LoomPathOverlay *loom_path_overlay_new (LoomTimeline *timeline, const LoomCriticalPath *path, LoomPathSlack *slack);
/* Computes the critical path of a range and prepares it. NULL when cancelled, or if there is none: then sets `missing` to a
 * translated sentence that says why; static. The cost is that of the path without savings, see loom-critical-path.h. */
LoomPathOverlay *loom_path_overlay_new_of_range (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable,
                                                 const char **missing);
LoomPathOverlay *loom_path_overlay_ref (LoomPathOverlay *overlay);
void loom_path_overlay_unref (LoomPathOverlay *overlay); /* NULL: nothing happens */

LoomTimeline *loom_path_overlay_get_timeline (const LoomPathOverlay *overlay); /* borrowed */
LoomRange loom_path_overlay_get_range (const LoomPathOverlay *overlay);
/* The number of pieces of spans on the path. */
guint loom_path_overlay_get_n_pieces (const LoomPathOverlay *overlay);
/* The tracks of a rank that the path runs through, ascending; rank −1: those of all ranks, sorted by rank. Borrowed. O(log
 * tracks). */
typedef struct {
  LoomTrackId id;
  gint rank;
} LoomPathTrack;
const LoomPathTrack *loom_path_overlay_get_tracks (const LoomPathOverlay *overlay, gint rank, guint *n);

/* Returns how long the path runs through a span, ns. O(log pieces). */
gint64 loom_path_overlay_get_span_ns (const LoomPathOverlay *overlay, LoomSpanId span);
/* Describes the span: "1.2 ms of it are on the critical path", "1.2 ms longer, and the end would still come at the same time";
 * NULL if nothing is known. Translated. Owned by the caller. */
char *loom_path_overlay_dup_words (const LoomPathOverlay *overlay, LoomSpanId span);
/* Only the slack, for a table of properties; NULL: unknown. */
char *loom_path_overlay_dup_slack (const LoomPathOverlay *overlay, LoomSpanId span);

/* Appends the bars (LoomPathBar) of the spans first … first + n − 1 of a trace, which are one row. O(pixels · log pieces). */
void loom_path_overlay_add_row (const LoomPathOverlay *overlay, const LoomViewport *viewport, guint32 trace,
                                guint32 first, guint32 n, GArray *bars);
/* Adds how long the path runs through a track to the time of each cell of `cell_px` pixels. O(cells · log pieces). */
void loom_path_overlay_add_track (const LoomPathOverlay *overlay, const LoomViewport *viewport, LoomTrackId track,
                                  guint cell_px, guint n_cells, gint64 *cells_ns);
/* Appends the links (LoomPathLink) that touch the view, first those within ranks, then those between them. */
void loom_path_overlay_add_links (const LoomPathOverlay *overlay, const LoomViewport *viewport, GArray *links);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathOverlay, loom_path_overlay_unref)
