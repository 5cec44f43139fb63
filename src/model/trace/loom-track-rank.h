/* SPDX-License-Identifier: Apache-2.0
 *
 * What the number of a track's worker is: loom-rank-label.h, and what a merged file states.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* Whether it is the id of a process. `format`: that of the track's source. */
gboolean loom_track_rank_is_process (const LoomTrack *track, const char *format);

/* "rank 3", "process 88359", in the language of the person. Owned. */
char *loom_track_rank_dup_words (const LoomTrack *track, const char *format);

G_END_DECLS
