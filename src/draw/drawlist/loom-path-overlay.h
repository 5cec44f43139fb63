/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path of a range of time, prepared for drawing at any zoom. The overlay states for how long the path runs
 * through each row and track, and where the path moves from one track or rank to another. Drawing takes at most two
 * bars per pixel and row, and one link for each LOOM_PATH_OVERLAY_STAY_PX pixels, however long the path is.
 *
 * A link leads from the point where the path leaves one track to the point where it arrives at the next one. A stay of
 * the path on a track is omitted if it is too short to be seen at the present zoom; one link then connects the tracks
 * before and after this stay. For example, if a path changes between host and device in every pixel, only its links
 * between ranks are drawn.
 *
 * Memory: about 100 bytes for each stretch of the path (loom-critical-path.h). Immutable when made, ref-counted, and
 * usable on any thread. Times are timeline ns.
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-track-id.h"
#include "loom-viewport.h"

/* A link is drawn only if the critical path stays for at least this many px on the track or rank where the link begins,
 * and also where it ends. */
#define LOOM_PATH_OVERLAY_STAY_PX 4

typedef struct _LoomPathOverlay LoomPathOverlay;

/* A segment of a row, or of the lane of a folded group, in which the critical path runs. x0 and x1 are in px as in
 * LoomDrawItem, but may be less than a pixel apart. */
typedef struct {
  float x0, x1;
  /* share of the time from x0 to x1 during which the critical path runs in the row, in 1/255, at least 1; for a bar
   * that is narrower than a pixel, the share of the whole pixel's time */
  guint8 share;
} LoomPathBar;

typedef struct {
  LoomSpanId from, to;
  gint64 begin_ns, end_ns; /* when the critical path leaves `from`, and when it arrives at `to`; timeline ns */
  /* TRUE if the critical path stays on both tracks so long that an arrowhead fits */
  gboolean is_wide;
} LoomPathLink;

/* Prepares a critical path to be drawn; `path` is only read. `slack`: the slack of spans, owned by the overlay from now
 * on; NULL: unknown. O(stretches · log stretches); a stretch is a segment of the path. */
LoomPathOverlay *loom_path_overlay_new (LoomTimeline *timeline, const LoomCriticalPath *path, LoomPathSlack *slack);
/* Computes the critical path of a range and prepares it to be drawn. Returns NULL when cancelled, or if there is no
 * path. If there is no path, sets `missing` to a translated sentence (static) that says why; otherwise sets `missing`
 * to NULL. The path is computed by loom_critical_path_new_stretches(), which computes only what is drawn. Nearly all
 * the time of this function is spent there. */
LoomPathOverlay *loom_path_overlay_new_of_range (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable,
                                                 const char **missing);
LoomPathOverlay *loom_path_overlay_ref (LoomPathOverlay *overlay);
void loom_path_overlay_unref (LoomPathOverlay *overlay); /* NULL: does nothing */

LoomTimeline *loom_path_overlay_get_timeline (const LoomPathOverlay *overlay); /* borrowed */
LoomRange loom_path_overlay_get_range (const LoomPathOverlay *overlay);
/* Returns the number of segments of the critical path that run through spans. */
guint loom_path_overlay_get_n_pieces (const LoomPathOverlay *overlay);

/* A track through which the critical path runs, and its rank. */
typedef struct {
  LoomTrackId id;
  gint rank;
} LoomPathTrack;

/* Returns the tracks of a rank through which the path runs, in ascending order; for rank −1, the tracks of all ranks,
 * sorted by rank. Borrowed. O(log tracks). */
const LoomPathTrack *loom_path_overlay_get_tracks (const LoomPathOverlay *overlay, gint rank, guint *n);

/* Returns for how many ns the critical path runs through a span. O(log segments of the path). */
gint64 loom_path_overlay_get_span_ns (const LoomPathOverlay *overlay, LoomSpanId span);
/* Describes for how long the critical path runs through the span, for example "on the critical path for 1.2 ms". If it
 * does not run through the span, describes the slack of the span: "not on the critical path, slack 3 ms". NULL if the
 * slack is unknown. Translated. Owned by the caller. */
char *loom_path_overlay_dup_words (const LoomPathOverlay *overlay, LoomSpanId span);
/* Returns the slack of the span (by how much its duration could grow without delaying the end of the path) as text for
 * a table of properties; NULL: unknown. Owned by the caller. */
char *loom_path_overlay_dup_slack (const LoomPathOverlay *overlay, LoomSpanId span);

/* Appends the bars (LoomPathBar) of the row that has the spans `first` … `first` + `n` − 1 of a trace. O(pixels · log
 * segments of the path). */
void loom_path_overlay_add_row (const LoomPathOverlay *overlay, const LoomViewport *viewport, guint32 trace,
                                guint32 first, guint32 n, GArray *bars);
/* Divides the view into `n_cells` cells, each `cell_px` px wide. Computes for each cell how long the critical path runs
 * on the track during the time that the cell shows. Adds this duration, in ns, to the cell's element of `cells_ns`.
 * O(cells · log segments of the path). */
void loom_path_overlay_add_track (const LoomPathOverlay *overlay, const LoomViewport *viewport, LoomTrackId track,
                                  guint cell_px, guint n_cells, gint64 *cells_ns);
/* Appends the links (LoomPathLink) that touch the view, first the links within ranks, then the links between ranks. */
void loom_path_overlay_add_links (const LoomPathOverlay *overlay, const LoomViewport *viewport, GArray *links);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathOverlay, loom_path_overlay_unref)
