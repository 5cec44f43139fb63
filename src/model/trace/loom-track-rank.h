/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether the worker number of a track is a rank or a process id: by the format of its source
 * (loom-rank-label.h), or because a merged file states that it is a process id.
 */
#pragma once

#include "loom-trace.h"

/* Returns TRUE if the number is a process id. `format`: format of the track's source. */
gboolean loom_track_rank_is_process (const LoomTrack *track, const char *format);

/* Returns "rank 3" or "process 88359", translated. Owned. */
char *loom_track_rank_dup_words (const LoomTrack *track, const char *format);
