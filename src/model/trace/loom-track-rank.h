/* SPDX-License-Identifier: Apache-2.0
 *
 * Profilers write either a distributed rank or a process id into the member that becomes the rank of a track. This file
 * decides which of the two it is: by the format of the track's source (loom-rank-label.h), or because the track comes
 * from a merged file that states it. It also decides which tracks may belong to the same rank.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the rank of a track is a process id. `format`: format of the track's source. */
gboolean loom_track_rank_is_process (const LoomTrack *track, const char *format);

/* Returns TRUE if the track may belong to `rank`: the track has this rank, or its rank is unknown. If `rank` is −1, any
 * track may. */
gboolean loom_track_rank_may_be (const LoomTrack *track, gint rank);

/* Returns TRUE if `a` and `b` may belong to the same rank: their ranks are equal, or at least one of them is
 * unknown. */
gboolean loom_track_rank_may_match (const LoomTrack *a, const LoomTrack *b);

/* Returns the rank for display: "rank 3" or, if it is a process id, "process 88359"; translated; owned by the
 * caller. */
char *loom_track_rank_dup_words (const LoomTrack *track, const char *format);
