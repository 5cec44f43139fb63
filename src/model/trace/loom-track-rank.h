/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether the rank of a track is a rank or a process id: by the format of its source (loom-rank-label.h), or
 * because the track comes from a merged file that states it. Also decides which tracks may belong to the same rank.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the rank of a track is a process id. `format`: format of the track's source. */
gboolean loom_track_rank_is_process (const LoomTrack *track, const char *format);

/* Returns TRUE if the track may belong to the rank (−1: any): if it has this rank, or if its rank is unknown. */
gboolean loom_track_rank_may_be (const LoomTrack *track, gint rank);

/* Returns TRUE if both tracks may belong to the same rank. */
gboolean loom_track_rank_may_match (const LoomTrack *a, const LoomTrack *b);

/* Returns "rank 3" or "process 88359", translated. Owned. */
char *loom_track_rank_dup_words (const LoomTrack *track, const char *format);
