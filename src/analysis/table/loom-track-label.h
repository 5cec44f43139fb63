/* SPDX-License-Identifier: Apache-2.0
 *
 * Translated labels for tracks without a name of their own; the trace itself calls them the same in all languages, for
 * programs. Any thread.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-source-overrides.h"
#include "loom-trace.h"

/* The name that the trace states; else a translated label, or "" if nothing is known. Owned by the caller. */
char *loom_track_label_dup_process (const LoomTrack *track);
char *loom_track_label_dup_thread (const LoomTrack *track);

/* "box-7 › rank 3 · the slow one › python › main": all that is known about the track's place. `names`: the user's names
 * of sources, may be NULL. Owned by the caller. */
char *loom_track_label_dup_path (const LoomTrace *trace, const LoomTrack *track, const LoomSourceOverrides *names);

/* The writer of rows: "rank 3", "process 901", with the host before it if there are several hosts; without a rank
 * smdebug's name for it; "all" beyond the last worker. Owned by the caller. */
char *loom_track_label_dup_worker_words (const LoomDataFrame *frame, guint worker);
