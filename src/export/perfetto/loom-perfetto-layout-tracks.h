/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the tracks of a Perfetto trace. Writes the descriptor of a track before the first event of the
 * track in each part of the file (see loom-perfetto-stream.h).
 *
 * The descriptor of a process has labels with its rank, its node, and the format and path of the file that recorded it.
 * Spans on one track of a Perfetto trace must nest; they cannot overlap otherwise. Therefore each further lane (row) of
 * a thread becomes a track of its own below the thread. Each series of a counter becomes a Perfetto counter with a
 * common axis, below a track with the name of the counter. If a counter has only one series, and this is called "value"
 * or has no name, the series gets the name of the counter.
 *
 * The description of a track begins with "traceloom:" and lists flags, from which Traceloom restores the timeline when
 * it opens the file: "merged" for the root of all tracks, "lane" for a further lane, "nameless" for a series without a
 * name, and a word for each of the track's LoomTrackFlags ("device", "derived", …).
 */
#pragma once

#include "loom-export-private.h"
#include "loom-perfetto-stream.h"

typedef struct _LoomPerfettoLayoutTracks LoomPerfettoLayoutTracks;

LoomPerfettoLayoutTracks *loom_perfetto_layout_tracks_new (const LoomExport *merge, LoomPerfettoStream *stream);
void loom_perfetto_layout_tracks_free (LoomPerfettoLayoutTracks *self);

/* Sets the number of the part of the file (LoomPerfettoStream) that is being written. In each part, the tracks that are
 * used in it are described again. */
void loom_perfetto_layout_tracks_set_part (LoomPerfettoLayoutTracks *self, guint part);
guint loom_perfetto_layout_tracks_get_n (const LoomPerfettoLayoutTracks *self);

/* Each of the functions below returns the uuid of the track to which the caller adds an event. If the track or its
 * parents have not been described yet in this part of the file, writes their descriptors. */
guint64 loom_perfetto_layout_tracks_use_lane (LoomPerfettoLayoutTracks *self, const LoomMergeItem *item);
/* Returns the uuid for the thread of a trace's track. If the track belongs to no thread, returns the uuid for its
 * process. Returns 0 if the track belongs to neither a thread nor a process. */
guint64 loom_perfetto_layout_tracks_use_place (LoomPerfettoLayoutTracks *self, guint trace, guint track);
guint64 loom_perfetto_layout_tracks_use_series (LoomPerfettoLayoutTracks *self, guint trace, guint track,
                                                guint32 series);
/* Returns the uuid of the track for a thread without spans. `pid`, `tid`: the literals of the thread in the input
 * file. */
guint64 loom_perfetto_layout_tracks_use_stray (LoomPerfettoLayoutTracks *self, guint trace, const char *pid,
                                               const char *tid);
