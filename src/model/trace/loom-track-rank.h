/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines whether the rank of a track is a distributed rank or a process id, because some profilers write a process
 * id in place of the rank. This is found from the format of the track's source (loom-rank-label.h); a merged file
 * states it for each track. Also determines which tracks may belong to the same rank.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the rank of a track is a process id. `format`: format of the track's source. */
gboolean loom_track_rank_is_process (const LoomTrack *track, const char *format);

/* Returns TRUE if the rank of a track of `trace` is a process id and equals `rank`. O(tracks). */
gboolean loom_track_rank_is_process_of (const LoomTrace *trace, gint rank);

/* Returns TRUE if the track may belong to `rank`: the track has this rank, or its rank is unknown. If `rank` is −1,
 * returns TRUE for every track. */
gboolean loom_track_rank_may_be (const LoomTrack *track, gint rank);

/* Returns TRUE if `a` and `b` may belong to the same rank: their ranks are equal, or at least one of them is
 * unknown. */
gboolean loom_track_rank_may_match (const LoomTrack *a, const LoomTrack *b);

/* Returns the rank for display: "rank 3" or, if the rank is a process id, "process 88359". Translated; owned by the
 * caller. */
char *loom_track_rank_dup_words (const LoomTrack *track, const char *format);
